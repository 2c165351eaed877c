/** The report of `npm run faults:many`, in Markdown. */

import { medianOf } from '../checkers/lateness-checker.ts'
import { faultKinds } from './fault-plan.ts'
import type { ManyFaults } from './many-run.ts'
import { resourceLimits } from './watch-stack.ts'

export interface ManyReport {
  command: string
  commit: string
  /** Faults that were asked for. */
  count: number
  runs: readonly ManyFaults[]
  /** Of the run, as `2026-01-31`. */
  day: string
}

export function reportOfFaults({ command, commit, count, runs, day }: ManyReport): string {
  const made = runs.reduce((sum, run) => sum + run.made.length, 0)
  const violations = runs.flatMap((run) => run.violations.map((text) => `- ${logName(run.log)}: ${text}`))
  const line = (...cells: (string | number)[]) => `| ${cells.join(' | ')} |`
  const heads = runs.flatMap(({ log }) => [logName(log), 'works again after'])
  return [
    `# ${made.toLocaleString('en')} injected faults`,
    '',
    `\`${command}\`, ${day}, commit ${commit}: ${made.toLocaleString('en')} of ${count.toLocaleString('en')} faults were made, ${violations.length === 0 ? 'no violation was found' : `${violations.length} violations were found`}. What is done and judged: [test-e2e/faults](../../test-e2e/faults/README.md#many-faults). The same seed gives the same faults in the same order; times are those of the machine, which may have other work.`,
    '',
    line('fault', ...heads),
    line('---', ...heads.map(() => '---')),
    ...faultKinds.map((kind) =>
      line(
        kind,
        ...runs.flatMap((run) => {
          const mine = run.made.filter((fault) => fault.kind === kind).map(({ recoveredMs }) => recoveredMs)
          return mine.length === 0 ? ['–', ''] : [mine.length, timesOf(mine)]
        }),
      ),
    ),
    line(
      '**all**',
      ...runs.flatMap((run) => [
        `**${run.made.length}**`,
        run.made.length === 0 ? '' : timesOf(run.made.map(({ recoveredMs }) => recoveredMs)),
      ]),
    ),
    '',
    '_Works again after_: median and longest time from the end of a fault until a change that was asked for then was acknowledged and at the receiver.',
    '',
    line('', ...runs.map(({ log }) => logName(log))),
    line('---', ...runs.map(() => '---')),
    ...totals.map(([name, of]) => line(name, ...runs.map(of))),
    '',
    '_Longest wait of what was due_: the longest time between the moment at which a delivery was due and its attempt, less what of it faults were under way; starts of services and leases of killed ones are in it.',
    '',
    line('highest of all samples', ...runs.map(({ log }) => logName(log))),
    line('---', ...runs.map(() => '---')),
    ...[...new Set(runs.flatMap(({ watched }) => [...watched.peaks.keys()]))]
      .sort()
      .map((what) =>
        line(
          `${what}, at most ${resourceLimits[what]}`,
          ...runs.map(({ watched }) => Math.round((watched.peaks.get(what) ?? 0) * 10) / 10),
        ),
      ),
    '',
    ...(violations.length === 0 ? [] : ['## Violations', '', ...violations, '']),
  ].join('\n')
}

const totals: [string, (run: ManyFaults) => string | number][] = [
  ['seed', ({ seed }) => seed],
  ['minutes', ({ tookMs }) => (tookMs / 60_000).toFixed(1)],
  ['checks of everything since the beginning', ({ checks }) => checks],
  ['changes asked for', ({ writes }) => writes.asked],
  ['of them acknowledged', ({ writes }) => writes.acknowledged],
  ['of them with no answer, or one that does not say', ({ writes }) => writes.unknown],
  ['events, each delivered', ({ events }) => events],
  ['attempts whose outcome was lost', ({ attempts }) => attempts.lost],
  ['attempts that failed', ({ attempts }) => attempts.failed],
  ['requests that came again, those of replays among them', ({ attempts }) => attempts.repeated],
  ['replays asked for amid faults', ({ replays }) => replays.asked],
  ['of them acknowledged', ({ replays }) => replays.acknowledged],
  ['of them with no answer, or one that does not say', ({ replays }) => replays.unknown],
  ['epochs that they opened', ({ replays }) => replays.epochs],
  ['codes and refresh tokens presented', ({ tokens }) => tokens.presented],
  ['of them with a lost answer', ({ tokens }) => tokens.lost],
  ['longest wait of what was due', ({ latestMs }) => `${(latestMs / 1_000).toFixed(1)} s`],
  [
    'a change that is asked for at rest, to the receiver: median, longest',
    ({ atRestMs }) => (atRestMs.length === 0 ? '–' : timesOf(atRestMs)),
  ],
  [
    'a change behind records that nobody can read, to the receiver: median, longest',
    ({ heldUpMs }) => (heldUpMs.length === 0 ? '–' : timesOf(heldUpMs)),
  ],
  ['attempts for the workspace beside it', ({ neighbourAttempts }) => neighbourAttempts],
  ['samples of processes and queues', ({ watched }) => watched.samples],
  ['snapshots of rows', ({ watched }) => watched.snapshots],
  ['violations', ({ violations }) => violations.length],
]

const logName = (log: ManyFaults['log']) => (log === 'Kafka' ? 'log on Kafka' : 'log in Postgres')

function timesOf(times: readonly number[]): string {
  const told = (ms: number) => (Number.isFinite(ms) ? `${(ms / 1_000).toFixed(1)} s` : 'not in time')
  return `${told(medianOf(times))}, ${told(Math.max(0, ...times))}`
}
