// What a client costs others that sends its body in chunks of a byte.
import type { IncomingMessage, RequestListener } from 'node:http'
import { connect } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createLogger } from '@wds/telemetry/logger'
import { defaultLimits } from './limits.ts'
import { closeListener, createListener, listen } from './listener.ts'
import { Problem } from './problem.ts'
import { createReadOrigin } from './request-origin.ts'
import { openExchange, sendProblem } from './respond.ts'

const logger = createLogger({ service: 'test', level: 'error' })
/** Hears of each request. */
let onRequest: (request: IncomingMessage) => void = () => undefined
const serve: RequestListener = (request, response) => {
  onRequest(request)
  if (request.url === '/ended') {
    response.writeHead(204).end()
    return
  }
  if (request.url === '/refused')
    return sendProblem(openExchange(request, response, { baseUrl: '' }), new Problem('unauthenticated'))
  const chunks: Buffer[] = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => response.end(Buffer.concat(chunks)))
}
const server = createListener(serve, {
  baseUrl: '',
  logger,
  limits: defaultLimits,
  readOrigin: createReadOrigin(['127.0.0.1']),
})
let port: number
beforeAll(async () => {
  port = await listen(server, { host: '127.0.0.1', port: 0 })
})
afterAll(() => closeListener(server, 0))

const head = (path: string, more = '') =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${more}Transfer-Encoding: chunked\r\n\r\n`
const keepAlive = (path: string) => `POST ${path} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n`

/** How many bytes of chunks of a byte the connection is ahead of 50 of them a millisecond, at most, until many turns bring none. */
async function bytesAhead({ socket }: IncomingMessage, sinceMs: number): Promise<number> {
  let most = 0
  for (let before = 0, idle = 0; idle < 1_000; idle += 1) {
    await new Promise((resolve) => setImmediate(resolve))
    if (socket.bytesRead === before) continue
    before = socket.bytesRead
    idle = 0
    most = Math.max(most, before - (performance.now() - sinceMs) * 50 * tiny.length)
  }
  return most
}

const tiny = '1\r\nx\r\n'
test.each([
  ['a body of them that is refused', `${head('/refused')}${tiny.repeat(300_000)}`],
  ['a body of them that is read', `${head('/read')}${tiny.repeat(300_000)}`],
  ['a body of them whose answer has ended', `${keepAlive('/ended')}${tiny.repeat(300_000)}`],
  ['one whole body of them after the other', `${keepAlive('/refused')}${tiny.repeat(900)}0\r\n\r\n`.repeat(300)],
])(
  'regression: XT08: no more than two packets of chunks of a byte are taken ahead of their pace: %s',
  async (_what, text) => {
    const seen = new Promise<IncomingMessage>((settle) => {
      onRequest = settle
    })
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => undefined).resume()
    const sinceMs = performance.now()
    socket.write(text)
    const ahead = await bytesAhead(await seen, sinceMs)
    socket.destroy()
    // 64 KiB are read at a time.
    expect(ahead).toBeLessThanOrEqual(2 * 65_536)
  },
)

test('regression: while one address floods, bodies in chunks of a byte are taken from another, and those of its own in turn', async () => {
  let went = 0
  onRequest = (request) => {
    if (request.url === '/refused') request.on('data', (chunk: Buffer) => (went += chunk.length > 1 ? 1 : 0))
  }
  const flood = `${head('/refused', 'X-Forwarded-For: 192.0.2.1\r\n')}${tiny.repeat(10_800)}`
  const sockets = Array.from({ length: 160 }, () => connect(port, '127.0.0.1').resume())
  for (const socket of sockets) socket.on('error', () => undefined).write(flood)
  const honest = connect(port, '127.0.0.1')
  honest.write(`${head('/read', 'X-Forwarded-For: 192.0.2.2\r\n')}${tiny.repeat(20_000)}0\r\n\r\n`)
  let answer = ''
  for await (const chunk of honest) answer += chunk
  const before = went
  for (const socket of sockets) socket.destroy()
  expect(answer.split('\r\n\r\n')[1]).toHaveLength(20_000)
  expect(before).toBeLessThan(sockets.length)
})

test('a body in chunks of a byte comes whole and in order, though it is waited for', async () => {
  onRequest = () => undefined
  const bytes = Array.from({ length: 20_000 }, (_, nth) => String(nth % 10)).join('')
  const socket = connect(port, '127.0.0.1')
  socket.write([head('/read'), ...[...bytes].map((byte) => `1\r\n${byte}\r\n`), '0\r\n\r\n'].join(''))
  let answer = ''
  for await (const chunk of socket) answer += chunk
  expect(answer.split('\r\n\r\n')[1]).toBe(bytes)
})

test('regression: what waits for its turn is held as bytes, not piece by piece', async () => {
  setFlagsFromString('--expose_gc')
  const collect = runInNewContext('gc') as () => void
  let waiting = 0
  onRequest = (request) => {
    let pieces = 0
    request.on('data', () => {
      pieces += 1
      if (pieces === 1_000) setImmediate(() => setImmediate(() => (waiting += 1)))
    })
  }
  collect()
  const before = process.memoryUsage().heapUsed
  const text = head('/refused') + '1\r\nx\r\n'.repeat(10_800)
  const sockets = Array.from({ length: 40 }, () => connect(port, '127.0.0.1').resume())
  for (const socket of sockets) socket.on('error', () => undefined).write(text)
  while (waiting < sockets.length) await new Promise((resolve) => setImmediate(resolve))
  collect()
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(20_000_000)
  for (const socket of sockets) socket.destroy()
})
