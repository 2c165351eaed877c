// Collects the ends of attempts for a few milliseconds and writes them in one statement per batch (delivery.md, Settle).
// A batch that cannot be written is tried again; one that is too late changes nothing, since the claim id fences it.

import type { SenderLogger } from './sender-settings.ts'
import { createWakeSignal } from './wake-signal.ts'

/** Settings of the queue; times in milliseconds. Its length is bounded by the slots: an attempt keeps its slot until it is settled. */
export interface SettleQueueOptions<Row extends { deliveryId: string }> {
  /** Writes a batch; the ids of the deliveries that were written. */
  readonly settle: (rows: Row[]) => Promise<Set<string>>
  /** Called after each batch that was written, with all of its rows. */
  readonly onSettled: (rows: readonly Row[]) => void
  readonly collectMs: number
  readonly batchMax: number
  readonly logger: SenderLogger
}

/** The queue. `run` ends once `endWithin` was called and everything is written, or `abandonMs` later. */
export interface SettleQueue<Row> {
  add(row: Row): void
  run(): Promise<void>
  endWithin(abandonMs: number): void
  readonly length: number
}

const retryMs = 200
const idleMs = 1_000

/** Makes the queue; nothing is written until `run`. */
export function createSettleQueue<Row extends { deliveryId: string }>(o: SettleQueueOptions<Row>): SettleQueue<Row> {
  const signal = createWakeSignal()
  const pause = createWakeSignal()
  let waiting: Row[] = []
  let inHand = 0
  let abandonAtMs: number | null = null

  const write = async (rows: Row[]): Promise<void> => {
    const settled = await o.settle(rows)
    const lost = rows.filter((row) => !settled.has(row.deliveryId))
    if (lost.length > 0)
      o.logger.warn({ lost: lost.length }, 'attempts settled too late: their leases had been taken over')
    o.onSettled(rows)
  }
  const isAbandoned = (): boolean => abandonAtMs !== null && performance.now() > abandonAtMs

  const flush = async (): Promise<void> => {
    const rows = waiting.splice(0, o.batchMax)
    inHand = rows.length
    try {
      await write(rows)
    } catch (error) {
      o.logger.error({ err: error, rows: rows.length }, 'a batch of attempts could not be settled, trying again')
      waiting = [...rows, ...waiting]
      await pause.wait(retryMs)
    } finally {
      inHand = 0
    }
  }

  return {
    add(row) {
      waiting.push(row)
      signal.raise()
    },
    async run() {
      for (;;) {
        if (waiting.length === 0) {
          if (abandonAtMs !== null) return
          await signal.wait(idleMs)
          continue
        }
        if (isAbandoned()) {
          o.logger.error(
            { rows: waiting.length },
            'attempts left unsettled at shutdown: they will be logged as unknown',
          )
          return
        }
        if (waiting.length < o.batchMax && abandonAtMs === null) await pause.wait(o.collectMs)
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
