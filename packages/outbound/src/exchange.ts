// One HTTP request on one pool: sends it, reads the status line and at most the given bytes of the body, and can be ended at any moment.
// It follows no redirect, never rejects, and keeps apart whether a byte had been sent.

import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher } from 'undici'
import type { PoolEntry } from './connection-pools.ts'

/** How an exchange ended. An answer whose status line arrived counts as answered, however its body ended (settled-points.md 5). */
export type ExchangeEnd =
  | { kind: 'answered'; status: number; headers: IncomingHttpHeaders; body: Buffer }
  | { kind: 'failed'; error: Error; isSent: boolean; isAnswerBegun: boolean; isReused: boolean }

/** An exchange under way. */
export interface Exchange {
  readonly end: Promise<ExchangeEnd>
  /** Ends it at once; without effect when it has ended. */
  abort(error: Error): void
}

/** What to send. */
export interface ExchangeRequest {
  readonly method: 'POST'
  readonly path: string
  readonly headers: Record<string, string>
  readonly body: Uint8Array
  readonly bodyBytesMax: number
}

class StatusError extends Error {
  readonly code = 'HPE_INVALID_STATUS'
}

/** The exchange and what undici tells of it. */
class RunningExchange implements Exchange, Dispatcher.DispatchHandler {
  readonly end: Promise<ExchangeEnd>
  #finish: (end: ExchangeEnd) => void = () => {}
  readonly #entry: PoolEntry
  readonly #connectedBefore: number
  readonly #bodyBytesMax: number
  #controller: Dispatcher.DispatchController | null = null
  #isDone = false
  #isAnswerBegun = false
  #isReused = false
  #status: number | null = null
  #headers: IncomingHttpHeaders = {}
  #body: Buffer = Buffer.alloc(0)
  #bytes = 0

  constructor(entry: PoolEntry, bodyBytesMax: number) {
    this.#entry = entry
    this.#connectedBefore = entry.connected
    this.#bodyBytesMax = bodyBytesMax
    this.end = new Promise((resolve) => {
      this.#finish = resolve
    })
  }

  abort(error: Error): void {
    if (this.#isDone) return
    this.done(error)
    this.#controller?.abort(error)
  }

  done(error: Error | null): void {
    if (this.#isDone) return
    this.#isDone = true
    this.#finish(this.#endBy(error))
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // The attempt was ended while the connection was being made: nothing is sent.
    if (this.#isDone) controller.abort(new Error('ended before it was sent'))
    else {
      this.#controller = controller
      this.#isReused = this.#entry.connected === this.#connectedBefore
    }
  }

  onResponseStarted(): void {
    this.#isAnswerBegun = true
  }

  onResponseStart(_controller: unknown, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200) return
    if (status > 599) this.abort(new StatusError('no such status'))
    else {
      this.#status = status
      this.#headers = headers
    }
  }

  onResponseData(_controller: unknown, chunk: Buffer): void {
    this.#keep(chunk)
    this.#bytes += chunk.length
    if (this.#bytes > this.#bodyBytesMax) this.abort(new Error('body longer than what is read'))
  }

  onResponseEnd(): void {
    this.done(null)
  }

  onResponseError(_controller: unknown, error: Error): void {
    this.done(error)
  }

  /** In one piece: a body that comes byte by byte would take a hundred times its size. */
  #keep(chunk: Buffer): void {
    const room = this.#bodyBytesMax - this.#bytes
    const kept = chunk.length > room ? chunk.subarray(0, room) : chunk
    if (this.#bytes === 0) {
      this.#body = kept
      return
    }
    if (this.#body.length < this.#bodyBytesMax) {
      const whole = Buffer.allocUnsafe(this.#bodyBytesMax)
      this.#body.copy(whole)
      this.#body = whole
    }
    kept.copy(this.#body, this.#bytes)
  }

  #endBy(error: Error | null): ExchangeEnd {
    if (this.#status !== null) {
      const body = this.#body.subarray(0, Math.min(this.#bytes, this.#bodyBytesMax))
      return { kind: 'answered', status: this.#status, headers: this.#headers, body }
    }
    return {
      kind: 'failed',
      error: error ?? new Error('ended without an answer'),
      isSent: this.#controller !== null,
      isAnswerBegun: this.#isAnswerBegun,
      isReused: this.#isReused,
    }
  }
}

/** Starts the request on a pool. */
export function startExchange(entry: PoolEntry, request: ExchangeRequest): Exchange {
  const { method, path, headers, body } = request
  const exchange = new RunningExchange(entry, request.bodyBytesMax)
  try {
    entry.pool.dispatch({ method, path, headers, body, idempotent: false }, exchange)
  } catch (error) {
    exchange.done(error as Error)
  }
  return exchange
}
