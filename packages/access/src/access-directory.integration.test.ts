// From auth's events to the decision about a request, over a real database with the roles of a service.

import { createHash, randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { PoisonRecord } from '@wds/event-log/consumer'
import type { LogRecord } from '@wds/event-log/port'
import { createTestDatabase, type TestDatabase } from '@wds/local-infra/test-database'
import { migrate } from '@wds/postgres/migrations'
import { createPool, type Pool } from '@wds/postgres/pool'
import { withTransaction } from '@wds/postgres/transaction'
import { createLogger } from '@wds/telemetry/logger'
import { type AccessDirectory, createAccessDirectory } from './access-directory.ts'
import { makeApiKey } from './api-key.ts'
import { keepConfirmed } from './log-end.fixture.ts'
import { consumeAuthEvents, migrationsDirectory, pruneAccess } from './projection.ts'

const logger = createLogger({ service: 'test', level: 'silent' })
const at = { issuer: 'https://auth.example.test', audience: 'https://api.example.test' }
const common = { logger, ...at, confirmedForMs: Number.POSITIVE_INFINITY }
let database: TestDatabase
let httpPool: Pool
let workerPool: Pool
let directory: AccessDirectory
let eventNumber = 0
let confirming: ReturnType<typeof keepConfirmed>

beforeAll(async () => {
  database = await createTestDatabase()
  const { owner, http, worker } = database.urls.services.api
  await migrate({ connectionString: owner, schema: 'api', directories: [migrationsDirectory] })
  httpPool = createPool({ connectionString: http, applicationName: 'test' })
  workerPool = createPool({ connectionString: worker, applicationName: 'test' })
  confirming = keepConfirmed(workerPool)
})
afterAll(async () => {
  await confirming?.stop()
  await httpPool?.end()
  await workerPool?.end()
  await database?.drop()
})
beforeEach(async () => {
  directory = createAccessDirectory({ pool: httpPool, pollMs: 20, ...common })
  await directory.start()
  await directory.whenLoaded()
})
afterEach(() => directory.stop())

function nextEventId(): string {
  eventNumber += 1
  return `evt_${String(eventNumber).padStart(10, '0')}`
}
function record(type: string, data: object, eventId = nextEventId()): LogRecord {
  const payload = Buffer.from(JSON.stringify({ id: eventId, type, created: '2026-01-01T00:00:00.000Z', data }))
  return { topic: 'auth.events', partition: 0, offset: 0n, key: 'wsp_1', eventId, headers: {}, payload }
}
const consume = (...records: LogRecord[]) =>
  withTransaction(workerPool, { workspaceId: null }, (tx) => consumeAuthEvents(tx, records))

function newKey(over: object = {}) {
  const key = makeApiKey(randomBytes)
  const key_id = `key_${randomBytes(8).toString('hex')}`
  const digest = createHash('sha256').update(key).digest('hex')
  const rights = { scopes: ['stats:read', 'invoices:write'], cidrs: [], expires: null }
  return {
    key,
    key_id,
    created: record('ApiKeyCreated', { key_id, workspace_id: 'wsp_1', digest, ...rights, ...over }),
  }
}
async function judge(key: string, address = '127.0.0.1', by = directory) {
  const result = await by.authenticate(`Bearer ${key}`, address)
  return result.ok ? result.client : result.problem
}
async function eventually(fn: () => Promise<void>): Promise<void> {
  const deadline = performance.now() + 60_000
  for (;;) {
    try {
      return await fn()
    } catch (error) {
      if (performance.now() > deadline) throw error
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }
}
const accepted = (key: string) => eventually(async () => expect(await judge(key)).toMatchObject({ kind: 'api_key' }))
const refused = (key: string) => eventually(async () => expect(await judge(key)).toBe('invalid_token'))

describe('API keys', () => {
  test('a key that was made is accepted with its workspace, id and scopes', async () => {
    const { key, key_id, created } = newKey({ scopes: ['stats:read', 'unknown:scope'] })
    expect(await judge(key)).toBe('invalid_token')
    await consume(created)
    await eventually(async () =>
      expect(await judge(key)).toEqual({
        workspaceId: 'wsp_1',
        kind: 'api_key',
        id: key_id,
        scopes: new Set(['stats:read']),
      }),
    )
  })

  test('a directory that starts later knows the keys once it is loaded, and throws before', async () => {
    const { key, created } = newKey()
    await consume(created)
    const late = createAccessDirectory({ pool: httpPool, ...common })
    await expect(judge(key, '', late)).rejects.toThrow('could not be read')
    await late.start()
    await late.whenLoaded()
    expect(await judge(key, '', late)).toMatchObject({ workspaceId: 'wsp_1' })
    await late.stop()
  })

  test('XO14: a revoked key is refused at the next look, and no repeated event brings it back', async () => {
    const { key, key_id, created } = newKey()
    const changed = record('ApiKeyChanged', { key_id, scopes: ['stats:read'] })
    await consume(created)
    await accepted(key)
    await consume(record('ApiKeyRevoked', { key_id }))
    await refused(key)
    await consume(created, changed)
    const marker = newKey()
    await consume(marker.created)
    await accepted(marker.key)
    expect(await judge(key)).toBe('invalid_token')
  })

  test('regression: a key whose making is told behind its end, or that of its workspace, never lives', async () => {
    const late = newKey()
    const gone = newKey({ workspace_id: 'wsp_ended' })
    await consume(record('ApiKeyRevoked', { key_id: late.key_id }))
    await consume(record('WorkspaceDeleted', { workspace_id: 'wsp_ended' }))
    const marker = newKey()
    await consume(late.created, gone.created)
    await consume(marker.created)
    await accepted(marker.key)
    expect(await Promise.all([judge(late.key), judge(gone.key)])).toEqual(['invalid_token', 'invalid_token'])
  })

  test('regression: what ended more than 31 days ago goes, and nothing else', async () => {
    const keys = Array.from({ length: 3 }, () => newKey())
    const [old, young, live] = keys as [(typeof keys)[0], (typeof keys)[0], (typeof keys)[0]]
    await consume(...keys.map(({ created }) => created))
    await consume(...[old, young].map(({ key_id }) => record('ApiKeyRevoked', { key_id })))
    const admin = createPool({
      connectionString: database.adminUrl,
      applicationName: 'test',
      max: 1,
      statementTimeoutMs: 0,
    })
    const ages = { [old.key_id]: 31.1, [young.key_id]: 30.9 }
    for (const [id, days] of Object.entries(ages)) {
      const then = `now() - interval '${days} days'`
      await admin.query(`update api.access_keys set revoked_at = ${then} where key_id = $1`, [id])
      await admin.query(`update api.access_ends set ended_at = ${then} where id = $1`, [id])
    }
    await pruneAccess(workerPool)
    const known = async (table: string, column: string) => {
      const ids = keys.map(({ key_id }) => key_id)
      const { rows } = await admin.query(`select ${column} as id from api.${table} where ${column} = any ($1)`, [ids])
      return rows.map((row) => row.id).sort()
    }
    expect(await known('access_keys', 'key_id')).toEqual([young.key_id, live.key_id].sort())
    expect(await known('access_ends', 'id')).toEqual([young.key_id])
    await admin.end()
  })

  test('regression: a directory that did not look for longer than a revoked key is remembered reads everything again', async () => {
    const { key, created } = newKey()
    await consume(created)
    await accepted(key)
    const moved = createPool({
      connectionString: `${database.urls.services.api.http}?options=${encodeURIComponent(`-c app.clock_offset_ms=${31 * 86_400_000}`)}`,
      applicationName: 'test',
      max: 1,
    })
    // The same process, a month later.
    let pool: Pool = httpPool
    const one = new Proxy(httpPool, { get: (_, name) => Reflect.get(pool, name).bind(pool) })
    const sleeper = createAccessDirectory({ pool: one, pollMs: 20, ...common })
    await sleeper.start()
    await sleeper.whenLoaded()
    const gone = createHash('sha256').update(key).digest()
    const admin = createPool({
      connectionString: database.adminUrl,
      applicationName: 'test',
      max: 1,
      statementTimeoutMs: 0,
    })
    await admin.query('delete from api.access_keys where digest = $1', [gone])
    expect(await judge(key, '127.0.0.1', sleeper)).toMatchObject({ kind: 'api_key' })
    pool = moved
    await eventually(async () => expect(await judge(key, '127.0.0.1', sleeper)).toBe('invalid_token'))
    await sleeper.stop()
    await Promise.all([moved.end(), admin.end()])
  })

  test('a key made and revoked in one batch is never accepted', async () => {
    const { key, key_id, created } = newKey()
    const marker = newKey()
    await consume(created, record('ApiKeyRevoked', { key_id }), marker.created)
    await accepted(marker.key)
    expect(await judge(key)).toBe('invalid_token')
  })

  test('end and CIDR ranges hold; a list that cannot be read lets nobody in', async () => {
    const over = newKey({ expires: '2020-01-01T00:00:00Z' })
    const live = newKey({ expires: '2999-01-01T00:00:00Z' })
    const near = newKey({ cidrs: ['10.0.0.0/8', '2001:db8::/32'] })
    const broken = newKey({ cidrs: ['everywhere'] })
    await consume(over.created, near.created, broken.created, live.created)
    await accepted(live.key)
    expect(await judge(over.key)).toBe('invalid_token')
    expect(await Promise.all([judge(near.key, '::ffff:10.2.3.4'), judge(near.key, '2001:db8::1')])).toMatchObject([
      { kind: 'api_key' },
      { kind: 'api_key' },
    ])
    expect(await Promise.all([judge(near.key, '11.0.0.1'), judge(broken.key, '10.0.0.1')])).toEqual([
      'invalid_token',
      'invalid_token',
    ])
  })

  test('changed scopes take effect, and an older change that comes again does not', async () => {
    const { key, key_id, created } = newKey()
    const first = record('ApiKeyChanged', { key_id, scopes: ['stats:read'] })
    const second = record('ApiKeyChanged', { key_id, scopes: ['invoices:read'], cidrs: ['127.0.0.0/8'], expires: null })
    await consume(created, first, second)
    await consume(first)
    await eventually(async () => expect(await judge(key)).toMatchObject({ scopes: new Set(['invoices:read']) }))
    expect(await judge(key, '10.0.0.1')).toBe('invalid_token')
  })

  test('after a rotation the new key is the same client, and those of before end with the overlap, at the latest', async () => {
    const { key, key_id, created } = newKey()
    const rotate = (fresh: string, previous_ends: string) =>
      record('ApiKeyRotated', { key_id, digest: createHash('sha256').update(fresh).digest('hex'), previous_ends })
    const [second, third] = [makeApiKey(randomBytes), makeApiKey(randomBytes)]
    const first = rotate(second, '2999-01-01T00:00:00Z')
    await consume(created, first)
    await accepted(second)
    expect(await Promise.all([judge(key), judge(second)])).toMatchObject([{ id: key_id }, { id: key_id }])
    await consume(rotate(third, '2020-01-01T00:00:00Z'))
    await consume(first)
    await accepted(third)
    await refused(second)
    expect(await judge(key)).toBe('invalid_token')
    await consume(record('ApiKeyRevoked', { key_id }))
    await refused(third)
    expect(await judge(key)).toBe('invalid_token')
  })

  test('regression: a change of a key that was never announced is poison, and takes effect once the key is there', async () => {
    const { key, key_id, created } = newKey()
    const fresh = makeApiKey(randomBytes)
    const digest = createHash('sha256').update(fresh).digest('hex')
    const rotated = record('ApiKeyRotated', { key_id, digest, previous_ends: '2999-01-01T00:00:00Z' })
    const narrowed = record('ApiKeyChanged', { key_id, scopes: ['stats:read'] })
    for (const change of [rotated, narrowed]) await expect(consume(change)).rejects.toThrow(PoisonRecord)
    await consume(created)
    await consume(rotated)
    await consume(narrowed)
    const scopes = new Set(['stats:read'])
    await eventually(async () =>
      expect(await Promise.all([judge(key), judge(fresh)])).toMatchObject([{ scopes }, { scopes }]),
    )
  })

  test('a change behind the end of its key, or of its workspace, is no poison and gives no key', async () => {
    const late = newKey()
    const gone = { ...record('ApiKeyChanged', { key_id: 'key_gone', scopes: [] }), key: 'wsp_left' }
    await consume(record('ApiKeyRevoked', { key_id: late.key_id }))
    await consume(record('WorkspaceDeleted', { workspace_id: 'wsp_left' }))
    await consume(gone, record('ApiKeyChanged', { key_id: late.key_id, scopes: ['stats:read'] }))
    expect(await judge(late.key)).toBe('invalid_token')
  })

  test('a deleted workspace takes its keys along, and only its own', async () => {
    const mine = newKey({ workspace_id: 'wsp_gone' })
    const other = newKey({ workspace_id: 'wsp_stays' })
    await consume(mine.created, other.created)
    await accepted(mine.key)
    await consume(record('WorkspaceDeleted', { workspace_id: 'wsp_gone' }))
    await refused(mine.key)
    expect(await judge(other.key)).toMatchObject({ workspaceId: 'wsp_stays' })
  })

  test('a poll misses no change when transactions overlap', async () => {
    const keys = Array.from({ length: 40 }, () => newKey())
    await Promise.all(keys.map(({ created }) => consume(created)))
    await Promise.all(keys.map(({ key }) => accepted(key)))
  })

  test('other events pass without a trace, and malformed ones are poison', async () => {
    await consume(record('UserRegistered', { user_id: 'usr_1' }), { ...record('X', {}), payload: null })
    const bad = [{ digest: 'ab' }, { scopes: 'all' }, { workspace_id: '' }, { expires: 'soon' }, { cidrs: [1] }]
    for (const over of bad) await expect(consume(newKey(over).created)).rejects.toThrow(PoisonRecord)
    await expect(consume({ ...record('X', {}), payload: Buffer.from('{') })).rejects.toThrow(PoisonRecord)
  })

  test('the HTTP role may only read, and the worker role may not delete', async () => {
    const statements = ["update access_keys set key_id = 'x'", 'delete from access_keys', 'truncate access_keys']
    for (const sql of statements) await expect(httpPool.query(sql)).rejects.toThrow('permission denied')
    await expect(workerPool.query('delete from access_keys')).rejects.toThrow('permission denied')
  })
})
