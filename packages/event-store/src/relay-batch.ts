// Publishes one batch of the outbox and deletes its rows. It must never publish unless the leadership is fresh, nor delete a row that
// the log has not stored.
import { type EventLog, type NewLogRecord, PartlyPublished } from '@wds/event-log/port'
import type { Leadership } from '@wds/postgres/advisory-lock'
import type { Pool } from '@wds/postgres/pool'
import { withTransaction } from '@wds/postgres/transaction'
import { startSend, type TracedRecord } from '@wds/telemetry/messaging-spans'
import { isMetering, timed } from '@wds/telemetry/metrics'
import { outboxMetrics } from '@wds/telemetry/platform-metrics'
import { waitingFor } from '@wds/telemetry/progress'
import { errorTypeOf, type SpanBatch } from '@wds/telemetry/spans'
import { type Backpressure, queueOf, rowsWhileActive } from './backpressure.ts'
import { findRows, findsRows, type OutboxRow, readRows, removal, removeSql } from './outbox-window.ts'

/** What a batch needs. */
export interface Batching {
  /** Of the worker role, by `relayConnection`. */
  pool: Pool
  log: EventLog
  /** Rows per batch, default {@link batchRows}. */
  batchSize?: number
  backpressure?: Backpressure
}
/** Rows of a full batch by default. */
export const batchRows = 500
/** Batches of the other rows behind one in which some failed. Then those are tried again. */
const othersMax = 20

/** Called with the records of a batch right before they are published. */
type Begin = (records: readonly TracedRecord[]) => void

/**
 * Publishes one batch and deletes its rows; returns how many. `hasRows`: rows are known to wait, so it does not check first. Rejects
 * where a topic failed, or a part of it, after what waits beside it was published: its rows stay, and would soon fill every batch.
 */
export async function relayBatch(
  o: Batching,
  leadership: Pick<Leadership, 'isFresh'>,
  known = { hasRows: false },
): Promise<number> {
  if (!known.hasRows && !(await findsRows(o.pool))) return 0
  void o.backpressure?.readLag()
  const failed = new Set<string>()
  const send = () =>
    timed(outboxMetrics.sendDuration, { 'messaging.operation.name': 'send' }, () => sendTraced(o, leadership, failed))
  try {
    return await send()
  } catch (error) {
    for (let n = 0, isMore = failed.size > 0; isMore && n < othersMax; n += 1) {
      const known = failed.size
      const sent = await send().catch(() => 0)
      isMore = sent >= sizeOf(o) || failed.size > known
    }
    throw error
  }
}

/** Leaves out topics, and keys of topics ({@link queueOf}), that `failed`, and adds those that do. */
async function sendTraced(o: Batching, leadership: Pick<Leadership, 'isFresh'>, failed: Set<string>): Promise<number> {
  let records: readonly TracedRecord[] = []
  let spans: SpanBatch | undefined
  const begin: Begin = (found) => {
    records = found
    spans = startSend(records)
  }
  try {
    await (o.log.publishInTransaction
      ? publishInSameTransaction(o, leadership, begin)
      : publishThenRemove(o, leadership, begin, failed))
    spans?.end()
  } catch (error) {
    spans?.end({ errorType: errorTypeOf(error) })
    throw error
  }
  if (isMetering()) {
    for (const [topic, own] of Map.groupBy(records, (record) => record.topic)) {
      outboxMetrics.sent.add(own.length, { 'messaging.destination.name': topic })
    }
  }
  return records.length
}

async function publishInSameTransaction(
  o: Batching,
  leadership: Pick<Leadership, 'isFresh'>,
  begin: Begin,
): Promise<void> {
  await withTransaction(o.pool, { workspaceId: null }, async (tx) => {
    const rows = admitted(o, await findRows(tx, sizeOf(o)))
    if (rows.length === 0) return
    begin(rows)
    if (!leadership.isFresh()) throw new LeadershipLost('leadership is not fresh: nothing is sent')
    // Deleted and published in one transaction: the next leader waits for it and finds the rows gone.
    const { publishInTransaction } = o.log
    if (publishInTransaction) tx.withCommit(() => publishInTransaction(tx, rows, removal))
  })
}

async function publishThenRemove(
  o: Batching,
  leadership: Pick<Leadership, 'isFresh'>,
  begin: Begin,
  failed: Set<string>,
): Promise<void> {
  const found = await withTransaction(o.pool, { workspaceId: null, readOnly: true }, (tx) =>
    readRows(tx, sizeOf(o), [...failed]),
  )
  const rows = admitted(o, found)
  if (rows.length === 0) return
  if (!leadership.isFresh()) throw new LeadershipLost('leadership is not fresh: nothing is sent')
  const records = rows.map(toRecord)
  begin(records)
  try {
    await waitingFor(() => o.log.publish(records))
  } catch (error) {
    const { stored, failedTopics } = error instanceof PartlyPublished ? error : nothingPublished(rows)
    const isStored = (_: unknown, n: number): boolean => stored.has(records[n] as NewLogRecord)
    for (const row of rows.filter((one, n) => !isStored(one, n))) {
      failed.add(failedTopics.has(row.topic) ? row.topic : queueOf(row))
    }
    if (stored.size > 0) await remove(o, rows.filter(isStored))
    throw error
  }
  await remove(o, rows)
}

function nothingPublished(rows: OutboxRow[]): Pick<PartlyPublished, 'stored' | 'failedTopics'> {
  return { stored: new Set(), failedTopics: new Set(rows.map(({ topic }) => topic)) }
}

async function remove({ pool }: Batching, rows: OutboxRow[]): Promise<void> {
  const removing = { name: 'outbox-remove', text: removeSql, values: [rows.map(({ id }) => id)] }
  await withTransaction(pool, { workspaceId: null }, (tx) => tx.query(removing))
}

function sizeOf(o: Batching): number {
  const size = o.batchSize ?? batchRows
  return o.backpressure?.isActive ? Math.min(size, rowsWhileActive) : size
}

function admitted<R extends { topic: string; key: string }>(o: Batching, found: R[]): R[] {
  return o.backpressure?.admit(found) ?? found
}

/** This process is leader no more: the batch was rolled back or not published. */
export class LeadershipLost extends Error {
  override name = 'LeadershipLost'
}

function toRecord(row: OutboxRow): NewLogRecord {
  const { topic, key, headers, payload } = row
  return { topic, key, eventId: row.event_id, headers, payload }
}
