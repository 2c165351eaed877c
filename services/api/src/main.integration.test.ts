// The whole service as one process runs it: keys from the log, an upload and a demo pull announced on the log.

import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { makeApiKey, parseApiKey } from '@wds/access/api-key'
import { newId } from '@wds/aggregate/new-id'
import type { AuthEventType } from '@wds/contracts/auth-events'
import { scopes } from '@wds/contracts/scopes'
import { topics } from '@wds/contracts/topics'
import { withoutUndefined } from '@wds/contracts/without-undefined'
import { createPostgresLog, logMigrations } from '@wds/event-log/postgres-log'
import type { TestDatabase } from '@wds/local-infra/test-database'
import { migrate } from '@wds/postgres/migrations'
import { createPool, type Pool } from '@wds/postgres/pool'
import { checkedInSchema, describeSchema } from '@wds/postgres/schema-description'
import { startService } from '@wds/service-host/start-service'
import { createApiDatabase } from './api-database.fixture.ts'
import { settings } from './config.ts'
import { api } from './main.ts'

let database: TestDatabase
let logPool: Pool
let folder: string
let running: Awaited<ReturnType<typeof startService>>
const workspaceId = newId('wsp', Date.now())
const key = makeApiKey((n) => randomBytes(n))

beforeAll(async () => {
  database = await createApiDatabase()
  const { http, worker } = database.urls.services.api
  await migrate({ connectionString: database.urls.log.owner, schema: 'log', directories: logMigrations })
  folder = await mkdtemp(join(tmpdir(), 'api-'))
  const keyFile = join(folder, 'key')
  await writeFile(keyFile, randomBytes(32).toString('base64'), { mode: 0o600 })
  logPool = createPool({ connectionString: worker, applicationName: 'test-log' })
  await publishKey()
  const values = settings.parse({
    DATABASE_URL: http,
    WDS_WORKER_DATABASE_URL: worker,
    WDS_BASE_URL: 'http://127.0.0.1:1',
    WDS_AUTH_URL: 'http://127.0.0.1:2',
    WDS_HTTP_PORT: '0',
    WDS_ENCRYPTION_KEY_FILE: keyFile,
    WDS_CURSOR_KEY_FILE: keyFile,
    WDS_LOG_LEVEL: 'silent',
    WDS_SYNC_POLL: '20ms',
  })
  running = await startService(api, { values, signal: new AbortController().signal })
})

afterAll(async () => {
  // Each is closed whatever became of the others: what stays open keeps the test run alive.
  const closing = [() => running?.stop(), () => logPool?.end(), () => database?.drop()]
  const faults: unknown[] = []
  for (const close of closing) await Promise.resolve(close()).catch((error: unknown) => faults.push(error))
  if (folder) await rm(folder, { recursive: true })
  expect(faults).toEqual([])
})

test('the migrations make the schema that is checked in', async () => {
  const described = await describeSchema(logPool, 'api')
  expect(described).toBe(await checkedInSchema(new URL('./migrations/schema.txt', import.meta.url), described))
})

async function publishKey(): Promise<void> {
  const parsed = parseApiKey(key)
  if (!parsed.ok) throw new Error('a key that is none')
  const eventId = newId('evt', Date.now())
  const data = {
    key_id: newId('key', Date.now()),
    workspace_id: workspaceId,
    digest: parsed.digest.toString('hex'),
    prefix: parsed.prefix,
    last4: parsed.last4,
    name: 'test',
    scopes: ['integrations:read', 'integrations:write', 'stats:read', 'campaigns:read', 'campaigns:write'],
    cidrs: [],
    expires: null,
  }
  await publishOfAuth('ApiKeyCreated', eventId, data)
}

async function publishOfAuth(type: AuthEventType, eventId: string, data: object): Promise<void> {
  const event = { id: eventId, type, created: new Date().toISOString(), data }
  const headers = { event_id: eventId, event_type: type, schema_version: '1', workspace_id: workspaceId }
  const payload = Buffer.from(JSON.stringify(event))
  const log = createPostgresLog({ pool: logPool, partitions: 12 })
  await log.publish([{ topic: topics.authEvents, key: workspaceId, eventId, headers, payload }])
  await log.close()
}

