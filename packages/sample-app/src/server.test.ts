// Which requests the app accepts; the whole flow runs in a browser (test-e2e/browser/sample-app-journey.ts).
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import type { Registration } from './registration.ts'
import { sampleApp } from './server.ts'

let server: Server
let port: number
let registration: Registration
beforeEach(async () => {
  server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
  const redirect_url = `http://localhost:${port}/callback`
  registration = { api: 'http://127.0.0.1:9', client_id: 'cli_1', client_secret: 'wds_1', redirect_url }
  server.on('request', sampleApp(registration))
})
afterEach(() => {
  server.close()
  server.closeAllConnections()
})

function ask(path: string, o: { method?: string; headers?: Record<string, string> } = {}) {
  return new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; body: string }>((resolve, reject) => {
    const headers = { host: `localhost:${port}`, ...o.headers }
    const sent = request({ host: '127.0.0.1', port, path, method: o.method ?? 'GET', headers }, async (answer) => {
      resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: await text(answer) })
    })
    sent.on('error', reject)
    sent.end()
  })
}

test('the page runs no script, and nothing of it is kept or framed', async () => {
  const { status, headers, body } = await ask('/')
  expect([status, headers['cache-control'], body.includes('Begin')]).toEqual([200, 'no-store', true])
  expect(headers['content-security-policy']).toMatch(/^default-src 'none'; .*frame-ancestors 'none'$/)
  expect(headers['set-cookie']).toEqual([expect.stringMatching(/HttpOnly; SameSite=Lax/)])
})

test.each([
  ['another name of this address', '/', { headers: { host: 'rebound.example' } }, 421],
  ['a form of another site', '/begin', { method: 'POST', headers: { 'sec-fetch-site': 'cross-site' } }, 403],
  ['a form without an origin', '/begin', { method: 'POST' }, 403],
  ['a step that is none', '/delete', { method: 'POST', headers: { 'sec-fetch-site': 'same-origin' } }, 404],
  ['a page that is none', '/tokens', {}, 404],
  ['an address that is none', '//', {}, 404],
] as const)('%s is refused', async (_, path, o, status) => {
  expect((await ask(path, o)).status).toBe(status)
})

test('the page says that the service is away, and that a redirect was not asked for, as text', async () => {
  const own = { 'sec-fetch-site': 'same-origin' }
  const begun = await ask('/begin', { method: 'POST', headers: own })
  expect([begun.status, begun.headers.location]).toEqual([303, '/#next'])
  const cookie = String(begun.headers['set-cookie']).split(';', 1)[0] as string
  expect((await ask('/', { headers: { cookie } })).body).toContain('The service does not answer at http://127.0.0.1:9')
  await ask('/callback?error=%3Cscript%3E', { headers: { cookie } })
  const { body } = await ask('/', { headers: { cookie } })
  expect([body.includes('had sent no authorisation request'), body.includes('<script>')]).toEqual([true, false])
  // Another browser knows nothing of it.
  expect((await ask('/')).body).not.toContain('had sent no authorisation request')
})

/** Answers discovery as the service does, and nothing else. */
async function startService(): Promise<{ url: string; stop(): void }> {
  const service = createServer((incoming, answer) => {
    const issuer = `http://${incoming.headers.host}`
    const document = incoming.url?.startsWith('/.well-known/oauth-protected-resource')
      ? { resource: issuer, authorization_servers: [issuer] }
      : { issuer, authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token` }
    answer.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document))
  })
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
  const stop = () => {
    service.close()
    service.closeAllConnections()
  }
  return { url: `http://127.0.0.1:${(service.address() as AddressInfo).port}`, stop }
}

test('regression: a redirect without the state that was sent changes nothing, whether it carries a code or an error', async () => {
  const service = await startService()
  try {
    registration.api = service.url
    const begun = await ask('/begin', { method: 'POST', headers: { 'sec-fetch-site': 'same-origin' } })
    const headers = { cookie: String(begun.headers['set-cookie']).split(';', 1)[0] as string }
    const sent = /\bstate=([\w-]+)/.exec((await ask('/', { headers })).body)?.[1]
    for (const query of ['code=x', 'code=x&state=other', 'error=access_denied&state=other']) {
      await ask(`/callback?${query}`, { headers })
      const { body } = await ask('/', { headers })
      expect([body.includes('without the state'), body.includes('Go to the service and decide')]).toEqual([true, true])
    }
    await ask(`/callback?code=x&state=${sent}`, { headers })
    expect((await ask('/', { headers })).body).toContain('Exchange the code for tokens')
  } finally {
    service.stop()
  }
})
