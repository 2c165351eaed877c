/** The command line of the benchmark. A fault ends the program with one sentence and exit code 2. */
import {
  choiceOf,
  fileOf,
  OptionFault,
  parseWords,
  readCommandLine,
  requireWritable,
  wholeOf,
} from '../../harness/command-line.ts'
import type { Measure, MeasureSizes } from './measures/measure.ts'
import type { Broker } from './rig.ts'

export interface BenchOptions extends MeasureSizes {
  measures: Measure[]
  brokers: Broker[]
  /** Where the figures go, or null. */
  json: string | null
}

function usage(measures: readonly Measure[]): string {
  const list = measures.map(({ name, meaning }) => `  ${name.padEnd(16)} ${meaning}`).join('\n')
  return `usage: npm run bench -- [--only a,b] [--broker postgres|kafka|both] [--seconds 15] [--repetitions 3] [--deliveries 1000000] [--rows 1000000] [--hanging 40] [--burst 100000] [--replayed 50000] [--json FILE]\n\n${list}\n`
}

const brokers = new Map<string, Broker[]>([
  ['postgres', ['postgres']],
  ['kafka', ['kafka']],
  ['both', ['postgres', 'kafka']],
])

/** Seconds, and what else is no more than there are in an hour. */
const count = (name: string, text: string, most = 3_600) => wholeOf(name, text, most)

function rowsOf(text: string): number {
  const rows = count('rows', text, 10_000_000)
  if (rows % 1_000_000 !== 0) throw new OptionFault('--rows must be whole millions')
  return rows
}

/** @throws OptionFault */
export function parseOptions(args: string[], measures: readonly Measure[]): BenchOptions | 'help' {
  const parsed = parseWords(args, {
    options: {
      only: { type: 'string' },
      broker: { type: 'string', default: 'postgres' },
      seconds: { type: 'string', default: '15' },
      repetitions: { type: 'string', default: '3' },
      deliveries: { type: 'string', default: '1000000' },
      rows: { type: 'string', default: '1000000' },
      hanging: { type: 'string', default: '40' },
      burst: { type: 'string', default: '100000' },
      replayed: { type: 'string', default: '50000' },
      json: { type: 'string' },
    },
  })
  if (parsed === 'help') return parsed
  const { values } = parsed
  const names = values.only?.split(',') ?? measures.map(({ name }) => name)
  const chosen = names.map((name) => measures.find((measure) => measure.name === name) ?? name)
  const unknown = chosen.filter((one) => typeof one === 'string')
  if (unknown.length > 0) throw new OptionFault(`there is no measurement ${unknown.join(', ')}`)
  return {
    measures: chosen.filter((one) => typeof one !== 'string'),
    brokers: choiceOf('broker', values.broker, brokers),
    seconds: count('seconds', values.seconds),
    repetitions: count('repetitions', values.repetitions),
    deliveries: count('deliveries', values.deliveries, 10_000_000),
    rows: rowsOf(values.rows),
    hanging: count('hanging', values.hanging, 200),
    burst: count('burst', values.burst, 1_000_000),
    replayed: count('replayed', values.replayed, 1_000_000),
    json: fileOf(values.json),
  }
}

export function readOptions(args: string[], measures: readonly Measure[]): BenchOptions {
  return readCommandLine({ name: 'bench', usage: usage(measures) }, () => {
    const options = parseOptions(args, measures)
    if (options !== 'help') requireWritable('json', options.json)
    return options
  })
}
