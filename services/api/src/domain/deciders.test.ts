// The three machines: their tables, every pair of state and action, and the stories that the tables cannot tell.
import { describe, expect, test } from '@jest/globals'
import { given } from '@wds/decider/given-when-then'
import { type ImportCommand, type ImportEvent, importDecider, importMachine } from './import.ts'
import {
  type IntegrationCommand,
  type IntegrationEvent,
  integrationDecider,
  integrationMachine,
} from './integration.ts'
import { withDefaults } from './integration-form.ts'
import { type SyncRunCommand, type SyncRunEvent, syncRunDecider, syncRunMachine } from './sync-run.ts'

const fields = withDefaults({ name: 'Demo', brand_slug: 'acme', provider: 'demo' })
const synced = { sync_run_id: 'syn_1', status: 'succeeded' as const, finished_ms: 5 }
const created: IntegrationEvent = { type: 'IntegrationCreated', data: { fields, at_ms: 1 } }
const activated: IntegrationEvent = { type: 'IntegrationActivated', data: { last_sync: synced } }
const broken: IntegrationEvent = {
  type: 'IntegrationBroken',
  data: { last_sync: { ...synced, status: 'failed' }, reason: 'timeout', consecutive_failures: 3, last_success_ms: 5 },
}
const failed = (code: 'timeout' | 'access_denied' | 'worker_lost', upload = false): IntegrationCommand => ({
  type: 'run_failed',
  sync_run_id: 'syn_1',
  atMs: 9,
  code,
  upload,
})

describe('C23: each pair of state and action of the integration', () => {
  const stories: Record<keyof typeof integrationMachine, IntegrationEvent[]> = {
    none: [],
    pending: [created],
    active: [created, activated],
    broken: [created, broken],
    paused: [created, activated, { type: 'IntegrationPaused', data: { reason: 'user' } }],
    deleted: [created, { type: 'IntegrationDeleted', data: {} }],
  }
  const commands: IntegrationCommand[] = [
    { type: 'create', fields, atMs: 1 },
    { type: 'update', patch: { name: 'Other' }, atMs: 9 },
    { type: 'pause' },
    { type: 'resume', atMs: 9 },
    { type: 'delete' },
    { type: 'run_succeeded', sync_run_id: 'syn_1', atMs: 9 },
    failed('worker_lost'),
    { type: 'report_delay', atMs: 9 },
  ]
  for (const [status, events] of Object.entries(stories)) {
    for (const command of commands) {
      test(`${status}, ${command.type}`, () => {
        const row: Record<string, string> = integrationMachine[status as keyof typeof integrationMachine]
        const state = events.reduce(integrationDecider.evolve, integrationDecider.initialState)
        const decision = integrationDecider.decide(state, command)
        expect(decision.accepted).toBe(command.type in row)
        if (!decision.accepted) return expect(decision.rejection.current_status).toBe(status)
        const next = decision.events.reduce(integrationDecider.evolve, state).status
        return expect(next).toBe(row[command.type] === 'before_pause' ? 'active' : row[command.type])
      })
    }
  }
})

