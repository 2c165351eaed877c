// Runs the relay of a service's outbox: one leader per outbox publishes batch after batch, and polls while there is nothing to publish. It
// must never publish unless its leadership is fresh, and never skip a row that commits late.

import type { EventLog, LogLogger } from '@wds/event-log/port'
import { Backoff } from '@wds/pacing/backoff'
import { wait } from '@wds/pacing/wait'
import { holdLeaderLock, type Leadership } from '@wds/postgres/advisory-lock'
import type { Pool } from '@wds/postgres/pool'
import { LogThrottle } from '@wds/telemetry/log-throttle'
import { observe } from '@wds/telemetry/metrics'
import { outboxMetrics } from '@wds/telemetry/platform-metrics'
import { createProgress, type Loop, type Progress } from '@wds/telemetry/progress'
import { type Backpressure, createBackpressure, rowsWhileActive } from './backpressure.ts'
import { createHeldRows } from './held-rows.ts'
import { outboxAge } from './outbox.ts'
import { watchOutbox } from './outbox-alarm.ts'
import { outboxSignal } from './outbox-signal.ts'
import { relayConnection } from './outbox-window.ts'
import { batchRows, relayBatch } from './relay-batch.ts'

export interface RelayOptions {
  /** Of the worker role; the leader lock has a connection of its own. */
  connectionString: string
  /** Of the worker role. */
  pool: Pool
  log: EventLog
  /** `WDS_LOG_PARTITIONS`. */
  partitions: number
  signal: AbortSignal
  logger: LogLogger
  /** Rows per batch, default 500. */
  batchSize?: number
  /** Tracks the relay under the name `relay`. */
  progress?: Progress
  /** Poll interval while the outbox is empty, ms; it doubles from `min` to `max`. Default: 5 to 250. */
  pollMs?: { min: number; max: number }
  /** Holds bursts back in the outbox while their partition lags. Default: for the topics that `contracts` names. */
  backpressure?: Backpressure
}

const usualPollMs = { min: 5, max: 250 }
/**
 * Pauses between batches, ms. A batch costs far more than a row, here and in every consumer, most of all on Kafka; so under load the relay
 * waits a little for more rows, while a single row is followed by no pause. After a batch that was not full:
 * - `least`: shortest time between the starts of two batches of several rows;
 * - `many`: from so many rows on, the pause is as long as the batch took, at most `most`, or `mostPerRow` times the rows up to `mostOfAll`;
 * - `otherKeys`: longest further wait under backpressure, ended by a row of another key.
 */
const pace = { least: 10, many: 5, most: 20, mostPerRow: 0.5, mostOfAll: 50, otherKeys: 25 }
const backoffMs = { min: 100, max: 2000 }

/** Runs until the signal is aborted. Only the leader publishes; the others wait to take over (within 15 s). */
export async function runRelay(o: RelayOptions): Promise<void> {
  const loop = (o.progress ?? createProgress()).loop('relay')
  const name = `relay:${await schemaName(o, loop)}`
  const lock = {
    loop,
    connectionString: o.connectionString,
    name,
    signal: o.signal,
    onError: (error: unknown) =>
      o.logger.warn({ err: error, relay: name }, 'relay lost its leader lock or its connection'),
  }
  let leads = 0
  const endObserving = observe([outboxMetrics.leads, outboxMetrics.age], {
    onError: (error) => o.logger.warn({ err: error }, 'outbox age could not be read'),
    async read(report) {
      report(outboxMetrics.leads, leads)
      report(outboxMetrics.age, (await outboxAge(o.pool)) / 1_000)
    },
  })
  const watching = watchOutbox(o)
  const batching = { ...o, pool: relayConnection(o.pool) }
  await holdLeaderLock(lock, async (leadership) => {
    o.logger.info({ relay: name, partitions: o.partitions }, 'relay became leader')
    leads = 1
    await relayAsLeader(batching, leadership, loop)
    leads = 0
    o.logger.info({ relay: name }, 'relay lost leadership')
  }).finally(() => {
    endObserving()
    loop.end()
  })
  await watching
}

/** Publishes batches while the leadership lasts. */
export async function relayAsLeader(
  o: RelayOptions,
  leadership: Leadership,
  loop: Loop = createProgress().loop('relay'),
): Promise<void> {
  const ended = AbortSignal.any([o.signal, leadership.signal])
  const backpressure = o.backpressure ?? createBackpressure(o)
  const batching = { ...o, backpressure, held: createHeldRows() }
  const poll = new Backoff(o.pollMs ?? usualPollMs)
  const backoff = new Backoff(backoffMs)
  const throttle = new LogThrottle()
  // True when a commit signalled new rows: the next batch reads them without checking for rows first.
  let hasRows = false
  while (!ended.aborted) {
    try {
      const startedMs = performance.now()
      const sent = leadership.isFresh() ? await loop.turn(() => relayBatch(batching, leadership, { hasRows })) : 0
      throttle.over(() => o.logger.info({}, 'relay recovered'))
      backoff.reset()
      hasRows = backpressure.isActive
      if (sent === 0) {
        hasRows = await outboxSignal.wait(poll.next(), ended)
        continue
      }
      poll.reset()
      const tookMs = performance.now() - startedMs
      const restMs = restAfter(sent, { tookMs, size: o.batchSize ?? batchRows, isActive: hasRows })
      if (restMs > 0) await wait(restMs, ended)
      // The rest is held back, so it can wait; a new row ends the wait. After a full batch, rows of other keys wait already.
      if (hasRows && sent < rowsWhileActive) await outboxSignal.wait(pace.otherKeys, ended)
    } catch (error) {
      const waitMs = backoff.next()
      throttle.wrong(() => o.logger.warn({ err: error }, 'relay could not publish, retrying: rows stay in the outbox'))
      await outboxSignal.wait(waitMs, ended)
    }
  }
}

/**
 * Pause after a batch of `sent` rows by {@link pace}, ms; 0 or less: none. None after a full batch (`size` rows), since more rows wait, nor
 * after a single row; but under backpressure a single row is likely the first of a burst and does not skip the pause.
 */
function restAfter(sent: number, o: { tookMs: number; size: number; isActive: boolean }): number {
  const { tookMs } = o
  if ((sent === 1 && !o.isActive) || sent >= o.size) return 0
  const mostMs = Math.min(Math.max(pace.most, sent * pace.mostPerRow), pace.mostOfAll)
  return Math.max(pace.least - tookMs, sent < pace.many ? 0 : Math.min(tookMs, mostMs))
}

/** The name of the schema, which identifies the outbox. Asks again until the database answers. */
async function schemaName(o: RelayOptions, loop: Loop): Promise<string> {
  const throttle = new LogThrottle()
  for (;;) {
    try {
      const { rows } = await loop.turn(() => o.pool.query<{ schema: string }>('select current_schema() as schema'))
      return rows[0]?.schema ?? ''
    } catch (error) {
      if (o.signal.aborted) return ''
      throttle.wrong(() => o.logger.warn({ err: error }, 'relay waiting for the database'))
      await outboxSignal.wait(backoffMs.max, o.signal)
    }
  }
}
