// The time by which waits are measured: monotonic, so that a wall clock which is set changes nothing.

/** Monotonic time and its timers; a test puts its own in its place (`FakeClock`). */
export interface Clock {
  /** Milliseconds since an instant that means nothing. */
  nowMs(): number
  /** Runs `fn` once, `ms` milliseconds from now. What it returns cancels that. */
  after(ms: number, fn: () => void): () => void
}

/** The clock of this process. */
export const systemClock: Clock = {
  nowMs: () => performance.now(),
  after(ms, fn) {
    const timer = setTimeout(fn, ms)
    return () => clearTimeout(timer)
  },
}
