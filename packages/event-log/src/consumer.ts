// Turns records of the log into effects in the service's own database, each once (architecture.md, rule 6). It decides
// what a failing record costs: it is put aside with its reason, and it must never stop a partition.
import type { Pool } from '@wds/postgres/pool'
import { type Transaction, withTransaction } from '@wds/postgres/transaction'
import { createProgress, type Progress, progressed } from '@wds/telemetry/progress'
import { createBatchGroups } from './batch-groups.ts'
import {
  insertDeadLetter,
  movePositions,
  type PositionMove,
  PositionMoved,
  positionOf,
  positionsOf,
  pruneInbox,
  resetPositions,
  takeUnseen,
} from './consumer-store.ts'
import { observeConsumer, tellOfDeadLetter, told } from './consumer-telemetry.ts'
import type { Batch, EventLog, LogLogger, LogRecord, LostRecords } from './port.ts'
import { PoisonRecord, passes, reasonOf, triesMax } from './record-faults.ts'
import { isStorable } from './storable.ts'
import { wait } from './wait.ts'

/** The folder with the migration of `positions`, `inbox` and `dead_letters`, for the schema of a service. */
export const migrationsDirectory: URL = new URL('./migrations/', import.meta.url)

// biome-ignore lint/performance/noBarrelFile: whoever writes a handler takes what belongs to it from one place.
export { PoisonRecord } from './record-faults.ts'

export interface ConsumerOptions {
  log: EventLog
  /** Of the worker role. */
  pool: Pool
  /** Name of the consumer and of its group; unique in the log, for example `delivery.take-in`. */
  name: string
  topics: string[]
  /** `inbox`: an event id takes effect once. `natural`: the effect has a unique key of its own or takes state by version. */
  dedupe: 'inbox' | 'natural'
  /** Where to start when the consumer has no position. Default `beginning`. */
  from?: 'beginning' | 'end'
  logger: LogLogger
  /** Knows of the consumer, and of each batch under way, by `name`. */
  progress?: Progress
  /**
   * The effect, in the transaction of the positions: records of one topic, those of a partition in their order. Runs again
   * after a rollback: no effects beside SQL.
   */
  handleBatch(tx: Transaction, records: LogRecord[]): Promise<void>
}

export interface RunningConsumer {
  stop(): Promise<void>
  /** Partitions that stand still because the log lost records; see `readAgain`. */
  lost(): LostRecords[]
  /** Resolves when everything that the log held at the call took effect or was put aside. */
  whenCaughtUp(): Promise<void>
}

const backOffMs = { min: 20, max: 5000 }
const pruneEveryMs = 600_000
/** Failures in a row between two lines of the log: 5 minutes at the longest pause. */
const toldEvery = 60

/** Runs a consumer until `stop`. Several processes may run the same one: they share the partitions. */
export async function runConsumer(o: ConsumerOptions): Promise<RunningConsumer> {
  const stopped = new AbortController()
  const consuming: Consuming = { ...o, held: new Map(), stopped: stopped.signal }
  const { held } = consuming
  const progress = o.progress ?? createProgress()
  // Reading has its own watch in the log, which begins anew by itself: only what the log answers is noted of it.
  const reading = progress.loop(o.name)
  reading.rests(Number.POSITIVE_INFINITY)
  const take = createBatchGroups({
    together: (batches) => applyTogether(consuming, batches),
    alone: (batch) => consumeBatch(consuming, batch),
  })
  const subscription = await o.log.subscribe({
    group: o.name,
    topics: o.topics,
    ...(o.from === undefined ? {} : { from: o.from }),
    async positionOf(topic, partition) {
      const position = await positionOf(o.pool, o.name, topic, partition)
      held.set(placeOf({ topic, partition }), position?.offset ?? null)
      return position
    },
    onAnswer: () => reading.progressed(),
    async onBatch(batch) {
      const taking = progress.loop(o.name)
      await taking.turn(() => take(batch)).finally(() => taking.end())
    },
  })
  const pruning = setInterval(() => void prune(o, stopped.signal), pruneEveryMs).unref()
  const endObserving = observeConsumer({ ...o, lost: () => subscription.lost() })
  return {
    async stop() {
      stopped.abort()
      clearInterval(pruning)
      endObserving()
      await subscription.stop()
      reading.end()
    },
    lost: () => subscription.lost(),
    whenCaughtUp: () => caughtUp(o, stopped.signal),
  }
}

