import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { withoutUndefined } from '@wds/contracts/without-undefined'
import { createPool } from '@wds/postgres/pool'
import { purgeIdempotencyKeys } from './idempotency.ts'
import { createHttpService } from './service.ts'
import { call } from './widgets/exchange.ts'
import { calls, countRows, startWidgets, type Widgets } from './widgets/widget-service.ts'

let widgets: Widgets
beforeAll(async () => {
  widgets = await startWidgets()
})
afterAll(() => widgets?.stop())

const url = (path: string) => `${widgets.url}${path}`
const post = (key: string | null, body: object, o: { token?: string; path?: string } = {}) =>
  call(
    url(o.path ?? '/v1/widgets'),
    withoutUndefined({
      body,
      token: o.token,
      headers: key === null ? {} : { 'idempotency-key': key },
    }),
  )

describe('methods', () => {
  test('C20: GET and HEAD have no effect, and HEAD has the headers of GET', async () => {
    const made = await post(null, { name: 'head' })
    const path = `/v1/widgets/${made.json.id}`
    const [get, head] = [await call(url(path)), await call(url(path), { method: 'HEAD' })]
    const names = ['etag', 'content-type', 'content-length', 'cache-control', 'vary']
    expect(names.map((name) => head.headers.get(name))).toEqual(names.map((name) => get.headers.get(name)))
    expect([head.status, head.text]).toEqual([200, ''])
  })

  test('C21: create is 201 with Location, delete 204, delete again 404', async () => {
    const made = await post(null, { name: 'short' })
    expect([made.status, made.headers.get('location')]).toEqual([201, `/v1/widgets/${made.json.id}`])
    const path = url(made.headers.get('location') ?? '')
    expect((await call(path, { method: 'DELETE' })).status).toBe(204)
    expect((await call(path, { method: 'DELETE' })).status).toBe(404)
  })

  test('C22: PATCH takes both media types with one meaning, PUT is 405', async () => {
    const made = await post(null, { name: 'patch' })
    const path = url(`/v1/widgets/${made.json.id}`)
    for (const type of ['application/merge-patch+json', 'application/json']) {
      const set = await call(path, { method: 'PATCH', body: { note: 'n' }, headers: { 'content-type': type } })
      expect(set.json).toMatchObject({ note: 'n', name: 'patch' })
      const removed = await call(path, { method: 'PATCH', body: { note: null }, headers: { 'content-type': type } })
      expect(removed.json.note).toBeNull()
    }
    expect((await call(path, { method: 'PUT', body: {} })).status).toBe(405)
  })

  test('C25: an override header is ignored', async () => {
    const { json } = await call(url('/v1/widgets'), { headers: { 'x-http-method-override': 'DELETE' } })
    expect(json.object).toBe('list')
  })

  test('a version conflict is tried three times, then answered with 503', async () => {
    const made = await post(null, { name: 'pause' })
    calls.pause = 0
    expect((await post(null, {}, { path: `/v1/widgets/${made.json.id}/pause` })).status).toBe(200)
    expect(calls.pause).toBe(3)
    const { status, headers, json } = await call(url('/v1/faults/conflict'), { token: null })
    expect([status, json.code, headers.get('retry-after')]).toEqual([503, 'unavailable', '1'])
  })

  test('C63, XT07: a statement over its time is 503 query_timeout with Retry-After', async () => {
    const { status, headers, json } = await call(url('/v1/faults/slow'), { token: null })
    expect([status, json.code, headers.get('retry-after')]).toEqual([503, 'query_timeout', '1'])
  })

  test('regression: a server that is full, broken or read only is 503 unavailable with Retry-After', async () => {
    for (const sqlState of ['53100', '53200', '53400', '58030', '25006', '0A000', '55P03']) {
      const { status, headers, json } = await call(url(`/v1/faults/server-${sqlState}`), { token: null })
      expect([sqlState, status, json.code, headers.get('retry-after')]).toEqual([sqlState, 503, 'unavailable', '1'])
    }
    for (const sqlState of ['22012', '42501', 'XX000'])
      expect((await call(url(`/v1/faults/server-${sqlState}`), { token: null })).status).toBe(500)
  })

  test('a database that cannot be reached is 503 unavailable', async () => {
    const pool = createPool({ connectionString: 'postgres://u:p@127.0.0.1:1/none', applicationName: 'test' })
    const running = await createHttpService({ ...widgets.options, pool }).listen({ host: '127.0.0.1', port: 0 })
    const { status, json } = await call(`http://127.0.0.1:${running.port}/v1/widgets`)
    expect([status, json.code]).toEqual([503, 'unavailable'])
    await running.close({ graceMs: 0 })
    await pool.end()
  })
})

