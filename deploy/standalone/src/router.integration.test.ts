import { Agent, createServer, request as httpRequest, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { Problem } from '@wds/http-service/problem'
import { openExchange, sendProblem } from '@wds/http-service/respond'
import { exchangeRaw, sendAllThenRead } from '@wds/http-service/widgets/exchange'
import { createLogger } from '@wds/telemetry/logger'
import { createRouter, type Upstream, upstreamOf } from './router.ts'

test.each<[string, Upstream]>([
  ['/v1/webhooks', 'delivery'],
  ['/v1/webhooks/whk_1/deliveries?status=dead', 'delivery'],
  ['/v1/webhooksish', 'api'],
  ['/v1/deliveries/dlv_1/retry', 'delivery'],
  ['/v1/dead-letters?limit=1', 'delivery'],
  ['/v1/replays/rpl_1', 'delivery'],
  ['/v1/events', 'delivery'],
  ['/v1/events?since=x', 'delivery'],
  ['/v1/event-types/sync.completed', 'catalog'],
  ['/v1/workspace', 'auth'],
  ['/oauth/token', 'auth'],
  ['/.well-known/oauth-authorization-server', 'auth'],
  ['/.well-known/oauth-protected-resource', 'api'],
  ['/sign-in/callback', 'auth'],
  ['/password/abc', 'auth'],
  ['/sign-in/assets/1-pages.css', 'auth'],
  ['/assets/index-1.js', 'console'],
  ['/w/sample/webhooks', 'console'],
  ['/webhooks', 'console'],
  ['/healthz', 'api'],
  ['/sign-out', 'auth'],
  ['/invitations/x', 'auth'],
  ['/logos/app_1', 'auth'],
  ['/v1/api-keys/key_1/rotate', 'auth'],
  ['/v1/oauth-apps', 'auth'],
  ['/v1/account/identities', 'auth'],
  ['/v1/connected-apps', 'auth'],
  ['/v1/members', 'auth'],
  ['/v1/session', 'auth'],
  ['/v1/openapi.json', 'api'],
  ['/v1/integrations', 'api'],
  ['/problems/not_found', 'api'],
  ['/', 'console'],
])('settled-points.md 32: %s goes to %s', (target, upstream) => {
  expect(upstreamOf(target)).toBe(upstream)
})

const listening: Server[] = []

async function listen(server: Server): Promise<number> {
  listening.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

let address = ''
let port = 0
/** Connections that reached the service. */
const connections = new Set<unknown>()
/** Requests that the service is asked to leave open. */
const held = Promise.withResolvers<IncomingMessage>()

beforeAll(async () => {
  const echo = createServer((request, response) => {
    connections.add(request.socket)
    if (request.url === '/v1/refused') {
      const exchange = openExchange(request, response, { baseUrl: 'http://base' })
      return sendProblem(exchange, new Problem('payload_too_large'))
    }
    if (request.url === '/v1/streamed') return void request.pipe(response)
    if (request.url === '/v1/held') return held.resolve(request)
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      response.writeHead(207, [
        ['Set-Cookie', 'a=1'],
        ['Set-Cookie', 'b=2'],
        ['Content-Type', 'application/json'],
      ])
      response.end(
        JSON.stringify({
          method: request.method,
          url: request.url,
          headers: request.headers,
          body: Buffer.concat(chunks).toString(),
        }),
      )
    })
  })
  const service = await listen(echo)
  // A port that was given back may be somebody else's by now; nobody listens on this one.
  const closed = 1
  const router = createRouter({
    baseUrl: 'http://base',
    portOf: (upstream) => (upstream === 'auth' ? closed : service),
    limits: { headersDeadlineMs: 300, checkEveryMs: 50 },
    logger: createLogger({ service: 'router', level: 'silent' }),
  })
  port = await listen(router)
  address = `http://127.0.0.1:${port}`
})
afterAll(() => {
  for (const server of listening) {
    server.close()
    server.closeAllConnections()
  }
})

