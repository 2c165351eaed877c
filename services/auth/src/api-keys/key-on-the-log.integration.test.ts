// A key from the settings API through outbox, relay and log to the projection that judges requests.
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { consumeAuthEvents } from '@wds/access/projection'
import { topics } from '@wds/contracts/topics'
import { PoisonRecord, runConsumer } from '@wds/event-log/consumer'
import { createPostgresLog, logMigrations } from '@wds/event-log/postgres-log'
import { runRelay } from '@wds/event-store/relay'
import { migrate } from '@wds/postgres/migrations'
import { createPool } from '@wds/postgres/pool'
import { withTransaction } from '@wds/postgres/transaction'
import { createLogger } from '@wds/telemetry/logger'
import { type AuthService, startAuth } from '../auth-service.fixture.ts'
import { prune } from '../prune.ts'
import { keyUses } from '../start-worker.ts'
import { consumeKeyUses } from './consume-uses.ts'

const logger = createLogger({ service: 'test', level: 'silent' })
const partitions = 2
let auth: AuthService
const stops: (() => Promise<unknown>)[] = []

/** What the worker of the service runs. */
async function startWorker(): Promise<void> {
  const { urls } = auth.database
  await migrate({ connectionString: urls.log.owner, schema: 'log', directories: logMigrations })
  const connectionString = urls.services.auth.worker
  const pool = createPool({ connectionString, applicationName: 'test-log', max: 4 })
  stops.push(() => pool.end())
  const log = createPostgresLog({ pool, partitions, logger })
  stops.push(() => log.close())
  await log.ensureTopics()
  const ended = new AbortController()
  const relay = runRelay({ connectionString, pool: auth.worker, log, partitions, signal: ended.signal, logger })
  stops.push(() => relay)
  stops.push(async () => ended.abort())
  const consumer = await runConsumer({
    log,
    pool: auth.worker,
    name: 'auth.keys',
    topics: [topics.authEvents],
    logger,
    dedupe: 'natural',
    handleBatch: consumeAuthEvents,
  })
  stops.push(() => consumer.stop())
  const uses = await runConsumer({ ...keyUses, log, pool: auth.worker, logger })
  stops.push(() => uses.stop())
}

beforeAll(async () => {
  auth = await startAuth()
  await startWorker()
})
afterAll(async () => {
  for (const stop of stops.reverse()) await stop()
  await auth?.stop()
})

const path = '/v1/api-keys'
const newKey = { name: 'importer', scopes: ['stats:read'], expires_in_days: 30 }
const statusOf = async (key: string) =>
  (await auth.browser().call('/v1/workspace', { headers: { authorization: `Bearer ${key}` } })).status

