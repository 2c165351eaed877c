// A process that may open fewer files than it has kept connections to endpoints (reliability.md F63).
import { spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
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

/** How many attempts ended in which way. */
async function outcomesOf(urls: string[], o: { atOnce?: number; onEnd?(outcome: string): void } = {}) {
  const { atOnce = 1, onEnd } = o
  const program = [process.execPath, fileURLToPath(new URL('./few-descriptors.fixture.ts', import.meta.url))]
  // Node takes the hard limit for its own.
  const limited = ['-c', 'ulimit -n "$1"; shift; exec "$@"', 'sh', String(openFiles), ...program]
  const child = spawn('sh', [...limited, nameServer, String(atOnce), ...urls], { stdio: ['ignore', 'pipe', 'inherit'] })
  const outcomes: Record<string, number> = {}
  for await (const outcome of createInterface(child.stdout)) {
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
    onEnd?.(outcome)
  }
  return outcomes
}

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
