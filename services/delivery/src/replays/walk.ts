// Goes through what a bulk replay selects, page by page: for the dry run, which counts, and for the worker, which opens. Both see the same.
import type { Transaction } from '@wds/postgres/transaction'
import { deliveryIdOf, lazyBody } from '../fan-out/compose-turn.ts'
import { aboutOf, createMatchIndex, type Matchable } from '../fan-out/domain/matching.ts'
import { loadSubscriptionIndex } from '../fan-out/store-index.ts'
import { type Place, placeBehind, type Selection } from './domain/selection.ts'
import {
  type Candidate,
  type LookSize,
  lookAtEvents,
  lookAtStored,
  type StoredDelivery,
  subscriptionsOf,
} from './store-walk.ts'

/** An event that matched and has no delivery, with the id that its delivery gets. */
export interface MissingDelivery extends Omit<StoredDelivery, 'status'> {
  status: 'missing'
}

/** One page. `next`: null behind the last one. `version`: of the subscriptions by which missing ones were matched, else null. */
export interface Page {
  rows: (StoredDelivery | MissingDelivery)[]
  looked: number
  next: Place | null
  version: string | null
}

export interface Walked {
  webhookId: string | null
  selection: Selection
}

/** Bodies of one page that are judged: they are held in memory, as text. One larger than `bytes` is a page of its own. */
const bodiesMax = { rows: 500, bytes: 1_048_576 }

/** The page at `place`, in the transaction's workspace. */
export async function readPage(tx: Transaction, walked: Walked, place: Place, size: LookSize): Promise<Page> {
  const at = { ...walked, after: place.after, size }
  if (place.source !== 'events') {
    const found = await lookAtStored[place.source](tx, at)
    const next = placeAfter(found, { walked, place, size, lastRow: found.rows.at(-1)?.key ?? null })
    return { rows: found.rows, looked: found.looked, next, version: null }
  }
  const { version, subscription } = await matchable(tx, walked.webhookId ?? '')
  // A subscription that is not enabled matches nothing.
  if (subscription === null) return { rows: [], looked: 0, next: placeBehind(walked.selection, 'events'), version }
  const withPayload = subscription.filter !== null
  const { rows: rowsMax, bytes } = bodiesMax
  const bounded = withPayload ? { look: Math.min(size.look, rowsMax), rows: Math.min(size.rows, rowsMax) } : size
  const found = await lookAtEvents(tx, { ...at, size: bounded, patterns: subscription.events, withPayload, bytes })
  const rows = await missingOf(tx, subscription, found.rows)
  const next = placeAfter(found, { walked, place, size: bounded, lastRow: found.rows.at(-1)?.key ?? null })
  return { rows, looked: found.looked, next, version }
}

/** Behind the last row given back where the page is full, else behind the last one looked at, else the next source. */
function placeAfter(
  found: { rows: unknown[]; looked: number; last: string | null; isCut?: boolean },
  o: { walked: Walked; place: Place; size: LookSize; lastRow: string | null },
): Place | null {
  const { source } = o.place
  if ((found.rows.length === o.size.rows || found.isCut === true) && o.lastRow !== null)
    return { source, after: o.lastRow }
  if (found.looked === o.size.look && found.last !== null) return { source, after: found.last }
  return placeBehind(o.walked.selection, source)
}

/** The subscription as fan out matches it; null where it is not enabled. */
async function matchable(tx: Transaction, id: string): Promise<{ version: string; subscription: Matchable | null }> {
  const [index] = await loadSubscriptionIndex(tx, [tx.workspaceId ?? ''])
  const subscription = index?.subscriptions.find(({ subscriptionId }) => subscriptionId === id) ?? null
  return { version: index?.version ?? '0', subscription }
}

async function missingOf(
  tx: Transaction,
  subscription: Matchable,
  candidates: Candidate[],
): Promise<MissingDelivery[]> {
  const index = createMatchIndex([subscription])
  const { subscriptionId } = subscription
  const matched = candidates.flatMap(({ key, eventId, type, payload }): MissingDelivery[] => {
    const body = lazyBody(payload === null ? undefined : Buffer.from(payload))
    const about = payload === null ? null : aboutOf(type, (body() as { data?: unknown } | undefined)?.data)
    if (index.match({ type, about, body }).length === 0) return []
    const deliveryId = deliveryIdOf(eventId, subscriptionId)
    return [{ key, deliveryId, eventId, type, status: 'missing', subscriptionId, subscription: 'enabled' }]
  })
  const existing = await subscriptionsOf(
    tx,
    matched.map(({ deliveryId }) => deliveryId),
  )
  return matched.filter(({ deliveryId }) => !existing.has(deliveryId))
}