test('method, target, headers and body pass through unchanged; forwarding headers from outside do not (XT10)', async () => {
  const forged = { 'x-forwarded-for': '8.8.8.8', 'x-forwarded-host': 'evil.example', forwarded: 'for=8.8.8.8' }
  const answer = await fetch(`${address}/v1/imports?type=stats`, {
    method: 'POST',
    body: 'a,b\n1,2\n',
    headers: { 'content-type': 'text/csv', 'idempotency-key': 'k', ...forged },
  })
  expect(answer.status).toBe(207)
  expect(answer.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
  const seen = (await answer.json()) as { headers: Record<string, string>; body: string; url: string }
  expect(seen).toMatchObject({ method: 'POST', url: '/v1/imports?type=stats', body: 'a,b\n1,2\n' })
  expect(seen.headers).toMatchObject({
    'content-type': 'text/csv',
    'idempotency-key': 'k',
    'x-forwarded-for': '127.0.0.1',
    'x-forwarded-proto': 'http',
  })
  for (const name of ['x-forwarded-host', 'forwarded']) expect(seen.headers).not.toHaveProperty(name)
})

test('regression: a POST without a body, as curl -X POST sends it, goes on without one', async () => {
  const seen = await exchangeRaw(
    port,
    'POST /v1/deliveries/dlv_1/retry HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  )
  expect(seen).toContain('"content-length":"0"')
  expect(seen).not.toMatch(/"transfer-encoding"/)
})

/** Status and code of an answer that is a problem as every service gives it (C10, C84, C86). */
function readProblem(answer: string): [number, string] {
  const [head = '', body = ''] = answer.split('\r\n\r\n')
  const json = JSON.parse(body) as { status: number; code: string; type: string; instance: string }
  const id = /x-request-id: (req_[0-9A-HJKMNP-TV-Z]{26})/i.exec(head)?.[1]
  expect(head).toMatch(/content-type: application\/problem\+json/i)
  expect(head).toMatch(/x-content-type-options: nosniff/i)
  expect(json).toMatchObject({ type: `http://base/problems/${json.code}`, instance: `/requests/${id}` })
  return [json.status, json.code]
}

test.each([
  ['broken', 'hello\r\n\r\n', 400, 'invalid_request'],
  [
    'of two lengths',
    'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
    400,
    'invalid_request',
  ],
  [
    'with headers over the limit',
    `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(30_000)}\r\n\r\n`,
    431,
    'headers_too_large',
  ],
  ['with a target over the limit', `GET /${'x'.repeat(30_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 414, 'uri_too_long'],
  ['for a tunnel', 'CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n', 405, 'method_not_allowed'],
  ['half sent', 'GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ', 408, 'request_timeout'],
  [
    'for a service that is away',
    'GET /v1/workspace HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    503,
    'unavailable',
  ],
])('regression: a request %s gets a whole problem in time (C10, C84, C87)', async (_what, text, status, code) => {
  expect(readProblem(await exchangeRaw(port, text))).toEqual([status, code])
})

test.each(['', 'Connection: close\r\n'])(
  'regression: a client that sends 12 MB before it reads gets to read a refusal, with "%s"',
  async (lines) => {
    const bytes = 12_000_000
    const head = (path: string) => `POST ${path} HTTP/1.1\r\nHost: x\r\n${lines}Content-Length: ${bytes}\r\n\r\n`
    expect(readProblem(await sendAllThenRead(port, head('/v1/refused'), bytes))).toEqual([413, 'payload_too_large'])
    expect(readProblem(await sendAllThenRead(port, head('/v1/workspace'), bytes))).toEqual([503, 'unavailable'])
  },
)

test('regression: a refusal that waits for no body comes before its first byte (C87)', async () => {
  const request = httpRequest(`${address}/v1/refused`, { method: 'POST', headers: { 'content-length': 9 } })
  request.flushHeaders()
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    request.once('response', resolve).once('error', reject)
  })
  request.on('error', () => undefined).destroy()
  expect(answer.statusCode).toBe(413)
})

test('connections are kept alive on both sides', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  connections.clear()
  const reused: boolean[] = []
  for (let n = 0; n < 3; n += 1) {
    await new Promise<void>((resolve, reject) => {
      const request = httpRequest(`${address}/v1/integrations`, { agent, method: 'POST' }, (answer) => {
        reused.push(request.reusedSocket)
        answer.resume().once('end', () => setImmediate(resolve))
      })
      request.once('error', reject).end(String(n))
    })
  }
  agent.destroy()
  expect([reused, connections.size]).toEqual([[false, true, true], 1])
})

test('bodies stream both ways: what is sent comes back before the request has ended', async () => {
  const request = httpRequest(`${address}/v1/streamed`, { method: 'POST' })
  request.write('first')
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    request.once('response', resolve).once('error', reject)
  })
  const chunks = answer[Symbol.asyncIterator]()
  expect(String((await chunks.next()).value)).toBe('first')
  request.end('last')
  expect(String((await chunks.next()).value)).toBe('last')
  expect((await chunks.next()).done).toBe(true)
})

test('a client that leaves is gone for the service too', async () => {
  const request = httpRequest(`${address}/v1/held`).once('error', () => undefined)
  request.end()
  const atService = await held.promise
  const gone = new Promise((resolve) => atService.socket.once('close', resolve))
  request.destroy()
  await gone
})
