// Handlers outside the OpenAPI document, through the real listener.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Mount } from './mount.ts'
import { Problem } from './problem.ts'
import { send, sendAnswer } from './respond.ts'
import { createHttpService } from './service.ts'
import { call, exchangeRaw, sendAllThenRead } from './widgets/exchange.ts'
import { startWidgets, type Widgets } from './widgets/widget-service.ts'

const console = 'https://console.example.test'
const mounts: Mount[] = [
  {
    path: '/forms/{uid}',
    methods: ['GET', 'POST'],
    handle: async (request, response, exchange) => {
      const body = await exchange.readBody({ bytesMax: 1_000 })
      response.setHeader('Content-Type', 'text/plain; charset=utf-8')
      response.setHeader('Cache-Control', 'no-store')
      const { requestId, params, origin } = exchange
      send(
        exchange,
        200,
        JSON.stringify({ requestId, ...params, address: origin.address, url: request.url, body: `${body}` }),
      )
    },
  },
  {
    path: '/faults/{kind}',
    methods: ['GET'],
    quota: 'own',
    handle: async (_request, _response, { params }) => {
      throw params.kind === 'problem' ? new Problem('not_found') : new Error('the secret place is /etc/passwd')
    },
  },
]

/** Held back until it is let go. */
const held = { let: () => {}, until: Promise.resolve() }
const workspaceMounts: Mount[] = [
  {
    path: '/senders/{workspace}',
    methods: ['GET'],
    quota: 'own',
    handle: async (request, _response, exchange) => {
      if (request.url?.endsWith('?unknown')) await exchange.countAddress()
      const { workspace = '' } = exchange.params
      const seen = await exchange.inWorkspace(workspace, async (tx) => {
        if (request.url?.endsWith('?held')) await held.until
        return (await tx.query("select current_setting('app.workspace_id') as id")).rows[0]
      })
      sendAnswer(exchange, { status: 200, body: seen ?? {} })
    },
  },
]

let widgets: Widgets
beforeAll(async () => {
  widgets = await startWidgets({
    mounts: [...mounts, ...workspaceMounts],
    cors: [console],
    trustedProxies: ['127.0.0.0/8'],
    limits: { requestDeadlineMs: 600, drainMs: 200 },
    admission: { requests: 40, windowMs: 86_400_000, concurrent: 10 },
  })
})
afterAll(() => widgets?.stop())

const at = (path: string) => `${widgets.url}${path}`

