// What auth changes of a workspace is announced to subscribers with the workspace's settings (domain.md 3.1).
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { newId } from '@wds/aggregate/new-id'
import type { AuthEvents } from '@wds/contracts/auth-events'
import type { LogRecord } from '@wds/event-log/port'
import { withTransaction } from '@wds/postgres/transaction'
import { type Fixture, startFixture } from '../api-service.fixture.ts'
import { breakingOnce } from '../work-queue/breaking-pool.fixture.ts'
import { announceAuthChange } from './announce-auth-changes.ts'
import { createAuthHandler } from './consume-auth-events.ts'
import { readWorkspaceName } from './store-workspace-names.ts'

let fixture: Fixture
beforeAll(async () => {
  fixture = await startFixture()
})
afterAll(() => fixture?.stop())

type Patch = Omit<AuthEvents['WorkspaceChanged'], 'workspace_id'>

function recordOf(workspaceId: string, patch: Patch, o: { actor?: string; eventId?: string } = {}): LogRecord {
  const eventId = o.eventId ?? newId('evt', Date.now())
  const data = { workspace_id: workspaceId, ...patch }
  const event = { id: eventId, type: 'WorkspaceChanged', created: new Date().toISOString(), data }
  return {
    topic: 'auth.events',
    partition: 0,
    offset: 0n,
    key: workspaceId,
    eventId,
    headers: { event_type: 'WorkspaceChanged', actor: o.actor ?? 'user:usr_1', correlation: 'req_1' },
    payload: Buffer.from(JSON.stringify(event)),
  }
}

const hear = (records: LogRecord[]) =>
  withTransaction(fixture.workerPool, { workspaceId: null }, (tx) => createAuthHandler(() => undefined)(tx, records))

async function announce(): Promise<void> {
  const { workerPool: pool, worker } = fixture
  while (await announceAuthChange({ pool, logger: worker.logger }));
}

async function told(workspaceId: string) {
  const { rows } = await fixture.adminPool.query(
    `select o.topic, o.payload, e.actor, e.causation, e.correlation from api.outbox o left join api.stream_events e using (event_id)
      where o.workspace_id = $1 order by o.event_id`,
    [workspaceId],
  )
  return rows.map(({ payload, ...row }) => ({ ...row, ...JSON.parse(payload.toString()) }))
}

test('each change of name, slug and strict_event_scopes is one workspace.updated of whoever made it, however often the log tells it', async () => {
  const { a } = fixture.workspaces
  const first = recordOf(a, { name: 'After', slug: 'after' })
  const second = recordOf(a, { strict_event_scopes: false }, { actor: 'user:usr_2' })
  await hear([first, second, first])
  await announce()
  await hear([second])
  await announce()
  const same = { topic: 'workspace.events', type: 'workspace.updated', correlation: 'req_1' }
  const of = (changed: string[]) => ({ changed, time_zone: 'UTC', base_currency: 'EUR' })
  expect(await told(a)).toMatchObject([
    { ...same, actor: 'user:usr_1', causation: first.eventId, data: of(['name', 'slug']) },
    { ...same, actor: 'user:usr_2', causation: second.eventId, data: of(['strict_event_scopes']) },
  ])
})

test('the name of a workspace is the one that auth gave it last, in whatever order the log tells', async () => {
  const workspaceId = newId('wsp', Date.now())
  const created = recordOf(workspaceId, { name: 'First', slug: 'first' })
  created.headers.event_type = 'WorkspaceCreated'
  const renamed = recordOf(workspaceId, { name: 'Second' }, { eventId: newId('evt', Date.now() + 1_000) })
  await hear([created])
  const name = () => withTransaction(fixture.pool, { workspaceId }, readWorkspaceName)
  expect(await name()).toBe('First')
  await hear([renamed, created])
  expect(await name()).toBe('Second')
  const { a: other } = fixture.workspaces
  const foreign = withTransaction(fixture.pool, { workspaceId: other }, (tx) =>
    tx.query('select from workspace_names where workspace_id = $1', [workspaceId]),
  )
  expect((await foreign).rows).toEqual([])
})

