// Counts the requests that a process works on, and says which may be let in beside them: pure but for the clock.
import type { IncomingMessage } from 'node:http'
import { Counts } from './counts.ts'
import { waitsForClient } from './waits-for-client.ts'

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
  leave(): void
}

type Events = { once(event: 'prefinish' | 'close' | typeof waitsForClient, listener: () => void): unknown }

/** Whoever sends the body more slowly waits for his connection, not for this process: he is not counted any more. */
const bodyMs = 1_000
const sweepEveryMs = 100
const windowMs = 1_000
const bucketMs = 100

/** The requests that are worked on: from their head until their answer is handed over, or waits for its client the first time. */
export class WorkingLine {
  readonly #o: WorkingLineOptions
  readonly #nowMs: () => number
  readonly #inWork = new Set<InWork>()
  readonly #callers = new Counts()
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
  enter(caller: string, request: Pick<IncomingMessage, 'complete'>, response: Events): boolean {
    const nowMs = this.#nowMs()
    if (this.#inWork.size >= this.#o.always && !this.#mayEnter(caller, nowMs)) return false
    const entry = { request, sinceMs: nowMs, leave: this.#callers.add(caller) }
    this.#inWork.add(entry)
    if (this.#inWork.size > this.#o.always) this.#busyMs ??= nowMs
    const leave = () => this.#leave(entry, true)
    response.once('prefinish', leave)
    response.once('close', leave)
    // From then on it is bounded as a download is, or as what is dropped of a request that was refused early.
    response.once(waitsForClient, leave)
    return true
  }

  #mayEnter(caller: string, nowMs: number): boolean {
    this.#sweep(nowMs)
    return this.#callers.hasRoom(caller, this.#limit(nowMs))
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
    entry.leave()
    if (this.#inWork.size <= this.#o.always / 2) this.#busyMs = null
    if (!isAnswered) return
    const bucket = Math.floor(this.#nowMs() / bucketMs)
    const known = this.#answered.get(bucket)
    this.#answered.set(bucket, (known ?? 0) + 1)
    if (known === undefined) for (const old of this.#answered.keys()) if (old < bucket - 20) this.#answered.delete(old)
  }
}
