// Integrations and their runs through the public door: conditions, transitions, lists, refusals, and the breach of an event.
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { execute, load } from '@wds/aggregate/aggregate'
import { EventBreach, publicEvents } from '@wds/aggregate/announcement'
import { createEnvelopeEncryption } from '@wds/envelope-encryption/envelope-encryption'
import type { AppendContext } from '@wds/event-store/event-store'
import { withTransaction } from '@wds/postgres/transaction'
import { checkKeyCanary } from '@wds/service-host/key-canary'
import { reencryptSecrets } from '@wds/service-host/reencrypt-secrets'
import { type Fixture, startFixture } from '../api-service.fixture.ts'
import { csvSettings } from '../sources/feed.fixture.ts'
import { integrations } from './resource.ts'
import { openCredentials } from './sealed-credentials.ts'
import { storedCredentials } from './store-credentials.ts'

let fixture: Fixture
beforeAll(async () => {
  fixture = await startFixture()
})
afterAll(() => fixture?.stop())

const integration = (extra: object = {}) => fixture.createIntegration({ name: 'One', ...extra })

async function demo(): Promise<string> {
  return integration({ provider: 'demo', schedule: null, settings: { campaigns: 1, countries: ['DE'] } })
}

/** Types of the announced events about an integration, in their order. */
async function announced(id: string): Promise<string[]> {
  const { rows } = await fixture.workerPool.query<{ payload: Buffer }>('select payload from outbox order by id')
  const events = rows.map((row) => JSON.parse(row.payload.toString('utf8')))
  return events.filter(({ data }) => data.integration_id === id).map(({ type }) => type)
}

function patch(id: string, json: object, etag?: string) {
  const headers = etag === undefined ? {} : { 'if-match': etag }
  return fixture.call('PATCH', `/v1/integrations/${id}`, { json, headers })
}

describe('PATCH of an integration', () => {
  test('another ETag than the current one gets 412 and changes nothing', async () => {
    const id = await integration()
    const stale = await patch(id, { name: 'Two' }, '"v9"')
    expect([stale.status, stale.body.code]).toEqual([412, 'precondition_failed'])
    const found = await fixture.call('GET', `/v1/integrations/${id}`)
    expect(found.body).toMatchObject({ name: 'One', version: 1 })
    expect(await announced(id)).toEqual(['integration.created'])
  })

  test('of two parallel ones with one ETag exactly one gets 200', async () => {
    const id = await integration()
    const etag = (await fixture.call('GET', `/v1/integrations/${id}`)).headers.get('etag') ?? ''
    const answers = await Promise.all(['Two', 'Three'].map((name) => patch(id, { name }, etag)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412])
    expect(await announced(id)).toEqual(['integration.created', 'integration.updated'])
  })

  test('that changes nothing keeps the version and announces nothing', async () => {
    const id = await integration({ tags: ['x'], metadata: { a: '1' } })
    const answer = await patch(id, { name: 'One', tags: ['x'], metadata: { a: '1' } })
    expect([answer.status, answer.body.version, answer.headers.get('etag')]).toEqual([200, 1, '"v1"'])
    expect(await announced(id)).toEqual(['integration.created'])
  })

  test('regression: a schedule without every_minutes, or more than 20 keys of metadata in all, is refused', async () => {
    const id = await demo()
    const empty = await patch(id, { schedule: {} })
    expect([empty.status, empty.body.errors]).toMatchObject([422, [{ pointer: '/schedule/every_minutes' }]])
    const keys = (from: number) =>
      Object.fromEntries(Array.from({ length: 15 }, (_, index) => [`k${from + index}`, 'v']))
    expect((await patch(id, { metadata: keys(0) })).status).toBe(200)
    const many = await patch(id, { metadata: keys(100) })
    expect([many.status, many.body.errors]).toMatchObject([422, [{ pointer: '/metadata', code: 'out_of_range' }]])
  })

  test('domain.md T1, regression: a time zone keeps the name it was given; what is no IANA name is refused', async () => {
    const id = await integration({ source_time_zone: 'europe/malta' })
    expect((await patch(id, {})).body.source_time_zone).toBe('Europe/Malta')
    for (const zone of ['Etc/UTC', 'Asia/Kathmandu'])
      expect((await patch(id, { source_time_zone: zone })).body.source_time_zone).toBe(zone)
    for (const zone of ['GMT+2', '+02:00', 'Mars/Base', 'UTC ']) {
      const answer = await patch(id, { source_time_zone: zone })
      expect([zone, answer.status, answer.body.code]).toEqual([zone, 422, 'unknown_time_zone'])
    }
  })

  test('names the changed fields in its event', async () => {
    const id = await integration()
    expect((await patch(id, { name: 'Two', tags: ['x'] }, '"v1"')).body).toMatchObject({ version: 2, name: 'Two' })
    const { rows } = await fixture.workerPool.query<{ payload: Buffer }>('select payload from outbox order by id desc')
    const event = JSON.parse(rows[0]?.payload.toString('utf8') ?? '{}')
    expect(event).toMatchObject({ type: 'integration.updated', data: { changed: ['name', 'tags'] } })
  })
})

