/** I7 of reliability.md 5: while a subscription is disabled, and once it is deleted, none of its deliveries is attempted. It shares no code with the services. */
import { type FaultTime, longestWait } from './lateness-checker.ts'

/** Instants in epoch milliseconds of one clock. */
export interface SubscriptionHistory {
  /** Of each subscription, in the order of its stream. */
  changes: readonly { subscriptionId: string; type: string; atMs: number }[]
  attempts: readonly { subscriptionId: string; deliveryId: string; number: number; startedMs: number }[]
  /** From when until when each fault was made: a process that stands still begins later what it had claimed. */
  faults: readonly FaultTime[]
  /** What was claimed before may begin so much later. */
  claimedBeforeMs: number
}

/** One sentence for each breach; none when all is well. */
export function subscriptionBreachesOf(h: SubscriptionHistory): string[] {
  const changes = Map.groupBy(h.changes, ({ subscriptionId }) => subscriptionId)
  return h.attempts.flatMap(({ subscriptionId, deliveryId, number, startedMs }) => {
    const last = (changes.get(subscriptionId) ?? [])
      .filter(({ type, atMs }) => ends[type] !== undefined && atMs <= startedMs)
      .at(-1)
    if (last === undefined) return [`I7: attempt ${number} of ${deliveryId} is of no subscription`]
    if (ends[last.type] === false || longestWait(h.faults, last.atMs, startedMs) <= h.claimedBeforeMs) return []
    const told = last.type === 'SubscriptionDeleted' ? 'deleted' : 'disabled'
    const at = new Date(startedMs).toISOString()
    return [
      `I7: attempt ${number} of ${deliveryId} began at ${at}, ${Math.ceil(startedMs - last.atMs)} ms after ${subscriptionId} was ${told}`,
    ]
  })
}

/** Whether nothing is sent from then on; of other events it stays as it was. */
const ends: Record<string, boolean> = {
  SubscriptionCreated: false,
  SubscriptionEnabled: false,
  SubscriptionDisabled: true,
  SubscriptionDeleted: true,
}
