// Decides what a client reads when something was thrown: a Problem as it is, the database's trouble as 503, everything else as a bare 500 (C12).
import { isVersionConflict } from '@wds/event-store/event-store'
import { isTransient, ServiceError } from '@wds/postgres/transaction'
import { Problem } from './problem.ts'

// A second is enough for a failover to be noticed or a queue to drain; clients add their own backoff.
const retryAfter = { 'retry-after': '1' }

/** The Problem of anything thrown. */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  if (isVersionConflict(error)) return new Problem('unavailable', { headers: retryAfter })
  const code = sqlStateOf(error)
  // query_canceled: the statement ran into its limit of 5 s (C63).
  if (code === '57014') return new Problem('query_timeout', { headers: retryAfter })
  // 55P03: lock_timeout.
  if (isTransient(error) || code === '55P03' || isPoolExhausted(error)) {
    return new Problem('unavailable', { headers: retryAfter })
  }
  return new Problem('internal_error')
}

function sqlStateOf(error: unknown): string | null {
  const code = (error as { code?: unknown } | null)?.code
  if (typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code)) return code
  return error instanceof ServiceError && error.cause !== undefined ? sqlStateOf(error.cause) : null
}

/** What `pg` throws when no connection came free in time. */
function isPoolExhausted(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('timeout exceeded when trying to connect')
}
