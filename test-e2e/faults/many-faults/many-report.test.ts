import { expect, test } from '@jest/globals'
import { reportOfFaults } from './many-report.ts'
import type { ManyFaults } from './many-run.ts'

const run: ManyFaults = {
  log: 'Postgres',
  seed: 7,
  made: [
    { kind: 'service killed', recoveredMs: 1_000 },
    { kind: 'service killed', recoveredMs: 3_000 },
    { kind: 'Postgres killed', recoveredMs: 9_000 },
  ],
  checks: 1,
  writes: { asked: 10, acknowledged: 8, unknown: 2 },
  events: 9,
  attempts: { lost: 1, failed: 0, repeated: 1 },
  replays: { asked: 6, acknowledged: 4, unknown: 1, epochs: 21 },
  tokens: { presented: 5, lost: 1 },
  watched: { samples: 40, peaks: new Map([['descriptors of api', 77]]), snapshots: 3 },
  latestMs: 6_100,
  atRestMs: [20, 400, 30],
  heldUpMs: [900],
  neighbourAttempts: 12,
  violations: [],
  tookMs: 90_000,
}
const reported = (runs: ManyFaults[]) =>
  reportOfFaults({ command: 'npm run it', commit: 'abc', count: 10, runs, day: '2026-01-31' })

test('the report counts what was made, not what was asked for, and tells how long each kind took', () => {
  const text = reported([run])
  expect(text).toContain('# 3 injected faults')
  expect(text).toContain('`npm run it`, 2026-01-31, commit abc: 3 of 10 faults were made, no violation was found')
  expect(text).toContain('| service killed | 2 | 1.0 s, 3.0 s |')
  expect(text).toContain('| receiver hangs | – |  |')
  expect(text).toContain('| **all** | **3** | 3.0 s, 9.0 s |')
  expect(text).toContain('| longest wait of what was due | 6.1 s |')
  expect(text).toContain('| a change that is asked for at rest, to the receiver: median, longest | 0.0 s, 0.4 s |')
  expect(text).toContain('| epochs that they opened | 21 |')
  expect(text).toContain('| descriptors of api, at most 256 | 77 |')
  expect(text).not.toContain('## Violations')
})

test('violations stand in it, with the log that they were found on', () => {
  const text = reported([run, { ...run, log: 'Kafka', violations: ['I1: a1 is lost'] }])
  expect(text).toContain('6 of 10 faults were made, 1 violations were found')
  expect(text).toContain('- log on Kafka: I1: a1 is lost')
})
