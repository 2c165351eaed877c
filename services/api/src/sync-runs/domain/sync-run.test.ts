// The machine of the sync run: every pair of state and action, and the stories that the table cannot tell.
import { describe, expect, test } from '@jest/globals'
import { given } from '@wds/decider/given-when-then'
import { type SyncRunCommand, type SyncRunEvent, syncRunDecider, syncRunMachine } from './sync-run.ts'

const order = {
  integration_id: 'int_1',
  brand_slug: 'acme',
  trigger: 'manual' as const,
  window: null,
  time_zone: 'UTC',
  run_seq: 1,
  max_attempts: 2,
  allow_empty: false,
  import_id: null,
  queued_ms: 0,
  basis: {
    settings: {},
    source_time_zone: 'UTC',
    currency: 'EUR',
    granularity: 'hour' as const,
    window_mode: 'replace' as const,
    on_unknown_campaign: 'create' as const,
  },
}
const queued: SyncRunEvent = { type: 'RunQueued', data: { order } }
const started: SyncRunEvent = { type: 'RunStarted', data: { at_ms: 10 } }
const result = {
  window: null,
  rows_inserted: 1,
  rows_updated: 2,
  rows_unchanged: 3,
  rows_deleted: 0,
  rows_rejected: 0,
  rows_skipped: 0,
  warnings: {},
  deletes_skipped: false,
}
const fail = (code: 'timeout' | 'access_denied' | 'worker_lost'): SyncRunCommand => ({
  type: 'fail',
  atMs: 40,
  code,
  rowsRejected: 0,
  delaysMs: [100],
  jitter: 0,
})
const waiting: SyncRunEvent = {
  type: 'AttemptFailed',
  data: { at_ms: 40, attempt: 1, code: 'timeout', next_attempt_ms: 140 },
}
const lost = { at_ms: 40, attempts: 1, code: 'access_denied' as const, rows_rejected: 0, duration_ms: 30 }

describe('C23: each pair of state and action of the sync run', () => {
  const stories: Record<keyof typeof syncRunMachine, SyncRunEvent[]> = {
    none: [],
    queued: [queued],
    running: [queued, started],
    retry_wait: [queued, started, waiting],
    succeeded: [
      queued,
      started,
      { type: 'RunSucceeded', data: { at_ms: 1, result, rows_ingested: 6, duration_ms: 1 } },
    ],
    failed: [queued, started, { type: 'RunFailed', data: lost }],
    canceled: [queued, { type: 'RunCanceled', data: { at_ms: 1, reason: 'user' } }],
  }
  const commands: SyncRunCommand[] = [
    { type: 'queue', order },
    { type: 'start', atMs: 10 },
    { type: 'succeed', atMs: 40, result },
    fail('timeout'),
    { type: 'cancel', atMs: 40, reason: 'user' },
  ]
  for (const [status, events] of Object.entries(stories)) {
    for (const command of commands) {
      test(`${status}, ${command.type}`, () => {
        const row: Record<string, readonly string[]> = syncRunMachine[status as keyof typeof syncRunMachine]
        const state = events.reduce(syncRunDecider.evolve, syncRunDecider.initialState)
        expect(state.status).toBe(status)
        const decision = syncRunDecider.decide(state, command)
        expect(decision.accepted).toBe(command.type in row)
        if (decision.accepted)
          expect(row[command.type]).toContain(decision.events.reduce(syncRunDecider.evolve, state).status)
      })
    }
  }
})

describe('a sync run', () => {
  test('counts inserted, updated and unchanged rows as ingested, from its first start on', () => {
    const data = { at_ms: 40, result, rows_ingested: 6, duration_ms: 30 }
    given(syncRunDecider, [queued, started])
      .when({ type: 'succeed', atMs: 40, result })
      .then([{ type: 'RunSucceeded', data }])
  })

  test('waits after a retryable code, fails at once with a permanent one and after its last attempt', () => {
    given(syncRunDecider, [queued, started]).when(fail('timeout')).then([waiting])
    const reported: SyncRunEvent = { type: 'RunReportedFailed', data: { at_ms: 40, duration_ms: 30 } }
    given(syncRunDecider, [queued, started])
      .when(fail('access_denied'))
      .then([{ type: 'RunFailed', data: lost }, reported])
    const second: SyncRunEvent = { type: 'AttemptStarted', data: { attempt: 2, at_ms: 20 } }
    const last: SyncRunEvent = { type: 'RunFailed', data: { ...lost, attempts: 2, code: 'timeout' } }
    given(syncRunDecider, [queued, started, waiting, second]).when(fail('timeout')).then([last, reported])
  })
})
