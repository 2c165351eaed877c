// The machine of the integration: every pair of state and action, and the stories that the table cannot tell.
import { describe, expect, test } from '@jest/globals'
import { given } from '@wds/decider/given-when-then'
import { type IntegrationCommand, type IntegrationEvent, integrationDecider } from './integration.ts'
import { fieldFaults, settingsCharactersMax, withDefaults } from './integration-form.ts'
import { integrationMachine } from './integration-machine.ts'

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
    { type: 'report_expiry', atMs: 9 },
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

test('regression: settings are of a bounded size, whatever text in them is long', () => {
  const faults = (length: number) => {
    const settings = {
      mapping: [
        { to: 'date', from: 'd' },
        { to: 'clicks', const: '1' },
        { to: 'campaign', const: 'x' },
      ],
    }
    const fill = 'x'.repeat(length - JSON.stringify(settings).length + 1)
    settings.mapping[2] = { to: 'campaign', const: fill }
    return fieldFaults(withDefaults({ name: 'One', brand_slug: 'acme', provider: 'csv_upload', settings }))
  }
  expect(faults(settingsCharactersMax)).toEqual([])
  expect(faults(settingsCharactersMax + 1)).toMatchObject([{ pointer: '/settings', code: 'out_of_range' }])
  const settings = { anomalies: [{ date: '2026-01-01', factor: 1, campaign: 'x'.repeat(settingsCharactersMax) }] }
  const demo = fieldFaults(withDefaults({ name: 'One', brand_slug: 'acme', provider: 'demo', settings }))
  expect(demo).toMatchObject([{ pointer: '/settings', code: 'out_of_range' }])
})
