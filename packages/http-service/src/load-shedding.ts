// Refuses requests while the process works on as many as it can, before anything of them is judged: an answer that costs little, so that those
// that were let in still get theirs (reliability.md F60). Each caller keeps a share, so that one who floods shuts nobody out.
import type { IncomingMessage, RequestListener } from 'node:http'
import type { Logger } from '@wds/telemetry/logger'
import { httpMetrics } from '@wds/telemetry/platform-metrics'
import { Problem } from './problem.ts'
import { openExchange, sendProblem } from './respond.ts'

export interface SheddingOptions extends WorkingLineOptions {
  baseUrl: string
  logger: Logger
  limits: { drainMs: number }
}

const logEveryMs = 10_000

/** In front of what serves: refuses with 503 `unavailable`, or hands over. */
export function shedLoad(serve: RequestListener, o: SheddingOptions): RequestListener {
  const line = new WorkingLine(o)
  const refusals = { count: 0, loggedMs: Number.NEGATIVE_INFINITY }
  const overloaded = new Problem('unavailable', { headers: { 'retry-after': '1' } })
  return (request, response) => {
    if (line.enter(request, response)) return serve(request, response)
    sendProblem(openExchange(request, response, { baseUrl: o.baseUrl, drainMs: o.limits.drainMs }), overloaded)
    httpMetrics.requestDuration.record(0, { 'http.response.status_code': 503, 'error.type': 'unavailable' })
    refusals.count += 1
    const nowMs = performance.now()
    if (nowMs - refusals.loggedMs < logEveryMs) return
    o.logger.warn({ requests: refusals.count, in_work: line.size }, 'requests refused: too many at a time')
    refusals.count = 0
    refusals.loggedMs = nowMs
  }
}

export interface WorkingLineOptions {
  /** Requests that are worked on at a time, at most. */
  most: number
  /** So many always are. Above, once that lasts for a second, as many as were answered in the last one: more would wait for longer than that. */
  always: number
  /** Monotonic, milliseconds. */
  nowMs?(): number
}

interface InWork {
  request: Pick<IncomingMessage, 'complete'>
  sinceMs: number
  caller: string
}

/** Whoever sends the body more slowly waits for his connection, not for this process: he is not counted any more. */
const bodyMs = 1_000
const sweepEveryMs = 100
/** Callers below their share are let in up to so many times the limit. */
const sharesMax = 2
const windowMs = 1_000
const bucketMs = 100

/** The requests that are worked on: from their head until their answer is handed over, whether or not the client has read it. */
export class WorkingLine {
  readonly #o: WorkingLineOptions
  readonly #nowMs: () => number
  readonly #inWork = new Set<InWork>()
  readonly #callers = new Map<string, number>()
  readonly #answered = new Map<number, number>()
  /** Since when more than `always` are worked on, until it is half of that; null: they are not. */
  #busyMs: number | null = null
  #sweptMs = Number.NEGATIVE_INFINITY

  constructor(o: WorkingLineOptions) {
    this.#o = o
    this.#nowMs = o.nowMs ?? (() => performance.now())
  }

  get size(): number {
    return this.#inWork.size
  }

  /** True: it is counted until its answer ends. */
  enter(
    request: Pick<IncomingMessage, 'complete' | 'headers'>,
    response: { once(event: 'prefinish' | 'close', listener: () => void): unknown },
  ): boolean {
    const nowMs = this.#nowMs()
    const caller = request.headers.authorization ?? ''
    if (this.#inWork.size >= this.#o.always && !this.#mayEnter(caller, nowMs)) return false
    const entry = { request, sinceMs: nowMs, caller }
    this.#inWork.add(entry)
    this.#callers.set(caller, (this.#callers.get(caller) ?? 0) + 1)
    if (this.#inWork.size > this.#o.always) this.#busyMs ??= nowMs
    const leave = () => this.#leave(entry, true)
    response.once('prefinish', leave)
    response.once('close', leave)
    return true
  }

  #mayEnter(caller: string, nowMs: number): boolean {
    this.#sweep(nowMs)
    const limit = this.#limit(nowMs)
    const { size } = this.#inWork
    if (size < limit) return true
    const own = this.#callers.get(caller) ?? 0
    const callers = this.#callers.size + (own === 0 ? 1 : 0)
    return own < limit / callers && size < limit * sharesMax
  }

  #limit(nowMs: number): number {
    const { most, always } = this.#o
    if (this.#busyMs === null || nowMs - this.#busyMs < windowMs) return most
    let answered = 0
    const oldest = Math.floor((nowMs - windowMs) / bucketMs)
    for (const [bucket, count] of this.#answered) {
      if (bucket < oldest) this.#answered.delete(bucket)
      else answered += count
    }
    return Math.min(most, Math.max(always, answered))
  }

  #sweep(nowMs: number): void {
    if (nowMs - this.#sweptMs < sweepEveryMs) return
    this.#sweptMs = nowMs
    for (const entry of this.#inWork) {
      // In the order in which they came.
      if (nowMs - entry.sinceMs < bodyMs) return
      if (!entry.request.complete) this.#leave(entry, false)
    }
  }

  #leave(entry: InWork, isAnswered: boolean): void {
    if (!this.#inWork.delete(entry)) return
    const left = (this.#callers.get(entry.caller) ?? 1) - 1
    if (left === 0) this.#callers.delete(entry.caller)
    else this.#callers.set(entry.caller, left)
    if (this.#inWork.size <= this.#o.always / 2) this.#busyMs = null
    if (!isAnswered) return
    const bucket = Math.floor(this.#nowMs() / bucketMs)
    const known = this.#answered.get(bucket)
    this.#answered.set(bucket, (known ?? 0) + 1)
    if (known === undefined) for (const old of this.#answered.keys()) if (old < bucket - 20) this.#answered.delete(old)
  }
}
