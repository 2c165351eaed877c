// For tests: a clock whose time passes when the test says so.
import type { Clock } from './clock.ts'

interface Timer {
  atMs: number
  fn: () => void
}

/** Starts at 0. Timers run in the order of their instants, those of one instant in the order in which they were asked for. */
export class FakeClock implements Clock {
  #nowMs = 0
  #timers: Timer[] = []

  /** Timers that are not over: none once nobody waits. */
  get pending(): number {
    return this.#timers.length
  }

  readonly nowMs = (): number => this.#nowMs

  after(ms: number, fn: () => void): () => void {
    const timer = { atMs: this.#nowMs + ms, fn }
    this.#timers.push(timer)
    return () => {
      this.#timers = this.#timers.filter((one) => one !== timer)
    }
  }

  /** Lets `ms` milliseconds pass. What goes on behind a timer does so before the next timer runs. */
  async advance(ms: number): Promise<void> {
    const untilMs = this.#nowMs + ms
    await settled()
    for (let next = this.#first(untilMs); next !== undefined; next = this.#first(untilMs)) {
      this.#timers = this.#timers.filter((one) => one !== next)
      this.#nowMs = Math.max(this.#nowMs, next.atMs)
      next.fn()
      await settled()
    }
    this.#nowMs = untilMs
  }

  #first(untilMs: number): Timer | undefined {
    return this.#timers.filter(({ atMs }) => atMs <= untilMs).sort((a, b) => a.atMs - b.atMs)[0]
  }
}

/** A turn of the event loop: promises that are resolved have run on. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