describe('an integration', () => {
  test('of an unknown provider gets 422 provider_not_available', async () => {
    const json = { name: 'One', brand_slug: 'acme', provider: 'nowhere' }
    const answer = await fixture.call('POST', '/v1/integrations', { json })
    expect([answer.status, answer.body.code]).toEqual([422, 'provider_not_available'])
  })

  test('C23: is paused and resumed once each; the second time gets 409 with what is allowed', async () => {
    const id = await demo()
    const path = `/v1/integrations/${id}`
    expect((await fixture.call('POST', `${path}/pause`)).body).toMatchObject({ status: 'paused', version: 2 })
    const again = await fixture.call('POST', `${path}/pause`)
    expect([again.status, again.body.code, again.body.current_status]).toEqual([409, 'invalid_state', 'paused'])
    expect(again.body.allowed).toEqual(expect.arrayContaining(['resume', 'update', 'delete']))
    const refused = await fixture.call('POST', `${path}/sync-runs`, { json: {} })
    expect([refused.status, refused.body.code]).toEqual([409, 'invalid_state'])
    expect((await fixture.call('POST', `${path}/resume`)).body).toMatchObject({ status: 'pending', version: 3 })
    expect((await fixture.call('POST', `${path}/resume`)).status).toBe(409)
    expect(await announced(id)).toEqual(['integration.created', 'integration.paused', 'integration.resumed'])
  })

  test('that is paused cancels its open run', async () => {
    const id = await demo()
    const run = await fixture.call('POST', `/v1/integrations/${id}/sync-runs`, { json: {} })
    expect(run.status).toBe(202)
    await fixture.call('POST', `/v1/integrations/${id}/pause`)
    expect((await fixture.call('GET', `/v1/sync-runs/${run.body.id}`)).body).toMatchObject({ status: 'canceled' })
    await fixture.work()
    expect((await announced(id)).sort()).toEqual(['integration.created', 'integration.paused', 'sync.canceled'])
  })

  test('that is deleted gets 204, then 404 everywhere, and leaves the list', async () => {
    const id = await integration()
    const path = `/v1/integrations/${id}`
    expect((await fixture.call('DELETE', path, { headers: { 'if-match': '"v7"' } })).status).toBe(412)
    const gone = await fixture.call('DELETE', path)
    expect([gone.status, gone.text]).toEqual([204, ''])
    const calls = ['DELETE', 'GET'].map((method) => fixture.call(method, path))
    calls.push(fixture.call('POST', `${path}/pause`), patch(id, { name: 'Two' }))
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([404, 404, 404, 404])
    const list = await fixture.call('GET', '/v1/integrations?limit=100')
    expect((list.body.data as { id: string }[]).map((found) => found.id)).not.toContain(id)
    expect(await announced(id)).toEqual(['integration.created', 'integration.deleted'])
  })
})

describe('a sync run', () => {
  test('is canceled once, and retried once it has ended', async () => {
    const id = await demo()
    const path = `/v1/integrations/${id}/sync-runs`
    const window = { from: '2026-01-01', to: '2026-01-02' }
    const run = await fixture.call('POST', path, { json: { window } })
    const second = await fixture.call('POST', path, { json: {} })
    expect([second.status, second.body.code]).toEqual([409, 'sync_already_running'])
    const early = await fixture.call('POST', `/v1/sync-runs/${run.body.id}/retry`)
    expect([early.status, early.body.code]).toEqual([409, 'invalid_state'])
    const canceled = await fixture.call('POST', `/v1/sync-runs/${run.body.id}/cancel`)
    expect([canceled.status, canceled.body.status]).toEqual([200, 'canceled'])
    expect((await fixture.call('POST', `/v1/sync-runs/${run.body.id}/cancel`)).status).toBe(409)
    const headers = { 'if-match': '"v1"' }
    expect((await fixture.call('POST', `/v1/sync-runs/${run.body.id}/retry`, { headers })).status).toBe(412)
    const retried = await fixture.call('POST', `/v1/sync-runs/${run.body.id}/retry`)
    expect([retried.status, retried.body.trigger, retried.body.window]).toEqual([202, 'retry', window])
    expect(retried.body.run_seq).toBe(Number(run.body.run_seq) + 1)
    await fixture.work()
    const done = await fixture.call('GET', `/v1/sync-runs/${retried.body.id}`)
    expect(done.body).toMatchObject({ status: 'succeeded', rows_inserted: 48, rows_rejected: 0 })
    const late = await fixture.call('POST', `/v1/sync-runs/${retried.body.id}/retry`)
    expect([late.status, late.body.allowed]).toEqual([409, []])
    const made = ['campaign.created', 'sync.completed']
    const types = ['integration.created', 'sync.canceled', 'sync.started', ...made, 'integration.updated']
    expect(await announced(id)).toEqual(types)
  })

  test('of an upload integration cannot be started', async () => {
    const path = `/v1/integrations/${await integration()}/sync-runs`
    const answer = await fixture.call('POST', path, { json: {} })
    expect([answer.status, answer.body.code]).toEqual([422, 'sync_not_supported'])
  })
})

