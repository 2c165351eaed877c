// Announces what has no stream: people and sessions, whose rows hold what events must not, and signing keys. What was announced is kept for
// `republish`.
import type { AuthEvents } from '@wds/contracts/auth-events'
import { topics } from '@wds/contracts/topics'
import { type Actor, dbNow } from '@wds/event-store/event-store'
import { putInOutboxAndKeep } from '@wds/event-store/kept-announcements'
import { unstreamedRecords } from '@wds/event-store/unstreamed'
import type { Transaction } from '@wds/postgres/transaction'

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
  const context = { workspaceId: tx.workspaceId ?? '', actor: o.actor, correlation: o.requestId }
  const announcements = events.map((event) => ({ ...event, topic: topics.authEvents }))
  await putInOutboxAndKeep(tx, unstreamedRecords(tx, context, { nowMs, announcements }))
}
