// Judges the host's clock by the database's, for services whose answers carry times that others judge by (kubernetes.md K22).
import { setTimeout as sleep } from 'node:timers/promises'
import { dbNow } from '@wds/event-store/event-store'
import type { Pool } from '@wds/postgres/pool'
import type { Logger } from '@wds/telemetry/logger'
import { observe } from '@wds/telemetry/metrics'
import { clockMetrics } from '@wds/telemetry/platform-metrics'

const everyMs = 10_000

/** The judgement, renewed until the signal is aborted; then `ended` resolves. */
export interface WatchedClock {
  /** As of the last look that was answered: a database that is away changes nothing. */
  isRight(): boolean
  ended: Promise<void>
}

/** Resolves after the first look, whatever came of it. `everyMs` is for tests. */
export async function watchClock(o: {
  pool: Pool
  /** Milliseconds that the clocks may differ. */
  offMaxMs: number
  logger: Logger
  signal: AbortSignal
  everyMs?: number
}): Promise<WatchedClock> {
  let isRight = true
  let offMs = 0
  const look = async (): Promise<void> => {
    try {
      offMs = await readOff(o.pool)
      const wasRight = isRight
      isRight = Math.abs(offMs) <= o.offMaxMs
      if (wasRight && !isRight)
        o.logger.error({ off_ms: offMs }, "the host's clock differs too much from the database's")
      if (!wasRight && isRight) o.logger.info({ off_ms: offMs }, "the host's clock is right again")
    } catch (error) {
      o.logger.debug({ err: error }, "the database's clock could not be read")
    }
  }
  const keepLooking = async (): Promise<void> => {
    while (!o.signal.aborted) {
      await sleep(o.everyMs ?? everyMs, undefined, { signal: o.signal }).catch(() => undefined)
      if (!o.signal.aborted) await look()
    }
    endObserving()
  }
  const endObserving = observe([clockMetrics.off], {
    // Known to the process: nothing to fail.
    onError: () => undefined,
    read: (report) => report(clockMetrics.off, offMs / 1_000),
  })
  await look()
  return { isRight: () => isRight, ended: keepLooking() }
}

/** How far the host is ahead of the database, in milliseconds; at least so far, since the way of the answer counts for neither. */
async function readOff(pool: Pool): Promise<number> {
  const sentMs = performance.now()
  const databaseMs = await dbNow(pool)
  const halfWayMs = (performance.now() - sentMs) / 2
  const offMs = Date.now() - halfWayMs - databaseMs
  return Math.round(Math.sign(offMs) * Math.max(0, Math.abs(offMs) - halfWayMs))
}
