// Ingests `workspace.events` (delivery.md 2.1). A record that can never be stored is poison at once; it must not fail the others.
import { readEvent } from '@wds/access/event-fields'
import { idDay, idTimeMs, isId } from '@wds/contracts/ids'
import { ingestGroup, topics } from '@wds/contracts/topics'
import { type ConsumerDeclaration, PoisonRecord } from '@wds/event-log/consumer'
import type { LogRecord } from '@wds/event-log/port'
import { dbNow } from '@wds/event-store/event-store'
import type { Transaction } from '@wds/postgres/transaction'
import { existingDays, makeDays } from '../days/store.ts'
import type { Ingest } from './inline.ts'
import { type IncomingEvent, ingest } from './store-ingest.ts'

/** The event's key is unique. By the queue alone, which the workers look at. */
export const ingestConsumer: ConsumerDeclaration = {
  name: ingestGroup,
  topics: [topics.workspaceEvents],
  dedupe: 'natural',
  handleBatch: createIngestHandler((tx, events) => tx.withCommit(() => ingest(tx, events))),
}

/** `store`: ingests with the commit. */
export function createIngestHandler(store: Ingest): (tx: Transaction, records: LogRecord[]) => Promise<void> {
  let days = new Set<string>()
  return async (tx, records) => {
    const events = records.map(toIncomingEvent)
    const hasNoDay = (event: IncomingEvent) => !days.has(event.eventDay)
    if (events.some(hasNoDay)) days = await existingDays(tx)
    // After a machine that slept for days nobody has made today's partitions yet: an event must not be poison for that.
    if (events.some(hasNoDay)) days = await makeDays(tx, await dbNow(tx))
    const outside = events.find((event) => !days.has(event.eventDay))
    if (outside) throw new PoisonRecord(`no partition holds the day ${outside.eventDay}`)
    store(tx, events)
  }
}

/** Reads what fan-out needs; the payload stays as it is. Throws PoisonRecord. */
export function toIncomingEvent(record: LogRecord): IncomingEvent {
  const workspaceId = record.headers.workspace_id ?? record.key
  const type = record.headers.event_type
  if (record.payload === null || type === undefined || !isId('evt', record.eventId) || !isId('wsp', workspaceId)) {
    throw new PoisonRecord('the record is no event of a workspace')
  }
  return {
    eventDay: idDay(record.eventId),
    eventId: record.eventId,
    workspaceId,
    type,
    about: type.startsWith('webhook.') ? subscriptionOf(record) : null,
    payload: record.payload,
    traceparent: record.headers.traceparent ?? null,
    createdMs: idTimeMs(record.eventId),
  }
}

/** The loop rule: an event about a subscription is never delivered to it (domain.md 5). */
function subscriptionOf(record: LogRecord): string {
  const webhookId = readEvent(record)?.data.webhook_id
  // An operational event that does not say whom it speaks of must reach nobody.
  if (typeof webhookId !== 'string') throw new PoisonRecord('the operational event names no subscription')
  return webhookId
}
