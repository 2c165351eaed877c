/** The command line of the benchmark. A fault ends the program with one sentence and exit code 2. */
import { appendFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { fromCaller } from '../../harness/caller-path.ts'
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

class OptionFault extends Error {}

function count(name: string, text: string, most = 3_600): number {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 1 || value > most) throw new OptionFault(`--${name} must be 1 to ${most}`)
  return value
}

function rowsOf(text: string): number {
  const rows = count('rows', text, 10_000_000)
  if (rows % 1_000_000 !== 0) throw new OptionFault('--rows must be whole millions')
  return rows
}

/** @throws OptionFault one sentence; what `parseArgs` throws for unknown options. */
export function parseOptions(args: string[], measures: readonly Measure[]): BenchOptions | 'help' {
  const { values } = parseArgs({
    args,
    options: {
      help: { type: 'boolean', default: false },
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
  if (values.help) return 'help'
  const names = values.only?.split(',') ?? measures.map(({ name }) => name)
  const chosen = names.map((name) => measures.find((measure) => measure.name === name) ?? name)
  const unknown = chosen.filter((one) => typeof one === 'string')
  if (unknown.length > 0) throw new OptionFault(`there is no measurement ${unknown.join(', ')}`)
  const wanted = brokers.get(values.broker)
  if (wanted === undefined) throw new OptionFault('--broker must be postgres, kafka or both')
  return {
    measures: chosen.filter((one) => typeof one !== 'string'),
    brokers: wanted,
    seconds: count('seconds', values.seconds),
    repetitions: count('repetitions', values.repetitions),
    deliveries: count('deliveries', values.deliveries, 10_000_000),
    rows: rowsOf(values.rows),
    hanging: count('hanging', values.hanging, 200),
    burst: count('burst', values.burst, 1_000_000),
    replayed: count('replayed', values.replayed, 1_000_000),
    json: values.json === undefined ? null : fromCaller(values.json),
  }
}

/** Told before anything is measured, not when the first figures are lost. @throws OptionFault */
export function requireWritable(file: string): void {
  try {
    appendFileSync(file, '')
  } catch (error) {
    throw new OptionFault(`--json cannot be written: ${(error as Error).message}`)
  }
}

export function readOptions(args: string[], measures: readonly Measure[]): BenchOptions {
  try {
    const options = parseOptions(args, measures)
    if (options !== 'help') {
      if (options.json !== null) requireWritable(options.json)
      return options
    }
    process.stdout.write(usage(measures))
    process.exit(0)
  } catch (error) {
    process.stderr.write(`bench: ${(error as Error).message}\n${usage(measures)}`)
    process.exit(2)
  }
}
