import { once } from 'node:events'
import type { Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from '@jest/globals'
import { threadCpuMs } from '@wds/telemetry/event-loop-delay'
import { AnswerMeter, answerBytesMax, handshakeBytesMax, MeteredSocket } from './metered-socket.ts'

/** A socket, what came out of it, and in which order its budget was asked (`waits`: for how many ms, then for none), bytes were taken, and what they cost was spent. */
function metered(waits: number[] = []) {
  const raw = new PassThrough()
  const events: string[] = []
  const spent: number[] = []
  const meter = new AnswerMeter()
  const budget = {
    waitMs() {
      events.push('asked')
      return waits.shift() ?? 0
    },
    spend(ms: number) {
      events.push('spent')
      spent.push(ms)
    },
  }
  const socket = new MeteredSocket(raw as unknown as Socket, { budget, meter })
  const seen = { bytes: 0, code: '' }
  socket.on('data', (chunk: Buffer) => {
    events.push('taken')
    seen.bytes += chunk.length
  })
  socket.on('error', (error: NodeJS.ErrnoException) => {
    seen.code = error.code ?? ''
  })
  return { raw, socket, meter, seen, events, spent }
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
  const { raw, socket, events } = metered([1, 1])
  // It flows from then on: whoever reads takes a chunk at once.
  await turn()
  const taken = once(socket, 'data')
  raw.write(Buffer.alloc(100))
  await taken
  await turn()
  expect(events).toEqual(['asked', 'asked', 'asked', 'taken', 'spent'])
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
  const { raw, socket, meter, events, spent } = metered([0, 1])
  computes(socket, 20)
  // It flows from then on.
  await turn()
  socket.opened()
  expect(events.splice(0)).toEqual(['spent'])
  for (const expected of [
    ['asked', 'taken', 'spent'],
    // The next one waits until the first is paid off.
    ['asked', 'asked', 'taken', 'spent'],
  ]) {
    meter.restart()
    const taken = once(socket, 'data')
    raw.write(Buffer.alloc(100))
    await taken
    await turn()
    expect(events.splice(0)).toEqual(expected)
    expect(spent.at(-1)).toBeGreaterThan(10)
  }
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
