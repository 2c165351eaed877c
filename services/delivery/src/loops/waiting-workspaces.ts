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

  /** A look at the whole queue begins. */
  look(): Look {
    const began = this.#clock
    return {
      saw: (workspaceIds) => {
        for (const id of workspaceIds) if (!this.#noted.has(id)) this.#noted.set(id, began)
      },
      allIsDone: (but) => {
        this.#isKnown = true
        for (const [id, at] of this.#noted) if (at <= began && !but?.has(id)) this.#noted.delete(id)
      },
    }
  }
}

interface Look {
  /** Also of these workspaces events wait: another process may have taken them in. */
  saw(workspaceIds: Iterable<string>): void
  /** Nothing is left of what the look could see, but of these; what was noted since it began may still wait. */
  allIsDone(but?: ReadonlySet<string>): void
}
