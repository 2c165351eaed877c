// The spans of an event on its way through outbox and log: `create` in the transaction, `send` by the relay, `process` by a
// consumer (stack.md 8.4). All are children of the creation context, which nobody rewrites on the way.

import { channel } from 'node:diagnostics_channel'
import { type Span, type SpanAttributes, type SpanBatch, startBatch, startSpan } from './spans.ts'

/** Services cannot tell the brokers apart, and neither can their spans. */
const system = { 'messaging.system': 'wds_event_log' }

/** What the spans say of a record; the log's records fit. */
export interface TracedRecord {
  topic: string
  eventId: string
  headers: Readonly<Record<string, string>>
  payload: { readonly byteLength: number } | null
}

/** Tells whoever watches the process which events it announces: `{ type }`. */
const announced = channel('wds.event')

/** Begins the way of an event. Its `traceparent` is the creation context to store; end it once the transaction is committed. */
export function startCreate(o: {
  topic: string
  eventId: string
  eventType: string
  /** Of the request or of the work that caused the event; none begins a trace. */
  parent?: string | null
}): Span {
  announced.publish({ type: o.eventType })
  return startSpan({
    name: `create ${o.topic}`,
    kind: 'producer',
    parent: o.parent,
    handsOn: true,
    attributes: () => ({
      ...system,
      'messaging.operation.name': 'create',
      'messaging.operation.type': 'create',
      'messaging.destination.name': o.topic,
      'messaging.message.id': o.eventId,
      'wds.event.type': o.eventType,
    }),
  })
}

/** The sending of a batch by the relay, which may hold several topics. */
export function startSend(records: readonly TracedRecord[]): SpanBatch {
  return startBatch({ name: 'send batch', kind: 'client', items: () => items('send', records) })
}

/** The taking into effect of records by a consumer. */
export function startProcess(consumer: string, records: readonly TracedRecord[]): SpanBatch {
  const group = { 'messaging.consumer.group.name': consumer }
  return startBatch({ name: 'process batch', kind: 'consumer', items: () => items('process', records, group) })
}

function* items(operation: 'send' | 'process', records: readonly TracedRecord[], more: SpanAttributes = {}) {
  for (const { topic, eventId, headers, payload } of records) {
    yield {
      name: `${operation} ${topic}`,
      parent: headers.traceparent,
      attributes: () => ({
        ...system,
        'messaging.operation.name': operation,
        'messaging.operation.type': operation,
        'messaging.destination.name': topic,
        'messaging.message.id': eventId,
        'messaging.message.body.size': payload?.byteLength ?? 0,
        ...more,
      }),
    }
  }
}
