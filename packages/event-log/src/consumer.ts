// Runs a consumer: applies the records of its topics to the service's own database, each once (architecture.md 6).
import { withoutUndefined } from '@wds/contracts/without-undefined'
import { Backoff } from '@wds/pacing/backoff'
import { wait, waitAtMost } from '@wds/pacing/wait'
import type { Pool } from '@wds/postgres/pool'
import type { Transaction } from '@wds/postgres/transaction'
import { createProgress, type Progress, waitingFor } from '@wds/telemetry/progress'
import { applyBatches } from './apply-batches.ts'
import { createBatchGroups } from './batch-groups.ts'
import { type Consuming, consumeBatch } from './consume-batch.ts'
import { positionOf, positionsOf, pruneInbox, resetPositions } from './consumer-store.ts'
import { observeConsumer } from './consumer-telemetry.ts'
import { placeOf } from './places.ts'
import type { EventLog, LogLogger, LogRecord, LogSubscription, LostRecords } from './port.ts'

/** The folder with the migration of `positions`, `inbox` and `dead_letters`, for the schema of a service. */
export const migrationsDirectory: URL = new URL('./migrations/', import.meta.url)

// biome-ignore lint/performance/noBarrelFile: whoever writes a handler takes what belongs to it from one place.
export { PoisonRecord } from './record-faults.ts'

/** What a consumer is, wherever it runs. */
export interface ConsumerDeclaration {
  /** Name of the consumer and of its group; unique in the log, for example `delivery.ingest`. */
  name: string
  topics: string[]
  /** `inbox`: an event id takes effect once. `natural`: the effect has a unique key of its own or takes state by version. */
  dedupe: 'inbox' | 'natural'
  /**
   * Applies records of one topic in the transaction that moves the positions; records of a partition come in order. It runs again
   * after a rollback, so it must have no effects except SQL.
   */
  handleBatch(tx: Transaction, records: LogRecord[]): Promise<void>
}

export interface ConsumerOptions extends ConsumerDeclaration {
  log: EventLog
  /** Of the worker role. */
  pool: Pool
  /** Where to start when the consumer has no position. Default `beginning`. */
  from?: 'beginning' | 'end'
  logger: LogLogger
  /** Tracks the consumer, and each batch in progress, under `name`. */
  progress?: Progress
}

export interface RunningConsumer {
  stop(): Promise<void>
  /** Partitions that are stopped because the log lost records; see `readAgain`. */
  lost(): LostRecords[]
  /**
   * Resolves when everything that the log held at the call took effect or went to the dead letters. Partitions that are stopped (`lost`) may
   * look as if they had. Rejects when the log cannot be asked, and when the consumer is stopped, or `ended` aborted, before.
   */
  whenCaughtUp(ended?: AbortSignal): Promise<void>
}

/** Poll interval of `whenCaughtUp`. */
const caughtUpLookMs = { min: 5, max: 100 }
const pruneEveryMs = 600_000
/** Interval of the look for positions that were set back by `readAgain`: a member with nothing new to read would never meet them. */
const lookForResetMs = 5_000
const logAnswersMs = 60_000

/** Runs a consumer until `stop`. Several processes may run the same one: they share the partitions. */
export async function runConsumer(o: ConsumerOptions): Promise<RunningConsumer> {
  const stopped = new AbortController()
  const consuming: Consuming = { ...o, held: new Map(), stopped: stopped.signal }
  const { held } = consuming
  const progress = o.progress ?? createProgress()
  // The log restarts its own reader when it hangs, so the reader is never reported as stuck: only its answers are recorded.
  const reading = progress.loop(o.name)
  reading.rests(Number.POSITIVE_INFINITY)
  const take = createBatchGroups({
    together: (batches) => applyBatches(consuming, batches),
    alone: (batch) => consumeBatch(consuming, batch),
  })
  const subscription = await o.log.subscribe(
    withoutUndefined({
      group: o.name,
      topics: o.topics,
      from: o.from,
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
    }),
  )
  const pruning = setInterval(() => void prune(o, stopped.signal), pruneEveryMs).unref()
  const looking = setInterval(() => void lookForResets(consuming, subscription), lookForResetMs).unref()
  const endObserving = observeConsumer({ ...o, lost: () => subscription.lost() })
  return {
    async stop() {
      stopped.abort()
      clearInterval(pruning)
      clearInterval(looking)
      endObserving()
      await subscription.stop()
      reading.end()
    },
    lost: () => subscription.lost(),
    whenCaughtUp: (ended) =>
      caughtUp(o, ended === undefined ? stopped.signal : AbortSignal.any([stopped.signal, ended])),
  }
}

/**
 * Resets a consumer's position of a topic (or of one partition) to the oldest record that the log holds, after lost records were
 * republished. Records that took effect before are skipped, by inbox or natural key. Returns how many partitions were reset; running
 * members notice within seconds.
 */
export function readAgain(pool: Pool, o: { consumer: string; topic: string; partition?: number }): Promise<number> {
  return resetPositions(pool, o)
}

/** Lets members read on from positions that are before those that they hold. One that stands still looks by itself. */
async function lookForResets(o: Consuming, subscription: LogSubscription): Promise<void> {
  const held = new Map(o.held)
  // A database that cannot be asked is told of by whoever needs it; the next look asks again.
  const positions = await positionsOf(o.pool, o.name).catch(() => null)
  if (positions === null || o.stopped?.aborted === true) return
  const lost = new Set(subscription.lost().map(placeOf))
  for (const one of subscription.assignment()) {
    const place = placeOf(one)
    const [known, stored] = [held.get(place) ?? null, positions.get(place)]
    if (known !== null && stored !== undefined && stored < known && !lost.has(place)) subscription.lookAgain(one)
  }
}

async function prune(o: ConsumerOptions, signal: AbortSignal): Promise<void> {
  try {
    if (o.dedupe === 'inbox') await pruneInbox(o.pool, o.name, { signal })
  } catch (error) {
    o.logger.warn({ err: error, consumer: o.name }, 'inbox could not be pruned')
  }
}

async function caughtUp(o: ConsumerOptions, ended: AbortSignal): Promise<void> {
  const wanted = await waitingFor(() => endsOf(o, ended))
  const backoff = new Backoff(caughtUpLookMs)
  while (!ended.aborted) {
    const positions = await positionsOf(o.pool, o.name)
    const behind = wanted.some(({ topic, ends }) =>
      [...ends].some(([partition, end]) => (positions.get(placeOf({ topic, partition })) ?? -1n) < end),
    )
    if (!behind) return
    await wait(backoff.next(), ended)
  }
  throw new Error(`${o.name} did not catch up before it was stopped or given up`)
}

/** Given up when the log does not answer for `logAnswersMs`, or `ended` is aborted. */
async function endsOf(o: ConsumerOptions, ended: AbortSignal): Promise<{ topic: string; ends: Map<number, bigint> }[]> {
  const found: { topic: string; ends: Map<number, bigint> }[] = []
  const asked = o.topics.map(async (topic) => void found.push({ topic, ends: await o.log.ends(topic) }))
  await waitAtMost(Promise.all(asked), logAnswersMs, ended)
  if (found.length < o.topics.length) throw new Error(`${o.name} was not told where the log ends`)
  return found
}
