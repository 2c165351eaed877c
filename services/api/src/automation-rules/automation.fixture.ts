// What the suites of automation rules share: a workspace with two campaigns, rules on it, and events that go from the outbox to the rules as
// by a log that says everything again each time. For integration tests only.
import { newId } from '@wds/aggregate/new-id'
import type { Role } from '@wds/contracts/roles'
import type { LogRecord } from '@wds/event-log/port'
import { createPool, type Pool } from '@wds/postgres/pool'
import { withTransaction } from '@wds/postgres/transaction'
import { type Fixture, startFixture } from '../api-service.fixture.ts'
import { createAutomationHandler } from './consume-events.ts'

export type Row = Record<string, unknown> & { id: string }
export const minuteMs = 60_000
const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)

export type AutomationFixture = Awaited<ReturnType<typeof startAutomation>>

/** Two campaigns of one integration: `loud` has 300 clicks and no signup, `calm` 20 and 5. */
export async function startAutomation() {
  const fixture = await startFixture()
  const made = automationOn(fixture)
  await made.setKey(['campaigns:write', 'integrations:write'])
  const integration_id = await fixture.createIntegration({ name: 'Acme' })
  const csv = `date,campaign,clicks,signups\n${yesterday},loud,300,0\n${yesterday},calm,20,5\n`
  await fixture.call('POST', `/v1/imports?type=stats&integration_id=${integration_id}`, { csv })
  await fixture.work()
  return { ...fixture, ...made, integration_id }
}

/** Rules of the fixture's workspace. */
export function automationOn(fixture: Fixture) {
  const { call, adminPool } = fixture
  // Events of the tests before it, of which some are of a later clock.
  let mark = '0'
  const list = async (path: string) => (await call('GET', path)).body.data as Row[]
  const events = async () => {
    const { rows } = await adminPool.query<{ payload: Buffer; headers: Record<string, string> }>(
      'select payload, headers from api.outbox where id > $1 order by id',
      [mark],
    )
    return rows.map(({ payload, headers }) => ({ payload, headers, event: JSON.parse(payload.toString()) }))
  }
  return {
    async setKey(scopes: string[]): Promise<void> {
      await adminPool.query(
        `insert into api.access_keys (digest, key_id, workspace_id, scopes, cidrs, changed_by)
         values (decode(repeat('00', 32), 'hex'), $1, $2, $3, '{}', '') on conflict (digest) do update set scopes = excluded.scopes`,
        [fixture.keys.a, fixture.workspaces.a, scopes],
      )
    },
    /** Each test has its own rules, and finds both campaigns active. */
    async reset(): Promise<void> {
      for (const { id } of await list('/v1/automation-rules')) await call('DELETE', `/v1/automation-rules/${id}`)
      for (const { id, status } of await list('/v1/campaigns'))
        if (status === 'paused') await call('POST', `/v1/campaigns/${id}/resume`)
      const { rows } = await adminPool.query<{ id: string }>('select coalesce(max(id), 0)::text as id from api.outbox')
      mark = rows[0]?.id ?? mark
    },
    async createRule(over: object = {}, as: 'a' | 'app' | Role = 'a'): Promise<string> {
      const json = {
        name: 'Silent',
        trigger: { type: 'schedule', every_minutes: 5 },
        subject_type: 'campaign',
        window: 'last_7d',
        conditions: [{ metric: 'signups', op: 'eq', value: 0 }],
        min_sample: { clicks: 200 },
        actions: [{ type: 'pause_campaign' }],
        cooldown_minutes: 60,
        ...over,
      }
      const { body, status, text } = await call('POST', '/v1/automation-rules', { json, as })
      if (status !== 201) throw new Error(text)
      return String(body.id)
    },
    firingsOf: (id: string) => list(`/v1/automation-rules/${id}/firings`),
    ruleOf: async (id: string) => (await call('GET', `/v1/automation-rules/${id}`)).body,
    campaign: async (name: string) => (await list(`/v1/campaigns?external_id=${name}`))[0] as Row,
    async told(type: string, rule_id: string): Promise<Record<string, unknown>[]> {
      const found = (await events()).filter(({ event }) => event.type === type && event.data.rule_id === rule_id)
      return found.map(({ event }) => event.data)
    },
    /** Of the last event of this type. */
    causationOf: async (type: string) =>
      (await events()).findLast(({ event }) => event.type === type)?.headers.causation,
    /** Carries out what is due on a clock that is so much later. */
    automateAt: (offsetMs: number) => at(fixture, offsetMs, (pool) => fixture.automate(pool)),
    workAt: (offsetMs: number) => at(fixture, offsetMs, (pool) => fixture.work(pool)),
    /** Hears every event since `reset`, from the first one on; `pool` where the clock of another one counts. Gives the warnings. */
    async hear(pool = fixture.workerPool): Promise<object[]> {
      const records = (await events()).map(({ payload, headers }, at) => recordOf(payload, headers, at))
      return consumeRecords(pool, records)
    },
    consumeRecords: (records: LogRecord[]) => consumeRecords(fixture.workerPool, records),
  }
}

async function at(fixture: Fixture, offsetMs: number, fn: (pool: Pool) => Promise<void>): Promise<void> {
  const moved = `${fixture.workerUrl}?options=-c%20app.clock_offset_ms%3D${offsetMs}`
  const pool = createPool({ connectionString: moved, applicationName: 'test-worker-moved', max: 2 })
  await fn(pool).finally(() => pool.end())
}

async function consumeRecords(pool: Pool, records: LogRecord[]): Promise<object[]> {
  const warnings: object[] = []
  const handle = createAutomationHandler({ warn: (fields: object) => void warnings.push(fields) } as never)
  await withTransaction(pool, { workspaceId: null }, (tx) => handle(tx, records))
  return warnings
}

function recordOf(payload: Buffer, headers: Record<string, string>, at: number): LogRecord {
  const { event_id: eventId = '', workspace_id: key = '' } = headers
  return { topic: 'workspace.events', partition: 0, offset: BigInt(at), key, eventId, headers, payload }
}

/** A record of an event that nothing announced. */
export function recordOfEvent(
  workspaceId: string,
  type: string,
  data: object,
  over: { created?: string } = {},
): LogRecord {
  const id = newId('evt', Date.now())
  const payload = Buffer.from(JSON.stringify({ id, type, created: new Date().toISOString(), data, ...over }))
  return recordOf(payload, { event_id: id, event_type: type, workspace_id: workspaceId }, 0)
}
