// Stands between TCP and TLS and bounds what a receiver may make us compute: the bytes of its handshake and of an answer, whatever they are,
// and the time that both take. Bytes above a bound are never given to TLS.

import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { threadCpuMs } from '@wds/telemetry/event-loop-delay'

/** A receiver's part of a handshake is 2 to 6 KB, with RSA of 4,096 bits and hundreds of names 16. OpenSSL itself takes 100. */
export const handshakeBytesMax = 24_576
/** A body of 64 KiB, its headers of 16, and their encoding. */
export const answerBytesMax = 131_072
/** Computing of an answer that is not owed, ms: ten times what one takes, and then for each KiB, five times that of a long one. */
const answerFree = { ms: 2, msPerKib: 0.02 }

/** Others of the workspace may have succeeded meanwhile, and owe nothing. */
const lookAgainMs = 100

/** The receiver sent more than is taken. */
export class TooManyBytes extends Error {
  readonly code: 'WDS_HANDSHAKE_TOO_LARGE' | 'WDS_ANSWER_TOO_LARGE'

  constructor(code: TooManyBytes['code']) {
    super('the receiver sent more than is taken')
    this.code = code
  }
}

/** What receivers of this workspace have cost (tls-budget.ts). */
export interface Budget {
  waitMs(): number
  spend(ms: number): void
}

/** Counts what comes in answer to one request, and what it costs. */
export class AnswerMeter {
  #bytes = 0
  #costMs = 0
  #owedMs = 0
  readonly #bytesMax: number

  /** `bytesMax`: of anything in answer to one request. */
  constructor(bytesMax = answerBytesMax) {
    this.#bytesMax = bytesMax
  }

  /** A request is written. */
  restart(): void {
    this.#bytes = 0
    this.#costMs = 0
    this.#owedMs = 0
  }

  /** False: it is too much. */
  takes(bytes: number): boolean {
    this.#bytes += bytes
    return this.#bytes <= this.#bytesMax
  }

  /** After `ms` of computing: how much of it is more than an ordinary answer takes. */
  owes(ms: number): number {
    this.#costMs += ms
    const aboveMs = this.#costMs - answerFree.ms - (this.#bytes / 1_024) * answerFree.msPerKib
    const owedMs = Math.max(0, aboveMs - this.#owedMs)
    this.#owedMs += owedMs
    return owedMs
  }
}

/** The stream that TLS runs on. */
export class MeteredSocket extends Duplex {
  readonly #raw: Socket
  readonly #budget: Budget
  readonly #meter: AnswerMeter
  #isOpen = false
  #hasEnded = false
  #bytes = 0
  #costMs = 0
  #waiting: NodeJS.Timeout | null = null
  #onDrain: (() => void) | null = null

  constructor(raw: Socket, o: { budget: Budget; meter: AnswerMeter }) {
    super()
    this.#raw = raw
    this.#budget = o.budget
    this.#meter = o.meter
    raw.on('data', (chunk: Buffer) => this.#take(chunk))
    raw.on('end', () => {
      this.#hasEnded = true
      this.push(null)
    })
    raw.on('error', (error) => this.destroy(error))
    // What came before a regular end may still have to be read.
    raw.on('close', () => {
      if (!this.#hasEnded) this.destroy()
    })
    raw.on('drain', () => this.#drained())
  }

  /** The handshake succeeded: what it cost is not owed. */
  opened(): void {
    this.#isOpen = true
    this.#budget.spend(-this.#costMs)
  }

  #take(chunk: Buffer): void {
    if (this.destroyed) return
    if (!this.#isOpen) {
      this.#bytes += chunk.length
      if (this.#bytes > handshakeBytesMax) this.destroy(new TooManyBytes('WDS_HANDSHAKE_TOO_LARGE'))
      else this.#takeInTurn(chunk)
    } else if (this.#meter.takes(chunk.length)) this.#takeInTurn(chunk)
    else {
      this.#raw.pause()
      // What came before it is read first: an answer that has begun counts as one.
      setImmediate(() => this.destroy(new TooManyBytes('WDS_ANSWER_TOO_LARGE')))
    }
  }

  #takeInTurn(chunk: Buffer): void {
    this.#waiting = null
    const waitMs = this.#budget.waitMs()
    if (waitMs > 0) {
      this.#raw.pause()
      this.#waiting = setTimeout(() => this.#takeInTurn(chunk), Math.min(waitMs, lookAgainMs))
      return
    }
    const wasOpen = this.#isOpen
    const beganMs = threadCpuMs()
    const takesMore = this.push(chunk)
    this.#spend(threadCpuMs() - beganMs, wasOpen)
    if (takesMore) this.#raw.resume()
    else this.#raw.pause()
  }

  #spend(ms: number, wasOpen: boolean): void {
    // A handshake that succeeded in there owes nothing.
    const owedMs = wasOpen ? this.#meter.owes(ms) : this.#isOpen ? 0 : ms
    if (!wasOpen) this.#costMs += owedMs
    this.#budget.spend(owedMs)
  }

  #drained(): void {
    const go = this.#onDrain
    this.#onDrain = null
    go?.()
  }

  override _read(): void {
    if (this.#waiting === null) this.#raw.resume()
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    if (this.#raw.write(chunk)) done()
    else this.#onDrain = done
  }

  override _writev(chunks: { chunk: Buffer }[], done: () => void): void {
    this._write(Buffer.concat(chunks.map(({ chunk }) => chunk)), 'buffer' as BufferEncoding, done)
  }

  override _final(done: () => void): void {
    this.#raw.end(done)
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    if (this.#waiting !== null) clearTimeout(this.#waiting)
    this.#raw.destroy()
    done(error)
  }
}
