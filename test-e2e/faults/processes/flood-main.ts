/**
 * A flood of requests from a process of its own: raw sockets, so that it leaves the processors to what it floods. Reads a `Flood` as its
 * argument, writes a `Flooded`, both JSON.
 */
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Flood {
  port: number
  /** Taken in turn: request line and headers, and the body. */
  requests: { head: string; body: string }[]
  seconds: number
  /** Requests a second, due at instants that no answer moves; null: each connection asks again when it was answered. */
  rate: number | null
  /** Connections at most. */
  connections: number
}

export interface Flooded {
  /** Due, and not sent, since every connection was waiting. */
  unsent: number
  /** Connections that were cut before their answer. */
  cut: number
  /** By status: how many, and their latency from the instant of sending in ms. */
  answers: Record<string, { count: number; p50: number; p95: number; max: number }>
  /** Answers of 200 in each second. */
  okPerSecond: number[]
}

const flood = JSON.parse(process.argv[2] ?? '') as Flood
const requests = flood.requests.map(({ head, body }) =>
  Buffer.from(`${head}\r\nhost: 127.0.0.1\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`),
)
const took = new Map<number, number[]>()
const okPerSecond = Array.from({ length: flood.seconds }, () => 0)
const startedMs = performance.now()
const endMs = startedMs + flood.seconds * 1_000
const idle: Connection[] = []
let opened = 0
let next = 0
let unsent = 0
let cut = 0

class Connection {
  readonly #socket: Socket
  #sentMs = 0
  #isWaiting = false
  #left = -1
  #text = ''

  constructor() {
    opened += 1
    this.#socket = connect({ port: flood.port, host: '127.0.0.1', noDelay: true })
    this.#socket.on('data', (chunk) => this.#read(chunk))
    this.#socket.on('error', () => undefined)
    this.#socket.on('close', () => {
      opened -= 1
      const place = idle.indexOf(this)
      if (place !== -1) idle.splice(place, 1)
      if (this.#isWaiting && performance.now() < endMs) cut += 1
    })
  }

  send(): void {
    this.#isWaiting = true
    this.#sentMs = performance.now()
    this.#socket.write(requests[next++ % requests.length] as Buffer)
  }

  end(): void {
    this.#socket.destroy()
  }

  #read(chunk: Buffer): void {
    if (this.#left === -1) {
      this.#text += chunk.toString('latin1')
      const headEnd = this.#text.indexOf('\r\n\r\n')
      if (headEnd === -1) return
      const length = Number(/content-length: (\d+)/i.exec(this.#text)?.[1] ?? 0)
      this.#left = length - (this.#text.length - headEnd - 4)
    } else this.#left -= chunk.length
    if (this.#left > 0) return
    const nowMs = performance.now()
    const status = Number(this.#text.slice(9, 12))
    const times = took.get(status) ?? []
    took.set(status, times)
    times.push(nowMs - this.#sentMs)
    const second = Math.floor((nowMs - startedMs) / 1_000)
    if (status === 200 && second < okPerSecond.length) okPerSecond[second] = (okPerSecond[second] ?? 0) + 1
    const closes = /\r\nconnection: close/i.test(this.#text)
    this.#left = -1
    this.#text = ''
    this.#isWaiting = false
    if (closes) this.end()
    else if (flood.rate === null && nowMs < endMs) this.send()
    else idle.push(this)
  }
}

if (flood.rate === null) for (let nth = 0; nth < flood.connections; nth += 1) new Connection().send()
for (let due = 0; performance.now() < endMs; await sleep(1)) {
  if (flood.rate === null) continue
  const wanted = Math.floor(((performance.now() - startedMs) / 1_000) * flood.rate)
  for (; due < wanted; due += 1) {
    const connection = idle.pop() ?? (opened < flood.connections ? new Connection() : null)
    if (connection === null) unsent += 1
    else connection.send()
  }
}
// What was sent is answered.
await sleep(1_000)
const answers: Flooded['answers'] = {}
for (const [status, times] of took) {
  const sorted = Float64Array.from(times).sort()
  const at = (share: number) => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0)
  answers[status] = { count: times.length, p50: at(0.5), p95: at(0.95), max: at(1) }
}
process.stdout.write(JSON.stringify({ unsent, cut, answers, okPerSecond } satisfies Flooded))
process.exit(0)