/** Polls: log and projection follow the commit. */
async function becomes(key: string, status: number): Promise<void> {
  const deadline = performance.now() + 60_000
  while ((await statusOf(key)) !== status) {
    if (performance.now() > deadline) throw new Error(`the key is not ${status} in time`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

test('a rotated key is accepted with both texts until the end of the overlap, then with the new one alone', async () => {
  const { browser, owner, workspaceId } = await auth.ownedWorkspace()
  const { json: made } = await browser.write(path, { body: newKey })
  await becomes(made.api_key, 200)
  const { json: rotated } = await browser.write(`${path}/${made.id}/rotate`, { body: { overlap_hours: 1 } })
  await becomes(rotated.api_key, 200)
  expect(await statusOf(made.api_key)).toBe(200)
  await auth.moveClock(3_500_000)
  // Whoever knows a key made now has looked at the clock since it was moved.
  const { json: later } = await (await auth.signedIn(owner.userId, workspaceId)).write(path, { body: newKey })
  await becomes(later.api_key, 200)
  expect(await statusOf(made.api_key)).toBe(200)
  await auth.moveClock(3_600_000)
  await becomes(made.api_key, 401)
  expect(await statusOf(rotated.api_key)).toBe(200)
  await auth.moveClock(0)
})

test('a changed key is judged by its new ranges, a revoked one not at all, with either text', async () => {
  const { browser } = await auth.ownedWorkspace()
  const { json: made } = await browser.write(path, { body: newKey })
  const { json: rotated } = await browser.write(`${path}/${made.id}/rotate`, { body: { overlap_hours: 24 } })
  for (const { api_key } of [made, rotated]) await becomes(api_key, 200)
  await browser.write(`${path}/${made.id}`, { method: 'PATCH', body: { cidrs: ['203.0.113.0/24'] } })
  for (const { api_key } of [made, rotated]) await becomes(api_key, 401)
  await browser.write(`${path}/${made.id}`, { method: 'PATCH', body: { cidrs: ['127.0.0.0/8'] } })
  for (const { api_key } of [made, rotated]) await becomes(api_key, 200)
  await browser.write(`${path}/${made.id}`, { method: 'DELETE' })
  for (const { api_key } of [made, rotated]) await becomes(api_key, 401)
})

const minute = /:00\.000Z$/
const recordsOfUse = async () =>
  (await auth.worker.query(`select from log.records where topic = 'access.used'`)).rowCount
async function usedSince(one: () => Promise<{ json: { last_used: string | null } }>, before: string | null = null) {
  const deadline = performance.now() + 60_000
  for (;;) {
    const { last_used } = (await one()).json
    if (last_used !== before) return last_used
    if (performance.now() > deadline) throw new Error('no use was told in time')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

test('the last use of a key is told to the minute, in one record for all uses of a process, however many there are', async () => {
  const { browser } = await auth.ownedWorkspace()
  const [{ json: one }, { json: other }] = [
    await browser.write(path, { body: newKey }),
    await browser.write(path, { body: newKey }),
  ]
  expect([one.last_used, one.ends_unused]).toEqual([null, null])
  await becomes(one.api_key, 200)
  for (let nth = 0; nth < 20; nth += 1) expect(await statusOf(one.api_key)).toBe(200)
  const before = (await recordsOfUse()) ?? 0
  await auth.announceKeyUses()
  const used = await usedSince(() => browser.call(`${path}/${one.id}`))
  expect(used).toMatch(minute)
  expect(Math.abs(Date.parse(used ?? '') - Date.now())).toBeLessThan(120_000)
  await auth.announceKeyUses()
  expect(await recordsOfUse()).toBe(before + 1)
  const list = (await browser.call(path)).json.data as { id: string; last_used: string | null }[]
  expect(list.find(({ id }) => id === other.id)?.last_used).toBeNull()
  expect(list.find(({ id }) => id === one.id)?.last_used).toBe(used)
})

test('a key that nobody uses for 365 days is revoked, and says so 30 days before; one in use lives on', async () => {
  const { browser, owner, workspaceId } = await auth.ownedWorkspace()
  const forEver = { ...newKey, expires_in_days: null }
  const [{ json: unused }, { json: used }] = [
    await browser.write(path, { body: forEver }),
    await browser.write(path, { body: forEver }),
  ]
  const dayMs = 86_400_000
  await becomes(used.api_key, 200)
  await auth.moveClock(334 * dayMs)
  expect(await statusOf(used.api_key)).toBe(200)
  await auth.announceKeyUses()
  // Sessions end meanwhile.
  const signedIn = () => auth.signedIn(owner.userId, workspaceId)
  const read = async (id: string) => (await (await signedIn()).call(`${path}/${id}`)).json
  await usedSince(async () => ({ json: await read(used.id) }))
  expect((await read(unused.id)).ends_unused).toBeNull()
  await auth.moveClock(336 * dayMs)
  expect(Math.abs(Date.parse((await read(unused.id)).ends_unused) - Date.now() - 365 * dayMs)).toBeLessThan(600_000)
  expect((await read(used.id)).ends_unused).toBeNull()
  await prune(auth.worker)
  expect((await read(unused.id)).status).toBe('live')
  await auth.moveClock(366 * dayMs)
  await prune(auth.worker)
  expect([(await read(unused.id)).status, (await read(used.id)).status]).toEqual(['revoked', 'live'])
  const { data } = (await (await signedIn()).call('/v1/workspace/audit')).json
  expect(data).toContainEqual(
    expect.objectContaining({ action: 'api_key_revoked', target: unused.id, actor: 'system:unused-for-365-days' }),
  )
  await auth.moveClock(0)
})

test('regression: an unused key that cannot be revoked keeps no other one alive', async () => {
  const owned = [await auth.ownedWorkspace(), await auth.ownedWorkspace()]
  for (const { browser } of owned) await browser.write(path, { body: { ...newKey, expires_in_days: null } })
  const [first = '', second = ''] = owned.map(({ workspaceId }) => workspaceId).sort()
  const statusesIn = async (id: string) =>
    (await auth.admin.query('select distinct status from auth.api_keys where workspace_id = $1', [id])).rows
  // An event of its stream has the next version already.
  await auth.admin.query('update auth.api_keys set version = 0 where workspace_id = $1', [first])
  await auth.moveClock(366 * 86_400_000)
  await expect(prune(auth.worker)).rejects.toThrow('not all that is over was removed')
  expect([await statusesIn(first), await statusesIn(second)]).toEqual([[{ status: 'live' }], [{ status: 'revoked' }]])
  await auth.moveClock(0)
})

test('an older use that is told late changes nothing, one of a key that is gone neither, and what is no use is poison', async () => {
  const { browser, workspaceId: workspace_id } = await auth.ownedWorkspace()
  const { json } = await browser.write(path, { body: newKey })
  const take = (data: unknown) => {
    const payload = Buffer.from(JSON.stringify({ id: 'evt_1', type: 'ApiKeysUsed', data }))
    const place = { topic: 'access.used', partition: 0, offset: 0n, key: 'api-keys', eventId: 'evt_1', headers: {} }
    return withTransaction(auth.worker, { workspaceId: null }, (tx) => consumeKeyUses(tx, [{ ...place, payload }]))
  }
  const keys = [json.id, 'key_gone'].map((key_id) => ({ workspace_id, key_id }))
  for (const used of ['2026-01-01T10:01:59.000Z', '2026-01-01T10:00:00.000Z']) await take({ used, keys })
  expect((await browser.call(`${path}/${json.id}`)).json.last_used).toBe('2026-01-01T10:01:00.000Z')
  for (const bad of [null, { used: 'soon', keys }, { used: '2026-01-01', keys: [{ workspace_id }] }, { used: 1 }])
    await expect(take(bad)).rejects.toThrow(PoisonRecord)
})
