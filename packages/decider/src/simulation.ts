// Runs a model in virtual time (reliability.md 6): what is due next happens next, in an order that a seed decides where two are due at
// once. For tests of pure cores. It knows no test runner and no real clock.

interface Due {
  atMs: number
  tie: number
  happen: () => void
}

/** One run of a model. The same seed gives the same run. */
export class Simulation {
  readonly #queue: Due[] = []
  #state: number
  #nowMs: number
  /** Things that have happened. */
  steps = 0

  constructor(o: { seed: number; startMs: number }) {
    this.#state = o.seed
    this.#nowMs = o.startMs
  }

  get nowMs(): number {
    return this.#nowMs
  }

  /** From 0, below 1 (mulberry32). */
  readonly random = (): number => {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }

  /** A whole number from `from` to `to`. */
  integer(from: number, to: number): number {
    return from + Math.floor(this.random() * (to - from + 1))
  }

  chance(of: number): boolean {
    return this.random() < of
  }

  pick<T>(values: readonly T[]): T {
    const value = values[this.integer(0, values.length - 1)]
    if (value === undefined) throw new RangeError('nothing to pick from')
    return value
  }

  /** Happens at an instant; one that is over happens next. */
  at(ms: number, happen: () => void): void {
    const added = { atMs: Math.max(ms, this.#nowMs), tie: this.random(), happen }
    // Kept in order, what is next at the end.
    let [from, to] = [0, this.#queue.length]
    while (from < to) {
      const middle = (from + to) >> 1
      if (isBefore(added, this.#queue[middle])) from = middle + 1
      else to = middle
    }
    this.#queue.splice(from, 0, added)
  }

  /**
   * Lets everything happen that is due until `untilMs`, then is there. Throws where more than `stepsMax` things happen: a model that
   * never comes to rest is a livelock.
   */
  runUntil(untilMs: number, o: { stepsMax: number }): void {
    for (let next = this.#take(untilMs); next !== null; next = this.#take(untilMs)) {
      this.#nowMs = next.atMs
      this.steps += 1
      if (this.steps > o.stepsMax) throw new Error(`the model does not come to rest within ${o.stepsMax} steps`)
      next.happen()
    }
    this.#nowMs = untilMs
  }

  #take(untilMs: number): Due | null {
    const next = this.#queue.at(-1)
    if (next === undefined || next.atMs > untilMs) return null
    this.#queue.pop()
    return next
  }
}

function isBefore(a: Due, b: Due | undefined): boolean {
  return b !== undefined && (a.atMs < b.atMs || (a.atMs === b.atMs && a.tie < b.tie))
}
