// Waits that end early: at a wake-up, at an abort, when a promise settles. None leaves a timer or a listener behind.
import { type Clock, systemClock } from './clock.ts'

/**
 * Wakes whoever waits for work in this process. A wake-up is a hint to look: a lost one costs the rest of the wait and nothing else.
 */
export class WakeSignal {
  readonly #clock: Clock
  readonly #waiting = new Set<() => void>()
  #isRaised = false

  constructor(clock: Clock = systemClock) {
    this.#clock = clock
  }

  /** Ends all current waits; when there is none, the next wait ends at once. */
  raise(): void {
    this.#isRaised = this.#waiting.size === 0
    for (const wake of [...this.#waiting]) wake()
  }

  /** Resolves with true when the signal is raised, with false after `ms` milliseconds or when `ended` is aborted. Never rejects. */
  wait(ms: number, ended?: AbortSignal): Promise<boolean> {
    if (this.#isRaised || ended?.aborted) {
      const wasRaised = this.#isRaised
      this.#isRaised = false
      return Promise.resolve(wasRaised)
    }
    return new Promise((resolve) => {
      const end = (isRaised: boolean): void => {
        cancel()
        this.#waiting.delete(wake)
        ended?.removeEventListener('abort', giveUp)
        resolve(isRaised)
      }
      const wake = (): void => end(true)
      const giveUp = (): void => end(false)
      const cancel = this.#clock.after(ms, giveUp)
      this.#waiting.add(wake)
      ended?.addEventListener('abort', giveUp, { once: true })
    })
  }
}

/** Resolves after `ms` milliseconds, or when `ended` is aborted. Never rejects. */
export async function wait(ms: number, ended?: AbortSignal, clock: Clock = systemClock): Promise<void> {
  await new WakeSignal(clock).wait(ms, ended)
}

/** Waits for `promise`, at most `ms` milliseconds or until `ended` is aborted; rejects only as `promise` does. */
export async function waitAtMost(
  promise: Promise<unknown>,
  ms: number,
  ended?: AbortSignal,
  clock: Clock = systemClock,
): Promise<void> {
  const over = new WakeSignal(clock)
  try {
    await Promise.race([promise, over.wait(ms, ended)])
  } finally {
    over.raise()
  }
}
