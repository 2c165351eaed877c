/** What the command lines of benchmark and faults have in common: `--help` is no fault, and words that are not understood end in one sentence and exit code 2. */
import { appendFileSync } from 'node:fs'
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { fromCaller } from '@wds/settings/caller-path'

export interface CommandLine {
  /** As it is typed behind `npm run`. */
  name: string
  usage: string
}

/** What is wrong with the words, in one sentence. */
export class OptionFault extends Error {}

type Options = Record<string, { type: 'string'; default?: string }>

interface ParsedWords<O extends Options> {
  values: { [Name in keyof O]: O[Name] extends { default: string } ? string : string | undefined }
  words: string[]
}

/** Options, each with a value, and words beside them. @throws OptionFault */
export function parseWords<const O extends Options>(
  args: string[],
  o: { options: O; takesWords?: boolean },
): ParsedWords<O> | 'help' {
  const options: ParseArgsOptionsConfig = { help: { type: 'boolean', default: false }, ...o.options }
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: o.takesWords ?? false })
    const { help, ...given } = values
    return help === true ? 'help' : { values: given as ParsedWords<O>['values'], words: positionals }
  } catch (error) {
    throw new OptionFault((error as Error).message)
  }
}

/** What `read` makes of the words. Ends the program where they ask for help, or where it throws an `OptionFault`. */
export function readCommandLine<T>(me: CommandLine, read: () => T | 'help'): T {
  try {
    const asked = read()
    if (asked !== 'help') return asked
  } catch (error) {
    if (error instanceof OptionFault) refuse(me, error.message)
    throw error
  }
  return tellUsage(me)
}

/** Ends the program. */
export function tellUsage({ usage }: CommandLine): never {
  process.stdout.write(usage)
  process.exit(0)
}

/** Ends the program. */
export function refuse({ name, usage }: CommandLine, message: string): never {
  process.stderr.write(`${name}: ${message}\n${usage}`)
  process.exit(2)
}

/** `--name text` as a whole number from 1 on. @throws OptionFault */
export function wholeOf(name: string, text: string, most = 1_000_000): number {
  const value = Number(text)
  if (Number.isInteger(value) && value >= 1 && value <= most) return value
  throw new OptionFault(`--${name} must be 1 to ${most}`)
}

/** What `--name text` chooses. @throws OptionFault that tells the choices */
export function choiceOf<T>(name: string, text: string, choices: ReadonlyMap<string, T>): T {
  const chosen = choices.get(text)
  if (chosen !== undefined) return chosen
  const names = [...choices.keys()]
  throw new OptionFault(`--${name} must be ${names.slice(0, -1).join(', ')} or ${names.at(-1)}`)
}

/** The file of `--name`, as its caller means it; null without one. */
export const fileOf = (file: string | undefined): string | null => (file === undefined ? null : fromCaller(file))

/** Told before a run begins, not when its first result is lost. @throws OptionFault */
export function requireWritable(name: string, file: string | null): void {
  try {
    if (file !== null) appendFileSync(file, '')
  } catch (error) {
    throw new OptionFault(`--${name} cannot be written: ${(error as Error).message}`)
  }
}
