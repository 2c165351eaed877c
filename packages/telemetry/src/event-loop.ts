// For tests of hostile input: how long work holds the event loop, so that nobody else of the process is served meanwhile.
import { threadCpuMs } from './event-loop-delay.ts'

/**
 * Runs `work` and gives its result with the longest time that it held the event loop in one turn, in milliseconds of the thread's
 * CPU time: neither waiting nor other programs on a busy machine count, what the garbage collector does on this thread does. Exact
 * to the kernel's tick, which may be 4 ms: repeat what is shorter.
 */
export async function longestBlockDuring<T>(work: () => Promise<T>): Promise<{ result: T; longestBlockMs: number }> {
  let longestMs = 0
  let beforeMs = threadCpuMs()
  let isOver = false
  const look = (): void => {
    const nowMs = threadCpuMs()
    longestMs = Math.max(longestMs, nowMs - beforeMs)
    beforeMs = nowMs
  }
  const tick = (): void => {
    look()
    if (!isOver) setImmediate(tick)
  }
  setImmediate(tick)
  try {
    const result = await work()
    look()
    return { result, longestBlockMs: longestMs }
  } finally {
    isOver = true
  }
}
