// The database's clock, read every 10 s and moved on by the monotonic one in between (reliability.md 2).
// The host's wall clock decides nothing here; when it is off, that is logged and measured, and a service may be unready for it (kubernetes.md K22).

import { dbNow } from '@wds/event-store/event-store'
import type { Pool } from '@wds/postgres/pool'
import { LogThrottle } from '@wds/telemetry/log-throttle'
import type { Logger } from '@wds/telemetry/logger'
import { observe } from '@wds/telemetry/metrics'
import { clockMetrics } from '@wds/telemetry/platform-metrics'
import type { Progress } from '@wds/telemetry/progress'
import { whenDatabaseAnswers } from './await-database.ts'
import { runLoop } from './loop.ts'

const everyMs = 10_000
const looksPerReading = 3
const hostOffMaxMs = 5_000

export interface DatabaseClock {
  /** In whole epoch milliseconds; a database that is away does not stop it. */
  nowMs(): number
  /** Whether the host's clock was right as of the last reading: a database that is away changes nothing. */
  isHostRight(): boolean
  /** Resolves once `signal` is aborted and no reading is under way. */
  ended: Promise<void>
}

/** Resolves after the first reading; a database that is away is asked until it answers or `signal` is aborted. `hostOffMaxMs`: how far the host's clock may differ. `everyMs` is for tests. */
export async function startDatabaseClock(o: {
  pool: Pool
  logger: Logger
  signal: AbortSignal
  progress: Progress
  hostOffMaxMs?: number | undefined
  everyMs?: number
}): Promise<DatabaseClock> {
  const { pool, logger, signal, progress } = o
  const offMaxMs = o.hostOffMaxMs ?? hostOffMaxMs
  const pauseMs = o.everyMs ?? everyMs
  let reading: Reading
  let isRight = true
  const throttle = new LogThrottle()
  const read = async (): Promise<void> => {
    reading = await readClock(pool)
    const { hostOffMs } = reading
    const fields = { off_ms: hostOffMs }
    isRight = Math.abs(hostOffMs) <= offMaxMs
    if (isRight) throttle.over(() => logger.info(fields, 'host clock is in sync again'))
    else throttle.wrong(() => logger.error(fields, 'host clock differs too much from the database clock'))
  }
  await whenDatabaseAnswers(read, { logger, signal })
  const endObserving = observe([clockMetrics.off], {
    // Known to the process: nothing to fail.
    onError: () => undefined,
    read: (report) => report(clockMetrics.off, reading.hostOffMs / 1_000),
  })
  const turn = () => read().then(() => false)
  const loop = runLoop({ name: 'clock', signal, logger, progress, pauseMs, turn })
  return {
    nowMs: () => Math.round(performance.now() + reading.offsetMs),
    isHostRight: () => isRight,
    ended: loop.finally(endObserving),
  }
}

interface Reading {
  /** From the monotonic clock to the database's. */
  offsetMs: number
  /** How far the host is ahead of the database; at least so far, since the way of the answer counts for neither. */
  hostOffMs: number
}

/** An answer is as old as half its way, so the quickest of a few counts. */
async function readClock(pool: Pool): Promise<Reading> {
  const looks: (Reading & { halfWayMs: number })[] = []
  while (looks.length < looksPerReading) {
    const sentMs = performance.now()
    const databaseMs = await dbNow(pool)
    const halfWayMs = (performance.now() - sentMs) / 2
    const aheadMs = Date.now() - halfWayMs - databaseMs
    const hostOffMs = Math.round(Math.sign(aheadMs) * Math.max(0, Math.abs(aheadMs) - halfWayMs))
    looks.push({ offsetMs: databaseMs - (sentMs + halfWayMs), hostOffMs, halfWayMs })
  }
  return looks.reduce((best, look) => (look.halfWayMs < best.halfWayMs ? look : best))
}
