// Decides what a client reads when something was thrown: a Problem as it is, the database's trouble as 503, everything else as a bare 500 (C12).
import { isVersionConflict } from '@wds/event-store/event-store'
import { isTransient, ServiceError, sqlStateBehind } from '@wds/postgres/transaction'
import { Problem } from './problem.ts'

// A second is enough for a failover to be noticed or a queue to drain; clients add their own backoff.
const retryAfter = { 'retry-after': '1' }
/** Broker and auth are away, or the network between: that takes longer (auth.md 5.7). */
const retryLater = { 'retry-after': '5' }

/** The Problem of anything thrown. */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  if (error instanceof ServiceError && error.code === 'access_unconfirmed') {
    return new Problem('unavailable', { headers: retryLater })
  }
  if (isVersionConflict(error)) return new Problem('unavailable', { headers: retryAfter })
  const code = sqlStateBehind(error)
  // query_canceled: the statement ran into its limit of 5 s (C63).
  if (code === '57014') return new Problem('query_timeout', { headers: retryAfter })
  // 55P03: lock_timeout.
  if (isTransient(error) || code === '55P03') return new Problem('unavailable', { headers: retryAfter })
  return new Problem('internal_error')
}
