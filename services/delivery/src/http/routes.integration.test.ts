// The routes over a real listener and the real Postgres: shapes, refusals and the rules of a Retry.
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { scopes } from '@wds/contracts/scopes'
import { createEnvelopeEncryption } from '@wds/envelope-encryption/envelope-encryption'
import { createCursors } from '@wds/http-service/cursor'
import { createHttpService } from '@wds/http-service/service'
import { createLogger } from '@wds/telemetry/logger'
import { createFanOut } from '../loops/fan-out.ts'
import { createEngine, type Engine, newId, seedEvents } from '../store/engine-fixture.ts'
import { routesOf } from './routes.ts'

let engine: Engine
let base = ''
let close: () => Promise<unknown>
const workspaceId = newId('wsp')
const other = newId('wsp')

beforeAll(async () => {
  engine = await createEngine()
  const envelope = createEnvelopeEncryption([{ kid: 'k1', key: randomBytes(32) }])
  const authenticator = {
    authenticate: (authorization: string | undefined) => ({
      ok: true as const,
      client: {
        workspaceId: authorization === 'Bearer b' ? other : workspaceId,
        kind: 'api_key' as const,
        id: `key_${'0'.repeat(26)}`,
        scopes: new Set(scopes),
      },
    }),
  }
  const service = createHttpService({
    openapi: new URL('../../openapi.yaml', import.meta.url),
    routes: routesOf({
      cursors: createCursors([randomBytes(32)]),
      envelope,
      checkUrl: async (url) => (url.startsWith('https://') ? { ok: true, value: url } : { ok: false, error: 'scheme' }),
      attemptsMax: 6,
      onDue: () => undefined,
    }),
    baseUrl: 'http://127.0.0.1',
    pool: engine.http,
    authenticator,
    envelope,
    logger: createLogger({ service: 'test', level: 'error' }),
  })
  const listener = await service.listen({ host: '127.0.0.1', port: 0 })
  base = `http://127.0.0.1:${listener.port}`
  close = () => listener.close({ graceMs: 0 })
}, 60_000)
afterAll(async () => {
  await close?.()
  await engine?.stop()
})

async function call(method: string, path: string, body?: object, token = 'a', headers: Record<string, string> = {}) {
  const response = await fetch(base + path, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}), ...headers },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const text = await response.text()
  return { status: response.status, etag: response.headers.get('etag'), body: text === '' ? null : JSON.parse(text) }
}

const valid = { url: 'https://receiver.test/hook', events: ['*'] }

