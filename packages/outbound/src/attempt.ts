// An attempt under way and what may end it from outside: its one timer, or the shutdown of the process.
// There is one listener per signal, however many attempts are under way.

import type { Exchange } from './exchange.ts'

/** Why it was ended. */
export class StopError extends Error {
  readonly code: 'WDS_DEADLINE' | 'WDS_SHUTDOWN'
  constructor(code: 'WDS_DEADLINE' | 'WDS_SHUTDOWN') {
    super(code)
    this.code = code
  }
}

/** An attempt under way: what may end it from outside. Its time counts from here. */
export class Attempt {
  readonly startedMs = performance.now()
  stopped: StopError | null = null
  exchange: Exchange | null = null
  #stops: PromiseWithResolvers<undefined> | null = null

  /** Resolves when the attempt is ended from outside. */
  whenStopped(): Promise<undefined> {
    this.#stops ??= Promise.withResolvers()
    if (this.stopped !== null) this.#stops.resolve(undefined)
    return this.#stops.promise
  }

  /** Undefined when the attempt is ended from outside before. */
  orStopped<T>(work: Promise<T> | T): Promise<T | undefined> {
    return Promise.race([work, this.whenStopped()])
  }

  stop(code: 'WDS_DEADLINE' | 'WDS_SHUTDOWN'): void {
    if (this.stopped !== null) return
    this.stopped = new StopError(code)
    this.exchange?.abort(this.stopped)
    this.#stops?.resolve(undefined)
  }
}

/** One listener per signal, however many attempts are under way. */
export function createSignalRegistry(): (signal: AbortSignal) => Set<Attempt> {
  const underWay = new WeakMap<AbortSignal, Set<Attempt>>()
  return (signal: AbortSignal): Set<Attempt> => {
    const known = underWay.get(signal)
    if (known !== undefined) return known
    const attempts = new Set<Attempt>()
    underWay.set(signal, attempts)
    signal.addEventListener('abort', () => {
      for (const attempt of [...attempts]) attempt.stop('WDS_SHUTDOWN')
    })
    return attempts
  }
}
