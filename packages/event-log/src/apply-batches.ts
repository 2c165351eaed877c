// One transaction for the records of some partitions: positions by compare-and-set, the inbox, the effect (architecture.md 6).
import type { Pool } from '@wds/postgres/pool'
import { type Transaction, withTransaction } from '@wds/postgres/transaction'
import { progressed } from '@wds/telemetry/progress'
import { movePositions, type PositionMove, PositionMoved, takeUnseen } from './consumer-store.ts'
import { withConsumerTelemetry } from './consumer-telemetry.ts'
import { placeOf } from './places.ts'
import type { Batch, LogRecord } from './port.ts'
import { PoisonRecord } from './record-faults.ts'
import { isStorable } from './storable.ts'

/** Position of each assigned `topic/partition` as this member knows it: read at the assignment, moved with each batch. */
export type HeldPositions = Map<string, bigint | null>

/** A consumer as its transactions see it; see `ConsumerOptions`. */
export interface Applying {
  pool: Pool
  name: string
  dedupe: 'inbox' | 'natural'
  held: HeldPositions
  handleBatch(tx: Transaction, records: LogRecord[]): Promise<void>
}

/** Applies batches of one topic, at most one of each partition, in one transaction. */
export async function applyBatches(o: Applying, batches: Batch[]): Promise<void> {
  const records = batches.flatMap((batch) => batch.records)
  const effect = async (tx: Transaction, fresh: LogRecord[]): Promise<void> => {
    if (o.dedupe === 'inbox' && !fresh.every(({ eventId }) => isStorable(eventId))) {
      throw new PoisonRecord('no inbox can keep its event id')
    }
    await o.handleBatch(tx, fresh)
  }
  await withConsumerTelemetry(o.name, records, () => applyInTransaction(o, batches, effect))
}

/** One transaction: the positions by compare-and-set, the inbox, the effect. */
export async function applyInTransaction(
  o: Applying,
  batches: Batch[],
  effect: (tx: Transaction, fresh: LogRecord[]) => Promise<void>,
): Promise<void> {
  const parts = batches.flatMap((batch) => notYetApplied(o.held, batch))
  if (parts.length === 0) return
  const records = parts.flatMap((part) => part.records)
  await withTransaction(o.pool, { workspaceId: null }, async (tx) => {
    // Sent with the commit. When another member moved a position, this statement fails and everything in the transaction with it.
    tx.withCommit(() => movePositions(tx, o.name, parts))
    const unseen = o.dedupe === 'inbox' ? await takeUnseen(tx, o.name, records) : records
    if (unseen.length > 0) await effect(tx, unseen)
    if (batches.some(({ signal }) => signal.aborted)) {
      throw new PositionMoved(`${o.name} ${parts.map(placeOf).join(', ')}: lost`)
    }
  })
  for (const part of parts) o.held.set(placeOf(part), part.to)
  progressed()
}

/** The records of a batch above the position, and the move to the last of them; empty when all of them took effect before. */
function notYetApplied(held: HeldPositions, batch: Batch): (PositionMove & { records: LogRecord[] })[] {
  const { topic, partition } = batch
  const from = held.get(placeOf(batch)) ?? null
  const records = from === null ? batch.records : batch.records.filter((record) => record.offset > from)
  const last = records.at(-1)
  return last === undefined
    ? []
    : [{ topic, partition, from, to: last.offset, eventId: isStorable(last.eventId) ? last.eventId : null, records }]
}