test('it raises the version of the settings and changes none of them; a change of theirs goes on from there', async () => {
  const settings = () => fixture.call('GET', '/v1/settings', { as: 'owner_b' })
  const before = (await settings()).body
  await hear([recordOf(fixture.workspaces.b, { name: 'B' })])
  await announce()
  const after = (await settings()).body
  expect({ ...after, version: 0, updated: '' }).toEqual({ ...before, version: 0, updated: '' })
  expect(after.version).toBe(2)
  const change = { as: 'owner_b', json: { time_zone: 'Europe/Malta' }, headers: { 'if-match': '"v2"' } } as const
  expect((await fixture.call('PATCH', '/v1/settings', change)).body.version).toBe(3)
  const changed = (await told(fixture.workspaces.b)).flatMap(({ type, data }) =>
    type === 'workspace.updated' ? [data.changed] : [],
  )
  expect(changed).toEqual([['name'], ['time_zone']])
})

test('two processes announce two changes of one workspace, each once', async () => {
  const workspaceId = newId('wsp', Date.now())
  await hear(['One', 'Two', 'Three', 'Four'].map((name) => recordOf(workspaceId, { name })))
  await Promise.all([announce(), announce(), announce()])
  await announce()
  expect((await told(workspaceId)).map(({ type }) => type)).toEqual(Array(4).fill('workspace.updated'))
})

test('a change that cannot be announced is tried again a minute later and holds up no other', async () => {
  const [broken, sound] = [newId('wsp', Date.now()), newId('wsp', Date.now())]
  const { adminPool } = fixture
  // Its stream has events without a row: no append meets its version.
  await adminPool.query(
    `insert into api.stream_events (workspace_id, stream_type, stream_id, version, event_id, event_type, data, created, actor, correlation, traceparent)
     values ($1, 'workspace_settings', $1, 1, $2, 'SettingsBegun', '{}', now(), 'system:test', 'req_1', '')`,
    [broken, newId('evt', Date.now())],
  )
  await hear([recordOf(broken, { name: 'Broken' }), recordOf(sound, { name: 'Sound' })])
  const logger = { ...fixture.worker.logger, error: () => undefined } as typeof fixture.worker.logger
  while (await announceAuthChange({ pool: fixture.workerPool, logger }));
  expect([await told(broken), (await told(sound)).length]).toEqual([[], 1])
  const { rows } = await adminPool.query(
    `select due > now() + interval '50 s' as later from api.auth_changes where workspace_id = $1`,
    [broken],
  )
  expect(rows).toEqual([{ later: true }])
})

test('regression: one whose connection broke behind the commit was announced, and is not once more', async () => {
  const workspaceId = newId('wsp', Date.now())
  await hear([recordOf(workspaceId, { name: 'Heard' })])
  const { workerPool, worker } = fixture
  const failed: string[] = []
  const error = ({ err }: { err: { code: string } }) => failed.push(err.code)
  const logger = { ...worker.logger, error } as unknown as typeof worker.logger
  await announceAuthChange({ pool: breakingOnce(workerPool), logger })
  expect(failed).toEqual(['commit_unknown'])
  const waits = 'select from api.auth_changes where workspace_id = $1 and due is not null'
  // The server has heard of the commit, and may be at it.
  while ((await fixture.adminPool.query(waits, [workspaceId])).rowCount !== 0) await sleep(20)
  await announce()
  expect((await told(workspaceId)).map(({ type }) => type)).toEqual(['workspace.updated'])
})

test('what is no change of these is nothing: a plan, an unknown field, a removed key', async () => {
  const workspaceId = newId('wsp', Date.now())
  const plan = recordOf(workspaceId, { name: 'x' })
  plan.headers.event_type = 'WorkspacePlanChanged'
  const unknown = recordOf(workspaceId, { motto: 'x' } as Patch)
  await hear([plan, unknown, { ...recordOf(workspaceId, { name: 'x' }), payload: null }])
  await announce()
  expect(await told(workspaceId)).toEqual([])
})
