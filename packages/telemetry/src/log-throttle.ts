// Decides which lines are written of what goes wrong again and again: the first, one a while later if it goes on, and that it is over
// (reliability.md L6). A log that says the same twice a second hides all else that it says.

/** Of one thing that may go wrong, by one process. */
export class LogThrottle {
  readonly #everyMs: number
  readonly #nowMs: () => number
  #what: string | null = null
  #writtenMs = Number.NEGATIVE_INFINITY
  #unwritten = 0
  #times = 0

  /** `everyMs`: the least time between two lines of the same; default: the second comes once it was `over`. `nowMs`: monotonic. */
  constructor(o: { everyMs?: number; nowMs?: () => number } = {}) {
    this.#everyMs = o.everyMs ?? Number.POSITIVE_INFINITY
    this.#nowMs = o.nowMs ?? (() => performance.now())
  }

  /** It went wrong. `write` is told how often since the last line. Another `what` than last time is written at once. */
  wrong(write: (times: number) => void, what = ''): void {
    this.#times += 1
    this.#unwritten += 1
    const nowMs = this.#nowMs()
    if (what === this.#what && nowMs - this.#writtenMs < this.#everyMs) return
    this.#what = what
    this.#writtenMs = nowMs
    write(this.#unwritten)
    this.#unwritten = 0
  }

  /** It goes well. `write` is called if it went wrong before, with how often. */
  over(write?: (times: number) => void): void {
    if (this.#what === null) return
    write?.(this.#times)
    this.#what = null
    this.#writtenMs = Number.NEGATIVE_INFINITY
    this.#unwritten = 0
    this.#times = 0
  }
}