describe('a mount', () => {
  test('has what every answer has, its path’s parameters and its body; the log line names its template', async () => {
    const answer = await call(at('/forms/abc%2Fd?secret=s3cret'), { method: 'POST', body: 'a=1', token: null })
    const told = JSON.parse(answer.text)
    expect(told).toMatchObject({
      uid: 'abc%2Fd',
      url: '/forms/abc%2Fd?secret=s3cret',
      body: 'a=1',
      address: '127.0.0.1',
    })
    expect(answer.headers.get('x-request-id')).toBe(told.requestId)
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(answer.headers.get('strict-transport-security')).toBe('max-age=31536000; includeSubDomains')
    const line = widgets.log.find((text) => text.includes(told.requestId))
    expect(JSON.parse(line ?? '')).toMatchObject({ route: '/forms/{uid}', method: 'POST', status: 200 })
    expect(widgets.log.join('')).not.toContain('s3cret')
  })

  test('is told the address that a listed proxy tells', async () => {
    const answer = await call(at('/forms/a'), { token: null, headers: { 'x-forwarded-for': '203.0.113.9' } })
    expect(JSON.parse(answer.text).address).toBe('203.0.113.9')
  })

  test('takes its methods only: others are 405 with those in Allow, a preflight of a listed origin too', async () => {
    const headers = { origin: console, 'access-control-request-method': 'POST' }
    for (const method of ['DELETE', 'OPTIONS']) {
      const answer = await call(at('/forms/a'), { method, headers, token: null })
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, POST'])
      expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
    }
    const route = await call(at('/v1/widgets'), { method: 'OPTIONS', headers, token: null })
    expect([route.status, route.headers.get('access-control-allow-origin')]).toEqual([204, console])
  })

  test('regression: C85: what is refused under load says so to a listed origin too, of a mount to none', async () => {
    const full = await createHttpService({ ...widgets.options, limits: { unreadBytesPerCaller: 0 } }).listen({
      host: '127.0.0.1',
      port: 0,
    })
    const ask = async (path: string, origin: string, method = 'GET') => {
      const headers = { origin, 'access-control-request-method': 'GET' }
      const answer = await call(`http://127.0.0.1:${full.port}${path}`, { method, headers })
      const names = ['retry-after', 'access-control-allow-origin', 'access-control-expose-headers']
      return [answer.status, ...names.map((name) => answer.headers.get(name))]
    }
    const told = [await ask('/v1/widgets', console), await ask('/v1/widgets', 'https://x.test')]
    const preflight = await ask('/v1/widgets', console, 'OPTIONS')
    const ofMount = await ask('/forms/a?b', console)
    await full.close({ graceMs: 0 })
    expect(told).toEqual([
      [503, '1', console, expect.stringContaining('Retry-After')],
      [503, '1', null, null],
    ])
    expect(preflight.slice(0, 3)).toEqual([204, null, console])
    expect(ofMount).toEqual([503, '1', null, null])
  })

  test.each(['/forms', '/forms/', '/forms/a/b', '/forms/a/', '//forms/a', `/forms/${'x'.repeat(256)}`])(
    '%s is no path of it',
    async (path) => {
      expect((await call(at(path), { token: null })).status).toBe(404)
    },
  )

  test('a body over its limit is 413 and one that does not come is 408', async () => {
    expect((await call(at('/forms/a'), { method: 'POST', body: 'x'.repeat(1_001), token: null })).status).toBe(413)
    const head = 'POST /forms/a HTTP/1.1\r\nHost: x\r\nContent-Length: 500000\r\n\r\n'
    expect(await sendAllThenRead(widgets.port, head, 500_000)).toMatch(/^HTTP\/1.1 413 /)
    expect(await exchangeRaw(widgets.port, 'POST /forms/a HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nx')).toMatch(
      /^HTTP\/1.1 408 /,
    )
  })

  test('what it throws is answered as a problem, and tells nothing of the inside', async () => {
    const problem = await call(at('/faults/problem'), { token: null })
    expect([problem.status, problem.json.code]).toEqual([404, 'not_found'])
    const bare = await call(at('/faults/bare'), { token: null })
    expect([bare.status, bare.json.code]).toEqual([500, 'internal_error'])
    expect(bare.text).not.toContain('passwd')
  })

  test('counts for the quota of its address, unless it has limits of its own', async () => {
    const headers = { 'x-forwarded-for': '198.51.100.7' }
    const ask = async (path: string) => (await call(at(path), { token: null, headers })).status
    for (let n = 0; n < 43; n += 1) expect(await ask('/faults/problem')).toBe(404)
    // 5 % may pass above it (C60).
    const statuses = []
    for (let n = 0; n < 43; n += 1) statuses.push(await ask('/forms/a'))
    expect(statuses.slice(0, 40)).toEqual(Array(40).fill(200))
    expect([statuses.at(-1), await ask('/faults/problem')]).toEqual([429, 404])
  })

  test('with limits of its own counts the address when it says so', async () => {
    const headers = { 'x-forwarded-for': '198.51.100.8' }
    const ask = async (path: string) => (await call(at(path), { token: null, headers })).status
    const known = []
    for (let n = 0; n < 50; n += 1) known.push(await ask('/senders/wsp_1'))
    expect(known).toEqual(Array(50).fill(200))
    const unknown = []
    for (let n = 0; n < 50; n += 1) unknown.push(await ask('/senders/wsp_1?unknown'))
    expect([unknown[0], unknown.at(-1), await ask('/senders/wsp_1')]).toEqual([200, 429, 200])
  })

  test('works in the workspace that it names, at most on so many of its requests at a time, and others go on', async () => {
    held.until = new Promise((resolve) => {
      held.let = resolve
    })
    const ask = (path: string) => call(at(path), { token: null })
    const first = Array.from({ length: 10 }, () => ask('/senders/wsp_1?held'))
    let refused = await ask('/senders/wsp_1')
    // Until all of them have arrived.
    for (let n = 0; n < 1_000 && refused.status === 200; n += 1) refused = await ask('/senders/wsp_1')
    expect([refused.status, refused.json['violated-policies']]).toEqual([429, ['concurrency']])
    expect((await ask('/senders/wsp_2')).json).toEqual({ id: 'wsp_2' })
    held.let()
    expect((await Promise.all(first)).map(({ status }) => status)).toEqual(Array(10).fill(200))
    expect((await ask('/senders/wsp_1')).json).toEqual({ id: 'wsp_1' })
  })
})
