/**
 * `npm run faults:many -- [--count 1000] [--log postgres|kafka|both] [--seed N] [--check-every 50] [--minutes 60] [--report FILE]`: so many faults,
 * on both logs half of them each, side by side; ends with the report, in Markdown. Exit code 1 where the checker found something.
 */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { type ManyFaults, runManyFaults } from './many-faults.ts'
import { reportOfFaults } from './many-report.ts'
import type { LogName } from './rig.ts'

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '1000' },
    log: { type: 'string', default: 'both' },
    seed: { type: 'string', default: '21' },
    'check-every': { type: 'string', default: '50' },
    minutes: { type: 'string', default: '60' },
    report: { type: 'string' },
  },
})

function whole(name: string, text: string): number {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 1 || value > 1_000_000) throw new Error(`--${name} must be 1 to 1000000`)
  return value
}

const logsOf: Record<string, LogName[]> = { postgres: ['Postgres'], kafka: ['Kafka'], both: ['Postgres', 'Kafka'] }
const logs = logsOf[values.log]
if (logs === undefined) throw new Error('--log must be postgres, kafka or both')
const [count, seed, checkEvery, minutes] = [
  whole('count', values.count),
  whole('seed', values.seed),
  whole('check-every', values['check-every']),
  whole('minutes', values.minutes),
]
const command = `npm run faults:many -- --count ${count} --log ${values.log} --seed ${seed} --check-every ${checkEvery} --minutes ${minutes}`

const done = new Map<LogName, ManyFaults>()
const day = new Date().toISOString().slice(0, 10)
const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
const runsNow = () => logs.flatMap((log) => done.get(log) ?? [])
const textNow = () => reportOfFaults({ command, commit, count, runs: runsNow(), day })
// After each check, so that a run that is broken off keeps what it has.
const onCheck = (run: ManyFaults) => {
  done.set(run.log, run)
  if (values.report !== undefined) writeFileSync(values.report, textNow())
}
await Promise.all(
  logs.map(async (log, nth) => {
    const share = Math.floor(count / logs.length) + (nth < count % logs.length ? 1 : 0)
    onCheck(await runManyFaults({ log, seed, count: share, checkEvery, withinMs: minutes * 60_000, onCheck }))
  }),
)
process.stdout.write(textNow())
const runs = runsNow()
const made = runs.reduce((sum, run) => sum + run.made.length, 0)
const found = runs.reduce((sum, run) => sum + run.violations.length, 0)
process.stderr.write(`faults: ${made} of ${count} made, ${found} violations\n`)
process.exitCode = found === 0 ? 0 : 1
