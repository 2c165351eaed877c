// Logs when one turn of the event loop took so long that all other work waited, and which request or job caused it. Work gets its name
// where it enters the process (`runAs`) and where it continues after a wait (`resumed`). Until the next such mark, or the end of the
// turn, the time counts for it.

import { AsyncLocalStorage } from 'node:async_hooks'

/** Gives the fields that identify the work in a log line; called only when it blocked the loop. */
export type Work = () => object

/** A turn of the loop that took too long, milliseconds. */
interface HeldLoop {
  delay_ms: number
  /** CPU time of the thread: much less than `delay_ms` where the machine, not the work, was slow. */
  cpu_ms: number
  /** The named work that took longest in it, and its time; absent when only work without a name ran. */
  work?: object
  work_ms?: number
}

interface Listener {
  warn(fields: object, message: string): void
}

/** Longer turns are logged. */
const limitMs = 200
/** Period of the timer that finds long turns without named work. */
const beatEveryMs = 100

const current = new AsyncLocalStorage<Work>()
const listeners = new Set<Listener>()
let beat: NodeJS.Timeout | null = null
let beatMs = 0
let beatCpuMs = 0
let isLoggedSinceBeat = false

// The turn under way, from the first piece of named work in it.
let isOpen = false
let openedMs = 0
let lastMs = 0
let lastWork: Work | undefined
let longestMs = 0
let longestWork: Work | undefined

/** Runs `fn` under the name of this work, which is logged if it blocks the event loop. Nearly free where nobody watches. */
export function runAs<T>(work: Work, fn: () => T): T {
  if (beat === null) return fn()
  return current.run(work, () => {
    mark(work)
    return fn()
  })
}

/** The current work continues after a wait for something outside the process. Call it first after the wait. */
export function resumed(): void {
  if (beat !== null) mark(current.getStore())
}

/** Warns of every turn of the event loop above 200 ms, until the returned function is called. */
export function watchEventLoop(logger: Listener): () => void {
  listeners.add(logger)
  if (beat === null) {
    noteBeat(performance.now())
    beat = setInterval(checkBeat, beatEveryMs).unref()
  }
  return () => {
    listeners.delete(logger)
    if (listeners.size > 0 || beat === null) return
    clearInterval(beat)
    beat = null
  }
}

function mark(work: Work | undefined): void {
  const nowMs = performance.now()
  if (isOpen) noteLongest(nowMs)
  else {
    isOpen = true
    openedMs = nowMs
    longestMs = 0
    longestWork = undefined
    // Runs before the loop rests: waiting is no delay.
    setImmediate(endTurn)
  }
  lastMs = nowMs
  lastWork = work
}

function noteLongest(nowMs: number): void {
  if (nowMs - lastMs <= longestMs) return
  longestMs = nowMs - lastMs
  longestWork = lastWork
}

function endTurn(): void {
  if (!isOpen) return
  const nowMs = performance.now()
  noteLongest(nowMs)
  isOpen = false
  lastWork = undefined
  if (nowMs - openedMs > limitMs) logDelay(nowMs - openedMs, longestWork)
}

function checkBeat(): void {
  endTurn()
  const nowMs = performance.now()
  const lateMs = nowMs - beatMs - beatEveryMs
  if (lateMs > limitMs && !isLoggedSinceBeat) logDelay(lateMs)
  noteBeat(nowMs)
}

function noteBeat(nowMs: number): void {
  beatMs = nowMs
  beatCpuMs = threadCpuMs()
  isLoggedSinceBeat = false
}

function logDelay(delayMs: number, work?: Work): void {
  isLoggedSinceBeat = true
  const held: HeldLoop = {
    delay_ms: Math.round(delayMs),
    cpu_ms: Math.round(threadCpuMs() - beatCpuMs),
  }
  if (work !== undefined) {
    held.work = work()
    held.work_ms = Math.round(longestMs)
  }
  for (const listener of listeners) listener.warn(held, 'event loop delayed')
}

/** CPU time of this thread so far. */
export function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}
