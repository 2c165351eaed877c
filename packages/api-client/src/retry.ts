// Decides which failures are tried again, and when.
import { ApiProblem, NoAnswer } from './problem.ts'

export interface Retries {
  /** How often a call is sent again. */
  times: number
  /** Waits; the signal ends it. For a program that has its own way to wait. */
  wait?: (ms: number, signal: AbortSignal | undefined) => Promise<void>
}

/** Longer than this nobody waits here: the error tells how long it would have been. */
const waitMaxMs = 60_000

/**
 * `isRepeatable`: a second one has no second effect, as of a GET or with an idempotency key. Others are tried again only where they were refused
 * before they had one. Throws what the last try threw.
 */
export async function withRetries<T>(
  { times, wait = sleep }: Retries,
  { isRepeatable, signal }: { isRepeatable: boolean; signal: AbortSignal | undefined },
  attempt: () => Promise<T>,
): Promise<T> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await attempt()
    } catch (error) {
      const waitMs = tries < times ? waitOf(error, tries, isRepeatable) : null
      if (waitMs === null) throw error
      await wait(waitMs, signal)
    }
  }
}

/** Milliseconds; null where it is not tried again. Half of a growing pause is left to chance, so that many clients do not come at once. */
function waitOf(error: unknown, tries: number, isRepeatable: boolean): number | null {
  const isWanted = isRefusedForNow(error) || (isRepeatable && mayPass(error))
  if (!isWanted) return null
  const told = error instanceof ApiProblem ? error.retryAfterSeconds : null
  const pauseMs = told === null ? 500 * 2 ** tries * (0.5 + Math.random() / 2) : told * 1000
  return pauseMs > waitMaxMs ? null : pauseMs
}

/** Refused by the API itself, not on the way: nothing was done, or a repeat is answered with what was (packages/docs/how-to/call-the-api.md). */
function isRefusedForNow(error: unknown): boolean {
  if (!(error instanceof ApiProblem) || error.code === 'unexpected_answer') return false
  return error.status === 429 || error.status === 503 || error.code === 'idempotency_in_progress'
}

function mayPass(error: unknown): boolean {
  return error instanceof NoAnswer || (error instanceof ApiProblem && error.status >= 500)
}

function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', leave)
      resolve()
    }, ms)
    if (signal?.aborted) leave()
    else signal?.addEventListener('abort', leave, { once: true })
  })
}