describe('an integration', () => {
  test('breaks at once with a permanent code, and at the third failure in a row with another', () => {
    const last_sync = { sync_run_id: 'syn_1', status: 'failed' as const, finished_ms: 9 }
    const breaks = (reason: 'access_denied' | 'timeout', n: number): IntegrationEvent => ({
      type: 'IntegrationBroken',
      data: { last_sync, reason, consecutive_failures: n, last_success_ms: null },
    })
    const counted = (n: number): IntegrationEvent => ({
      type: 'IntegrationSynced',
      data: { last_sync, consecutive_failures: n },
    })
    given(integrationDecider, [created])
      .when(failed('access_denied'))
      .then([breaks('access_denied', 1)])
    given(integrationDecider, [created, counted(1)])
      .when(failed('timeout'))
      .then([counted(2)])
    given(integrationDecider, [created, counted(2)])
      .when(failed('timeout'))
      .then([breaks('timeout', 3)])
    given(integrationDecider, [created, counted(2)])
      .when(failed('worker_lost'))
      .then([counted(2)])
    given(integrationDecider, [created, counted(2)])
      .when(failed('timeout', true))
      .then([counted(2)])
  })

  test('whose credentials are refused says so once, also where it was broken before, until a run succeeds', () => {
    const refuse: IntegrationCommand = { ...failed('timeout'), code: 'invalid_credentials' } as IntegrationCommand
    const types = (events: IntegrationEvent[]) => {
      const state = events.reduce(integrationDecider.evolve, integrationDecider.initialState)
      const decision = integrationDecider.decide(state, refuse)
      return decision.accepted ? decision.events.map(({ type }) => type) : []
    }
    const told: IntegrationEvent = { type: 'IntegrationCredentialsRefused', data: {} }
    const restored: IntegrationEvent = { type: 'IntegrationRestored', data: { last_sync: synced, broken_since_ms: 1 } }
    expect(types([created])).toEqual(['IntegrationBroken', 'IntegrationCredentialsRefused'])
    expect(types([created, broken])).toEqual(['IntegrationSynced', 'IntegrationCredentialsRefused'])
    expect(types([created, broken, told])).toEqual(['IntegrationSynced'])
    expect(types([created, broken, told, restored])).toEqual(['IntegrationBroken', 'IntegrationCredentialsRefused'])
  })

  test('is delayed once per episode when no run succeeded within twice its schedule, never while it is paused', () => {
    const minute = 60_000
    const report = (atMs: number): IntegrationCommand => ({ type: 'report_delay', atMs })
    const late = (last_success_ms: number | null): IntegrationEvent => ({
      type: 'IntegrationDelayed',
      data: { last_success_ms, every_minutes: 60 },
    })
    const success: IntegrationEvent = {
      type: 'IntegrationSynced',
      data: { last_sync: synced, consecutive_failures: 0 },
    }
    const paused: IntegrationEvent = { type: 'IntegrationPaused', data: { reason: 'user' } }
    const resumed: IntegrationEvent = { type: 'IntegrationResumed', data: { status: 'active', at_ms: 500 * minute } }
    const slower: IntegrationEvent = {
      type: 'IntegrationUpdated',
      data: { patch: { schedule: { every_minutes: 90, at: null } }, changed: ['schedule'], at_ms: 100 * minute },
    }
    const story = (events: IntegrationEvent[], atMs: number) => given(integrationDecider, events).when(report(atMs))
    story([created], 120 * minute).then([])
    story([created], 120 * minute + 1).then([late(null)])
    story([created, activated], 120 * minute + 5).then([late(5)])
    story([created, activated, late(5)], 999 * minute).then([])
    story([created, activated, late(5), success], 120 * minute + 4).then([])
    story([created, activated, late(5), success], 120 * minute + 5).then([late(5)])
    story([created, activated, late(5), paused, resumed], 620 * minute - 1).then([])
    story([created, activated, late(5), paused, resumed], 620 * minute).then([late(5)])
    story([created, activated, slower], 280 * minute - 1).then([])
    expect(
      integrationDecider.decide(
        [created, paused].reduce(integrationDecider.evolve, integrationDecider.initialState),
        report(9e9),
      ).accepted,
    ).toBe(false)
  })

  test('is not changed by a PATCH that changes nothing', () => {
    given(integrationDecider, [created])
      .when({ type: 'update', patch: { name: 'Demo', tags: [] }, atMs: 9 })
      .then([])
  })
})

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

const counts = { lines: 2, accepted: 2, rejected: 0, unchanged: 0 }
describe('C23: each pair of state and action of the import', () => {
  const importOrder = {
    import_type: 'stats',
    format: 'csv',
    integration_id: 'int_1',
    brand_slug: 'acme',
    covers: null,
    body_bytes: 1,
    queued_ms: 0,
  } as const
  const open: ImportEvent[] = [{ type: 'ImportQueued', data: { order: importOrder } }]
  const running: ImportEvent[] = [...open, { type: 'ImportStarted', data: { sync_run_id: 'syn_1', at_ms: 1 } }]
  const done = (rejected: number): ImportEvent => ({
    type: 'ImportCompleted',
    data: { counts: { ...counts, rejected }, at_ms: 2, duration_ms: 1 },
  })
  const stories: Record<keyof typeof importMachine, ImportEvent[]> = {
    none: [],
    queued: open,
    running,
    completed: [...running, done(0)],
    completed_with_errors: [...running, done(1)],
    failed: [...running, { type: 'ImportFailed', data: { code: 'invalid_body', line: 3, counts, at_ms: 2 } }],
    canceled: [...open, { type: 'ImportCanceled', data: { at_ms: 2 } }],
  }
  const commands: ImportCommand[] = [
    { type: 'queue', order: importOrder },
    { type: 'start', sync_run_id: 'syn_1', atMs: 1 },
    { type: 'complete', counts, atMs: 2 },
    { type: 'fail', code: 'invalid_body', line: 3, counts, atMs: 2 },
    { type: 'cancel', atMs: 2 },
  ]
  for (const [status, events] of Object.entries(stories)) {
    for (const command of commands) {
      test(`${status}, ${command.type}`, () => {
        const row: Record<string, readonly string[]> = importMachine[status as keyof typeof importMachine]
        const state = events.reduce(importDecider.evolve, importDecider.initialState)
        expect(state.status).toBe(status)
        expect(importDecider.decide(state, command).accepted).toBe(command.type in row)
      })
    }
  }
})
