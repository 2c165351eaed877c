// One HTTP request on one pool: sends it, reads the status line and at most the given bytes of the body, and can be ended at any moment.
// It follows no redirect, never rejects, and keeps apart whether a byte had been sent.

import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher } from 'undici'
import type { PoolEntry } from './connection-pools.ts'

/** How an exchange ended. An answer whose status line arrived counts as answered, however its body ended (decisions.md 5). */
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

interface Progress {
  controller: Dispatcher.DispatchController | null
  isDone: boolean
  isAnswerBegun: boolean
  isReused: boolean
  status: number | null
  headers: IncomingHttpHeaders
  chunks: Buffer[]
  bytes: number
}

const startProgress = (): Progress => ({
  controller: null,
  isDone: false,
  isAnswerBegun: false,
  isReused: false,
  status: null,
  headers: {},
  chunks: [],
  bytes: 0,
})

function endOf(progress: Progress, error: Error | null): ExchangeEnd {
  if (progress.status !== null) {
    const body = progress.chunks.length === 1 ? (progress.chunks[0] ?? Buffer.alloc(0)) : Buffer.concat(progress.chunks)
    return { kind: 'answered', status: progress.status, headers: progress.headers, body }
  }
  return {
    kind: 'failed',
    error: error ?? new Error('ended without an answer'),
    isSent: progress.controller !== null,
    isAnswerBegun: progress.isAnswerBegun,
    isReused: progress.isReused,
  }
}

/** Starts the request on a pool. */
export function startExchange(entry: PoolEntry, request: ExchangeRequest): Exchange {
  const progress = startProgress()
  const connectedBefore = entry.connected
  let finish: (end: ExchangeEnd) => void = () => {}
  const end = new Promise<ExchangeEnd>((resolve) => {
    finish = resolve
  })
  const done = (error: Error | null): void => {
    if (progress.isDone) return
    progress.isDone = true
    finish(endOf(progress, error))
  }
  const abort = (error: Error): void => {
    if (progress.isDone) return
    done(error)
    progress.controller?.abort(error)
  }
  const handler: Dispatcher.DispatchHandler = {
    onRequestStart(controller) {
      // The attempt was ended while the connection was being made: nothing is sent.
      if (progress.isDone) return controller.abort(new Error('ended before it was sent'))
      progress.controller = controller
      progress.isReused = entry.connected === connectedBefore
    },
    onResponseStarted() {
      progress.isAnswerBegun = true
    },
    onResponseStart(_controller, status, headers) {
      if (status < 200) return
      if (status > 599) return abort(new StatusError('no such status'))
      progress.status = status
      progress.headers = headers
    },
    onResponseData(_controller, chunk) {
      const room = request.bodyBytesMax - progress.bytes
      progress.chunks.push(chunk.length > room ? chunk.subarray(0, room) : chunk)
      progress.bytes += chunk.length
      if (progress.bytes > request.bodyBytesMax) abort(new Error('body longer than what is read'))
    },
    onResponseEnd: () => done(null),
    onResponseError: (_controller, error) => done(error),
  }
  const { method, path, headers, body } = request
  try {
    entry.pool.dispatch({ method, path, headers, body, idempotent: false }, handler)
  } catch (error) {
    done(error as Error)
  }
  return { end, abort }
}
