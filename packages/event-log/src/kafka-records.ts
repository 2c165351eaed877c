// Between records of the port and messages of Kafka. A message that somebody else wrote must still become a record, so that
// it can be put aside instead of stopping its partition.
import type { KafkaMessage, Message } from 'kafkajs'
import type { LogRecord, NewLogRecord } from './port.ts'

const eventIdHeader = 'event_id'

export function toMessage(record: NewLogRecord): Message {
  return {
    key: record.key,
    value: record.payload === null ? null : asBuffer(record.payload),
    headers: { ...record.headers, [eventIdHeader]: record.eventId },
  }
}

/** Without the header `event_id` the place of the record is its id: unique, and no event has it. */
export function toRecord(topic: string, partition: number, message: KafkaMessage): LogRecord {
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(message.headers ?? {})) {
    const last = Array.isArray(value) ? value.at(-1) : value
    if (last !== undefined) headers[name] = last.toString()
  }
  return {
    topic,
    partition,
    offset: BigInt(message.offset),
    key: message.key?.toString() ?? '',
    eventId: headers[eventIdHeader] ?? `${topic}/${partition}/${message.offset}`,
    headers,
    payload: message.value,
  }
}

/** Bytes that a record takes in a request, roughly. */
export function sizeOf(record: NewLogRecord): number {
  let bytes = 100 + record.key.length + (record.payload?.byteLength ?? 0)
  for (const [name, value] of Object.entries(record.headers)) bytes += name.length + value.length
  return bytes
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
