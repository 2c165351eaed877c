// What a client is told by a process that works on as many requests as it can.
import type { RequestListener, ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createLogger } from '@wds/telemetry/logger'
import { acceptClient } from './caller.ts'
import { defaultLimits } from './limits.ts'
import { closeListener, createListener, listen } from './listener.ts'
import { shedLoad } from './load-shedding.ts'
import { Problem } from './problem.ts'
import { createReadOrigin } from './request-origin.ts'
import { openExchange, sendAnswer, sendParts, sendProblem } from './respond.ts'

const held: ServerResponse[] = []
// More than the kernels of both sides take in.
const part = Buffer.alloc(16_000_000)
async function* parts() {
  for (let nth = 0; nth < 10; nth += 1) yield part
}
const hold: RequestListener = (request, response) => {
  const exchange = openExchange(request, response, o)
  const [, workspaceId, id = ''] = /^Bearer +known (\w+)(?: key (\w+))?/.exec(request.headers.authorization ?? '') ?? []
  if (workspaceId !== undefined) acceptClient(response, Object.assign({ id }, { workspaceId }))
  if (request.url === '/v1/known') sendAnswer(exchange, { status: 200 })
  else if (request.url === '/v1/refused') sendProblem(exchange, new Problem('unauthenticated'))
  else if (request.url === '/v1/large') sendAnswer(exchange, { status: 200, bytes: part })
  else if (request.url === '/v1/file')
    void sendParts(exchange, { status: 200, parts: { length: 10 * part.length, read: parts } })
  else held.push(response)
}
const lines: string[] = []
const logger = createLogger({ service: 'test', level: 'warn', destination: { write: (line) => void lines.push(line) } })
const o = {
  baseUrl: 'http://127.0.0.1',
  logger,
  limits: { ...defaultLimits, unreadBytesPerCaller: 3 * part.length },
  readOrigin: createReadOrigin(['127.0.0.1']),
}
const server = createListener(shedLoad(hold, { ...o, most: 1, always: 1 }), o)
let port: number
let url: string
beforeAll(async () => {
  port = await listen(server, { host: '127.0.0.1', port: 0 })
  url = `http://127.0.0.1:${port}/v1/things`
  for (const token of ['a', 'b', 'slow', 'unread', 'other'])
    await fetch(`http://127.0.0.1:${port}/v1/known`, { headers: { authorization: `Bearer known ${token}` } })
})
afterAll(() => closeListener(server, 0))

const headers = { authorization: 'Bearer known a', 'x-request-id': 'mine-1' }

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
  const other = fetch(url, { headers: { authorization: 'Bearer known b' } })
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

test('regression: F60: a request that is refused before its body came is no request in work, however long the body is waited for', async () => {
  const socket = connect({ port, host: '127.0.0.1' })
  try {
    socket.write('POST /v1/refused HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{')
    await new Promise((settle) => socket.once('readable', settle))
    expect(await statusOf(['accept', '*/*'])).toBe(200)
  } finally {
    socket.destroy()
  }
})

test('regression: F60: who sends ever new tokens is one caller, of his address: one of an accepted token has his share, and one without', async () => {
  const before = held.length
  let refused = 0
  const flood = Array.from({ length: 10 }, async (_, nth) => {
    const { status } = await fetch(url, { headers: { authorization: `Bearer new ${nth}` } })
    if (status === 503) refused += 1
  })
  while (held.length === before || refused < 8) await new Promise((resolve) => setImmediate(resolve))
  expect(await statusOf(['authorization', 'Bearer known a'])).toBe(200)
  expect(await statusOf(['accept', '*/*'])).toBe(200)
  for (const response of held.slice(before)) response.end('done')
  await Promise.all(flood)
  expect(refused).toBe(9)
})

test.each<[string, (nth: number) => string]>([
  ['a token in ever new ways', (nth) => `Bearer${' '.repeat(nth + 2)}known a`],
  ['ever new tokens of his', (nth) => `Bearer known a ${nth}`],
  ['one key after the other of its workspace', (nth) => `Bearer known a key ${nth}`],
])('regression: F60: a client that sends %s has the share of one', async (_what, authorizationOf) => {
  const flooding = Array.from({ length: 10 }, (_, nth) => ({ headers: { authorization: authorizationOf(nth) } }))
  for (const each of flooding) await fetch(`http://127.0.0.1:${port}/v1/known`, each)
  const before = held.length
  let refused = 0
  const flood = flooding.map(async (each) => {
    if ((await fetch(url, each)).status === 503) refused += 1
  })
  while (held.length === before || refused < 8) await new Promise((resolve) => setImmediate(resolve))
  const other = await statusOf(['authorization', 'Bearer known b'])
  for (const response of held.slice(before)) response.end('done')
  await Promise.all(flood)
  expect(other).toBe(200)
  expect(refused).toBe(9)
})

/** The header by which a caller is known, and what it says of him. */
type Caller = [name: string, value: string]

/** Asks, and never reads: resolves once the answer has begun. */
async function askUnread(path: string, [name, value]: Caller): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1' })
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n${name}: ${value}\r\n\r\n`)
  await new Promise((settle) => socket.once('readable', settle))
  return socket
}

/** The answer of a request that is held until it is let in. */
async function statusOf(caller: Caller): Promise<number> {
  const before = held.length
  let status = 0
  const asked = fetch(url, { headers: [caller] }).then((answer) => {
    status = answer.status
  })
  while (status === 0 && held.length === before) await new Promise((resolve) => setImmediate(resolve))
  held[before]?.end('done')
  await asked
  return status
}

test('regression: a file that its client takes slowly is no request in work: others of the same caller are let in', async () => {
  const slow: Caller = ['authorization', 'Bearer known slow']
  const socket = await askUnread('/v1/file', slow)
  try {
    expect(await statusOf(slow)).toBe(200)
  } finally {
    socket.destroy()
  }
})

test.each<[string, Caller, Caller]>([
  ['by his accepted token', ['authorization', 'Bearer known unread'], ['authorization', 'Bearer known other']],
  ['by his address behind a proxy', ['x-forwarded-for', '192.0.2.1'], ['x-forwarded-for', '192.0.2.2']],
])(
  'regression: a caller, known %s, who leaves many answers unread is let in again once they are gone; others are let in',
  async (_how, unread, other) => {
    const sockets: Socket[] = []
    try {
      while (sockets.length < 3) sockets.push(await askUnread('/v1/large', unread))
      expect(await statusOf(unread)).toBe(503)
      expect(await statusOf(other)).toBe(200)
      for (const socket of sockets) socket.destroy()
      while ((await statusOf(unread)) !== 200);
    } finally {
      for (const socket of sockets) socket.destroy()
    }
  },
)
