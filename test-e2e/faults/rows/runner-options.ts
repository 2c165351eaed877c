// What may follow `faults:quick` and `faults:full`: options of the test runner, which passes over most that it does not know.
import { createRequire } from 'node:module'

interface RunnerOption {
  type?: string
  alias?: string
}

const ofJest = createRequire(createRequire(import.meta.url).resolve('jest'))
const { yargsOptions } = ofJest('jest-cli') as { yargsOptions: Record<string, RunnerOption> }
const options = new Map(
  Object.entries(yargsOptions).flatMap(([name, option]): [string, RunnerOption][] =>
    option.alias === undefined
      ? [[name, option]]
      : [
          [name, option],
          [option.alias, option],
        ],
  ),
)

const camelCase = (name: string) => name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

const isOption = (word: string): boolean => /^-{1,2}[a-z]/i.test(word)

/** Words that an option takes which is written without `=`. */
function valuesOf({ type }: RunnerOption): number {
  if (type === 'boolean') return 0
  return type === 'array' ? Number.POSITIVE_INFINITY : 1
}

/** Without a value the test runner passes over what follows, or ends before a test. */
const needsValue = ({ type = '' }: RunnerOption): boolean => ['array', 'number', 'string'].includes(type)

/** What is wrong with these words, in one sentence; null where the test runner knows them all. */
export function faultOfRunnerOptions(words: readonly string[]): string | null {
  let taken = 0
  for (const [nth, word] of words.entries()) {
    if (!isOption(word)) {
      taken -= 1
      if (taken < 0)
        return `Unexpected argument '${word}': an option of the test runner is written as --name or --name=value`
      continue
    }
    const [name = '', ...values] = word.replace(/^-{1,2}/, '').split('=')
    const option = options.get(camelCase(name)) ?? options.get(camelCase(name.replace(/^no-/, '')))
    if (option === undefined) return `Unknown option '${word}'`
    const next = words[nth + 1]
    const isBare = word.includes('=') ? values.join('=') === '' : next === undefined || isOption(next)
    if (isBare && needsValue(option)) return `Option '${word}' lacks its value`
    taken = word.includes('=') ? 0 : valuesOf(option)
  }
  return null
}
