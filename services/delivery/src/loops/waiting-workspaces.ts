// Remembers of which workspaces events may wait in the fan-out queue, as far as this process knows.

export class WaitingWorkspaces {
  /** Nothing is known before the whole queue was seen once. */
  #isKnown = false
  #clock = 0
  readonly #noted = new Map<string, number>()

  /** True unless nothing of them waits. */
  mayWait(workspaceIds: Iterable<string>): boolean {
    if (!this.#isKnown) return true
    for (const id of workspaceIds) if (this.#noted.has(id)) return true
    return false
  }

  note(workspaceIds: Iterable<string>): void {
    this.#clock += 1
    for (const id of workspaceIds) this.#noted.set(id, this.#clock)
  }

  /** A look at the queue begins. What it gives is called once everything that the look could see is done: what was noted before it waits no more. */
  look(): () => void {
    const began = this.#clock
    return () => {
      this.#isKnown = true
      for (const [id, at] of this.#noted) if (at <= began) this.#noted.delete(id)
    }
  }
}