async function call(method: string, path: string, body?: { type: string; text: string }) {
  const headers = withoutUndefined<Record<string, string>>({
    authorization: `Bearer ${key}`,
    'content-type': body ? body.type : undefined,
  })
  const url = `http://127.0.0.1:${running.port}${path}`
  const response = await fetch(url, { method, headers, body: body ? body.text : null })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

async function until<T>(look: () => Promise<T | null>): Promise<T> {
  const deadline = Date.now() + 60_000
  while (Date.now() < deadline) {
    const found = await look()
    if (found !== null) return found
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  throw new Error('not within 30 s')
}

test('an upload and the first demo pull end, are on the log, and trigger a rule from there', async () => {
  await until(async () => ((await call('GET', '/v1/integrations')).status === 200 ? true : null))
  const rule = {
    name: 'Synced',
    trigger: { type: 'event', event_type: 'sync.completed' },
    subject_type: 'integration',
    window: 'today',
    conditions: [],
    actions: [{ type: 'notify_webhook' }],
  }
  const type = 'application/json'
  const saved = await call('POST', '/v1/automation-rules', { type, text: JSON.stringify(rule) })
  expect(saved.status).toBe(201)
  const ids: string[] = []
  for (const provider of ['csv_upload', 'demo']) {
    const json = {
      name: provider,
      brand_slug: 'acme',
      provider,
      initial_backfill_days: provider === 'demo' ? 2 : undefined,
    }
    const created = await call('POST', '/v1/integrations', { type: 'application/json', text: JSON.stringify(json) })
    expect(created.status).toBe(201)
    ids.push(String(created.body.id))
  }
  const [uploads, demo] = ids
  const path = `/v1/imports?type=stats&integration_id=${uploads}`
  const sent = await call('POST', path, { type: 'text/csv', text: 'date,clicks\n2026-01-01,3\n' })
  expect(sent.status).toBe(202)
  for (const id of [uploads, demo]) {
    const run = await until(async () => {
      const { data } = (await call('GET', `/v1/sync-runs?integration_id=${id}&status=succeeded`)).body as {
        data: object[]
      }
      return data[0] ?? null
    })
    expect(run).toMatchObject({ rows_ingested: id === uploads ? 1 : expect.any(Number), rows_rejected: 0 })
  }
  await until(async () => {
    const { rows } = await logPool.query<{ headers: { event_type: string } }>('select headers from log.records')
    const count = (type: string) => rows.filter((row) => row.headers.event_type === type).length
    return count('sync.completed') === 2 && count('automation.fired') === 2 ? true : null
  })
})

test('a rename in auth comes to the log as workspace.updated', async () => {
  await publishOfAuth('WorkspaceChanged', newId('evt', Date.now()), { workspace_id: workspaceId, name: 'Renamed' })
  const told = await until(async () => {
    const { rows } = await logPool.query<{ payload: Buffer }>(
      `select payload from log.records where headers->>'event_type' = 'workspace.updated'`,
    )
    return rows[0] ? rows : null
  })
  expect(told.map(({ payload }) => JSON.parse(payload.toString()).data.changed)).toEqual([['name']])
})

const readPublic = (path: string, headers = {}) => fetch(`http://127.0.0.1:${running.port}${path}`, { headers })

test('C80, C43: the OpenAPI file of the whole API is served to everybody, with an entity tag', async () => {
  const answer = await readPublic('/v1/openapi.json')
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8'])
  expect(answer.headers.get('cache-control')).toBe('public, max-age=300')
  const file = JSON.parse(readFileSync(new URL('../openapi.generated.json', import.meta.url), 'utf8'))
  expect(await answer.json()).toEqual({ ...file, servers: [{ url: 'http://127.0.0.1:1' }] })
  const again = await readPublic('/v1/openapi.json', { 'if-none-match': answer.headers.get('etag') })
  expect(again.status).toBe(304)
})

test('B1, P1: the challenge of a call without a token leads to the metadata, which names the API and its issuer', async () => {
  const refused = await readPublic('/v1/integrations')
  const path = '/.well-known/oauth-protected-resource'
  expect(refused.headers.get('www-authenticate')).toContain(`resource_metadata="http://127.0.0.1:1${path}"`)
  const answer = await readPublic(path)
  expect([answer.status, await answer.json()]).toEqual([
    200,
    {
      resource: 'http://127.0.0.1:1',
      authorization_servers: ['http://127.0.0.1:2'],
      scopes_supported: [...scopes],
      bearer_methods_supported: ['header'],
      resource_documentation: 'http://127.0.0.1:1/v1/openapi.json',
    },
  ])
})