describe('a list', () => {
  test('walked by its cursors shows each row once while rows are inserted', async () => {
    const ids: string[] = []
    for (let index = 0; index < 5; index++) ids.push(await integration({ tags: ['walk'] }))
    const seen: string[] = []
    let path: string | null = '/v1/integrations?tag=walk&limit=2'
    while (path !== null) {
      const { body } = await fixture.call('GET', path)
      seen.push(...(body.data as { id: string }[]).map((row) => row.id))
      await integration({ tags: ['walk'] })
      const cursor = encodeURIComponent(String(body.next_cursor))
      path = body.has_more ? `/v1/integrations?tag=walk&limit=2&cursor=${cursor}` : null
    }
    expect(seen).toEqual(ids.reverse())
  })

  test('refuses a cursor of other filters or another workspace', async () => {
    for (let index = 0; index < 2; index++) await integration({ tags: ['bound'] })
    const { body } = await fixture.call('GET', '/v1/integrations?tag=bound&limit=1')
    const cursor = encodeURIComponent(String(body.next_cursor))
    for (const [tag, as] of [['other', 'a'] as const, ['bound', 'b'] as const]) {
      const answer = await fixture.call('GET', `/v1/integrations?tag=${tag}&limit=1&cursor=${cursor}`, { as })
      expect([answer.status, answer.body.code]).toEqual([400, 'invalid_cursor'])
    }
  })
})

test('an event that breaks its declaration ends the transaction with nothing stored', async () => {
  const id = await integration()
  const workspaceId = fixture.workspaces.a
  const broken = {
    ...integrations,
    announce: publicEvents(() => ({ type: 'integration.paused', onceKey: id, data: {} }) as never),
  }
  const context: AppendContext = {
    workspaceId,
    actor: { type: 'system', id: 'test' },
    correlation: 'test',
    trace: { traceparent: `00-${'1'.repeat(32)}-${'1'.repeat(16)}-01` },
  }
  const attempt = withTransaction(fixture.workerPool, { workspaceId }, async (tx) => {
    const loaded = await load(tx, integrations, id, { lock: true })
    if (!loaded) throw new Error('no integration')
    return execute(tx, broken, { context, loaded, command: { type: 'pause' } })
  })
  await expect(attempt).rejects.toThrow(EventBreach)
  expect((await fixture.call('GET', `/v1/integrations/${id}`)).body).toMatchObject({ status: 'pending', version: 1 })
  expect(await announced(id)).toEqual(['integration.created'])
})

test('an event that breaks its declaration answers 500 internal_error and stores nothing', async () => {
  const id = await integration()
  const kind = integrations as { announce: unknown }
  const { announce } = kind
  kind.announce = publicEvents(() => ({ type: 'integration.paused', onceKey: id, data: {} }) as never)
  const answer = await fixture.call('POST', `/v1/integrations/${id}/pause`).finally(() => {
    kind.announce = announce
  })
  expect([answer.status, answer.body.code]).toEqual([500, 'internal_error'])
  expect((await fixture.call('GET', `/v1/integrations/${id}`)).body).toMatchObject({ status: 'pending', version: 1 })
  expect(await announced(id)).toEqual(['integration.created'])
})

test('XP03: reencrypt-secrets leaves the credentials of every workspace to be opened by the new key alone', async () => {
  const { pool, workerPool, encryptionKey, workspaces } = fixture
  const newKey = { kid: 'new', key: randomBytes(32) }
  const origin = 'http://127.0.0.1:9'
  const settings = csvSettings({ url: origin }, { auth: 'bearer' })
  const made = { name: 'Secret', brand_slug: 'acme', provider: 'http_csv', schedule: null, settings }
  const placed = await Promise.all(
    (['a', 'a', 'b'] as const).map(async (as, nth) => {
      const json = { ...made, credentials: { token: `token ${nth}` } }
      const { body } = await fixture.call('POST', '/v1/integrations', { json, as })
      return { workspaceId: workspaces[as], integrationId: String(body.id), token: `token ${nth}` }
    }),
  )
  const by = async (...keys: { kid: string; key: Buffer }[]) => {
    const current = { envelope: createEnvelopeEncryption(keys), kid: keys[0]?.kid ?? '' }
    await checkKeyCanary(workerPool, current)
    const columns = [storedCredentials]
    return reencryptSecrets({ ...current, pool, worker: workerPool, columns, batch: 1, progress: () => undefined })
  }
  expect(await by(newKey, encryptionKey)).toMatchObject({ read: 3, changed: 3 })
  for (const { workspaceId, integrationId, token } of placed) {
    const opened = withTransaction(workerPool, { workspaceId }, (tx) =>
      openCredentials(tx, createEnvelopeEncryption([newKey]), { integrationId, kind: 'bearer', origin }),
    )
    expect(await opened).toEqual({ token })
  }
  expect(await by(encryptionKey, newKey)).toMatchObject({ read: 3, changed: 3 })
})
