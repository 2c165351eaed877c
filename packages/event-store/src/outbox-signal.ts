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

  /** Resolves when the signal is raised, after `ms` milliseconds, or when `signal` is aborted. */
  async wait(ms: number, signal?: AbortSignal): Promise<void> {
    if (this.#raised || signal?.aborted) {
      this.#raised = false
      return
    }
    await new Promise<void>((resolve) => {
      const done = (): void => {
        clearTimeout(timer)
        this.#waiting.delete(done)
        signal?.removeEventListener('abort', done)
        resolve()
      }
      const timer = setTimeout(done, ms)
      this.#waiting.add(done)
      signal?.addEventListener('abort', done, { once: true })
    })
  }
}

/** The signal of this process: `appendEvents` and `putInOutbox` raise it, a relay without a signal of its own waits on it. */
export const outboxSignal = new OutboxSignal()
