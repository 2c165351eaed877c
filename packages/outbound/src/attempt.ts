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

/** An attempt under way: what may end it from outside. */
export interface Attempt {
  readonly startedMs: number
  stopped: StopError | null
  exchange: Exchange | null
  /** Resolves when the attempt is ended from outside. */
  readonly whenStopped: Promise<void>
  stop(code: 'WDS_DEADLINE' | 'WDS_SHUTDOWN'): void
}

/** Starts one; the time counts from here. */
export function startAttempt(): Attempt {
  let wake: () => void = () => {}
  const whenStopped = new Promise<void>((resolve) => {
    wake = resolve
  })
  const attempt: Attempt = {
    startedMs: performance.now(),
    stopped: null,
    exchange: null,
    whenStopped,
    stop(code) {
      if (attempt.stopped !== null) return
      attempt.stopped = new StopError(code)
      attempt.exchange?.abort(attempt.stopped)
      wake()
    },
  }
  return attempt
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
