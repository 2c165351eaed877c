// What a client is told by a process that works on as many requests as it can.
import type { RequestListener, ServerResponse } from 'node:http'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createLogger } from '@wds/telemetry/logger'
import { defaultLimits } from './limits.ts'
import { closeListener, createListener, listen } from './listener.ts'
import { shedLoad } from './load-shedding.ts'

const held: ServerResponse[] = []
const hold: RequestListener = (_request, response) => void held.push(response)
const lines: string[] = []
const logger = createLogger({ service: 'test', level: 'warn', destination: { write: (line) => void lines.push(line) } })
const o = { baseUrl: 'http://127.0.0.1', logger, limits: defaultLimits }
const server = createListener(shedLoad(hold, { ...o, most: 1, always: 1 }), o)
let url: string
beforeAll(async () => {
  url = `http://127.0.0.1:${await listen(server, { host: '127.0.0.1', port: 0 })}/v1/things`
})
afterAll(() => closeListener(server, 0))

const headers = { authorization: 'Bearer a', 'x-request-id': 'mine-1' }

test('F60, C10: one too many is told at once to come again, also with a body that nobody reads; the next one is let in', async () => {
  const first = fetch(url, { headers })
  while (held.length === 0) await new Promise((resolve) => setImmediate(resolve))
  for (const request of [{}, { method: 'POST', body: 'x'.repeat(100_000) }]) {
    const refused = await fetch(url, { headers, ...request })
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
    expect(refused.headers.get('content-type')).toBe('application/problem+json')
    expect(refused.headers.get('x-client-request-id')).toBe('mine-1')
    expect(refused.headers.get('x-request-id')).toMatch(/^req_/)
    expect(await refused.json()).toMatchObject({ status: 503, code: 'unavailable' })
  }
  // Another caller has a share.
  const other = fetch(url, { headers: { authorization: 'Bearer b' } })
  while (held.length === 1) await new Promise((resolve) => setImmediate(resolve))
  for (const response of held) response.end('done')
  expect(await (await first).text()).toBe('done')
  expect(await (await other).text()).toBe('done')
  const next = fetch(url, { headers })
  while (held.length === 2) await new Promise((resolve) => setImmediate(resolve))
  held[2]?.end('done')
  expect((await next).status).toBe(200)
  // One line for many.
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ requests: 1, in_work: 1 }])
})
