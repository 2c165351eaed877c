// Announces what has no stream: people and sessions, whose rows hold what events must not, and signing keys. What was told is kept for
// `republish`.
import { newId } from '@wds/aggregate/new-id'
import type { AuthEvents } from '@wds/contracts/auth-events'
import { topics } from '@wds/contracts/topics'
import { type Actor, announcementRecord, dbNow } from '@wds/event-store/event-store'
import { putInOutboxAndKeep } from '@wds/event-store/kept-announcements'
import type { Transaction } from '@wds/postgres/transaction'
import { serverContext } from '@wds/telemetry/spans'

type Type =
  | 'UserRegistered'
  | 'UserDisabled'
  | 'SessionStarted'
  | 'SessionEnded'
  | 'SigningKeyPublished'
  | 'SigningKeyRetired'
/** `key`: of the record, the person or the `kid`. */
type Announced = { [T in Type]: { type: T; key: string; data: AuthEvents[T] } }[Type]

/** In the transaction of the change. */
export async function announceUnstreamed(
  tx: Transaction,
  events: readonly Announced[],
  o: { actor: Actor; requestId: string },
): Promise<void> {
  if (events.length === 0) return
  const nowMs = await dbNow(tx)
  const { traceparent } = serverContext(undefined)
  const context = {
    workspaceId: tx.workspaceId ?? '',
    actor: o.actor,
    correlation: o.requestId,
    trace: { traceparent },
  }
  const records = events.map(({ type, key, data }) => {
    const eventId = newId('evt', nowMs)
    const payload = Buffer.from(JSON.stringify({ id: eventId, type, created: new Date(nowMs).toISOString(), data }))
    return announcementRecord(context, { topic: topics.authEvents, key, type, payload }, { eventId, traceparent })
  })
  await putInOutboxAndKeep(tx, records)
}
