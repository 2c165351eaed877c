// What the app takes and from whom; the flow itself is walked through in a browser (test-e2e/browser/sample-app-journey.ts).
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { sampleApp } from './server.ts'

let server: Server
let port: number
beforeEach(async () => {
  server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
  const redirect_url = `http://localhost:${port}/callback`
  server.on(
    'request',
    sampleApp({ api: 'http://127.0.0.1:9', client_id: 'cli_1', client_secret: 'wds_1', redirect_url }),
  )
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

test('a service that is away is told, and so is an answer that nobody asked for, as text', async () => {
  const own = { 'sec-fetch-site': 'same-origin' }
  const begun = await ask('/begin', { method: 'POST', headers: own })
  expect([begun.status, begun.headers.location]).toEqual([303, '/#next'])
  const cookie = String(begun.headers['set-cookie']).split(';', 1)[0] as string
  expect((await ask('/', { headers: { cookie } })).body).toContain('The service does not answer at http://127.0.0.1:9')
  await ask('/callback?error=%3Cscript%3E', { headers: { cookie } })
  const { body } = await ask('/', { headers: { cookie } })
  expect([body.includes('had asked for nothing'), body.includes('<script>')]).toEqual([true, false])
  // Another browser knows nothing of it.
  expect((await ask('/')).body).not.toContain('had asked for nothing')
})
