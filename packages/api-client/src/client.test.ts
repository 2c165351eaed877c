// What the client sends, and what it makes of answers.
import { describe, expect, test } from '@jest/globals'
import { type ApiClientOptions, createApiClient } from './client.ts'
import { itemsOf, pagesOf } from './pages.ts'
import { ApiProblem, isProblem, NoAnswer } from './problem.ts'

interface Sent {
  url: string
  init: RequestInit & { headers: Record<string, string> }
}

/** A client whose calls get these answers, one after the other, and what was sent. */
function clientWith(answers: (Response | Error)[], o: Partial<ApiClientOptions> = {}) {
  const sent: Sent[] = []
  const fetch = async (url: string, init: RequestInit) => {
    sent.push({ url, init: init as Sent['init'] })
    const answer = answers.shift()
    if (!(answer instanceof Response)) throw answer ?? new Error('no answer is left')
    return answer
  }
  const client = createApiClient({ baseUrl: 'https://api.example', bearer: () => 'wdk_live_x', fetch, ...o })
  return { client, sent, last: () => sent.at(-1) as Sent }
}

const json = (body: unknown, o: ResponseInit = {}) => Response.json(body, o)
const problem = (status: number, members: object, headers: Record<string, string> = {}) =>
  new Response(
    JSON.stringify({ type: 'https://api.example/problems/x', title: 'T', status, detail: 'D', ...members }),
    {
      status,
      headers: { 'content-type': 'application/problem+json', ...headers },
    },
  )

describe('what is sent', () => {
  test('path and query are filled in, lists with commas, a comma within a value behind a backslash', async () => {
    const { client, last } = clientWith([json({}), json({})])
    await client.get('/v1/webhooks/{id}', { path: { id: 'whk_/?' } })
    expect(last().url).toBe('https://api.example/v1/webhooks/whk_%2F%3F')
    const query = { tag: ['a,b', 'c\\'], 'created[gte]': '2026-01-01T00:00:00.000Z', limit: 5 }
    await client.get('/v1/integrations', { query })
    const { searchParams } = new URL(last().url)
    expect(Object.fromEntries(searchParams)).toEqual({
      tag: 'a\\,b,c\\\\',
      'created[gte]': '2026-01-01T00:00:00.000Z',
      limit: '5',
    })
    expect(client.addressOf('get', '/v1/integrations', { query })).toBe(last().url)
  })

  test('regression: a path without its parameter, or with one that leads elsewhere, is refused before anything is sent', async () => {
    const { client, sent } = clientWith([])
    for (const id of ['', '.', '..'])
      await expect(client.get('/v1/webhooks/{id}', { path: { id } })).rejects.toThrow('needs id')
    expect(sent).toEqual([])
  })

  test('the token is asked for at each call, and goes with no cookie', async () => {
    const tokens = ['one', null]
    const { client, sent } = clientWith([json({}), json({})], { bearer: async () => tokens.shift() ?? null })
    await client.get('/v1/webhooks')
    await client.get('/v1/event-types')
    expect(sent.map(({ init }) => init.headers.authorization)).toEqual(['Bearer one', undefined])
    expect(sent.map(({ init }) => init.credentials)).toEqual(['omit', 'omit'])
  })

  test('settings routes go to their own address with the session, writes with the CSRF token, and never with a bearer', async () => {
    const settings = { baseUrl: '', csrfToken: () => 'csrf' }
    const { client, sent } = clientWith([json({}), new Response(null, { status: 204 })], { settings })
    await client.get('/v1/session')
    await client.post('/v1/session/switch', { body: { workspace_id: 'wsp_1' } })
    expect(sent.map(({ url }) => url)).toEqual(['/v1/session', '/v1/session/switch'])
    expect(sent.map(({ init }) => init.credentials)).toEqual(['same-origin', 'same-origin'])
    expect(sent.map(({ init }) => init.headers['x-csrf-token'])).toEqual([undefined, 'csrf'])
    expect(sent.some(({ init }) => 'authorization' in init.headers)).toBe(false)
  })

  test('without a session, a route that also takes tokens is called with one', async () => {
    const { client, last } = clientWith([json({})])
    await client.get('/v1/workspace')
    expect([last().url, last().init.headers.authorization]).toEqual([
      'https://api.example/v1/workspace',
      'Bearer wdk_live_x',
    ])
  })

  test('a PATCH is a merge patch with If-Match, a POST has a key of its own or the one given, no other has one', async () => {
    const { client, sent } = clientWith([json({}), json({}), json({}), new Response(null, { status: 204 })])
    const path = { id: 'whk_1' }
    await client.patch('/v1/webhooks/{id}', { path, body: { description: null }, ifMatch: '"v7"' })
    await client.post('/v1/webhooks', { body: { url: 'https://a.example', events: ['*'] }, idempotencyKey: 'again' })
    await client.post('/v1/webhooks/{id}/test', { path })
    await client.delete('/v1/webhooks/{id}', { path })
    const header = (name: string) => sent.map(({ init }) => init.headers[name])
    expect(header('content-type')).toEqual(['application/merge-patch+json', 'application/json', undefined, undefined])
    expect(header('if-match')).toEqual(['"v7"', undefined, undefined, undefined])
    expect(header('idempotency-key')).toEqual([
      undefined,
      '"again"',
      expect.stringMatching(/^"[0-9a-f]{32}"$/),
      undefined,
    ])
    expect(sent.map(({ init }) => init.body)).toEqual([
      '{"description":null}',
      '{"url":"https://a.example","events":["*"]}',
      undefined,
      undefined,
    ])
  })

  test('an object with a file goes as a form, its other members as JSON; a file alone with its media type', async () => {
    const { client, sent } = clientWith([json({}), json({})])
    const logo = new Blob([new Uint8Array([1, 2])], { type: 'image/png' })
    const app = { name: 'Shop', redirect_urls: ['https://a.example'], scopes: ['stats:read' as const] }
    await client.post('/v1/oauth-apps', { body: { app, logo } })
    const query = { type: 'stats' as const, integration_id: 'int_1' }
    await client.post('/v1/imports', { query, body: 'day,clicks', contentType: 'text/csv' })
    const form = sent[0]?.init.body as FormData
    expect([JSON.parse(String(form.get('app'))), (form.get('logo') as Blob).size]).toEqual([app, 2])
    expect(sent.map(({ init }) => init.headers['content-type'])).toEqual([undefined, 'text/csv'])
    expect(sent[1]?.init.body).toBe('day,clicks')
  })

  test('what the OpenAPI files do not know is no program', () => {
    const { client } = clientWith([])
    const _ = () => [
      // @ts-expect-error: no such path
      client.get('/v1/nothing'),
      // @ts-expect-error: no such method there
      client.delete('/v1/webhooks'),
      // @ts-expect-error: a parameter of the path is required
      client.get('/v1/webhooks/{id}'),
      // @ts-expect-error: no such filter
      client.get('/v1/webhooks', { query: { colour: 'red' } }),
      // @ts-expect-error: no such option
      client.get('/v1/webhooks', { ifMach: '"v1"' }),
      // @ts-expect-error: a required field is missing
      client.post('/v1/webhooks', { body: { url: 'https://a.example' } }),
    ]
    expect(_).toBeInstanceOf(Function)
  })
})

