import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from '@jest/globals'
import { openExchange } from '@wds/http-service/respond'
import { sendPage, sendRedirect } from './send-page.ts'

type Sender = (exchange: ReturnType<typeof openExchange>) => void

async function answered(send: Sender): Promise<Response> {
  const server = createServer((request, response) => send(openExchange(request, response, { baseUrl: '' })))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const response = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', redirect: 'manual' })
  await response.clone().text()
  server.close()
  server.closeAllConnections()
  return response
}

test('A27: a page is kept by nobody, framed by nobody, tells nobody where one comes from, and loads nothing of others', async () => {
  const response = await answered((exchange) => sendPage(exchange, { status: 200, html: '<p>é' }))
  expect([response.status, await response.text()]).toEqual([200, '<p>é'])
  const of = (name: string) => response.headers.get(name)
  expect(of('content-type')).toBe('text/html; charset=utf-8')
  expect(of('cache-control')).toBe('no-store')
  expect(of('x-frame-options')).toBe('DENY')
  expect(of('referrer-policy')).toBe('no-referrer')
  expect(of('content-security-policy')).toBe(
    "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'",
  )
  expect([of('x-content-type-options'), of('strict-transport-security')]).toEqual([
    'nosniff',
    'max-age=31536000; includeSubDomains',
  ])
})

test('W26: the form of a page may lead to the origins that it names, and to no other', async () => {
  const formTargets = ['https://app.example']
  const response = await answered((exchange) => sendPage(exchange, { status: 200, html: '', formTargets }))
  expect(response.headers.get('content-security-policy')).toMatch(/; form-action 'self' https:\/\/app\.example$/)
})

test('A26, S36: a redirect is 303 and kept by nobody', async () => {
  const response = await answered((exchange) => sendRedirect(exchange, '/there'))
  const { headers, status } = response
  expect([status, headers.get('location'), headers.get('cache-control')]).toEqual([303, '/there', 'no-store'])
})
