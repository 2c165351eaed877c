// What is known of a lane beyond its rows: when its breaker opens, what is told of a receiver that fails, how its instants are shown.

/** Timeouts and refused connections in a row after which a lane goes half open. */
export const breakerFailures = 5

/** What a lane knew of a failing receiver when its subscription was disabled. */
export interface Failing {
  /** Since when every attempt failed, RFC 3339; null when the last one did not. */
  failing_since: string | null
  /** Deliveries with a failed attempt since then; 0 when it does not fail. */
  failed_deliveries: number
}

/**
 * The next whole second, in epoch milliseconds. Nothing beside the instants of a lane says when the attempt began, so they cannot be
 * rounded as its duration is, and exact ones would tell how long an address took to answer (security.md 1).
 */
export function wholeSecond(ms: number): number {
  return Math.ceil(ms / 1_000) * 1_000
}