describe('idempotency', () => {
  test('C30: 50 parallel POSTs with one key make one resource; the others replay or answer 409', async () => {
    const before = await countRows(widgets, 'widgets')
    const answers = await Promise.all(Array.from({ length: 50 }, () => post('parallel', { name: 'once' })))
    expect(await countRows(widgets, 'widgets')).toBe(before + 1)
    const made = answers.filter(({ status }) => status === 201)
    expect(new Set(made.map(({ text }) => text)).size).toBe(1)
    expect(made.filter(({ headers }) => headers.get('idempotency-replayed') === null)).toHaveLength(1)
    for (const { status, json, headers } of answers.filter((answer) => answer.status !== 201)) {
      expect([status, json.code, headers.get('retry-after')]).toEqual([409, 'idempotency_in_progress', '1'])
    }
    const again = await post('parallel', { name: 'once' })
    const headersOf = ({ headers }: typeof again) => ['location', 'etag'].map((name) => headers.get(name))
    expect([again.status, again.text, headersOf(again)]).toEqual([201, made[0]?.text, headersOf(made[0] ?? again)])
    expect(again.headers.get('idempotency-replayed')).toBe('true')
  })

  test('C31, XT15: another body under a key is 422, another order of members is the same body, another client is independent', async () => {
    const first = await post('reused', { name: 'r', metadata: { a: '1', b: '2' } })
    expect((await post('reused', { name: 's' })).json).toMatchObject({ status: 422, code: 'idempotency_key_reused' })
    expect((await post('reused', { metadata: { b: '2', a: '1' }, name: 'r' })).text).toBe(first.text)
    for (const token of ['a2', 'b']) {
      const other = await post('reused', { name: 's' }, { token })
      expect([other.status, other.headers.get('idempotency-replayed')]).toEqual([201, null])
    }
  })

  test('C32: quoted and bare forms are one key; empty, long and non-ASCII ones are refused', async () => {
    const first = await post('"form"', { name: 'f' })
    expect((await post('form', { name: 'f' })).text).toBe(first.text)
    for (const key of ['', '""', 'x'.repeat(256), '"open', 'caf\u00e9']) {
      const { status, json } = await post(key, { name: 'f' })
      expect([status, json.code]).toEqual([400, 'invalid_idempotency_key'])
    }
    expect((await post('x'.repeat(255), { name: 'f' })).status).toBe(201)
    expect((await post(null, {}, { path: '/v1/secrets' })).json.code).toBe('idempotency_key_required')
  })

  test('an error leaves no key: the same key may be tried again', async () => {
    const keys = await countRows(widgets, 'idempotency_keys')
    expect((await post('failed', { name: '' })).status).toBe(422)
    expect(await countRows(widgets, 'idempotency_keys')).toBe(keys)
    expect((await post('failed', { name: 'now' })).status).toBe(201)
  })

  test('a stored answer that holds a secret is encrypted at rest, replayed in full and never cached', async () => {
    const [first, second] = [await post('s', {}, { path: '/v1/secrets' }), await post('s', {}, { path: '/v1/secrets' })]
    expect(second.text).toBe(first.text)
    expect(second.headers.get('cache-control')).toBe('no-store')
    const admin = createPool({
      connectionString: widgets.adminUrl,
      applicationName: 'test',
      max: 1,
      statementTimeoutMs: 0,
    })
    const { rows } = await admin.query<{ body: string }>('select body from api.idempotency_keys where secret')
    expect(rows).toHaveLength(1)
    expect(rows[0]?.body).not.toContain(first.json.secret)
    // What was sent may be secret, too: of it a digest is kept.
    await post('sent', { name: 'a password' })
    const kept = await admin.query("select 1 from api.idempotency_keys where fingerprint like '%a password%'")
    await admin.end()
    expect(kept.rows).toEqual([])
  })

  test('a streamed body is fingerprinted by its bytes', async () => {
    const send = (body: string, key = 'csv') =>
      call(url('/v1/uploads'), { body, headers: { 'content-type': 'text/csv', 'idempotency-key': key } })
    expect((await send('a,b\n')).json).toEqual({ bytes: 4 })
    expect((await send('a,b\n')).headers.get('idempotency-replayed')).toBe('true')
    expect((await send('a,c\n')).json.code).toBe('idempotency_key_reused')
    const json = await call(url('/v1/uploads'), { body: {}, headers: { 'idempotency-key': 'json' } })
    expect(json.json.code).toBe('unsupported_media_type')
  })

  test('C34: a key is kept 24 h by the database clock, then it is new, and a purge removes it', async () => {
    const first = await post('day', { name: 'd' })
    const later = async (ms: number) => {
      const at = new URL(widgets.http)
      at.searchParams.set('options', `-c app.clock_offset_ms=${ms}`)
      const pool = createPool({ connectionString: at.href, applicationName: 'test' })
      const running = await createHttpService({ ...widgets.options, pool }).listen({ host: '127.0.0.1', port: 0 })
      const headers = { 'idempotency-key': 'day' }
      const answer = await call(`http://127.0.0.1:${running.port}/v1/widgets`, { body: { name: 'd' }, headers })
      await running.close({ graceMs: 0 })
      await pool.end()
      return answer
    }
    expect((await later(86_400_000 - 60_000)).text).toBe(first.text)
    const renewed = await later(86_400_000)
    expect([renewed.status, renewed.text === first.text]).toEqual([201, false])
    const worker = new URL(widgets.worker)
    worker.searchParams.set('options', `-c app.clock_offset_ms=${86_400_000}`)
    const pool = createPool({ connectionString: worker.href, applicationName: 'test' })
    const before = await countRows(widgets, 'idempotency_keys')
    expect(await purgeIdempotencyKeys(pool)).toBe(before - 1)
    expect(await purgeIdempotencyKeys(pool)).toBe(0)
    await pool.end()
  })
})

