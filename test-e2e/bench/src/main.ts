/**
 * `npm run bench`: starts its own stack for each measurement, prints a table, writes the figures as JSON. Exit code 1 when a measurement
 * failed or its counts did not agree with the database; a floor that was missed is told and is no failure, since machines differ.
 */
import { writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { removeStacksAtRunEnd } from '../../harness/abandoned-stacks.ts'
import { currentCommit } from '../../harness/current-commit.ts'
import { apiToWebhook, latency } from './measures/api-to-webhook.ts'
import { backlog } from './measures/backlog.ts'
import { deliveries, profile } from './measures/deliveries.ts'
import { firstHang } from './measures/first-hang.ts'
import { history } from './measures/history.ts'
import { imports } from './measures/imports.ts'
import type { Line, Measure } from './measures/measure.ts'
import { neighbours } from './measures/neighbours.ts'
import { payments } from './measures/payments.ts'
import { postbacks } from './measures/postbacks.ts'
import { rebuild } from './measures/rebuild.ts'
import { replay, replayBeside } from './measures/replay.ts'
import { requests } from './measures/requests.ts'
import { revocation } from './measures/revocation.ts'
import { signIn } from './measures/sign-in.ts'
import { stats } from './measures/stats.ts'
import { tls } from './measures/tls.ts'
import { tokenEndpoint } from './measures/token-endpoint.ts'
import { tracing } from './measures/tracing.ts'
import { verification } from './measures/verification.ts'
import { wideBurst } from './measures/wide-burst.ts'
import { readOptions } from './options.ts'
import type { Broker } from './rig.ts'
import { tableOf } from './table.ts'

const measures: Measure[] = [
  ...[deliveries, apiToWebhook, latency, neighbours, backlog, history, replay, tracing, profile],
  ...[firstHang, wideBurst, replayBeside, tls],
  ...[tokenEndpoint, verification, revocation, signIn, stats, requests, postbacks, imports, payments, rebuild],
]

const sizeNames = ['seconds', 'repetitions', 'deliveries', 'rows', 'hanging', 'burst', 'replayed'] as const

const options = readOptions(process.argv.slice(2), measures)
// Also of a measurement that has no stack yet.
removeStacksAtRunEnd()
const { seconds, repetitions } = options
const machine = {
  date: new Date().toISOString(),
  commit: currentCommit(),
  cpu: `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}`,
  memory: `${Math.round(totalmem() / 2 ** 30)} GiB`,
  node: process.version,
  seconds,
  repetitions,
}
const results: { broker: Broker; measure: string; command: string; lines: Line[]; error?: string }[] = []
process.stdout.write(
  `${Object.entries(machine)
    .map(([name, value]) => `${name} ${value}`)
    .join(' · ')}\n`,
)
for (const broker of options.brokers) {
  for (const measure of options.measures) {
    const sizes = sizeNames.map((name) => `--${name} ${options[name]}`).join(' ')
    const command = `npm run bench -- --only ${measure.name} --broker ${broker} ${sizes}`
    process.stdout.write(`\n${broker} · ${measure.name}: ${measure.meaning}\n  ${command}\n`)
    const say = (line: string) => void process.stderr.write(`  ${line}\n`)
    try {
      const lines = await measure.run({ ...options, broker, say })
      process.stdout.write(tableOf(lines))
      results.push({ broker, measure: measure.name, command, lines })
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      process.stdout.write(`  FAILED: ${message}\n`)
      results.push({ broker, measure: measure.name, command, lines: [], error: message })
      process.exitCode = 1
    }
    // After each, so that a run that is broken off keeps what it has.
    if (options.json !== null) writeFileSync(options.json, `${JSON.stringify({ machine, results }, null, 2)}\n`)
  }
}
