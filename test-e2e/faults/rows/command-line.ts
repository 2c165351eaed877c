/** What the commands of this folder have in common: `--help` is no fault, and words that are not understood end in one sentence and exit code 2. */
import { parseArgs } from 'node:util'

type Options = Record<string, { type: 'string' }>

/** Options, each with a value, and words beside them. */
export function readCommandLine(o: { name: string; usage: string; options: Options; takesWords?: boolean }): {
  values: Record<string, string | undefined>
  words: string[]
} {
  try {
    const { values, positionals } = parseArgs({
      options: { help: { type: 'boolean', default: false }, ...o.options },
      allowPositionals: o.takesWords ?? false,
    })
    const { help, ...given } = values as { help: boolean } & Record<string, string | undefined>
    if (!help) return { values: given, words: positionals }
  } catch (error) {
    refuse(o, (error as Error).message)
  }
  process.stdout.write(o.usage)
  process.exit(0)
}

/** Ends the program. */
export function refuse({ name, usage }: { name: string; usage: string }, message: string): never {
  process.stderr.write(`${name}: ${message}\n${usage}`)
  process.exit(2)
}

/** `--name text` as a whole number from 1 to a million. */
export function wholeOf(o: { name: string; usage: string }, name: string, text: string): number {
  const value = Number(text)
  return Number.isInteger(value) && value >= 1 && value <= 1_000_000
    ? value
    : refuse(o, `--${name} must be 1 to 1000000`)
}