describe('webhooks', () => {
  test('POST shows the secret once; the row holds ciphertext only', async () => {
    const created = await call('POST', '/v1/webhooks', valid)
    expect([created.status, created.body]).toEqual([
      201,
      expect.objectContaining({ object: 'webhook', status: 'enabled' }),
    ])
    expect(created.body.secret).toMatch(/^whsec_/)
    const read = await call('GET', `/v1/webhooks/${created.body.id}`)
    expect(read.body.secret).toBeUndefined()
    expect(read.body.secrets).toEqual([expect.objectContaining({ hint: created.body.secret.slice(-4), expires: null })])
    const { rows } = await engine.admin.query('select ciphertext from delivery.subscription_secrets')
    expect(JSON.stringify(rows)).not.toContain(created.body.secret)
    expect((await call('GET', `/v1/webhooks/${created.body.id}`, undefined, 'b')).status).toBe(404)
    expect((await call('GET', '/v1/webhooks', undefined, 'b')).body.data).toEqual([])
  })

  test('addresses, event types and header names are refused with a pointer', async () => {
    const refused = async (body: object) => {
      const answer = await call('POST', '/v1/webhooks', body)
      return [answer.status, answer.body.code, answer.body.errors?.[0]?.pointer]
    }
    expect(await refused({ ...valid, url: 'http://10.0.0.1/' })).toEqual([422, 'url_not_allowed', '/url'])
    expect(await refused({ ...valid, events: ['nothing.such'] })).toEqual([422, 'unknown_event_type', '/events/0'])
    expect(await refused({ ...valid, headers: { host: 'x' } })).toEqual([422, 'validation_failed', '/headers/host'])
    expect(await refused({ ...valid, status: 'enabled' })).toEqual([422, 'unknown_field', '/status'])
  })

  test('C41: PATCH follows If-Match, raises the version once, and a change of nothing keeps it', async () => {
    const { body, etag } = await call('POST', '/v1/webhooks', valid)
    const path = `/v1/webhooks/${body.id}`
    const changed = await call('PATCH', path, { description: 'new' }, 'a', { 'if-match': etag as string })
    expect([changed.status, changed.body.version, changed.body.description]).toEqual([200, 2, 'new'])
    expect((await call('PATCH', path, { description: 'newer' }, 'a', { 'if-match': etag as string })).status).toBe(412)
    expect((await call('PATCH', path, { description: 'new' })).body.version).toBe(2)
    expect((await call('POST', `${path}/disable`)).body).toMatchObject({
      status: 'disabled',
      disabled_reason: 'user',
      version: 3,
    })
    expect((await call('POST', `${path}/disable`)).body).toMatchObject({
      code: 'invalid_state',
      current_status: 'disabled',
    })
    expect((await call('POST', `${path}/enable`)).body).toMatchObject({
      status: 'enabled',
      disabled_reason: null,
      version: 4,
    })
    expect((await call('DELETE', path)).status).toBe(204)
    expect((await call('DELETE', path)).status).toBe(404)
  })
})

describe('deliveries', () => {
  test('a delivery is listed, read, dead once its subscription is disabled, and retried after it is enabled', async () => {
    const { body: webhook } = await call('POST', '/v1/webhooks', { ...valid, events: ['invoice.paid'] })
    await seedEvents(engine, { workspaceId, count: 3, type: 'invoice.paid' })
    const fanOut = createFanOut({ pool: engine.worker, onMade: () => undefined })
    while (await fanOut.turn());
    const history = `/v1/webhooks/${webhook.id}/deliveries`
    const first = await call('GET', `${history}?limit=2`)
    expect([first.body.data.length, first.body.has_more]).toEqual([2, true])
    const second = await call('GET', `${history}?limit=2&cursor=${first.body.next_cursor}`)
    expect([second.body.data.length, second.body.has_more]).toEqual([1, false])
    const id = first.body.data[0].id
    const read = await call('GET', `/v1/deliveries/${id}`)
    expect(read.body).toMatchObject({
      status: 'pending',
      epoch: 1,
      max_attempts: 6,
      attempts: [],
      epochs: [{ epoch: 1, requested_by: null }],
    })
    expect((await call('GET', `/v1/deliveries/${id}`, undefined, 'b')).status).toBe(404)
    expect((await call('POST', `/v1/deliveries/${id}/retry`)).body).toMatchObject({
      code: 'invalid_state',
      current_status: 'pending',
    })
    await call('POST', `/v1/webhooks/${webhook.id}/disable`)
    expect((await call('GET', `/v1/deliveries/${id}`)).body).toMatchObject({
      status: 'dead',
      dead_reason: 'subscription_disabled',
    })
    expect((await call('GET', `${history}?status=failed`)).body.data).toHaveLength(3)
    expect((await call('POST', `/v1/deliveries/${id}/retry`)).body.code).toBe('webhook_disabled')
    await call('POST', `/v1/webhooks/${webhook.id}/enable`)
    expect((await call('GET', '/v1/dead-letters?reason=subscription_disabled')).body.data).toHaveLength(3)
    const retried = await call('POST', `/v1/deliveries/${id}/retry`)
    expect([retried.status, retried.body.status, retried.body.epoch]).toEqual([202, 'replay', 2])
    expect((await call('GET', '/v1/dead-letters?reason=subscription_disabled')).body.data).toHaveLength(2)
  })
})
