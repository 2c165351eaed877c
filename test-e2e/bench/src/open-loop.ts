/** Open-loop load: each call is due at an instant that no answer moves, and its latency counts from there. */
import { setTimeout as sleep } from 'node:timers/promises'

const wallClock = () => performance.timeOrigin + performance.now()

export interface OpenLoop {
  /** Calls per second. */
  rate: number
  seconds: number
  /** `dueMs`: wall clock in milliseconds. */
  call(nth: number, dueMs: number): Promise<void>
}

/** Resolves when every call has ended; @throws the first error of a call. */
export async function runOpenLoop(o: OpenLoop): Promise<void> {
  const total = Math.round(o.rate * o.seconds)
  const startMs = wallClock()
  const calls: Promise<void>[] = []
  for (let nth = 0; nth < total; ) {
    const dueMs = startMs + (nth * 1_000) / o.rate
    const waitMs = dueMs - wallClock()
    if (waitMs > 0.5) {
      await sleep(Math.max(1, Math.floor(waitMs)))
      continue
    }
    const call = o.call(nth, dueMs)
    // Looked at when all are under way.
    call.catch(() => undefined)
    calls.push(call)
    nth += 1
  }
  await Promise.all(calls)
}