describe('what comes back', () => {
  const headers = {
    etag: '"v7"',
    'x-request-id': 'req_1',
    ratelimit: '"default";r=588;t=42',
    'ratelimit-policy': '"concurrency";q=100;qu="concurrent-requests", "default";q=600;w=60',
    'idempotency-replayed': 'true',
    location: '/v1/webhooks/whk_1',
  }

  test('body, entity tag, rate limit, request id and whether it was stored', async () => {
    const { client } = clientWith([
      json({ id: 'whk_1' }, { status: 201, headers }),
      new Response(null, { status: 204 }),
    ])
    const made = await client.post('/v1/webhooks', { body: { url: 'https://a.example', events: ['*'] } })
    expect(made).toEqual({
      data: { id: 'whk_1' },
      status: 201,
      etag: '"v7"',
      location: '/v1/webhooks/whk_1',
      requestId: 'req_1',
      rateLimit: { remaining: 588, resetSeconds: 42, quota: 600 },
      isReplayed: true,
      notModified: false,
    })
    const gone = await client.delete('/v1/webhooks/{id}', { path: { id: 'whk_1' } })
    expect([gone.data, gone.status, gone.rateLimit, gone.etag]).toEqual([undefined, 204, null, null])
  })

  test('regression: what is no JSON document comes with its media type and each of its bytes', async () => {
    const packed = new Uint8Array([0x1f, 0x8b, 0x08, 0x00, 0xff, 0xfe, 0x80, 0x00])
    const { client } = clientWith([new Response(packed, { headers: { 'content-type': 'application/gzip' } })])
    const { data } = await client.get('/v1/exports/{id}/file', { path: { id: 'exp_1' } })
    expect([data.type, new Uint8Array(await data.arrayBuffer())]).toEqual(['application/gzip', packed])
  })

  test('what did not change since an earlier answer is that answer again', async () => {
    const unchanged = new Response(null, { status: 304, headers: { etag: '"v7"' } })
    const { client, last } = clientWith([json({ id: 'whk_1' }, { headers }), unchanged])
    const path = { id: 'whk_1' }
    const first = await client.get('/v1/webhooks/{id}', { path })
    const again = await client.get('/v1/webhooks/{id}', { path, previous: first })
    expect(last().init.headers['if-none-match']).toBe('"v7"')
    expect([again.data, again.notModified, again.status]).toEqual([first.data, true, 304])
  })

  test('a problem is thrown with all that it says, and the key to try again with', async () => {
    const errors = [{ pointer: '/url', code: 'invalid_format', detail: 'Must be a URL.' }]
    const { client, last } = clientWith([
      problem(
        409,
        { code: 'invalid_state', allowed: ['retry'], errors },
        { 'x-request-id': 'req_2', 'retry-after': '7' },
      ),
    ])
    const error = await client.post('/v1/deliveries/{id}/retry', { path: { id: 'dlv_1' } }).catch((thrown) => thrown)
    expect(error).toBeInstanceOf(ApiProblem)
    expect(error).toMatchObject({
      status: 409,
      code: 'invalid_state',
      title: 'T',
      detail: 'D',
      type: 'https://api.example/problems/x',
      errors,
      requestId: 'req_2',
      retryAfterSeconds: 7,
      document: { allowed: ['retry'] },
    })
    expect(`"${error.idempotencyKey}"`).toBe(last().init.headers['idempotency-key'])
    expect([isProblem(error), isProblem(error, 'invalid_state'), isProblem(error, 'not_found')]).toEqual([
      true,
      true,
      false,
    ])
  })

  test.each([
    [
      'the page of a proxy',
      () => new Response('<h1>Bad gateway</h1>', { status: 502, headers: { 'content-type': 'text/html' } }),
      502,
    ],
    [
      'a problem that is cut off',
      () => new Response('{"code":', { status: 500, headers: { 'content-type': 'application/problem+json' } }),
      500,
    ],
    ['JSON that is none', () => new Response('{"data":', { headers: { 'content-type': 'application/json' } }), 200],
    ['a redirect', () => new Response(null, { status: 302 }), 302],
  ])('%s is no answer of the API', async (_what, answer, status) => {
    const { client } = clientWith([answer()])
    const error = await client.get('/v1/webhooks').catch((thrown) => thrown)
    expect(error).toMatchObject({ name: 'ApiProblem', code: 'unexpected_answer', status })
  })

  test('no answer is told apart from a refusal and from a call that was given up', async () => {
    const refused = new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') })
    const { client } = clientWith([refused])
    const error = await client
      .post('/v1/webhooks', { body: { url: 'https://a.example', events: ['*'] } })
      .catch((e) => e)
    expect(error).toBeInstanceOf(NoAnswer)
    expect([error.message, error.idempotencyKey]).toEqual([
      'no answer (connect ECONNREFUSED)',
      expect.stringMatching(/^\w{32}$/),
    ])

    const abort = new AbortController()
    const silent = createApiClient({ baseUrl: '', fetch: (_, init) => hanging(init.signal as AbortSignal) })
    const waiting = silent.get('/v1/webhooks', { signal: abort.signal })
    abort.abort(new Error('the page was left'))
    await expect(waiting).rejects.toThrow('the page was left')
    await expect(silent.get('/v1/webhooks', { timeoutMs: 5 })).rejects.toThrow('no answer within 0.005 s')
  })
})

