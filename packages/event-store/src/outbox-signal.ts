// Wakes the relay of this process after a commit that put rows into the outbox. It is a hint only: a lost signal costs the
// poll's back-off and nothing else.

export class OutboxSignal {
  #raised = false
  readonly #waiting = new Set<() => void>()

  /** Wakes whoever waits; when nobody does, the next wait returns at once. */
  raise(): void {
    this.#raised = this.#waiting.size === 0
    for (const wake of [...this.#waiting]) wake()
  }

  /** Resolves when the signal is raised, with true, after `ms` milliseconds, or when `signal` is aborted. */
  async wait(ms: number, signal?: AbortSignal): Promise<boolean> {
    if (this.#raised || signal?.aborted) {
      const wasRaised = this.#raised
      this.#raised = false
      return wasRaised
    }
    return new Promise((resolve) => {
      const end = (isRaised: boolean): void => {
        clearTimeout(timer)
        this.#waiting.delete(raised)
        signal?.removeEventListener('abort', ended)
        resolve(isRaised)
      }
      const raised = (): void => end(true)
      const ended = (): void => end(false)
      const timer = setTimeout(ended, ms)
      this.#waiting.add(raised)
      signal?.addEventListener('abort', ended, { once: true })
    })
  }
}

/** The signal of this process: `appendEvents` and `putInOutbox` raise it, a relay without a signal of its own waits on it. */
export const outboxSignal = new OutboxSignal()
