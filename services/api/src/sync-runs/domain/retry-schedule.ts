// Decides when the next attempt of a sync run is due (domain.md 4.6): never early, at most 5 % late.

/** Instant of the next attempt. `delaysMs[0]` comes before attempt 2; `jitter` is in [0, 1); `retryAfterMs` counts up to 1 h. */
export function nextAttemptMs(o: {
  endedMs: number
  failedAttempt: number
  delaysMs: readonly number[]
  jitter: number
  retryAfterMs?: number
}): number {
  const planned = o.delaysMs[Math.min(o.failedAttempt, o.delaysMs.length) - 1] ?? 0
  const asked = Math.min(o.retryAfterMs ?? 0, 3_600_000)
  return o.endedMs + Math.max(asked, Math.floor(planned * (1 + 0.05 * o.jitter)))
}
