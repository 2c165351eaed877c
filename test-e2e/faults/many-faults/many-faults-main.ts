/**
 * `npm run faults:many -- [--count 1000] [--log postgres|kafka|both] [--seed N] [--check-every 50] [--minutes 60] [--report FILE]`: so many faults,
 * on both logs half of them each, side by side; ends with the report, in Markdown. Exit code 1 where the checker found something.
 */
import { writeFileSync } from 'node:fs'
import { findKafka } from '@wds/local-infra/kafka-jars'
import { choiceOf, fileOf, parseWords, readCommandLine, requireWritable, wholeOf } from '../../harness/command-line.ts'
import { currentCommit } from '../../harness/current-commit.ts'
import type { LogName } from '../rig/rig.ts'
import { runManyFaults } from './many-faults.ts'
import { reportOfFaults } from './many-report.ts'
import type { ManyFaults } from './many-run.ts'

const usage = `usage: npm run faults:many -- [--count 1000] [--log postgres|kafka|both] [--seed 21] [--check-every 50] [--minutes 60] [--report FILE]

  --count        faults in all, half of them on each log
  --seed         the same seed gives the same faults in the same order
  --check-every  faults between two checks of everything
  --minutes      after so many no further fault begins
  --report       the report, in Markdown, written after each check, too; a relative path is meant from where you are
`
const me = { name: 'faults:many', usage }
const logsOf = new Map<string, LogName[]>([
  ['postgres', ['Postgres']],
  ['kafka', ['Kafka']],
  ['both', ['Postgres', 'Kafka']],
])
const { log, logs, count, seed, checkEvery, minutes, reportFile } = readCommandLine(me, () => {
  const parsed = parseWords(process.argv.slice(2), {
    options: {
      count: { type: 'string', default: '1000' },
      log: { type: 'string', default: 'both' },
      seed: { type: 'string', default: '21' },
      'check-every': { type: 'string', default: '50' },
      minutes: { type: 'string', default: '60' },
      report: { type: 'string' },
    },
  })
  if (parsed === 'help') return parsed
  const { values } = parsed
  const options = {
    log: values.log,
    logs: choiceOf('log', values.log, logsOf),
    count: wholeOf('count', values.count),
    seed: wholeOf('seed', values.seed),
    checkEvery: wholeOf('check-every', values['check-every']),
    minutes: wholeOf('minutes', values.minutes),
    reportFile: fileOf(values.report),
  }
  requireWritable('report', options.reportFile)
  return options
})
const command = `npm run faults:many -- --count ${count} --log ${log} --seed ${seed} --check-every ${checkEvery} --minutes ${minutes}`

if (logs.includes('Kafka'))
  await findKafka({ onNotice: (line) => void process.stderr.write(`${line}\n`) }).catch((error: Error) => {
    const told = 'This command stops and kills its broker, so it needs one of its own; `--log postgres` needs none.'
    process.stderr.write(`${me.name}: no broker can be started: ${error.message}\n${told}\n`)
    process.exit(1)
  })

const done = new Map<LogName, ManyFaults>()
const day = new Date().toISOString().slice(0, 10)
const commit = currentCommit()
const runsNow = () => logs.flatMap((log) => done.get(log) ?? [])
const textNow = () => reportOfFaults({ command, commit, count, runs: runsNow(), day })
// After each check, so that a run that is broken off keeps what it has.
const onCheck = (run: ManyFaults) => {
  done.set(run.log, run)
  if (reportFile !== null) writeFileSync(reportFile, textNow())
}
await Promise.all(
  logs.map(async (log, nth) => {
    const share = Math.floor(count / logs.length) + (nth < count % logs.length ? 1 : 0)
    if (share === 0) return
    onCheck(await runManyFaults({ log, seed, count: share, checkEvery, withinMs: minutes * 60_000, onCheck }))
  }),
)
process.stdout.write(textNow())
const runs = runsNow()
const made = runs.reduce((sum, run) => sum + run.made.length, 0)
const found = runs.reduce((sum, run) => sum + run.violations.length, 0)
process.stderr.write(`faults: ${made} of ${count} made, ${found} violations\n`)
process.exitCode = found === 0 ? 0 : 1
