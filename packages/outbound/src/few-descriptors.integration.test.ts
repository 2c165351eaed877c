// A process that may open fewer files than it has kept connections to endpoints (reliability.md F63).
import { execFile } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
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
async function outcomesOf(urls: string[], atOnce = 1): Promise<Record<string, number>> {
  const program = [process.execPath, fileURLToPath(new URL('./few-descriptors.fixture.ts', import.meta.url))]
  // Node takes the hard limit for its own.
  const limited = ['-c', 'ulimit -n "$1"; shift; exec "$@"', 'sh', String(openFiles), ...program]
  const { stdout } = await promisify(execFile)('sh', [...limited, nameServer, String(atOnce), ...urls])
  return JSON.parse(stdout) as Record<string, number>
}

test.each([1, 60])(
  'regression: kept connections make room for those to other endpoints, %i at once, where attempts had been given back without need',
  async (atOnce) => {
    const urls = ports.map((port) => `http://127.0.0.1:${port}/`)
    expect(await outcomesOf(urls, atOnce)).toEqual({ answered: urls.length })
  },
)

test.each([1, 60])(
  'regression: they make room for look-ups of names, %i at once, whose lack of a descriptor had been taken for name servers that are away',
  async (atOnce) => {
    const urls = ports.map((port) => `http://h${port}.acme.io:${port}/`)
    expect(await outcomesOf(urls, atOnce)).toEqual({ answered: urls.length })
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
