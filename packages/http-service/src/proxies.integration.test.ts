// Forged forwarding headers against the real listener: what reaches the judge of the token, and plain HTTP.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createHttpService, type HttpServiceOptions, type RunningHttpService } from './service.ts'
import { call } from './widgets/exchange.ts'
import { authenticator, startWidgets, type Widgets } from './widgets/widget-service.ts'

let widgets: Widgets
const running: RunningHttpService[] = []
const seen: string[] = []

beforeAll(async () => {
  widgets = await startWidgets()
})
afterAll(async () => {
  for (const service of running) await service.close({ graceMs: 0 })
  await widgets?.stop()
})

/** A listener that notes the address each token was judged by. */
async function serve(o: Partial<HttpServiceOptions>): Promise<string> {
  const noting: HttpServiceOptions['authenticator'] = {
    authenticate: (authorization, remoteAddress) => {
      seen.push(remoteAddress)
      return authenticator.authenticate(authorization, remoteAddress)
    },
  }
  const service = await createHttpService({ ...widgets.options, authenticator: noting, ...o }).listen({
    host: '127.0.0.1',
    port: 0,
  })
  running.push(service)
  return `http://127.0.0.1:${service.port}`
}

describe('forwarding headers', () => {
  const forged = { 'x-forwarded-for': '203.0.113.9', 'x-forwarded-proto': 'https', 'x-forwarded-host': 'evil.example' }

  test('C61, XT10: forged ones change nothing: the token is judged by the address of the connection', async () => {
    const url = await serve({})
    const plain = await call(`${url}/v1/widgets/mine`)
    const lied = await call(`${url}/v1/widgets/mine`, { headers: forged })
    expect(seen.splice(0)).toEqual(['127.0.0.1', '127.0.0.1'])
    expect([lied.status, lied.text]).toEqual([plain.status, plain.text])
  })

  test('C61: from a listed proxy the token is judged by the address it tells', async () => {
    const url = await serve({ trustedProxies: ['127.0.0.0/8'] })
    await call(`${url}/v1/widgets/mine`, { headers: { ...forged, 'x-forwarded-for': '1.2.3.4, 203.0.113.9' } })
    expect(seen.splice(0)).toEqual(['203.0.113.9'])
  })

  test('C86: plain HTTP is refused, not redirected; a forged scheme does not help, a listed proxy’s does', async () => {
    const strict = await serve({ httpsOnly: true })
    for (const headers of [{}, forged]) {
      const refused = await call(`${strict}/v1/widgets/mine`, { headers })
      expect([refused.status, refused.json.code, refused.headers.has('location')]).toEqual([
        400,
        'invalid_request',
        false,
      ])
    }
    expect((await call(`${strict}/healthz`, { token: null })).status).toBe(200)
    const behind = await serve({ httpsOnly: true, trustedProxies: ['127.0.0.1'] })
    expect((await call(`${behind}/v1/widgets/mine`, { headers: forged })).status).toBe(200)
    const plain = { ...forged, 'x-forwarded-proto': 'http' }
    expect((await call(`${behind}/v1/widgets/mine`, { headers: plain })).status).toBe(400)
  })
})
