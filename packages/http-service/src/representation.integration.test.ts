import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { call, exchangeRaw } from './widgets/exchange.ts'
import { baseUrl, countRows, startWidgets, type Widgets } from './widgets/widget-service.ts'

let widgets: Widgets
beforeAll(async () => {
  widgets = await startWidgets()
})
afterAll(() => widgets?.stop())

const url = (path: string) => `${widgets.url}${path}`
const create = (body: object, headers = {}) => call(url('/v1/widgets'), { body, headers })
const missing = '/v1/widgets/int_00000000000000000000000000'

describe('representation', () => {
  test('C01, C02: answers are JSON objects with a content type; 204 has no body', async () => {
    const made = await create({ name: 'one' })
    expect(made.headers.get('content-type')).toBe('application/json; charset=utf-8')
    const list = await call(url('/v1/widgets'))
    expect(list.json).toMatchObject({ object: 'list', has_more: false, next_cursor: null })
    const gone = await call(url(`/v1/widgets/${made.json.id}`), { method: 'DELETE' })
    expect([gone.status, gone.text, gone.headers.get('content-type')]).toEqual([204, '', null])
  })

  test('C05, XT04: unknown and read-only fields are refused with pointers, and nothing is stored', async () => {
    const before = await countRows(widgets, 'widgets')
    const { status, json } = await create({ name: 'x', id: 'int_1', deal: { revshare_bps: 1, 'a/b~c': 2 } })
    expect([status, json.code]).toEqual([422, 'validation_failed'])
    expect(json.errors.map((fault: { pointer: string; code: string }) => [fault.pointer, fault.code]).sort()).toEqual([
      ['/deal/a~1b~0c', 'unknown_field'],
      ['/id', 'unknown_field'],
    ])
    expect(await countRows(widgets, 'widgets')).toBe(before)
  })

  test('C83: a deprecated operation says so in each answer, refusals too; the others say nothing', async () => {
    const toldBy = async (path: string, o: object = {}) => {
      const { headers } = await call(url(path), o)
      return ['deprecation', 'sunset', 'link'].map((name) => headers.get(name))
    }
    const said = ['@1801440000', 'Tue, 01 Feb 2028 00:00:00 GMT', expect.stringContaining('rel="deprecation"')]
    const { json } = await create({ name: 'to pause' })
    const pause = `/v1/widgets/${json.id}/pause`
    expect(await toldBy(pause, { method: 'POST' })).toEqual(said)
    expect(await toldBy(pause, { method: 'POST', token: null })).toEqual(said)
    expect(await toldBy(pause, { method: 'DELETE' })).toEqual([null, null, null])
    expect(await toldBy('/v1/widgets')).toEqual([null, null, null])
  })

  test.each([
    ['{"name":"a","name":"b"}'],
    ['{"name":NaN}'],
    ['{"name":1e999}'],
    ['{"name":"\\ud800"}'],
    ['\ufeff{"name":"a"}'],
    [Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    [`{"metadata":${'['.repeat(32)}${']'.repeat(32)}}`],
    ['{"name":"a"} x'],
    ['{"name":"a"'],
    [''],
  ])('C07: %j is malformed_json', async (body) => {
    const { status, json } = await call(url('/v1/widgets'), { body, method: 'POST' })
    expect([status, json.code]).toEqual([400, 'malformed_json'])
  })

  test('C07: a body over 1 MiB is 413, with and without a length', async () => {
    const body = JSON.stringify({ name: 'x'.repeat(1_048_576) })
    expect(await call(url('/v1/widgets'), { body })).toMatchObject({ status: 413, json: { code: 'payload_too_large' } })
    const stream = new Blob([body]).stream()
    const init = { method: 'POST', headers: { authorization: 'Bearer a', 'content-type': 'application/json' } }
    const chunked = await fetch(url('/v1/widgets'), { ...init, body: stream, duplex: 'half' } as RequestInit)
    expect(chunked.status).toBe(413)
  })

  test('C08: __proto__, constructor and prototype pollute nothing, are stored in metadata and unknown elsewhere', async () => {
    const made = await create(JSON.parse('{"name":"p","metadata":{"__proto__":"x","constructor":"y","prototype":"z"}}'))
    const read = await call(url(`/v1/widgets/${made.json.id}`))
    expect(Object.entries(read.json.metadata).sort()).toEqual([
      ['__proto__', 'x'],
      ['constructor', 'y'],
      ['prototype', 'z'],
    ])
    for (const key of ['__proto__', 'constructor', 'prototype']) {
      const refused = await call(url('/v1/widgets'), { body: `{"name":"p","${key}":{"x":1}}` })
      expect(refused.json).toMatchObject({ code: 'unknown_field', errors: [{ pointer: `/${key}` }] })
    }
    expect(({} as { x?: unknown }).x).toBeUndefined()
  })

  test('C09: strings come back byte-exact; U+0000 is invalid_character in values and keys', async () => {
    const name = ' e\u0301\u00e9\u200b\ud83d\ude00 '
    expect((await create({ name })).json.name).toBe(name)
    expect((await create({ name: 'a\0b' })).json).toMatchObject({ status: 422, code: 'invalid_character' })
    const key = await create({ name: 'a', metadata: { 'k\0': 'v' } })
    expect(key.json).toMatchObject({ code: 'invalid_character', errors: [{ pointer: '/metadata/k\0' }] })
  })

  test('a body of another type, charset or encoding is 415', async () => {
    for (const type of ['text/plain', 'application/json; charset=latin1', 'application/x-www-form-urlencoded']) {
      const { json } = await create({ name: 'a' }, { 'content-type': type })
      expect(json.code).toBe('unsupported_media_type')
    }
    const packed = await create({ name: 'a' }, { 'content-encoding': 'gzip' })
    expect(packed.json.code).toBe('unsupported_media_type')
  })

  test('regression: chunks of nothing, which proxies announce, need no type; chunks of something do', async () => {
    const made = await create({ name: 'chunked' })
    const post = (chunks: string) =>
      exchangeRaw(
        widgets.port,
        `POST /v1/widgets/${made.json.id}/pause HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer a\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`,
      )
    expect(await post('2\r\n{}\r\n')).toMatch(/^HTTP\/1.1 415 .*"unsupported_media_type"/s)
    expect(await post('')).toMatch(/^HTTP\/1.1 200 /)
  })

  test('a body where none belongs is judged as an empty object', async () => {
    const made = await create({ name: 'gone' })
    const path = `/v1/widgets/${made.json.id}`
    const refused = await call(url(path), { method: 'DELETE', body: { force: true } })
    expect(refused.json.code).toBe('unknown_field')
    expect((await call(url(path))).status).toBe(200)
    expect((await call(url(path), { method: 'DELETE', body: {} })).status).toBe(204)
    const get = `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer a\r\nContent-Length: 2\r\n\r\n{}`
    expect(await exchangeRaw(widgets.port, get)).toMatch(/^HTTP\/1.1 400 .*"invalid_request"/s)
  })
})

describe('errors', () => {
  test('C10: a problem has type, title, status, detail, instance and code, and its type resolves without a token', async () => {
    const { json, headers, status } = await call(url('/v1/nowhere'), { token: null })
    expect(headers.get('content-type')).toBe('application/problem+json')
    const instance = `/requests/${headers.get('x-request-id')}`
    expect(json).toMatchObject({ type: `${baseUrl}/problems/not_found`, status, code: 'not_found', instance })
    expect([typeof json.title, typeof json.detail]).toEqual(['string', 'string'])
    const page = await call(url('/problems/not_found'), { token: null })
    expect([page.status, page.headers.get('cache-control')]).toEqual([200, 'public, max-age=300'])
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect((await call(url('/problems/nothing'), { token: null })).status).toBe(404)
  })

  test('C10, C11: regression: the codes of entries stand in the catalogue, alone they are the code of the answer', async () => {
    const body = { deal: { revshare_bps: 'x', more: 1 }, colour: 'blue', day: '2026-02-30' }
    const { json } = await create(body)
    const codes: string[] = json.errors.map(({ code }: { code: string }) => code)
    expect(codes.sort()).toEqual(['invalid_format', 'invalid_type', 'invalid_value', 'required', 'unknown_field'])
    for (const code of codes) expect((await call(url(`/problems/${code}`), { token: null })).status).toBe(200)
    expect((await create({})).json).toMatchObject({
      status: 422,
      code: 'required',
      type: `${baseUrl}/problems/required`,
    })
    expect((await create({ name: 1 })).json.code).toBe('invalid_type')
    expect((await create({ name: 'a', day: 'x' })).json.code).toBe('invalid_format')
    expect((await create({ name: 'a', colour: 'blue' })).json.code).toBe('invalid_value')
  })

  test('C11: all faults come at once, at most 50; one fault gives its code, several validation_failed', async () => {
    const several = await create({ name: '', deal: { revshare_bps: 10001 }, colour: 'blue', day: '2026-02-30' })
    expect(several.json).toMatchObject({ status: 422, code: 'validation_failed' })
    const found = several.json.errors.map(
      (fault: { pointer: string; code: string }) => `${fault.pointer} ${fault.code}`,
    )
    expect(found.sort()).toEqual([
      '/colour invalid_value',
      '/day invalid_format',
      '/deal/revshare_bps out_of_range',
      '/name out_of_range',
    ])
    const one = await create({ name: 'a', deal: { revshare_bps: 10001 } })
    expect(one.json).toMatchObject({ code: 'out_of_range', errors: [{ detail: 'Must be between 0 and 10000.' }] })
    const many = Object.fromEntries(Array.from({ length: 80 }, (_, at) => [`f${at}`, 1]))
    expect((await create({ name: 'a', ...many })).json.errors).toHaveLength(50)
    const missingOnes = await create({ deal: {} })
    expect(missingOnes.json.errors.map((fault: { pointer: string }) => fault.pointer).sort()).toEqual([
      '/deal/revshare_bps',
      '/name',
    ])
    expect((await create({ name: 'a', deal: null })).status).toBe(201)
    expect((await create({ name: 'a', deal: 5 })).json.errors).toMatchObject([
      { pointer: '/deal', code: 'invalid_type' },
    ])
    expect((await call(url('/v1/widgets'), { body: '[1]' })).json.errors).toMatchObject([
      { pointer: '', code: 'invalid_type' },
    ])
  })

  test('C12: a fault shows neither SQL nor a path nor a library, and is logged with the request id', async () => {
    for (const kind of ['plain', 'sql']) {
      const { status, text, headers } = await call(url(`/v1/faults/${kind}`), { token: null })
      expect(status).toBe(500)
      expect(text).not.toMatch(/secret|passwd|no_such_table|pg|express|node_modules|\.ts/)
      const id = headers.get('x-request-id') ?? ''
      expect(widgets.log.some((line) => line.includes(id) && /passwd|no_such_table/.test(line))).toBe(true)
    }
  })

  test('C13, XT15: an object of another workspace answers as a missing one', async () => {
    const made = await create({ name: 'mine' })
    const foreign = await call(url(`/v1/widgets/${made.json.id}`), { token: 'b' })
    const none = await call(url(missing), { token: 'b' })
    const bare = (json: object) => ({ ...json, instance: '' })
    expect([foreign.status, bare(foreign.json)]).toEqual([404, bare(none.json)])
  })

  test('existence is judged before the body, scope before existence, method before the token', async () => {
    expect((await call(url(missing), { method: 'PATCH', body: { nope: 1 } })).status).toBe(404)
    expect((await call(url(missing), { method: 'PATCH', body: {}, token: 'reader' })).status).toBe(403)
    const put = await call(url(missing), { method: 'PUT', body: {}, token: null })
    expect([put.status, put.headers.get('allow')]).toEqual([405, 'GET, HEAD, PATCH, DELETE'])
  })

  test('XT02: malformed, over-long and control-character ids are 404, an undecodable path is 400', async () => {
    for (const id of ['int_1', 'x'.repeat(300), '%00', "';--"]) {
      expect((await call(url(`/v1/widgets/${id}`))).status).toBe(404)
    }
    expect(await call(url('/v1/widgets/%ff'))).toMatchObject({ status: 400, json: { code: 'invalid_request' } })
    expect((await call(url('/v1/widgets/mine'))).json).toEqual({ mine: true, of: 'key_A' })
  })

  test('406 only when nothing acceptable is offered', async () => {
    const accept = (value: string) => call(url('/v1/widgets'), { headers: { accept: value } })
    expect((await accept('text/html')).json.code).toBe('not_acceptable')
    expect((await accept('application/json;q=0, */*')).json.code).toBe('not_acceptable')
    for (const value of ['*/*', 'text/html, application/*;q=0.1', 'APPLICATION/JSON']) {
      expect((await accept(value)).status).toBe(200)
    }
  })
})

describe('tokens (auth.md 3.4)', () => {
  const challenge = async (token: string | null, headers = {}, path = '/v1/widgets') => {
    const { status, json, headers: got } = await call(url(path), { token, headers })
    return [status, json.code, got.get('www-authenticate')]
  }

  test('B1: no credentials are 401 without an error, with the metadata address', async () => {
    const expected = `Bearer realm="wds", resource_metadata="${baseUrl}/.well-known/oauth-protected-resource"`
    expect(await challenge(null)).toEqual([401, 'unauthenticated', expected])
    expect(await challenge(null, { authorization: 'Basic YTpi' })).toEqual([401, 'unauthenticated', expected])
  })

  test('B2: an unknown token is 401 invalid_token', async () => {
    expect(await challenge('nobody')).toEqual([401, 'invalid_token', 'Bearer realm="wds", error="invalid_token"'])
  })

  test('B3: a missing scope is 403 and named', async () => {
    const expected = 'Bearer realm="wds", error="insufficient_scope", scope="stats:read"'
    expect(await challenge('reader')).toEqual([403, 'insufficient_scope', expected])
  })

  test('B4, B5: a malformed header and a token in the query are 400, and the value is not logged', async () => {
    expect(await challenge('a b')).toEqual([400, 'invalid_request', 'Bearer realm="wds", error="invalid_request"'])
    expect(await challenge('a', {}, '/v1/widgets?access_token=tok3nvalue')).toEqual([
      400,
      'invalid_request',
      'Bearer realm="wds", error="invalid_request"',
    ])
    expect(widgets.log.join('')).not.toContain('tok3nvalue')
    const twice =
      'GET /v1/widgets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer a\r\nAuthorization: Bearer b\r\nConnection: close\r\n\r\n'
    expect(await exchangeRaw(widgets.port, twice)).toMatch(/^HTTP\/1.1 400 .*"invalid_request"/s)
  })

  test('B6: the scheme in lower case is accepted', async () => {
    const { status } = await call(url('/v1/widgets'), { token: null, headers: { authorization: 'bearer a' } })
    expect(status).toBe(200)
  })
})

describe('parameters', () => {
  const refused = async (query: string) => {
    const { status, json } = await call(url(`/v1/widgets?${query}`))
    return [status, json.code, json.errors?.map((fault: { parameter: string }) => fault.parameter)]
  }

  test('C06: unknown and doubled parameters are 400', async () => {
    expect(await refused('colour=red')).toEqual([400, 'unknown_parameter', ['colour']])
    expect(await refused('filter[brand]=x')).toEqual([400, 'unknown_parameter', ['filter[brand]']])
    expect(await refused('__proto__=1')).toEqual([400, 'unknown_parameter', ['__proto__']])
    expect(await refused('limit=1&limit=2')).toEqual([400, 'duplicate_parameter', ['limit']])
    expect(await refused('limit=1&%6cimit=1')).toEqual([400, 'duplicate_parameter', ['limit']])
  })

  test('C11: regression: several faults of a query come at once, and are 400 as each of them is', async () => {
    expect(await refused('colour=red&limit=0')).toEqual([400, 'invalid_parameter', ['colour', 'limit']])
    expect((await call(url('/v1/widgets?colour=red&limit=0'))).json.detail).toBe('2 parameters are not valid.')
  })

  test.each([
    '2026-04-31T00:00:00.000Z',
    '2026-02-29T00:00:00Z',
    '0000-01-01T00:00:00.000Z',
    '0001-01-01T00:00:00+01:00',
    '2026-12-31T23:59:60Z',
    '2026-12-31T23:59:60.000Z',
    '2026-01-01T24:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-01-01',
  ])('C55: regression: the instant %s, which does not exist, is invalid_parameter', async (instant) => {
    const expected = [400, 'invalid_parameter', ['created[gte]']]
    expect(await refused(`created[gte]=${encodeURIComponent(instant)}`)).toEqual(expected)
  })

  test.each([
    '2024-02-29T00:00:00.000Z',
    '9999-12-31T23:59:59.999Z',
    '0001-01-01T00:00:00Z',
    '2026-06-30T23:59:59+02:00',
  ])('C55: the instant %s is taken', async (instant) => {
    expect((await call(url(`/v1/widgets?created[gte]=${encodeURIComponent(instant)}`))).status).toBe(200)
  })

  test('C55: regression: a comma and a backslash within a value of a list are written with a backslash before', async () => {
    const asked = async (text: string) =>
      (await call(url(`/v1/widgets?label=${encodeURIComponent(text)}`))).json.query?.label
    expect(await asked('a,b')).toEqual(['a', 'b'])
    expect(await asked('a\\,b,c')).toEqual(['a,b', 'c'])
    expect(await asked('\\\\,\\,,\\\\\\,')).toEqual(['\\', ',', '\\,'])
    for (const text of ['a\\b', 'a\\', '\\\\\\']) {
      expect(await refused(`label=${encodeURIComponent(text)}`)).toEqual([400, 'invalid_parameter', ['label']])
    }
  })

  test.each(['0', '-1', '101', 'x', '', '1.5', '1e1', '01', ' 1', '99999999999999999999'])(
    'C50: limit %j is refused, not clamped',
    async (limit) => {
      expect(await refused(`limit=${encodeURIComponent(limit)}`)).toEqual([400, 'limit_out_of_range', ['limit']])
    },
  )

  test('C55: values outside an enum, a format or UTF-8 are invalid_parameter; lists are split at commas', async () => {
    expect(await refused('status=gone')).toEqual([400, 'invalid_parameter', ['status']])
    expect(await refused('status=active,')).toEqual([400, 'invalid_parameter', ['status']])
    expect(await refused(`status=${Array(21).fill('active').join(',')}`)).toEqual([
      400,
      'invalid_parameter',
      ['status'],
    ])
    expect(await refused('created[gte]=yesterday')).toEqual([400, 'invalid_parameter', ['created[gte]']])
    expect(await refused('filter[country]=%ff')).toEqual([400, 'invalid_parameter', ['filter[country]']])
    expect(await refused('filter[country]=%00')).toEqual([400, 'invalid_parameter', ['filter[country]']])
    const { json } = await call(url('/v1/widgets?status=active,paused&created%5Bgte%5D=2026-01-01T00:00:00.000Z'))
    expect(json.query).toEqual({ limit: 20, status: ['active', 'paused'], 'created[gte]': '2026-01-01T00:00:00.000Z' })
  })

  test('C51, C53, C54, XT03: a walk by cursor shows each row once; the cursor of others is invalid', async () => {
    for (let at = 0; at < 5; at++) await create({ name: `walk ${at}` })
    const seen: string[] = []
    let cursor = ''
    do {
      const { json } = await call(url(`/v1/widgets?limit=2${cursor && `&cursor=${cursor}`}`))
      seen.push(...json.data.map((row: { id: string }) => row.id))
      expect(json.has_more).toBe(json.next_cursor !== null)
      cursor = json.next_cursor ?? ''
    } while (cursor)
    expect(new Set(seen).size).toBe(seen.length)
    expect(seen).toEqual([...seen].sort().reverse())
    const { json } = await call(url('/v1/widgets?limit=1'))
    const other = await call(url(`/v1/widgets?limit=1&cursor=${json.next_cursor}`), { token: 'b' })
    expect([other.status, other.json.code]).toEqual([400, 'invalid_cursor'])
    expect(await refused(`status=active&cursor=${json.next_cursor}`)).toEqual([400, 'invalid_cursor', undefined])
  })
})