/**
 * Lets a consumer read a topic (or one partition) again from the oldest record that the log holds: the way on after records
 * were lost and republished. What it has seen is skipped as ever, by inbox or natural key. Returns the partitions moved;
 * members that run notice within seconds.
 */
export function readAgain(pool: Pool, o: { consumer: string; topic: string; partition?: number }): Promise<number> {
  return resetPositions(pool, o)
}

/** Where this member believes each `topic/partition` to be: what it read at the assignment and moved since. */
export type HeldPositions = Map<string, bigint | null>
/** `stopped`: what was not taken into effect by then is left to the next member, so that a stop waits for no database. */
type Consuming = ConsumerOptions & { held: HeldPositions; stopped?: AbortSignal }

/** Takes one batch into effect: together, or record by record when that fails. */
export async function consumeBatch(o: Consuming, batch: Batch): Promise<void> {
  const last = batch.records.at(-1)
  if (!last) return
  for (let failures = 0; ; failures += 1) {
    try {
      await applyTogether(o, [batch])
      return
    } catch (error) {
      if (isLost(error, batch)) throw error
      if (!passes(error)) {
        o.logger.warn(
          { err: error, consumer: o.name, topic: batch.topic },
          'batch failed, records are tried one by one',
        )
        break
      }
      await waitOut(o, batch, failures, error)
    }
  }
  for (const record of batch.records) await consumeAlone(o, batch, record)
}

/** Retries one record until it took effect or is in the dead letters. Where it cannot be dead-lettered, its effect is retried too: both may have failed for the same reason. */
async function consumeAlone(o: Consuming, batch: Batch, record: LogRecord): Promise<void> {
  for (let counted = 0, waits = 0; ; ) {
    let fault = await faultOf(() => applyTogether(o, [{ ...batch, records: [record] }]))
    if (fault === null) return
    if (!(isLost(fault.error, batch) || passes(fault.error))) {
      counted += 1
      if (counted < triesMax(fault.error)) {
        await pause(o, batch, counted)
        continue
      }
      const why = { reason: reasonOf(fault.error), tries: counted }
      fault = await faultOf(() => putAside(o, batch, record, why))
      if (fault === null) return
    }
    if (isLost(fault.error, batch)) throw fault.error
    await waitOut(o, batch, waits, fault.error)
    waits += 1
  }
}

async function faultOf(work: () => Promise<void>): Promise<{ error: unknown } | null> {
  try {
    await work()
    return null
  } catch (error) {
    return { error }
  }
}

/** Nothing of the batch may take effect here any more. */
function isLost(error: unknown, batch: Batch): boolean {
  return error instanceof PositionMoved || batch.signal.aborted
}

/** `batches`: of one topic, one of a partition. */
async function applyTogether(o: Consuming, batches: Batch[]): Promise<void> {
  const records = batches.flatMap((batch) => batch.records)
  const effect = async (tx: Transaction, fresh: LogRecord[]): Promise<void> => {
    if (o.dedupe === 'inbox' && !fresh.every(({ eventId }) => isStorable(eventId))) {
      throw new PoisonRecord('no inbox can keep its event id')
    }
    await o.handleBatch(tx, fresh)
  }
  await told(o.name, records, () => moveTogether(o, batches, effect))
}