function hanging(signal: AbortSignal): Promise<Response> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason))
  })
}

describe('lists', () => {
  const page = (ids: string[], next: string | null) =>
    json({ object: 'list', data: ids.map((id) => ({ id })), has_more: next !== null, next_cursor: next })

  test('pages follow one another by cursor with the same filters, a short one is not the last', async () => {
    const { client, sent } = clientWith([page(['a', 'b'], 'c1'), page([], 'c2'), page(['c'], null)])
    const ids: string[] = []
    for await (const { data } of pagesOf(client, '/v1/webhooks', { query: { status: 'enabled' } }))
      ids.push(...data.data.map(({ id }) => id))
    expect(ids).toEqual(['a', 'b', 'c'])
    expect(sent.map(({ url }) => new URL(url).search)).toEqual([
      '?status=enabled',
      '?status=enabled&cursor=c1',
      '?status=enabled&cursor=c2',
    ])
  })

  test('items come one by one, and no page is asked for that nobody wants', async () => {
    const { client, sent } = clientWith([page(['a', 'b'], 'c1')])
    for await (const { id } of itemsOf(client, '/v1/webhooks')) {
      expect(id).toBe('a')
      break
    }
    expect(sent).toHaveLength(1)
  })

  test('regression: a list whose cursor always comes ends where it says so', async () => {
    const end = json({ object: 'list', data: [], has_more: false, next_cursor: 'later' })
    const { client, sent } = clientWith([end])
    for await (const _ of pagesOf(client, '/v1/events')) expect(sent).toHaveLength(1)
    expect(sent).toHaveLength(1)
  })
})
