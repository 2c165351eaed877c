// What no stream holds is announced in the form of everything else, with ids of its own.
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { idTimeMs, isId } from '@wds/contracts/ids'
import { createTestDatabase, type TestDatabase } from '@wds/local-infra/test-database'
import { createPool, type Pool } from '@wds/postgres/pool'
import { withTransaction } from '@wds/postgres/transaction'
import { type UnstreamedContext, unstreamedRecords } from './unstreamed.ts'

let database: TestDatabase
let pool: Pool
beforeAll(async () => {
  database = await createTestDatabase()
  pool = createPool({ connectionString: database.urls.services.api.worker, applicationName: 'test', max: 1 })
})
afterAll(async () => {
  await pool?.end()
  await database?.drop()
})

const nowMs = Date.parse('2026-11-20T12:00:00.000Z')
const actor = { type: 'system', id: 'catalog' } as const
const announcements = ['one', 'two', 'three'].map((key) => ({
  topic: 'access.used',
  key,
  type: 'Noted',
  data: { key },
}))

const recordsOf = (context: UnstreamedContext) =>
  withTransaction(pool, { workspaceId: null }, async (tx) => unstreamedRecords(tx, context, { nowMs, announcements }))

test('records keep their order, ids rise from the given instant, and payloads are what consumers of streams read', async () => {
  const records = await recordsOf({ workspaceId: 'wsp_1', actor, correlation: 'req_1', causation: 'evt_0' })
  const ids = records.map(({ eventId }) => eventId)
  expect(ids).toEqual(ids.toSorted())
  expect(new Set(ids.map((id) => (isId('evt', id) ? idTimeMs(id) : null)))).toEqual(new Set([nowMs]))
  const payloads = records.map(({ payload }) => JSON.parse(Buffer.from(payload ?? []).toString('utf8')))
  const created = '2026-11-20T12:00:00.000Z'
  expect(payloads).toEqual(announcements.map(({ type, data }, nth) => ({ id: ids[nth], type, created, data })))
  expect(records.map(({ workspaceId, topic, key }) => [workspaceId, topic, key])).toEqual(
    announcements.map(({ topic, key }) => ['wsp_1', topic, key]),
  )
  expect(records[0]?.headers).toEqual({
    event_id: ids[0],
    event_type: 'Noted',
    schema_version: '1',
    workspace_id: 'wsp_1',
    actor: 'system:catalog',
    correlation: 'req_1',
    causation: 'evt_0',
    traceparent: expect.stringMatching(/^00-/),
  })
})

test('what nothing caused is correlated by the id of its first record', async () => {
  const records = await recordsOf({ workspaceId: '', actor })
  expect(new Set(records.map(({ headers }) => headers.correlation))).toEqual(new Set([records[0]?.eventId]))
})

test('the creation context belongs to the trace of what caused it', async () => {
  const traceId = 'ab'.repeat(16)
  const trace = { traceparent: `00-${traceId}-${'cd'.repeat(8)}-01`, tracestate: 'a=b' }
  const [record] = await recordsOf({ workspaceId: 'wsp_1', actor, correlation: 'req_1', trace })
  expect(record?.headers.traceparent?.split('-')[1]).toBe(traceId)
  expect(record?.headers.tracestate).toBe('a=b')
})
