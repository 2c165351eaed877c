import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
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
  ['/sign-out', 'auth'],
  ['/invitations/x', 'auth'],
  ['/logos/app_1', 'auth'],
  ['/v1/api-keys/key_1/rotate', 'auth'],
  ['/v1/oauth-apps', 'auth'],
  ['/v1/connected-apps', 'auth'],
  ['/v1/members', 'auth'],
  ['/v1/session', 'auth'],
  ['/v1/openapi.json', 'api'],
  ['/v1/integrations', 'api'],
  ['/problems/not_found', 'api'],
  ['/', 'api'],
])('decisions.md 32: %s goes to %s', (target, upstream) => {
  expect(upstreamOf(target)).toBe(upstream)
})

const listening: Server[] = []

async function listen(server: Server): Promise<number> {
  listening.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

let address = ''
beforeAll(async () => {
  const echo = createServer((request, response) => {
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
  const port = await listen(echo)
  // A port that was given back may be somebody else's by now; nobody listens on this one.
  const closed = 1
  const router = createRouter({
    baseUrl: 'http://base',
    portOf: (upstream) => (upstream === 'auth' ? closed : port),
  })
  address = `http://127.0.0.1:${await listen(router)}`
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
  const socket = connect(Number(new URL(address).port), '127.0.0.1')
  socket.write('POST /v1/deliveries/dlv_1/retry HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  const seen = await text(socket)
  expect(seen).toContain('"content-length":"0"')
  expect(seen).not.toMatch(/"transfer-encoding"/)
})

test('a service that is away is 503 unavailable with Retry-After, as a problem', async () => {
  const answer = await fetch(`${address}/v1/workspace`)
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1'])
  expect(await answer.json()).toMatchObject({
    code: 'unavailable',
    type: 'http://base/problems/unavailable',
    status: 503,
  })
})
