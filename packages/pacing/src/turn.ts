// Bounds how long a loop over records blocks the event loop, since every other request and job of the process waits meanwhile.
import { setImmediate as nextTurn } from 'node:timers/promises'

/** Longest work in one turn, in milliseconds. */
const turnMs = 10

export class Turn {
  #endsMs = performance.now() + turnMs

  /** True when it is time to yield. Ask after each piece of work; each must be short by itself. */
  isOver(): boolean {
    return performance.now() >= this.#endsMs
  }

  /** Yields to the event loop. */
  async pass(): Promise<void> {
    await nextTurn()
    this.#endsMs = performance.now() + turnMs
  }
}