/** One transaction: the positions by compare-and-set, the inbox, the effect. */
async function moveTogether(
  o: Consuming,
  batches: Batch[],
  effect: (tx: Transaction, fresh: LogRecord[]) => Promise<void>,
): Promise<void> {
  const parts = batches.flatMap((batch) => partOf(o.held, batch))
  if (parts.length === 0) return
  const above = parts.flatMap((part) => part.records)
  await withTransaction(o.pool, { workspaceId: null }, async (tx) => {
    const fresh = async (): Promise<void> => {
      const unseen = o.dedupe === 'inbox' ? await takeUnseen(tx, o.name, above) : above
      if (unseen.length > 0) await effect(tx, unseen)
    }
    // The effect does not wait for the answer: where a position is elsewhere, what follows is not run and fails for that reason.
    let why: { error: unknown } | undefined
    tx.withCommit(async () => {
      await movePositions(tx, o.name, parts).catch((error: unknown) => {
        why = { error }
        throw error
      })
    })
    await fresh().catch(async (error: unknown) => {
      // The answers to one message are told in one turn.
      await new Promise(setImmediate)
      throw why === undefined ? error : why.error
    })
    if (batches.some(({ signal }) => signal.aborted)) {
      throw new PositionMoved(`${o.name} ${parts.map(placeOf).join(', ')}: lost`)
    }
  })
  for (const part of parts) o.held.set(placeOf(part), part.to)
  progressed()
}

/** What of a batch stands above the position; nothing when all of it took effect before. */
function partOf(held: HeldPositions, batch: Batch): (PositionMove & { records: LogRecord[] })[] {
  const { topic, partition } = batch
  const from = held.get(placeOf(batch)) ?? null
  const records = from === null ? batch.records : batch.records.filter((record) => record.offset > from)
  const last = records.at(-1)
  return last === undefined
    ? []
    : [{ topic, partition, from, to: last.offset, eventId: isStorable(last.eventId) ? last.eventId : null, records }]
}

function placeOf({ topic, partition }: { topic: string; partition: number }): string {
  return `${topic}/${partition}`
}

async function putAside(
  o: Consuming,
  batch: Batch,
  record: LogRecord,
  why: { reason: string; tries: number },
): Promise<void> {
  await moveTogether(o, [{ ...batch, records: [record] }], async (tx, fresh) => {
    for (const dead of fresh) await insertDeadLetter(tx, o.name, dead, why)
  })
  tellOfDeadLetter(o.name, record)
  o.logger.error({ consumer: o.name, event_id: record.eventId, reason: why.reason }, 'record moved to the dead letters')
}

async function prune(o: ConsumerOptions, signal: AbortSignal): Promise<void> {
  try {
    if (o.dedupe === 'inbox') await pruneInbox(o.pool, o.name, { signal })
  } catch (error) {
    o.logger.warn({ err: error, consumer: o.name }, 'the inbox was not pruned')
  }
}

async function caughtUp(o: ConsumerOptions, stopped: AbortSignal): Promise<void> {
  const wanted = await Promise.all(o.topics.map(async (topic) => ({ topic, ends: await o.log.ends(topic) })))
  for (let round = 0; !stopped.aborted; round += 1) {
    const positions = await positionsOf(o.pool, o.name)
    const behind = wanted.some(({ topic, ends }) =>
      [...ends].some(([partition, end]) => (positions.get(`${topic}/${partition}`) ?? -1n) < end),
    )
    if (!behind) return
    await wait(Math.min(5 * 2 ** Math.min(round, 5), 100), stopped)
  }
  throw new Error(`${o.name} was stopped before it caught up`)
}

/** Pauses before the next try and logs the reason at first and every few minutes; throws when the partition is lost, and at a stop. */
async function waitOut(o: Consuming, batch: Batch, failures: number, error: unknown): Promise<void> {
  if (failures % toldEvery === 0) {
    const { topic, partition } = batch
    const fields = { err: error, consumer: o.name, topic, partition, failures }
    o.logger.warn(fields, 'consumer cannot write to its database, retrying')
  }
  await pause(o, batch, failures)
}

/** Backs off and keeps the partition meanwhile; throws when it is lost, and at a stop. */
async function pause({ stopped }: Consuming, batch: Batch, failures: number): Promise<void> {
  const ended = stopped === undefined ? batch.signal : AbortSignal.any([batch.signal, stopped])
  await wait(Math.min(backOffMs.min * 2 ** Math.min(failures, 10), backOffMs.max), ended)
  stopped?.throwIfAborted()
  await batch.heartbeat()
}
