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
import { createHeldRows, type HeldRows } from './held-rows.ts'
import {
  findPart,
  findRows,
  findsRows,
  type OutboxRow,
  type Part,
  readOthers,
  readRows,
  removal,
  removeSql,
} from './outbox-window.ts'

/** What a batch needs. */
export interface Batching {
  /** Of the worker role, by `relayConnection`. */
  pool: Pool
  log: EventLog
  /** Rows per batch, default {@link batchRows}. */
  batchSize?: number
  backpressure?: Backpressure
  /** Kept from batch to batch. Default: each begins anew. */
  held?: HeldRows
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
  const failing: Failing = { queues: new Set(), held: o.held ?? createHeldRows(), hasMore: false }
  const send = () =>
    timed(outboxMetrics.sendDuration, { 'messaging.operation.name': 'send' }, () => sendTraced(o, leadership, failing))
  try {
    const sent = await send()
    failing.held.begin()
    return sent
  } catch (error) {
    for (let n = 0, isMore = failing.queues.size > 0; isMore && n < othersMax; n += 1) {
      const known = failing.queues.size
      failing.hasMore = false
      await send().catch(() => undefined)
      isMore = failing.hasMore || failing.queues.size > known
    }
    throw error
  }
}

/** What a try has met. */
interface Failing {
  /** Topics, and keys of topics ({@link queueOf}). */
  queues: Set<string>
  held: HeldRows
  /** Behind what the last batch sent, others may wait. */
  hasMore: boolean
}

/** Leaves out what is `failing`, and adds what does. */
async function sendTraced(o: Batching, leadership: Pick<Leadership, 'isFresh'>, failing: Failing): Promise<number> {
  let records: readonly TracedRecord[] = []
  let spans: SpanBatch | undefined
  const begin: Begin = (found) => {
    records = found
    spans = startSend(records)
  }
  try {
    await (o.log.publishInTransaction
      ? publishInSameTransaction(o, leadership, begin)
      : publishThenRemove(o, leadership, begin, failing))
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
  failing: Failing,
): Promise<void> {
  const { queues, held } = failing
  const { found, part } = await readUnheld(o, failing)
  const rows = admitted(o, found)
  if (rows.length > 0) {
    if (!leadership.isFresh()) throw new LeadershipLost('leadership is not fresh: nothing is sent')
    const records = rows.map(toRecord)
    begin(records)
    try {
      await waitingFor(() => o.log.publish(records))
    } catch (error) {
      const { stored, failedTopics } = error instanceof PartlyPublished ? error : nothingPublished(rows)
      const isStored = (_: unknown, n: number): boolean => stored.has(records[n] as NewLogRecord)
      for (const row of rows.filter((one, n) => !isStored(one, n))) {
        queues.add(failedTopics.has(row.topic) ? row.topic : queueOf(row))
      }
      if (stored.size > 0) await removePublished(o, rows.filter(isStored), held)
      throw error
    }
    await removePublished(o, rows, held)
  }
  failing.hasMore = part !== null && rows.length >= (part.middle === null ? sizeOf(o) : 1)
}

/** The next batch; beside rows that failed that of the first part of the outbox in which others wait, else of the last one. */
async function readUnheld(o: Batching, { queues, held }: Failing): Promise<{ found: OutboxRow[]; part: Part | null }> {
  return withTransaction(o.pool, { workspaceId: null, readOnly: true }, async (tx) => {
    if (queues.size === 0) return { found: await readRows(tx, sizeOf(o)), part: null }
    for (const without = [...queues]; ; ) {
      const part = await findPart(tx, held.after)
      const found = await readOthers(tx, sizeOf(o), { ...part, without })
      if (found.length > 0 || !held.passed(part)) return { found, part }
    }
  })
}

function nothingPublished(rows: OutboxRow[]): Pick<PartlyPublished, 'stored' | 'failedTopics'> {
  return { stored: new Set(), failedTopics: new Set(rows.map(({ topic }) => topic)) }
}

async function removePublished({ pool }: Batching, rows: OutboxRow[], held: HeldRows): Promise<void> {
  const ids = rows.map(({ id }) => id)
  held.published(ids)
  const removing = { name: 'outbox-remove', text: removeSql, values: [ids] }
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
