import type { Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from '@jest/globals'
import { threadCpuMs } from '@wds/telemetry/event-loop-delay'
import { AnswerMeter, answerBytesMax, handshakeBytesMax, MeteredSocket } from './metered-socket.ts'

function metered(waits: number[] = []) {
  const raw = new PassThrough()
  const spent: number[] = []
  const meter = new AnswerMeter()
  const budget = { waitMs: () => waits.shift() ?? 0, spend: (ms: number) => void spent.push(ms) }
  const socket = new MeteredSocket(raw as unknown as Socket, { budget, meter })
  const seen = { bytes: 0, code: '' }
  socket.on('data', (chunk: Buffer) => {
    seen.bytes += chunk.length
  })
  socket.on('error', (error: NodeJS.ErrnoException) => {
    seen.code = error.code ?? ''
  })
  return { raw, socket, meter, seen, spent }
}

const closed = (socket: MeteredSocket) => new Promise((resolve) => socket.once('close', resolve))

test('of a handshake above the bound TLS gets nothing beyond it', async () => {
  const { raw, socket, seen } = metered()
  raw.write(Buffer.alloc(handshakeBytesMax))
  await turn()
  expect(seen).toEqual({ bytes: handshakeBytesMax, code: '' })
  raw.write(Buffer.alloc(1))
  await closed(socket)
  expect(seen).toEqual({ bytes: handshakeBytesMax, code: 'WDS_HANDSHAKE_TOO_LARGE' })
})

test('a handshake waits for its turn, and what it costs is spent', async () => {
  const { raw, socket, seen, spent } = metered([1, 1])
  raw.write(Buffer.alloc(100))
  await turn()
  expect([seen.bytes, spent]).toEqual([0, []])
  await new Promise((resolve) => socket.once('data', resolve))
  await turn()
  expect([seen.bytes, spent.length]).toEqual([100, 1])
  socket.destroy()
})

test('bytes of answers are counted from their request on; above the bound what came before is read, then it ends', async () => {
  const { raw, socket, meter, seen } = metered()
  socket.opened()
  for (let nth = 0; nth < 3; nth += 1) {
    meter.restart()
    raw.write(Buffer.alloc(answerBytesMax))
    await turn()
  }
  expect(seen).toEqual({ bytes: 3 * answerBytesMax, code: '' })
  raw.write(Buffer.alloc(1))
  await closed(socket)
  expect(seen).toEqual({ bytes: 3 * answerBytesMax, code: 'WDS_ANSWER_TOO_LARGE' })
})

/** Whoever reads from the socket computes so long for each chunk. */
function computes(socket: MeteredSocket, ms: number): void {
  socket.on('data', () => {
    for (const untilMs = threadCpuMs() + ms; threadCpuMs() < untilMs; );
  })
}

test('regression: an answer that costs more than an ordinary one, as with thousands of session tickets, is paid for', async () => {
  const { raw, socket, meter, seen, spent } = metered([0, 1])
  computes(socket, 20)
  socket.opened()
  // It flows from then on.
  await turn()
  spent.length = 0
  raw.write(Buffer.alloc(100))
  await turn()
  expect([seen.bytes, spent.length]).toEqual([100, 1])
  expect(spent[0]).toBeGreaterThan(10)
  // The next one waits until that is paid off.
  meter.restart()
  raw.write(Buffer.alloc(100))
  await turn()
  expect(seen.bytes).toBe(100)
  await new Promise((resolve) => socket.once('data', resolve))
  socket.destroy()
})

test('an ordinary answer owes nothing, nor does a long one', () => {
  const meter = new AnswerMeter(Number.POSITIVE_INFINITY)
  for (let nth = 0; nth < 1_000; nth += 1) {
    meter.restart()
    meter.takes(1_000)
    expect(meter.owes(1)).toBe(0)
  }
  meter.restart()
  let owed = 0
  for (let nth = 0; nth < 1_000; nth += 1) {
    meter.takes(16_384)
    owed += meter.owes(0.1)
  }
  expect(owed).toBe(0)
})
