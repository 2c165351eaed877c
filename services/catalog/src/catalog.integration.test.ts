// Proves the catalog as it runs: the program itself against a real Postgres, through its public doors and the log.
import { type ChildProcess, execFile, fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { eventTypes } from '@wds/contracts/event-types'
import { createPostgresLog, logMigrations } from '@wds/event-log/postgres-log'
import { createTestDatabase, type TestDatabase } from '@wds/local-infra/test-database'
import { migrate } from '@wds/postgres/migrations'
import { createPool, type Pool } from '@wds/postgres/pool'
import { checkedInSchema, describeSchema } from '@wds/postgres/schema-description'
import { announceEventTypes } from './event-types/announce-event-types.ts'
import { catalogEntries } from './event-types/domain/catalog-entry.ts'

const main = fileURLToPath(new URL('./main.ts', import.meta.url))
const baseUrl = 'http://127.0.0.1:9'
const consoleUrl = 'http://localhost:9'
let database: TestDatabase
let directory: string
let env: NodeJS.ProcessEnv
let service: Service
let workerPool: Pool

beforeAll(async () => {
  database = await createTestDatabase()
  const { owner, http, worker } = database.urls.services.catalog
  await migrate({ connectionString: database.urls.log.owner, schema: 'log', directories: logMigrations })
  directory = await mkdtemp(join(tmpdir(), 'catalog-'))
  const keyFile = join(directory, 'cursor-key')
  await writeFile(keyFile, randomBytes(32).toString('base64'), { mode: 0o600 })
  env = {
    PATH: process.env.PATH,
    DATABASE_URL: http,
    WDS_WORKER_DATABASE_URL: worker,
    WDS_BASE_URL: baseUrl,
    WDS_AUTH_URL: consoleUrl,
    WDS_HTTP_PORT: '0',
    WDS_CURSOR_KEY_FILE: keyFile,
    WDS_LOG_PARTITIONS: '3',
    WDS_LOG_LEVEL: 'warn',
  }
  await promisify(execFile)(process.execPath, [main, 'migrate'], { env: { ...env, WDS_OWNER_DATABASE_URL: owner } })
  service = await startService({})
  workerPool = createPool({ connectionString: worker, applicationName: 'test', max: 4 })
})
afterAll(async () => {
  await service?.stop()
  await workerPool?.end()
  await database?.drop()
  if (directory) await rm(directory, { recursive: true })
})

test('the migrations make the schema that is checked in', async () => {
  const described = await describeSchema(workerPool, 'catalog')
  expect(described).toBe(await checkedInSchema(new URL('./migrations/schema.txt', import.meta.url), described))
})

describe('the event types', () => {
  test('C01, C50, C54: the list is paged in the order of the catalog, without a token', async () => {
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const query: string = cursor === null ? '' : `&cursor=${cursor}`
      const { status, json } = await get(`/v1/event-types?limit=25${query}`)
      expect([status, json.object, json.has_more]).toEqual([200, 'list', json.next_cursor !== null])
      seen.push(...json.data.map(({ type }: { type: string }) => type))
      cursor = json.next_cursor
    } while (cursor !== null)
    expect(seen).toEqual(eventTypes.map(({ type }) => type))
    expect((await get('/v1/event-types')).json.data).toHaveLength(20)
  })

  test('C51: a cursor altered or used with another filter is refused', async () => {
    const cursor: string = (await get('/v1/event-types?limit=2')).json.next_cursor
    const altered = `${cursor.slice(0, -1)}${cursor.endsWith('A') ? 'B' : 'A'}`
    for (const query of [`cursor=${altered}`, `cursor=${cursor}&stability=stable`]) {
      const { status, json } = await get(`/v1/event-types?${query}`)
      expect([status, json.code]).toEqual([400, 'invalid_cursor'])
    }
  })

  test('C06, C50, C55: what the list does not know is refused', async () => {
    const codes = { 'limit=0': 'limit_out_of_range', 'limit=101': 'limit_out_of_range', 'page=2': 'unknown_parameter' }
    for (const [query, code] of Object.entries({ ...codes, 'stability=old': 'invalid_parameter' })) {
      const { status, json } = await get(`/v1/event-types?${query}`)
      expect([query, status, json.code]).toEqual([query, 400, code])
    }
  })

  test('an entry, its schema and its example belong together', async () => {
    const entry = await get('/v1/event-types/sync.completed')
    expect(entry.json).toEqual(JSON.parse(JSON.stringify(catalogEntries.find(({ type }) => type === 'sync.completed'))))
    expect((await get('/v1/event-types/sync.completed/schema')).json).toEqual(entry.json.schema)
    expect((await get('/v1/event-types/sync.completed/example')).json).toEqual(entry.json.example)
  })

  test('C10, C13: an unknown type is not found', async () => {
    for (const path of ['order.paid', 'sync.*', '*', 'constructor', 'order.paid/schema']) {
      const { status, json } = await get(`/v1/event-types/${path}`)
      expect([status, json.code, json.type]).toEqual([404, 'not_found', `${baseUrl}/problems/not_found`])
    }
  })

  test('C40, C43: answers are public for 300 s and answer 304 to their own tag', async () => {
    for (const path of ['', '/sync.failed', '/sync.failed/schema', '/sync.failed/example']) {
      const { headers } = await get(`/v1/event-types${path}`)
      expect(headers.get('cache-control')).toBe('public, max-age=300')
      const etag = headers.get('etag') ?? ''
      expect(etag).toMatch(/^".+"$/)
      expect((await get(`/v1/event-types${path}`, { 'if-none-match': etag })).status).toBe(304)
    }
  })

  test('C85: the console on its own origin may read them, another origin may not', async () => {
    const allowed = async (origin: string) =>
      (await get('/v1/event-types', { origin })).headers.get('access-control-allow-origin')
    expect([await allowed(consoleUrl), await allowed('http://localhost:10')]).toEqual([consoleUrl, null])
  })

  test('a token that is sent all the same is not judged', async () => {
    expect((await get('/v1/event-types', { authorization: 'Bearer nobody' })).status).toBe(200)
  })
})

