/**
 * `npm run bench`: starts its own stack for each measurement, prints a table, writes the figures as JSON.
 * Options: --only a,b  --broker postgres|kafka|both  --seconds N  --repetitions N  --json FILE
 */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { parseArgs } from 'node:util'
import { apiToWebhook, latency } from './measures/api-to-webhook.ts'
import { backlog } from './measures/backlog.ts'
import { deliveries, profile } from './measures/deliveries.ts'
import type { Line, Measure } from './measures/measure.ts'
import { neighbours } from './measures/neighbours.ts'
import { tracing } from './measures/tracing.ts'
import type { Broker } from './rig.ts'

const measures: Measure[] = [deliveries, apiToWebhook, latency, neighbours, backlog, tracing, profile]

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    broker: { type: 'string', default: 'postgres' },
    seconds: { type: 'string', default: '15' },
    repetitions: { type: 'string', default: '3' },
    json: { type: 'string' },
  },
})
const wanted = values.only?.split(',')
const brokers: Broker[] = values.broker === 'both' ? ['postgres', 'kafka'] : [values.broker as Broker]

function commit(): string {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
  } catch {
    return 'unknown'
  }
}

const machine = {
  date: new Date().toISOString(),
  commit: commit(),
  cpu: `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}`,
  memoryGib: Math.round(totalmem() / 2 ** 30),
  node: process.version,
  seconds: Number(values.seconds),
  repetitions: Number(values.repetitions),
}

function row(line: Line): string {
  const range = line.range === undefined ? '' : `${Math.round(line.range[0])}..${Math.round(line.range[1])}`
  const floor = line.floor === undefined ? '' : `${line.floor.value} ${line.floor.holds ? 'held' : 'MISSED'}`
  return `${line.measure.padEnd(44)} ${String(line.value).padStart(9)} ${line.unit.padEnd(12)} ${range.padEnd(16)} ${floor}`
}

const results: { broker: Broker; measure: string; command: string; lines: Line[] }[] = []
process.stdout.write(
  `${Object.entries(machine)
    .map(([name, value]) => `${name} ${value}`)
    .join(' · ')}\n`,
)
for (const broker of brokers) {
  for (const measure of measures) {
    if (wanted !== undefined && !wanted.includes(measure.name)) continue
    const command = `npm run bench -- --only ${measure.name} --broker ${broker} --seconds ${values.seconds} --repetitions ${values.repetitions}`
    process.stdout.write(`\n${broker} · ${measure.name}: ${measure.meaning}\n  ${command}\n`)
    const say = (line: string) => process.stderr.write(`  ${line}\n`)
    const { seconds, repetitions } = machine
    const lines = await measure.run({ broker, seconds, repetitions, say })
    for (const line of lines) process.stdout.write(`${row(line)}\n`)
    results.push({ broker, measure: measure.name, command, lines })
  }
}
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify({ machine, results }, null, 2)}\n`)
