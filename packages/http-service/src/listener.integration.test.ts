import type { RequestListener, ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { watchEventLoop } from '@wds/telemetry/event-loop-delay'
import { defaultLimits } from './limits.ts'
import { closeListener, createListener, listen, requestsAheadMax } from './listener.ts'
import { openManagement } from './management.ts'
import { Problem } from './problem.ts'
import { openExchange, sendParts } from './respond.ts'
import type { Route } from './route.ts'
import { createHttpService, type RunningHttpService } from './service.ts'
import { waitsForClient } from './waits-for-client.ts'
import { call, exchangeRaw, sendAllThenRead } from './widgets/exchange.ts'
import { routes, startWidgets, type Widgets } from './widgets/widget-service.ts'

const origin = 'https://console.example.test'
const limits = {
  streamBytesMax: 200_000,
  headersDeadlineMs: 400,
  requestDeadlineMs: 600,
  streamDeadlineMs: 600,
  checkEveryMs: 50,
  drainMs: 200,
}
let widgets: Widgets
/** The same with the limits that hold in use, and an upload that is refused unread. */
let roomy: RunningHttpService
beforeAll(async () => {
  widgets = await startWidgets({ limits, cors: [origin] })
  const unread: Route['handle'] = async () => {
    throw new Problem('invalid_state')
  }
  const own = routes.map((route) => (route.path === '/v1/uploads' ? { ...route, handle: unread } : route))
  roomy = await createHttpService({ ...widgets.options, limits: {}, routes: own }).listen({
    host: '127.0.0.1',
    port: 0,
  })
})
afterAll(async () => {
  await roomy?.close({ graceMs: 0 })
  await widgets?.stop()
})

const raw = (text: string) => exchangeRaw(widgets.port, text)

function readProblem(answer: string) {
  const [head = '', body = ''] = answer.split('\r\n\r\n')
  expect(head).toMatch(/content-type: application\/problem\+json/i)
  expect(head).toMatch(/x-content-type-options: nosniff/i)
  expect(head).toMatch(/strict-transport-security: max-age=31536000; includeSubDomains/i)
  const id = /x-request-id: (req_[0-9A-HJKMNP-TV-Z]{26})/i.exec(head)?.[1]
  const json = JSON.parse(body)
  expect(json.instance).toBe(`/requests/${id}`)
  expect(head.startsWith(`HTTP/1.1 ${json.status} `)).toBe(true)
  return [json.status, json.code]
}

describe('limits of the listener', () => {
  test('C10: headers over 16 KiB are 431, a target over 8 KiB is 414', async () => {
    const get = (target: string, header: string) =>
      `GET ${target} HTTP/1.1\r\nHost: x\r\nX: ${header}\r\nConnection: close\r\n\r\n`
    expect(readProblem(await raw(get('/healthz', 'x'.repeat(17_000))))).toEqual([431, 'headers_too_large'])
    expect(readProblem(await raw(get('/healthz', 'x'.repeat(30_000))))).toEqual([431, 'headers_too_large'])
    expect(readProblem(await raw(get(`/${'x'.repeat(9_000)}`, 'x')))).toEqual([414, 'uri_too_long'])
    expect(readProblem(await raw(get(`/${'x'.repeat(40_000)}`, 'x')))).toEqual([414, 'uri_too_long'])
    expect(await raw(get('/healthz', 'x'.repeat(16_000)))).toMatch(/^HTTP\/1.1 200 /)
  })

  test('C25: TRACE and CONNECT are 405', async () => {
    const head = (line: string) => `${line} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`
    expect(readProblem(await raw(head('TRACE /v1/widgets')))).toEqual([405, 'method_not_allowed'])
    expect(readProblem(await raw(head('CONNECT x:443')))).toEqual([405, 'method_not_allowed'])
  })

  test.each([
    [
      'both lengths',
      'POST /v1/widgets HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['two lengths', 'POST /v1/widgets HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello'],
    ['a disguised encoding', 'POST /v1/widgets HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n'],
    ['a space before the colon', 'GET /healthz HTTP/1.1\r\nHost: x\r\nContent-Length : 5\r\n\r\nhello'],
    ['a folded header', 'GET /healthz HTTP/1.1\r\nHost: x\r\nX: a\r\n b\r\n\r\n'],
    ['bare line feeds', 'GET /healthz HTTP/1.1\nHost: x\n\n'],
    ['no host', 'GET /healthz HTTP/1.1\r\nX: y\r\n\r\n'],
    ['two hosts', 'GET /healthz HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n'],
    ['an absolute target', 'GET http://y/healthz HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['an unknown expectation', 'GET /healthz HTTP/1.1\r\nHost: x\r\nExpect: tea\r\n\r\n'],
    ['no HTTP at all', 'hello\r\n\r\n'],
  ])('XT09: %s is 400 and the connection is closed', async (_name, text) => {
    expect(readProblem(await raw(text))).toEqual([400, 'invalid_request'])
  })

  test('regression: a connection that sends ahead without end is ended, and its requests are not served', async () => {
    let served = 0
    const answer: RequestListener = (_request, response) => {
      served += 1
      setImmediate(() => response.end('x'))
    }
    const server = createListener(answer, { baseUrl: '', logger: widgets.options.logger, limits: defaultLimits })
    const port = await listen(server, { host: '127.0.0.1', port: 0 })
    const get = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'
    const last = 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'
    try {
      const answers = await exchangeRaw(port, get.repeat(requestsAheadMax - 1) + last)
      expect(answers.split('HTTP/1.1 200 OK')).toHaveLength(requestsAheadMax + 1)
      served = 0
      await exchangeRaw(port, get.repeat(20_000)).catch(() => undefined)
      expect(served).toBeLessThan(3 * requestsAheadMax)
    } finally {
      await closeListener(server, 0)
    }
  })

  test('regression: a broken request behind a whole one does not take the place of its answer', async () => {
    const broken = Promise.withResolvers<void>()
    const serve: RequestListener = async (_request, response) => {
      await broken.promise
      response.end('whole')
    }
    const server = createListener(serve, { baseUrl: '', logger: widgets.options.logger, limits: defaultLimits })
    server.on('clientError', () => broken.resolve())
    const port = await listen(server, { host: '127.0.0.1', port: 0 })
    try {
      const post = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}'
      const answers = await exchangeRaw(port, `${post}${post}broken\r\n\r\n`)
      expect(answers.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200', 'HTTP/1.1 400'])
    } finally {
      await closeListener(server, 0)
    }
  })

  test('regression: a client that leaves its answer unread is cut, one that waits for its answer is not', async () => {
    const bytes = Buffer.alloc(20_000_000)
    const cut = Promise.withResolvers<void>()
    const late = Promise.withResolvers<ServerResponse>()
    const answer: RequestListener = (request, response) => {
      if (request.url === '/late') return late.resolve(response)
      response.once('close', () => cut.resolve()).end(bytes)
    }
    const tight = { ...defaultLimits, unreadMs: 200 }
    const server = createListener(answer, { baseUrl: '', logger: widgets.options.logger, limits: tight })
    const port = await listen(server, { host: '127.0.0.1', port: 0 })
    const unread = connect(port, '127.0.0.1').pause()
    try {
      const waiting = exchangeRaw(port, 'GET /late HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
      unread.once('error', () => undefined).write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
      const held = await late.promise
      await cut.promise
      held.end('late')
      expect(await waiting).toMatch(/^HTTP\/1.1 200 OK.*late$/s)
    } finally {
      unread.destroy()
      await closeListener(server, 0)
    }
  })

  test('regression: C87: a client that reads its answer a little at a time is cut before it has all of it', async () => {
    const bytes = Buffer.alloc(200_000_000)
    const answer: RequestListener = (_request, response) => void response.end(bytes)
    const tight = { ...defaultLimits, unreadMs: 1_000, readBytesPerSecond: 1e12 }
    const server = createListener(answer, { baseUrl: '', logger: widgets.options.logger, limits: tight })
    const port = await listen(server, { host: '127.0.0.1', port: 0 })
    let isOpen = true
    const slow = connect(port, '127.0.0.1').once('error', () => undefined)
    slow.once('close', () => {
      isOpen = false
    })
    let read = 0
    try {
      slow.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
      // As slowly as another server answers: for much longer than a second.
      while (isOpen) {
        await fetch(`${widgets.url}/healthz`)
        read += (slow.read(16_384) as Buffer | null)?.length ?? 0
      }
      expect(read).toBeGreaterThan(0)
      expect(read).toBeLessThan(bytes.length)
    } finally {
      slow.destroy()
      await closeListener(server, 0)
    }
  })

  test('regression: a file that waits for the one asked for before it, of a client that reads, is not cut', async () => {
    const [large, end] = [Buffer.alloc(20_000_000), Buffer.from('the end')]
    const [waiting, others] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let files = 0
    let cut: () => void = () => undefined
    async function* read() {
      yield large
      await others.promise
      yield end
    }
    const answer: RequestListener = (request, response) => {
      if (request.url === '/unread') return response.once('close', () => cut()).end(large)
      response.once(waitsForClient, () => {
        files += 1
        if (files === 2) waiting.resolve()
      })
      const parts = { length: large.length + end.length, read }
      return sendParts(openExchange(request, response, { baseUrl: '' }), { status: 200, parts })
    }
    const tight = { ...defaultLimits, unreadMs: 1_000, readBytesPerSecond: 1e12 }
    const server = createListener(answer, { baseUrl: '', logger: widgets.options.logger, limits: tight })
    const port = await listen(server, { host: '127.0.0.1', port: 0 })
    const client = connect(port, '127.0.0.1').once('error', () => undefined)
    const closed = new Promise((settle) => client.once('close', settle))
    let last = Buffer.alloc(0)
    try {
      client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
      await waiting.promise
      client.on('data', (chunk) => {
        last = Buffer.concat([last, chunk]).subarray(-end.length)
      })
      // Meanwhile others, one behind the other, are cut who do not read.
      for (let nth = 0; nth < 3; nth += 1) {
        const unread = connect(port, '127.0.0.1').once('error', () => undefined)
        await new Promise<void>((settle) => {
          cut = settle
          unread.pause().write('GET /unread HTTP/1.1\r\nHost: x\r\n\r\n')
        })
        unread.destroy()
      }
      others.resolve()
      await closed
      expect(last).toEqual(end)
    } finally {
      client.destroy()
      await closeListener(server, 0)
    }
  })

  test('regression: C87: connections are bounded: one too many is dropped, and idle ones make room for the next', async () => {
    const tight = { ...defaultLimits, connectionsMax: 3 }
    const answer: RequestListener = (_request, response) => void response.end('here')
    const server = createListener(answer, { baseUrl: '', logger: widgets.options.logger, limits: tight })
    const port = await listen(server, { host: '127.0.0.1', port: 0 })
    const idle: Socket[] = []
    try {
      while (idle.length < tight.connectionsMax) {
        const socket = connect(port, '127.0.0.1').once('error', () => undefined)
        idle.push(socket)
        socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
        await new Promise((settle) => socket.once('data', settle))
      }
      const ask = () => exchangeRaw(port, 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n').catch(() => '')
      expect(await ask()).toBe('')
      expect(await ask()).toMatch(/^HTTP\/1.1 200 OK/)
    } finally {
      for (const socket of idle) socket.destroy()
      await closeListener(server, 0)
    }
  })

  test('C87: endless headers and a body by drops are cut with 408, and others are served meanwhile', async () => {
    const head =
      'POST /v1/widgets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer a\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{'
    const slow = [raw('GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: '), raw(head)]
    expect((await call(`${widgets.url}/healthz`)).json).toEqual({ status: 'ok' })
    for (const answer of await Promise.all(slow)) expect(readProblem(answer)).toEqual([408, 'request_timeout'])
  })
})

describe('early refusals', () => {
  const bodyBytes = 12_000_000
  const head = (line: string, ...more: string[]) => [`${line} HTTP/1.1`, 'Host: x', ...more, '', ''].join('\r\n')
  const length = `Content-Length: ${bodyBytes}`
  const json = 'Content-Type: application/json'
  const csv = 'Content-Type: text/csv'
  const token = 'Authorization: Bearer a'
  const close = 'Connection: close'

  test.each<[string, string, [number, string]]>([
    ['a body over the limit', head('POST /v1/widgets', length, json, token), [413, 'payload_too_large']],
    [
      'the same on a connection of one request',
      head('POST /v1/widgets', length, json, token, close),
      [413, 'payload_too_large'],
    ],
    ['no token', head('POST /v1/widgets', length, json, close), [401, 'unauthenticated']],
    ['no such path', head('POST /v1/nowhere', length, json, close), [404, 'not_found']],
    ['a body on GET', head('GET /v1/widgets', length, json, token), [400, 'invalid_request']],
    ['two hosts', head('POST /v1/widgets', 'Host: y', length, json, token), [400, 'invalid_request']],
    ['a stream that nobody reads', head('POST /v1/uploads', length, csv, token), [409, 'invalid_state']],
    ['headers without end', `GET /healthz HTTP/1.1\r\nHost: x\r\nX: `, [431, 'headers_too_large']],
  ])('regression: a client that sends 12 MB before it reads is told of %s', async (_name, text, expected) => {
    expect(readProblem(await sendAllThenRead(roomy.port, text, bodyBytes))).toEqual(expected)
  })
})

describe('streamed bodies', () => {
  const send = (body: string) => call(`${widgets.url}/v1/uploads`, { body, headers: { 'content-type': 'text/csv' } })

  test('a stream reaches the handler whole, and one over its limit is 413, announced or not', async () => {
    expect((await send('x'.repeat(200_000))).json).toEqual({ bytes: 200_000 })
    expect((await send('x'.repeat(200_001))).json.code).toBe('payload_too_large')
    const init = { method: 'POST', headers: { authorization: 'Bearer a', 'content-type': 'text/csv' } }
    const body = new Blob(['x'.repeat(400_000)]).stream()
    const chunked = await fetch(`${widgets.url}/v1/uploads`, { ...init, body, duplex: 'half' } as RequestInit)
    expect(chunked.status).toBe(413)
  })

  test('C87: a stream that stalls is 408; a client that leaves is no fault', async () => {
    const lines = 'Host: x\r\nAuthorization: Bearer a\r\nContent-Type: text/csv\r\nContent-Length: 99'
    const head = `POST /v1/uploads HTTP/1.1\r\n${lines}\r\n\r\na,b`
    expect(readProblem(await raw(head))).toEqual([408, 'request_timeout'])
    await exchangeRaw(widgets.port, head, { end: true })
    expect(widgets.log.filter((line) => line.includes('request failed'))).toEqual([])
  })
})

describe('headers', () => {
  test('C84: each answer has an own request id; the clients own comes back when it is well formed', async () => {
    const ask = (id: string) => call(`${widgets.url}/problems/not_found`, { headers: { 'x-request-id': id } })
    const answer = await ask('client.1_A-b')
    expect(answer.headers.get('x-request-id')).toMatch(/^req_[0-9A-HJKMNP-TV-Z]{26}$/)
    expect(answer.headers.get('x-client-request-id')).toBe('client.1_A-b')
    for (const id of ['a b', 'x'.repeat(129), '<x>'])
      expect((await ask(id)).headers.get('x-client-request-id')).toBeNull()
    const logged = widgets.log.map((line) => JSON.parse(line))
    expect(logged.find((line) => line.request_id === answer.headers.get('x-request-id'))).toMatchObject({
      route: '/problems/{code}',
    })
  })

  test('C85: a listed origin may read and preflight without a token; another may not; credentials never', async () => {
    const preflight = (from: string) => {
      const headers = { origin: from, 'access-control-request-method': 'POST' }
      return call(`${widgets.url}/v1/widgets`, { method: 'OPTIONS', token: null, headers })
    }
    const allowed = await preflight(origin)
    expect([allowed.status, allowed.headers.get('access-control-allow-origin')]).toEqual([204, origin])
    const listOf = (headers: Headers, name: string) => (headers.get(name) ?? '').split(', ')
    // What the console sends and reads (ui.md 1).
    expect(listOf(allowed.headers, 'access-control-allow-headers')).toEqual(
      expect.arrayContaining(['Authorization', 'Content-Type', 'Idempotency-Key', 'If-Match', 'If-None-Match']),
    )
    expect(listOf(allowed.headers, 'access-control-allow-methods')).toEqual(['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'])
    expect(allowed.headers.get('access-control-allow-credentials')).toBeNull()
    const refused = await preflight('https://evil.example.test')
    expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([405, null])
    const read = await call(`${widgets.url}/v1/widgets`, { headers: { origin } })
    expect(listOf(read.headers, 'access-control-expose-headers')).toEqual(
      expect.arrayContaining(['ETag', 'Location', 'Retry-After', 'RateLimit', 'RateLimit-Policy', 'X-Request-Id']),
    )
    expect(read.headers.get('vary')).toBe('Accept, Authorization, Origin')
  })

  test('regression: C85: whoever sends a body without end with a preflight has its answer, and is cut', async () => {
    const head = `OPTIONS /v1/widgets HTTP/1.1\r\nHost: x\r\nOrigin: ${origin}\r\nAccess-Control-Request-Method: POST\r\n`
    const answer = await raw(`${head}Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n`)
    expect(answer.match(/^HTTP\/1\.1 \d+/gm)).toEqual(['HTTP/1.1 204'])
  })

  test('C86: HSTS and nosniff on all answers, a strict policy on pages', async () => {
    for (const path of ['/healthz', '/v1/widgets', '/nowhere', '/problems/not_found']) {
      const { headers } = await call(`${widgets.url}${path}`)
      expect(headers.get('strict-transport-security')).toBe('max-age=31536000; includeSubDomains')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('x-powered-by')).toBeNull()
    }
    const { headers } = await call(`${widgets.url}/problems/not_found`)
    expect(headers.get('content-security-policy')).toMatch(/default-src 'none'.*frame-ancestors 'none'/)
    expect(headers.get('content-security-policy')).not.toContain('unsafe-inline')
  })
})

describe('start and end', () => {
  test('C80: routes and OpenAPI file are compared both ways, scopes included', () => {
    const create = (changed: typeof routes) => () => createHttpService({ ...widgets.options, routes: changed })
    expect(create(routes.slice(1))).toThrow('GET /v1/widgets has no route')
    const [first, ...rest] = routes
    if (!first) throw new Error('no routes')
    expect(create([{ ...first, path: '/v1/others' }, ...routes])).toThrow('GET /v1/others is not in the OpenAPI file')
    expect(create([{ ...first, scope: 'any' }, ...rest])).toThrow('GET /v1/widgets has the scope any')
    expect(create([first, ...routes])).toThrow('GET /v1/widgets is routed twice')
  })

  test('C33: an answer that never arrived is given by the retry, and nothing is doubled', async () => {
    const body = JSON.stringify({ name: 'lost' })
    const committed = Promise.withResolvers<void>()
    const own = routes.map((route) => {
      if (route.method !== 'POST' || route.path !== '/v1/widgets') return route
      const handle: typeof route.handle = async (request) => {
        const answer = await route.handle(request)
        committed.resolve()
        // Held until the connection is gone: the answer is never sent.
        if (!request.signal.aborted) await new Promise((settle) => request.signal.addEventListener('abort', settle))
        return answer
      }
      return { ...route, handle }
    })
    const lossy = await createHttpService({ ...widgets.options, routes: own }).listen({
      host: '127.0.0.1',
      port: 0,
    })
    const socket = connect(lossy.port, '127.0.0.1')
    const headers = `Host: x\r\nAuthorization: Bearer a\r\nIdempotency-Key: lost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`
    socket.write(`POST /v1/widgets HTTP/1.1\r\n${headers}\r\n\r\n${body}`)
    await committed.promise
    socket.destroy()
    await lossy.close({ graceMs: 2_000 })
    const again = await call(`${widgets.url}/v1/widgets`, { body, headers: { 'idempotency-key': 'lost' } })
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 'true'])
    const { json } = await call(`${widgets.url}/v1/widgets?limit=100`)
    expect(json.data.filter((row: { name: string }) => row.name === 'lost')).toHaveLength(1)
  })

  test('K22: management serves /livez and its pages, and /readyz as the process says', async () => {
    let ready = false
    const management = await openManagement({
      host: '127.0.0.1',
      port: 0,
      baseUrl: widgets.url,
      logger: widgets.options.logger,
      ready: () => ready,
      pages: { '/metrics': (_request, response) => void response.end('up 1'), '/livez': () => undefined },
    })
    const at = `http://127.0.0.1:${management.port}`
    const statusOf = async (path: string) => (await fetch(`${at}${path}`)).status
    expect([await statusOf('/livez'), await statusOf('/readyz'), await statusOf('/v1/widgets')]).toEqual([
      200, 503, 404,
    ])
    ready = true
    expect(await statusOf('/readyz')).toBe(200)
    expect(await (await fetch(`${at}/metrics`)).text()).toBe('up 1')
    const taken = openManagement({ ...widgets.options, host: '127.0.0.1', port: management.port, ready: () => true })
    await expect(taken).rejects.toThrow('the port is taken')
    await management.close()
    await expect(fetch(`${at}/livez`)).rejects.toThrow()
  })

  test('a taken port is one sentence', async () => {
    const taken = createHttpService(widgets.options).listen({ host: '127.0.0.1', port: widgets.port })
    await expect(taken).rejects.toThrow(`Cannot listen on 127.0.0.1:${widgets.port}: the port is taken.`)
  })

  test('close lets a running request end', async () => {
    const slow = routes.map((route) =>
      route.path === '/v1/faults/{kind}'
        ? {
            ...route,
            handle: (request: Parameters<typeof route.handle>[0]) =>
              request.read(async (tx) => {
                await tx.query('select pg_sleep(0.3)')
                return { status: 200, body: { done: true } }
              }),
          }
        : route,
    )
    const running = await createHttpService({ ...widgets.options, routes: slow }).listen({
      host: '127.0.0.1',
      port: 0,
    })
    const answer = call(`http://127.0.0.1:${running.port}/v1/faults/none`, { token: null })
    const deadline = Date.now() + 60_000
    while (Date.now() < deadline) {
      const { rows } = await widgets.pool.query(
        "select 1 from pg_stat_activity where query like 'select pg_sleep(0.3)%' and state = 'active'",
      )
      if (rows.length > 0) break
    }
    await running.close({ graceMs: 5_000 })
    expect((await answer).json).toEqual({ done: true })
  })
})

test('regression: the log line of an early refusal tells its status, though the client goes once it has read it', async () => {
  const head = 'POST /v1/uploads HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n'
  const [, id = ''] = /x-request-id: (\S+)/i.exec(await sendAllThenRead(roomy.port, head, 1_000)) ?? []
  const line = () => widgets.log.find((text) => text.includes(id))
  const deadline = performance.now() + 60_000
  while (line() === undefined && performance.now() < deadline) await new Promise(setImmediate)
  expect(JSON.parse(line() ?? '{}')).toMatchObject({ status: 401, code: 'unauthenticated', route: '/v1/uploads' })
})

test('regression: a request that holds the event loop is named, with its route, not those beside it', async () => {
  // It holds for 600 ms: a busy machine makes turns late that nothing of ours held.
  const told: { delay_ms: number; work?: object }[] = []
  const warn = (fields: object) => void told.push(fields as (typeof told)[number])
  const end = watchEventLoop({ warn })
  try {
    const paths = ['faults/hold', 'widgets', 'widgets', 'faults/no']
    await Promise.all(paths.map((path) => call(`${widgets.url}/v1/${path}`)))
    const deadline = performance.now() + 60_000
    while (!told.some(({ work, delay_ms }) => work && delay_ms > 550) && performance.now() < deadline)
      await new Promise(setImmediate)
    expect(told.filter(({ delay_ms }) => delay_ms > 550).flatMap(({ work }) => work ?? [])).toEqual([
      {
        request_id: expect.stringMatching(/^req_/),
        method: 'GET',
        route: '/v1/faults/{kind}',
      },
    ])
  } finally {
    end()
  }
})
