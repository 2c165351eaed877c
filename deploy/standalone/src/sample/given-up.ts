/** When the deliveries that the sample makes fail have been given up. */

/** A delivery as the API shows it, of the subscription that fails. */
export interface FailedDelivery {
  status: string
  event_type: string
  /** RFC 3339; null where none follows. */
  next_attempt: string | null
}

/** One for each source that tells of a run. */
const runsMin = 4
/** No delay of the scaled schedule is longer. */
const scaledMs = 1_000

/**
 * What a start before this one left under the real schedule waits for minutes or hours: it is no part of what is awaited. `nowMs`: epoch
 * milliseconds.
 */
export function areGivenUp(deliveries: readonly FailedDelivery[], nowMs: number): boolean {
  const runs = deliveries.filter(({ event_type: type }) => type === 'sync.completed')
  const waitsLong = ({ next_attempt: next }: FailedDelivery) => next !== null && Date.parse(next) > nowMs + scaledMs
  return runs.length >= runsMin && deliveries.every((one) => one.status === 'dead' || waitsLong(one))
}
