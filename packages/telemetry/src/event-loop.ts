// For tests of hostile input: whether work leaves the event loop to others, judged so that a slow or busy machine fails nobody.
import { threadCpuMs } from './event-loop-delay.ts'

/**
 * Runs `work` and gives its result with the longest time that it held the event loop in one turn, in milliseconds of the thread's
 * CPU time: neither waiting nor other programs on a busy machine count, what the garbage collector does on this thread does. Exact
 * to the kernel's tick, which may be 4 ms: repeat what is shorter.
 */
export async function longestBlockDuring<T>(
  work: () => T | Promise<T>,
): Promise<{ result: T; longestBlockMs: number }> {
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

const triesMax = 5

/**
 * Runs `work`, up to 5 times, until it holds the event loop for less than `limitMs` of CPU time in each turn, and gives the result of
 * that try: what disturbs a measurement only adds to it. From the second try on the limit is that of this machine: longer by as much as
 * the yardstick beside the try takes longer than 100 ms. Write a limit for a machine where the yardstick takes those, and let it be
 * a fraction of what the fault costs that the test is about.
 * @throws Error after 5 tries, with what each of them measured
 */
export async function holdsLoopAtMost<T>(
  limitMs: number,
  work: () => T | Promise<T>,
  yardstickMs = measureYardstick,
): Promise<T> {
  const { result, longestBlockMs } = await longestBlockDuring(work)
  if (longestBlockMs < limitMs) return result
  const measured = [`${longestBlockMs.toFixed(0)} ms`]
  for (let nth = 2; nth <= triesMax; nth += 1) {
    const beforeMs = yardstickMs()
    const tried = await longestBlockDuring(work)
    const slowness = Math.max(1, (beforeMs + yardstickMs()) / 200)
    if (tried.longestBlockMs < limitMs * slowness) return tried.result
    measured.push(`${tried.longestBlockMs.toFixed(0)} ms on a machine ${slowness.toFixed(1)} times as slow`)
  }
  throw new Error(`The event loop was held for ${limitMs} ms or longer in each try: ${measured.join(', ')}.`)
}

/** CPU time of a fixed work such as programs here do: text, small objects, garbage. About 100 ms on a core of the year 2024. */
function measureYardstick(): number {
  const rows = Array.from({ length: 2_000 }, (_, n) => ({ name: `row ${n}`, n, tags: ['a', `${n}`], is: n % 2 === 0 }))
  const beforeMs = threadCpuMs()
  for (let round = 0; round < 60; round += 1) {
    const text = JSON.stringify(rows)
    JSON.parse(text.replaceAll(/\d+/g, (digits) => `${digits.length}`))
  }
  return threadCpuMs() - beforeMs
}
