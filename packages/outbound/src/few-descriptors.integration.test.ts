// A process that may open fewer files than it has kept connections to endpoints (reliability.md F63).
import { spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { closeAll, http, onClose } from './loopback-rig.ts'

const openFiles = 120
/** The former are more than are kept when descriptors run out. */
const [closing, keeping] = [150, 300]
let ports: number[]
let nameServer: string
beforeAll(async () => {
  ports = await Promise.all(Array.from({ length: keeping }, () => http((_request, response) => response.end())))
  nameServer = await startNameServer()
})
afterAll(closeAll)

/** 127.0.0.1 for every name, kept for no time. RFC 1035 4.1. */
async function startNameServer(): Promise<string> {
  const socket = createSocket('udp4')
  socket.on('message', (question, from) => {
    const end = question.indexOf(0, 12) + 5
    const isA = question.readUInt16BE(end - 4) === 1
    const header = Buffer.from([...question.subarray(0, 2), 0x81, 0x80, 0, 1, 0, Number(isA), 0, 0, 0, 0])
    const record = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, 127, 0, 0, 1])
    socket.send(Buffer.concat([header, question.subarray(12, end), ...(isA ? [record] : [])]), from.port, from.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  onClose(() => void socket.close())
  return `127.0.0.1:${socket.address().port}`
}

/** The lines of a fixture that may open so few files. */
function linesOf(fixture: URL, args: string[]) {
  const program = [process.execPath, fileURLToPath(fixture)]
  // Node takes the hard limit for its own.
  const limited = ['-c', 'ulimit -n "$1"; shift; exec "$@"', 'sh', String(openFiles), ...program]
  const child = spawn('sh', [...limited, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  return createInterface(child.stdout)
}

/** How many lines there are of each. */
async function countOf(lines: AsyncIterable<string>, onLine?: (line: string) => void) {
  const counts: Record<string, number> = {}
  for await (const line of lines) {
    counts[line] = (counts[line] ?? 0) + 1
    onLine?.(line)
  }
  return counts
}

/** How many attempts ended in which way. */
const outcomesOf = (urls: string[], { atOnce = 1, onEnd }: { atOnce?: number; onEnd?(outcome: string): void } = {}) =>
  countOf(
    linesOf(new URL('./few-descriptors.fixture.ts', import.meta.url), [nameServer, String(atOnce), ...urls]),
    onEnd,
  )

test.each([1, 60])(
  'regression: kept connections make room for those to other endpoints, %i at once, where attempts had been given back without need',
  async (atOnce) => {
    // Those whose connections were ended are sent to again.
    const urls = [...ports, ...ports].map((port) => `http://127.0.0.1:${port}/`)
    expect(await outcomesOf(urls, { atOnce })).toEqual({ answered: urls.length })
  },
)

test.each([1, 60])(
  'regression: they make room for look-ups of names, %i at once, whose lack of a descriptor had been taken for name servers that are away',
  async (atOnce) => {
    const urls = ports.map((port) => `http://h${port}.acme.io:${port}/`)
    expect(await outcomesOf(urls, { atOnce })).toEqual({ answered: urls.length })
  },
)

test('regression: endpoints whose connections have ended do not count among those that make room', async () => {
  const closed = await http((_request, response) => response.setHeader('connection', 'close').end())
  const urls = [
    ...Array.from({ length: closing }, (_, nth) => `http://c${nth}.acme.io:${closed}/`),
    ...ports.map((port) => `http://127.0.0.1:${port}/`),
  ]
  expect(await outcomesOf(urls)).toEqual({ answered: urls.length })
})

test('regression: they make room for the fresh connection after a reset, where the attempt had ended as unknown', async () => {
  const seen = new WeakSet<Socket>()
  // The second request of a connection finds it dead.
  const resets = await http(({ socket }, response) => {
    if (seen.has(socket)) return void socket.resetAndDestroy()
    seen.add(socket)
    response.end()
  })
  const urls = [resets, ...ports.slice(0, 8)].map((port) => `http://127.0.0.1:${port}/`)
  expect(await countOf(linesOf(new URL('./reset-without-descriptor.fixture.ts', import.meta.url), urls))).toEqual({
    'answered true': 1,
  })
})

test.each([
  ['addresses', (port: number) => `http://127.0.0.1:${port}/`],
  ['names', (port: number) => `http://h${port}.acme.io:${port}/`],
])('regression: kept connections to feeds make room for those to others, by %s', async (_, urlOf) => {
  const urls = ports.map(urlOf)
  expect(
    await countOf(linesOf(new URL('./few-descriptors-feeds.fixture.ts', import.meta.url), [nameServer, ...urls])),
  ).toEqual({
    200: urls.length,
  })
})

test('regression: they make room for the connections of others in the process, to an address or a name, at the second try', async () => {
  const urls = ports.slice(0, 16).map((port) => `http://127.0.0.1:${port}/`)
  expect(await countOf(linesOf(new URL('./others-without-descriptor.fixture.ts', import.meta.url), urls))).toEqual({
    'failed, connected': 2,
  })
})

test('regression: while attempts under way hold every descriptor, further ones are given back at once', async () => {
  let held: ServerResponse[] | null = []
  const port = await http((_request, response) => (held === null ? response.end() : held.push(response)))
  const urls = Array.from({ length: 200 }, (_, nth) => `http://h${nth}.acme.io:${port}/`)
  const answerAll = (outcome: string) => {
    if (outcome !== 'released') return
    for (const response of held ?? []) response.end()
    held = null
  }
  const outcomes = await outcomesOf(urls, { atOnce: urls.length, onEnd: answerAll })
  expect(Object.keys(outcomes).sort()).toEqual(['answered', 'released'])
})
