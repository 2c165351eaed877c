// The operator's commands over a real listener and the real Postgres.
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { scopes } from '@wds/contracts/scopes'
import { createEnvelopeEncryption } from '@wds/envelope-encryption/envelope-encryption'
import { createCursors } from '@wds/http-service/cursor'
import { createHttpService, type RunningHttpService } from '@wds/http-service/service'
import type { TestDatabase } from '@wds/local-infra/test-database'
import { createPool, type Pool } from '@wds/postgres/pool'
import { createLogger } from '@wds/telemetry/logger'
import { createAuthDatabase } from '../auth-database.fixture.ts'
import { createHttpPart } from '../http-part.ts'

let database: TestDatabase
let pool: Pool
let admin: Pool
let listeners: Record<'internal' | 'open', RunningHttpService>

beforeAll(async () => {
  database = await createAuthDatabase()
  const { http } = database.urls.services.auth
  pool = createPool({ connectionString: http, applicationName: 'test', max: 4 })
  admin = createPool({ connectionString: database.adminUrl, applicationName: 'test', max: 1, statementTimeoutMs: 0 })
  const kit = {
    openapi: new URL('../', import.meta.url),
    routes: createHttpPart({
      pool,
      cursors: createCursors([randomBytes(32)]),
      secret: randomBytes(32),
      authUrl: 'http://localhost',
    }).routes,
    baseUrl: 'http://127.0.0.1',
    pool,
    authenticator: { authenticate: async () => ({ ok: false as const, problem: 'invalid_token' as const }) },
    envelope: createEnvelopeEncryption([{ kid: 'k1', key: randomBytes(32) }]),
    logger: createLogger({ service: 'test', level: 'error' }),
  }
  const at = { host: '127.0.0.1', port: 0 }
  listeners = {
    internal: await createHttpService({ ...kit, internal: { tokens: () => ['secret'] } }).listen(at),
    open: await createHttpService(kit).listen(at),
  }
})
afterAll(async () => {
  for (const listener of Object.values(listeners ?? {})) await listener.close({ graceMs: 0 })
  await Promise.all([pool, admin].map((one) => one?.end()))
  await database?.drop()
})
beforeEach(() => admin.query('truncate auth.workspaces, auth.api_keys cascade'))

interface Asked {
  token?: string
  body?: string
  method?: string
  listener?: keyof typeof listeners
}

function ask(path: string, o: Asked): Promise<Response> {
  const { token, body = '{}', method = 'POST', listener = 'internal' } = o
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const sent = method === 'GET' ? {} : { body, headers: { ...headers, 'content-type': 'application/json' } }
  return fetch(`http://127.0.0.1:${listeners[listener].port}${path}`, { method, headers, ...sent })
}

async function stored(): Promise<object[]> {
  const { rows } = await admin.query(
    `select w.id as workspace_id, w.state->>'name' as name, w.state->>'plan' as plan, k.key_id, k.state->>'name' as key_name, k.state->'scopes' as scopes
       from auth.workspaces w full join auth.api_keys k on k.workspace_id = w.workspace_id`,
  )
  return rows
}

test('a workspace is made for the holder of the service token, and the answer is not cached', async () => {
  const answer = await ask('/internal/workspaces', { token: 'secret', body: '{"name": "Acme", "plan": "pro"}' })
  const made = (await answer.json()) as { workspace_id: string; key_id: string; api_key: string }
  expect([answer.status, Object.keys(made)]).toEqual([201, ['workspace_id', 'key_id', 'api_key']])
  expect(answer.headers.get('cache-control')).toBe('no-store')
  const { workspace_id, key_id } = made
  expect(await stored()).toEqual([
    { workspace_id, name: 'Acme', plan: 'pro', key_id, key_name: 'first key', scopes: [...scopes] },
  ])
})

test('plan, name and scopes of the key are those that were asked for', async () => {
  const body = '{"name": "Acme", "key_name": "mine", "scopes": ["stats:read"]}'
  expect((await ask('/internal/workspaces', { token: 'secret', body })).status).toBe(201)
  expect(await stored()).toMatchObject([{ plan: 'free', key_name: 'mine', scopes: ['stats:read'] }])
})

test.each<[string, Asked, number, string]>([
  ['no token', {}, 401, 'invalid_token'],
  ['a wrong token', { token: 'secreT' }, 401, 'invalid_token'],
  [
    'a body that is too large',
    { token: 'secret', body: `{"name": "${'x'.repeat(70_000)}"}` },
    413,
    'payload_too_large',
  ],
  ['no JSON', { token: 'secret', body: '{' }, 400, 'malformed_json'],
  ['a character that cannot be stored', { token: 'secret', body: '{"name": "a\\u0000b"}' }, 422, 'invalid_character'],
  ['what the domain refuses', { token: 'secret', body: `{"name": "${'😀'.repeat(200)}"}` }, 422, 'validation_failed'],
  ['the public listener', { token: 'secret', body: '{"name": "a"}', listener: 'open' }, 404, 'not_found'],
])('%s is refused and makes nothing', async (_name, o, status, code) => {
  const answer = await ask('/internal/workspaces', o)
  expect([answer.status, await answer.json()]).toEqual([status, expect.objectContaining({ code })])
  expect(answer.headers.get('content-type')).toBe('application/problem+json')
  expect(await stored()).toEqual([])
})

test.each([
  '[]',
  'null',
  '{"name": ""}',
  '{"name": "a", "plan": "gold"}',
  '{"name": "a", "scopes": []}',
  '{"name": "a", "scopes": ["all"]}',
  '{"name": "a", "colour": 1}',
  `{"name": "a", "key_name": "${'x'.repeat(256)}"}`,
])('the request %s is refused with a sentence', async (body) => {
  const answer = await ask('/internal/workspaces', { token: 'secret', body })
  const problem = await answer.json()
  expect([answer.status, problem]).toEqual([422, expect.objectContaining({ detail: expect.stringMatching(/\.$/) })])
  expect(await stored()).toEqual([])
})

test('every path asks for the token, also one that nobody knows', async () => {
  for (const path of ['/internal/workspaces', '/internal/nothing', '/healthz', '/v1/workspace']) {
    expect([path, (await ask(path, { method: 'GET' })).status]).toEqual([path, 401])
  }
})

test('unknown commands, and public routes, are 404, another method 405', async () => {
  expect((await ask('/internal/nothing', { token: 'secret' })).status).toBe(404)
  expect((await ask('/v1/workspace', { token: 'secret', method: 'GET' })).status).toBe(404)
  expect((await ask('/internal/workspaces', { token: 'secret', method: 'GET' })).status).toBe(405)
})
