// `npm run wds`: the operator's commands. Talks to auth's internal listener and the public address; never to a database.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Command, UsageError, type Values } from './command.ts'
import { commands, usageOf } from './commands.ts'
import { type OperatorAccess, OperatorError } from './operator.ts'
import { readSecretFile } from './secret-file.ts'

function operatorAccess(): OperatorAccess {
  const { WDS_INTERNAL_URL: url, WDS_INTERNAL_TOKEN_FILE: tokenFile, WDS_BASE_URL: baseUrl } = process.env
  // Never another service than the one that is named.
  if (url !== undefined && (tokenFile === undefined || baseUrl === undefined))
    throw new OperatorError('WDS_INTERNAL_URL is set: set WDS_INTERNAL_TOKEN_FILE and WDS_BASE_URL as well')
  try {
    if (url !== undefined && tokenFile !== undefined && baseUrl !== undefined)
      return { url, token: firstLineOf(readSecretFile(tokenFile)), baseUrl }
    const file = join(process.env.WDS_DATA_DIR ?? join(import.meta.dirname, '../../../.data'), 'operator.json')
    return JSON.parse(readFileSync(file, 'utf8')) as OperatorAccess
  } catch {
    throw new OperatorError(
      'no running service found: start one with `npm start`, or set WDS_INTERNAL_URL, WDS_INTERNAL_TOKEN_FILE and WDS_BASE_URL',
    )
  }
}

/** During a rotation auth's file holds two. */
const firstLineOf = (text: string) => text.split(/\r?\n/)[0] ?? ''

const isHelp = (word: string) => word === 'help' || word === '--help' || word === '-h'

/** The command that the arguments begin with. */
function commandOf(args: string[]): Command | undefined {
  return commands.find(({ words }) => words.every((word, index) => args[index] === word))
}

/** The commands that begin with these words. */
function startingWith(words: string[]): Command[] {
  return commands.filter((command) => words.every((word, index) => command.words[index] === word))
}

/** How to call what the arguments are about: a command, its group, or all. */
function usageFor(args: string[]): string {
  const words = args.filter((word) => !isHelp(word) && !word.startsWith('-'))
  const command = commandOf(words)
  const asked = command ? [command] : startingWith(words.slice(0, 1))
  return usageOf(asked.length > 0 ? asked : commands)
}

function readOptions(command: Command, args: string[]): Values {
  try {
    return parseArgs({ args, options: command.options, strict: true }).values as Values
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

async function run(args: string[]): Promise<void> {
  const command = commandOf(args)
  const isGroup = !command && args.length > 0 && startingWith(args).length > 0
  if (isGroup || args.some(isHelp)) {
    console.log(usageFor(args))
    return
  }
  if (!command)
    throw new UsageError(args.length === 0 ? 'a command is missing' : `there is no command '${args.join(' ')}'`)
  const values = readOptions(command, args.slice(command.words.length))
  await command.run({
    values,
    access: operatorAccess,
    print: (text) => console.log(text),
    notify: (text) => console.error(text),
  })
}

try {
  await run(process.argv.slice(2))
} catch (error) {
  const isExpected = error instanceof UsageError || error instanceof OperatorError
  console.error(`wds: ${isExpected ? error.message : ((error as Error).stack ?? String(error))}`)
  if (error instanceof UsageError) console.error(`\n${usageFor(process.argv.slice(2))}`)
  process.exitCode = error instanceof UsageError ? 2 : 1
}