describe('conditional requests', () => {
  test('C40, C42: a resource has a strong ETag that changes with it; If-None-Match answers 304 without a body', async () => {
    const made = await post(null, { name: 'tag' })
    const path = url(`/v1/widgets/${made.json.id}`)
    expect((await call(path)).headers.get('etag')).toBe('"v1"')
    for (const tag of ['"v1"', 'W/"v1"', '"x", "v1"', '*']) {
      const same = await call(path, { headers: { 'if-none-match': tag } })
      expect([same.status, same.text, same.headers.get('etag')]).toEqual([304, '', '"v1"'])
      expect(same.headers.get('content-type')).toBeNull()
    }
    await call(path, { method: 'PATCH', body: { name: 'tag 2' } })
    const changed = await call(path, { headers: { 'if-none-match': '"v1"' } })
    expect([changed.status, changed.headers.get('etag')]).toEqual([200, '"v2"'])
    expect(changed.headers.get('vary')).toContain('Accept, Authorization')
  })

  test('C41: If-Match that does not match is 412 and changes nothing; * on a missing one is 412', async () => {
    const made = await post(null, { name: 'match' })
    const path = url(`/v1/widgets/${made.json.id}`)
    for (const tag of ['"v2"', 'W/"v1"', '"v1.abc"']) {
      const { json } = await call(path, { method: 'PATCH', body: { name: 'no' }, headers: { 'if-match': tag } })
      expect(json.code).toBe('precondition_failed')
    }
    expect((await call(path)).json.name).toBe('match')
    const malformed = await call(path, { method: 'PATCH', body: { name: 'no' }, headers: { 'if-match': 'v1' } })
    expect(malformed.json).toMatchObject({ code: 'invalid_parameter', errors: [{ parameter: 'If-Match' }] })
    const none = url('/v1/widgets/int_00000000000000000000000000')
    expect((await call(none, { method: 'DELETE', headers: { 'if-match': '*' } })).status).toBe(412)
    expect((await call(none, { method: 'DELETE', headers: { 'if-match': '"v1"' } })).status).toBe(404)
  })

  test('C41: of two concurrent PATCHes with one ETag exactly one is 200', async () => {
    const made = await post(null, { name: 'race' })
    const path = url(`/v1/widgets/${made.json.id}`)
    const patch = (name: string) => call(path, { method: 'PATCH', body: { name }, headers: { 'if-match': '"v1"' } })
    const answers = await Promise.all([patch('x'), patch('y')])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412])
  })

  test('B10, C43: answers to a token are private, no-cache; others are not stored', async () => {
    expect((await call(url('/v1/widgets'))).headers.get('cache-control')).toBe('private, no-cache')
    expect((await call(url('/v1/widgets?x=1'))).headers.get('cache-control')).toBe('private, no-cache')
    expect((await call(url('/v1/widgets'), { token: null })).headers.get('cache-control')).toBe('no-store')
  })
})
