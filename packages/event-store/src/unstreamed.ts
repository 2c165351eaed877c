// Announcements of what no stream holds: people, uses of keys, entries of the audit log, the catalog. They have the form and the headers of
// all others, and ids of their own, which rise within one call.
import { type Id, nextId } from '@wds/contracts/ids'
import { withoutUndefined } from '@wds/contracts/without-undefined'
import type { Transaction } from '@wds/postgres/transaction'
import { startCreate } from '@wds/telemetry/messaging-spans'
import { pooledBytes } from '@wds/telemetry/trace-context'
import { type AppendContext, announcementRecord } from './event-store.ts'
import type { OutboxRecord } from './outbox.ts'

/** Its payload is `{ id, type, created, data }`. */
export interface Unstreamed {
  topic: string
  key: string
  type: string
  data: object
}

/** Who announces, in which workspace ('': none). Without a `correlation` the id of the first record is that of all; without a `trace` each begins one. */
export type UnstreamedContext = Pick<AppendContext, 'workspaceId' | 'actor' | 'causation'> &
  Partial<Pick<AppendContext, 'correlation' | 'trace'>>

/** The records for the outbox, in the given order. `nowMs`: the database's time (`dbNow`). */
export function unstreamedRecords(
  tx: Transaction,
  context: UnstreamedContext,
  o: { nowMs: number; announcements: readonly Unstreamed[] },
): OutboxRecord[] {
  const { trace } = context
  const created = new Date(o.nowMs).toISOString()
  let last: Id<'evt'> | null = null
  let { correlation } = context
  return o.announcements.map(({ topic, key, type, data }) => {
    const eventId = nextId('evt', last, o.nowMs, pooledBytes(10))
    last = eventId
    correlation ??= eventId
    const span = startCreate({ topic, eventId, eventType: type, parent: trace?.traceparent ?? null })
    // A span that does not end is not exported: what was rolled back was never created.
    tx.afterCommit(() => span.end())
    const { traceparent } = span
    const from = withoutUndefined<AppendContext>({ ...context, correlation, trace: trace ?? { traceparent } })
    const payload = Buffer.from(JSON.stringify({ id: eventId, type, created, data }))
    return announcementRecord(from, { topic, key, type, payload }, { eventId, traceparent })
  })
}
