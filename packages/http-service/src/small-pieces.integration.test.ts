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
import { openExchange, sendProblem } from './respond.ts'

const logger = createLogger({ service: 'test', level: 'error' })
/** Hears of each request. */
let onRequest: (request: IncomingMessage) => void = () => undefined
const serve: RequestListener = (request, response) => {
  onRequest(request)
  if (request.url === '/refused')
    return sendProblem(openExchange(request, response, { baseUrl: '' }), new Problem('unauthenticated'))
  const chunks: Buffer[] = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => response.end(Buffer.concat(chunks)))
}
const server = createListener(serve, { baseUrl: '', logger, limits: defaultLimits })
let port: number
beforeAll(async () => {
  port = await listen(server, { host: '127.0.0.1', port: 0 })
})
afterAll(() => closeListener(server, 0))

const head = (path: string) =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n`

test.each(['/refused', '/read'])(
  'regression: XT08: one turn of the event loop takes no more than a packet of a body in chunks of a byte, sent to %s',
  async (path) => {
    const turns: number[] = []
    const seen = new Promise<void>((settle) => {
      onRequest = (request) => {
        let pieces = 0
        const endTurn = () => {
          turns.push(pieces)
          pieces = 0
          if (turns.length === 4) settle()
        }
        request.on('data', () => {
          if (pieces === 0) setImmediate(endTurn)
          pieces += 1
        })
      }
    })
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => undefined).resume()
    socket.write(head(path) + '1\r\nx\r\n'.repeat(300_000))
    await seen
    socket.destroy()
    // 64 KiB are read at a time.
    expect(Math.max(...turns)).toBeLessThan(65_536 / 6)
  },
)

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
