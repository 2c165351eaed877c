import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { digestOfApiKey } from '@wds/access/api-key'
import { executeOrFail, load } from '@wds/aggregate/aggregate'
import { announceAgain } from '@wds/aggregate/concept'
import type { AppendContext } from '@wds/event-store/event-store'
import { rangeOf, republish } from '@wds/event-store/republish'
import type { TestDatabase } from '@wds/local-infra/test-database'
import { createPool, type Pool } from '@wds/postgres/pool'
import { checkedInSchema, describeSchema } from '@wds/postgres/schema-description'
import { withTransaction } from '@wds/postgres/transaction'
import { serverContext } from '@wds/telemetry/spans'
import { apiKeys } from '../api-keys/aggregate.ts'
import { pruneRevokedKeys } from '../api-keys/store.ts'
import { createAuthDatabase } from '../auth-database.fixture.ts'
import { concepts } from '../resources.ts'
import { workspaces } from './aggregate.ts'
import { createWorkspace } from './create-workspace.ts'

const announce = announceAgain(concepts)

let database: TestDatabase
let pool: Pool
let worker: Pool

beforeAll(async () => {
  database = await createAuthDatabase()
  const { http, worker: workerUrl } = database.urls.services.auth
  pool = createPool({ connectionString: http, applicationName: 'test', max: 4 })
  worker = createPool({ connectionString: workerUrl, applicationName: 'test', max: 2 })
})
afterAll(async () => {
  await Promise.all([pool, worker].map((one) => one?.end()))
  await database?.drop()
})

test('the migrations make the schema that is checked in', async () => {
  const described = await describeSchema(worker, 'auth')
  expect(described).toBe(await checkedInSchema(new URL('../migrations/schema.txt', import.meta.url), described))
})

const request = { name: 'Acme', plan: 'business', keyName: 'first', scopes: null } as const

test('a workspace, its key and both announcements are one commit, and the key is stored nowhere', async () => {
  const made = await createWorkspace(pool, request)
  expect(made.apiKey).toMatch(/^wdk_live_[0-9A-Za-z]{38}$/)
  const { workspaceId } = made
  const stored = await withTransaction(pool, { workspaceId }, async (tx) => {
    const events = await tx.query<{ type: string; data: object }>(
      'select event_type as type, data from stream_events order by event_type desc',
    )
    const keys = await tx.query<{ key_id: string; state: { last4: string } }>('select key_id, state from api_keys')
    return { workspace: await load(tx, workspaces, workspaceId, { lock: false }), events: events.rows, keys: keys.rows }
  })
  expect(stored.workspace).toMatchObject({
    id: workspaceId,
    state: { status: 'active', name: 'Acme', slug: 'acme', plan: 'business', strict_event_scopes: false },
    version: 1,
  })
  expect(stored.events.map(({ type }) => type)).toEqual(['WorkspaceCreated', 'ApiKeyCreated'])
  expect(stored.keys).toMatchObject([{ key_id: made.keyId, state: { last4: made.apiKey.slice(-4) } }])
  expect(JSON.stringify(stored.keys)).not.toContain(digestOfApiKey(made.apiKey))
  expect(JSON.stringify(stored)).not.toContain(made.apiKey)
})

test('another workspace sees neither row nor stream', async () => {
  const first = await createWorkspace(pool, request)
  const second = await createWorkspace(pool, request)
  await withTransaction(pool, { workspaceId: second.workspaceId }, async (tx) => {
    expect(await load(tx, workspaces, first.workspaceId, { lock: false })).toBeNull()
    const { rows } = await tx.query('select 1 from stream_events where workspace_id = $1', [first.workspaceId])
    expect(rows).toEqual([])
  })
})

test('a refusal of the domain is an error with its code', async () => {
  await expect(createWorkspace(pool, { ...request, name: 'a\u0000b' })).rejects.toThrow('invalid_name')
})

test('republish announces workspaces and keys once more, byte for byte', async () => {
  const takeOutbox = async () => {
    const taken = 'delete from outbox returning workspace_id, topic, key, event_id, headers, payload'
    return (await worker.query(taken)).rows.sort((a, b) => (a.event_id < b.event_id ? -1 : 1))
  }
  await createWorkspace(pool, request)
  const first = await takeOutbox()
  expect(new Set(first.map(({ headers }) => headers.event_type))).toEqual(
    new Set(['WorkspaceCreated', 'ApiKeyCreated']),
  )
  for (const { payload, event_id: id, headers } of first) {
    const { created, data } = JSON.parse(payload)
    expect(String(payload)).toBe(JSON.stringify({ id, type: headers.event_type, created, data }))
  }
  const range = rangeOf('2020-01-01T00:00:00Z', '2199-01-01T00:00:00Z')
  const done = await republish({ pool: worker, topic: 'auth.events', ...range, announce })
  expect(done.records).toBe(first.length)
  expect(await takeOutbox()).toEqual(first)
})

test('regression: of a revoked key only the end is announced again, and its row goes after 31 days', async () => {
  const { workspaceId, keyId } = await createWorkspace(pool, request)
  const live = await createWorkspace(pool, request)
  await withTransaction(pool, { workspaceId }, async (tx) => {
    const loaded = await load(tx, apiKeys, keyId, { lock: true })
    if (loaded === null) throw new Error('no key')
    const context: AppendContext = {
      workspaceId,
      actor: { type: 'system', id: 'test' },
      correlation: 'c',
      trace: serverContext(undefined),
    }
    await executeOrFail(tx, apiKeys, { context, loaded, command: { type: 'revoke' } })
  })
  await worker.query('delete from outbox')
  const range = rangeOf('2020-01-01T00:00:00Z', '2199-01-01T00:00:00Z')
  await republish({ pool: worker, topic: 'auth.events', ...range, announce })
  const { rows } = await worker.query('delete from outbox returning workspace_id, headers')
  const types = rows.filter((row) => row.workspace_id === workspaceId).map(({ headers }) => headers.event_type)
  expect(types.sort()).toEqual(['ApiKeyRevoked', 'WorkspaceCreated'])

  const admin = createPool({
    connectionString: database.adminUrl,
    applicationName: 'test',
    max: 1,
    statementTimeoutMs: 0,
  })
  const prunedWhen = async (days: number) => {
    await admin.query(`update auth.api_keys set updated = now() - make_interval(hours => $2) where key_id = $1`, [
      keyId,
      Math.round(days * 24),
    ])
    await pruneRevokedKeys(worker)
    const left = await admin.query('select from auth.api_keys where key_id = any ($1)', [[keyId, live.keyId]])
    return left.rowCount
  }
  expect([await prunedWhen(30.9), await prunedWhen(31.1)]).toEqual([2, 1])
  await admin.end()
})
