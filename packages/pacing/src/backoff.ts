// Delays that double: after failures, and between looks that find nothing.

/** Milliseconds: the first delay and the longest. */
export interface BackoffLimits {
  min: number
  max: number
  /** The part of each delay that is left to chance, 0 to 1, default 0: with 1 a delay is anything between 0 and its full length. */
  jitter?: number
}

/** The `nth` delay, from 1, in milliseconds. `random` in [0, 1). */
export function backoffMs(limits: BackoffLimits, nth: number, random: () => number = Math.random): number {
  const { min, max, jitter = 0 } = limits
  const fullMs = Math.min(min * 2 ** (nth - 1), max)
  return jitter === 0 ? fullMs : fullMs * (1 - jitter * random())
}

/** Counts for whoever goes on until it succeeds. */
export class Backoff {
  readonly #limits: BackoffLimits
  readonly #random: () => number
  #count = 0

  constructor(limits: BackoffLimits, random: () => number = Math.random) {
    this.#limits = limits
    this.#random = random
  }

  /** Delays since the last reset. */
  get count(): number {
    return this.#count
  }

  /** The next delay, ms: `min`, then twice as long each time, up to `max`. */
  next(): number {
    this.#count += 1
    return backoffMs(this.#limits, this.#count, this.#random)
  }

  /** The next delay is the first one again. */
  reset(): void {
    this.#count = 0
  }
}
