/** `npm run wds`: the operator's commands. Talks to auth's internal listener; never to a database. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { commands } from './commands.ts'
import { OperatorError } from './operator.ts'

const usage = `usage: npm run wds -- <command>

commands:
${commands.map((command) => `  ${command.usage}\n      ${command.meaning}`).join('\n')}

The service is found by WDS_INTERNAL_URL and WDS_INTERNAL_TOKEN_FILE, else by the data folder of the standalone on this machine (WDS_DATA_DIR, default .data).`

function operatorAccess(): { url: string; token: string } {
  const { WDS_INTERNAL_URL: url, WDS_INTERNAL_TOKEN_FILE: tokenFile, WDS_DATA_DIR: dataDirectory } = process.env
  try {
    if (url !== undefined && tokenFile !== undefined) return { url, token: readFileSync(tokenFile, 'utf8').trim() }
    const file = join(dataDirectory ?? join(import.meta.dirname, '../../../.data'), 'operator.json')
    return JSON.parse(readFileSync(file, 'utf8')) as { url: string; token: string }
  } catch {
    throw new OperatorError(
      'no running service found: start one with `npm start`, or set WDS_INTERNAL_URL and WDS_INTERNAL_TOKEN_FILE',
    )
  }
}

async function main(): Promise<number> {
  const words = process.argv.slice(2)
  const command = commands.find((candidate) => candidate.words.every((word, index) => words[index] === word))
  if (command === undefined) {
    console.error(usage)
    return words.length === 0 || words[0] === '--help' ? 0 : 2
  }
  try {
    const args = words.slice(command.words.length)
    const { values } = parseArgs({ args, options: command.options, strict: true })
    console.log(await command.run(values as Record<string, string | boolean | undefined>, operatorAccess))
    return 0
  } catch (error) {
    console.error(`wds: ${error instanceof Error ? error.message : String(error)}`)
    return error instanceof OperatorError ? 1 : 2
  }
}

process.exitCode = await main()
