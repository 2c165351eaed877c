// Collects the ends of attempts for a few milliseconds and writes them in one statement per batch (delivery.md, Settle).
// A batch that cannot be written is tried again, at a growing pause; a row that can never be written is left to the end of its lease, and the others
// of its batch are written without it. One that is too late changes nothing, since the claim id fences it.

import type { Loop } from '@wds/telemetry/progress'
import type { SenderLogger } from './sender-settings.ts'
import { settleApart } from './settle-apart.ts'
import { createWakeSignal } from './wake-signal.ts'

/** Settings of the queue; times in milliseconds. Its length is bounded by the slots: an attempt keeps its slot until it is settled. */
export interface SettleQueueOptions<Row extends { deliveryId: string }> {
  /** Writes a batch; the ids of the deliveries that were written. */
  readonly settle: (rows: Row[]) => Promise<Set<string>>
  /** True when a fault of `settle` lies in what a row holds. */
  readonly isFaultOfRows: (error: unknown) => boolean
  /** Called with rows that were written, or given up: their slots are free. */
  readonly onSettled: (rows: readonly Row[]) => void
  /** Called with each row that can never be written. */
  readonly onStuck: () => void
  /** Least time for which ends are collected; few of them wait as long as the last batch took where that is more. */
  readonly collectMs: number
  readonly batchMax: number
  readonly logger: SenderLogger
  /** Each batch is a turn of it. */
  readonly loop: Loop
}

/** The queue. `run` ends once `endWithin` was called and everything is written, or `abandonMs` later. */
export interface SettleQueue<Row> {
  add(row: Row): void
  run(): Promise<void>
  endWithin(abandonMs: number): void
  readonly length: number
}

/** Pauses between two tries: the first, and the longest, well below the time between the deadline and the end of a lease. */
const retryMs = { first: 200, longest: 1_600 }
const idleMs = 1_000
const collectMaxMs = 20
const fewRows = 32

/** Makes the queue; nothing is written until `run`. */
export function createSettleQueue<Row extends { deliveryId: string }>(o: SettleQueueOptions<Row>): SettleQueue<Row> {
  const signal = createWakeSignal()
  const pause = createWakeSignal()
  let waiting: Row[] = []
  let inHand = 0
  let abandonAtMs: number | null = null

  let retryInMs = retryMs.first
  let lastTookMs = 0

  const onWritten = (rows: Row[], settled: Set<string>): void => {
    const lost = rows.filter((row) => !settled.has(row.deliveryId))
    if (lost.length > 0)
      o.logger.warn({ lost: lost.length }, 'attempts settled too late: their leases had been taken over')
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
    inHand = rows.length
    const beganMs = performance.now()
    const { left, error } = await o.loop.turn(() => settleApart(rows, { ...o, onWritten, onStuck }))
    lastTookMs = performance.now() - beganMs
    waiting = [...left, ...waiting]
    inHand = 0
    if (left.length === 0) {
      retryInMs = retryMs.first
      return
    }
    o.logger.error({ err: error, rows: left.length }, 'attempts could not be settled, trying again')
    await pause.wait(retryInMs)
    retryInMs = Math.min(retryInMs * 2, retryMs.longest)
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
          await pause.wait(Math.max(o.collectMs, tookMs))
        }
        await flush()
      }
    },
    endWithin(abandonMs) {
      abandonAtMs = performance.now() + abandonMs
      signal.raise()
    },
    get length() {
      return waiting.length + inHand
    },
  }
}
