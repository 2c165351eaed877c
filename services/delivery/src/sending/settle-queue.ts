// Collects results of attempts for a few milliseconds and writes each batch in one statement (delivery.md 2.8). A failed batch is tried
// again with backoff. A row that can never be written is dropped from its batch: its lease expires and is taken over. A result that
// comes after its lease was taken over changes nothing, since the claim id fences it.

import { Backoff } from '@wds/pacing/backoff'
import { WakeSignal, wait } from '@wds/pacing/wait'
import { LogThrottle } from '@wds/telemetry/log-throttle'
import type { Loop } from '@wds/telemetry/progress'
import type { SenderLogger } from './sender-settings.ts'
import { settleInHalves } from './settle-in-halves.ts'

/** Settings of the queue; times in milliseconds. Its length is bounded by the slots: an attempt keeps its slot until it is settled. */
export interface SettleQueueOptions<Row extends { deliveryId: string }> {
  /** Writes a batch; the ids of the deliveries that were written. */
  readonly settle: (rows: Row[]) => Promise<Set<string>>
  /** True when a fault of `settle` lies in what a row holds. */
  readonly isFaultOfRows: (error: unknown) => boolean
  /** Called with rows that were written or dropped: their slots are free. */
  readonly onSettled: (rows: readonly Row[]) => void
  /** Called for each row that can never be written. */
  readonly onStuck: () => void
  /** Least time for which results are collected; while there are few, as long as the last batch took, if that is longer. */
  readonly collectMs: number
  readonly batchMax: number
  readonly logger: SenderLogger
  /** Each batch is one turn of this loop. */
  readonly loop: Loop
}

/** The queue. `run` ends once `endWithin` was called and everything is written, or `abandonMs` later. */
export interface SettleQueue<Row> {
  add(row: Row): void
  run(): Promise<void>
  endWithin(abandonMs: number): void
}

/** Backoff between tries; the longest is well below the time between the deadline and the end of a lease. */
const retryMs = { min: 200, max: 1_600 }
const idleMs = 1_000
const collectMaxMs = 20
const fewRows = 32

/** Makes the queue; nothing is written until `run`. */
export function createSettleQueue<Row extends { deliveryId: string }>(o: SettleQueueOptions<Row>): SettleQueue<Row> {
  const signal = new WakeSignal()
  const backoff = new Backoff(retryMs)
  const throttle = new LogThrottle()
  let waiting: Row[] = []
  let abandonAtMs: number | null = null
  let lastTookMs = 0

  const onWritten = (rows: Row[], settled: Set<string>): void => {
    const lost = rows.filter((row) => !settled.has(row.deliveryId))
    if (lost.length > 0) o.logger.warn({ lost: lost.length }, 'attempts settled after their lease was taken over')
    o.onSettled(rows)
  }
  const onStuck = (row: Row, error: unknown): void => {
    o.logger.error(
      { err: error, delivery_id: row.deliveryId },
      'an attempt can never be settled as it is: its lease runs out and it will be logged as unknown',
    )
    o.onStuck()
    o.onSettled([row])
  }
  const isAbandoned = (): boolean => abandonAtMs !== null && performance.now() > abandonAtMs

  const flush = async (): Promise<void> => {
    const rows = waiting.splice(0, o.batchMax)
    const beganMs = performance.now()
    const { left, error } = await o.loop.turn(() => settleInHalves(rows, { ...o, onWritten, onStuck }))
    lastTookMs = performance.now() - beganMs
    waiting = [...left, ...waiting]
    if (left.length === 0) {
      throttle.over((failures) => o.logger.info({ failures }, 'attempts are settled again'))
      backoff.reset()
      return
    }
    throttle.wrong(() => o.logger.error({ err: error, rows: left.length }, 'attempts could not be settled, retrying'))
    await wait(backoff.next())
  }

  return {
    add(row) {
      waiting.push(row)
      signal.raise()
    },
    async run() {
      for (;;) {
        if (waiting.length === 0) {
          if (abandonAtMs !== null) return o.loop.end()
          o.loop.rests(idleMs)
          o.loop.progressed()
          await signal.wait(idleMs)
          continue
        }
        if (isAbandoned()) {
          o.logger.error(
            { rows: waiting.length },
            'attempts left unsettled at shutdown: they will be logged as unknown',
          )
          return o.loop.end()
        }
        if (waiting.length < o.batchMax && abandonAtMs === null) {
          const tookMs = waiting.length < fewRows ? Math.min(Math.round(lastTookMs), collectMaxMs) : 0
          await wait(Math.max(o.collectMs, tookMs))
        }
        await flush()
      }
    },
    endWithin(abandonMs) {
      abandonAtMs = performance.now() + abandonMs
      signal.raise()
    },
  }
}