describe('the announcement', () => {
  test('every type is on the compacted topic once, however often the service starts', async () => {
    await expectRecords(eventTypes.length)
    const again = await startService({ WDS_ROLE: 'worker' })
    await again.stop()
    expect(await announceEventTypes(workerPool, catalogEntries)).toEqual([])
    const records = await expectRecords(eventTypes.length)
    expect(records.map(({ key }) => key).sort()).toEqual(eventTypes.map(({ type }) => type).sort())
    const record = records.find(({ key }) => key === 'invoice.paid')
    const payload = JSON.parse(Buffer.from(record?.payload ?? []).toString('utf8'))
    expect(payload).toMatchObject({ id: record?.eventId, type: 'EventTypeAnnounced', data: { type: 'invoice.paid' } })
    expect(record?.headers).toMatchObject({ event_type: 'EventTypeAnnounced', actor: 'system:catalog' })
  })

  test('only what changed is announced again, by one of two processes that start at once', async () => {
    const changed = catalogEntries.map((entry) =>
      entry.type === 'sync.delayed' ? { ...entry, meaning: 'Other words.' } : entry,
    )
    const both = await Promise.all([announceEventTypes(workerPool, changed), announceEventTypes(workerPool, changed)])
    expect(both.flat()).toEqual(['sync.delayed'])
    const last = (await expectRecords(eventTypes.length + 1)).filter(({ key }) => key === 'sync.delayed').at(-1)
    expect(Buffer.from(last?.payload ?? []).toString('utf8')).toContain('Other words.')
  })
})

describe('the command republish', () => {
  const range = ['--from', '2020-01-01T00:00:00Z', '--to', '2199-01-01T00:00:00Z']
  const run = async (topic: string) =>
    (await promisify(execFile)(process.execPath, [main, 'republish', '--topic', topic, ...range], { env })).stdout

  test('announces every type once more, whoever heard of it before, and nothing of other topics', async () => {
    const before = await expectRecords(eventTypes.length + 1)
    expect(await run('workspace.events')).toContain('republished 0 records')
    expect(await run('catalog.event-types')).toContain(
      `republished ${eventTypes.length} records of catalog.event-types`,
    )
    const ids = new Set(before.map(({ eventId }) => eventId))
    const again = (await expectRecords(2 * eventTypes.length + 1)).filter(({ eventId }) => !ids.has(eventId))
    expect(again.map(({ key }) => key).sort()).toEqual(eventTypes.map(({ type }) => type).sort())
    const last = again.find(({ key }) => key === 'sync.delayed')
    expect(Buffer.from(last?.payload ?? []).toString('utf8')).not.toContain('Other words.')
  })
})

describe('the process', () => {
  test('a migration that cannot run is one sentence and ends with 1', async () => {
    const ended = promisify(execFile)(process.execPath, [main, 'migrate'], { env })
    const stderr = 'catalog: configuration refused: WDS_OWNER_DATABASE_URL is required\n'
    await expect(ended).rejects.toMatchObject({ code: 1, stderr })
  })

  test('wrong configuration names every fault and ends with 1', async () => {
    const wrong = { ...env, WDS_LOG_PARTITIONS: 'many', WDS_BASE_URL: 'nowhere' }
    const ended = promisify(execFile)(process.execPath, [main], { env: wrong })
    await expect(ended).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/WDS_BASE_URL.*WDS_LOG_PARTITIONS|WDS_LOG_PARTITIONS.*WDS_BASE_URL/s),
    })
  })
})

async function get(path: string, headers: Record<string, string> = {}) {
  const response = await fetch(`http://127.0.0.1:${service.port}${path}`, { headers })
  const text = await response.text()
  return { status: response.status, headers: response.headers, json: text === '' ? null : JSON.parse(text) }
}

interface Service {
  port: number
  stop(): Promise<void>
}

async function startService(settings: Record<string, string>): Promise<Service> {
  const child: ChildProcess = fork(main, { env: { ...env, ...settings }, execArgv: [], stdio: 'inherit' })
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const port = await new Promise<number>((resolve, reject) => {
    child.once('message', (message: { port: number }) => resolve(message.port))
    child.once('exit', (code) => reject(new Error(`the service ended with ${code}`)))
  })
  return {
    port,
    stop: async () => {
      child.kill('SIGTERM')
      expect(await ended).toBe(0)
    },
  }
}

/** Everything on the topic, once it holds `count` records; compaction may come later. */
async function expectRecords(count: number) {
  const log = createPostgresLog({ pool: workerPool, partitions: 3 })
  const records: { key: string; eventId: string; headers: Record<string, string>; payload: Uint8Array | null }[] = []
  const enough = Promise.withResolvers<void>()
  const late = setTimeout(() => enough.reject(new Error(`${records.length} of ${count} records`)), 10_000)
  const subscription = await log.subscribe({
    group: `test.${randomBytes(4).toString('hex')}`,
    topics: ['catalog.event-types'],
    from: 'beginning',
    positionOf: async () => null,
    onBatch: async (batch) => {
      records.push(...batch.records)
      if (records.length >= count) enough.resolve()
    },
  })
  await enough.promise.finally(() => clearTimeout(late))
  await subscription.stop()
  await log.close()
  expect(records).toHaveLength(count)
  return records
}
