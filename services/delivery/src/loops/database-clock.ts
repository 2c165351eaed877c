// The clock of a worker: the database's, read now and then, moved on by the monotonic one in between (reliability.md 2, One clock).
// The host's wall clock decides nothing; when it is off, that is told.
import { dbNow } from '@wds/event-store/event-store'
import type { Pool } from '@wds/postgres/pool'
import type { Logger } from '@wds/telemetry/logger'

/** A clock that never stands still, in whole epoch milliseconds. */
export interface DatabaseClock {
  nowMs(): number
  /** Reads the database's clock anew; on a fault the clock runs on as it was. */
  anchor(): Promise<void>
}

/** How often a clock is anchored. */
export const anchorEveryMs = 10_000

const looksPerReading = 3

/** A host's clock that is off by more is told. */
const hostOffMs = 5_000

/** Reads the database's clock once; rejects when that fails. */
export async function startDatabaseClock(o: { pool: Pool; logger: Logger }): Promise<DatabaseClock> {
  let offsetMs = await readOffset(o.pool)
  let isHostOff = false
  const nowMs = (): number => Math.round(performance.now() + offsetMs)
  const judgeHost = (): void => {
    const off = Math.abs(Date.now() - nowMs()) > hostOffMs
    if (off && !isHostOff)
      o.logger.error({ off_ms: Date.now() - nowMs() }, "the host's clock differs from the database's by more than 5 s")
    if (!off && isHostOff) o.logger.info("the host's clock is right again")
    isHostOff = off
  }
  judgeHost()
  return {
    nowMs,
    async anchor() {
      offsetMs = await readOffset(o.pool)
      judgeHost()
    },
  }
}

/** From the monotonic clock to the database's. An answer is as old as half its way, so the quickest of a few counts. */
async function readOffset(pool: Pool): Promise<number> {
  const looks: { tookMs: number; offsetMs: number }[] = []
  while (looks.length < looksPerReading) {
    const sentMs = performance.now()
    const databaseMs = await dbNow(pool)
    const tookMs = performance.now() - sentMs
    looks.push({ tookMs, offsetMs: databaseMs - (sentMs + tookMs / 2) })
  }
  return looks.reduce((best, look) => (look.tookMs < best.tookMs ? look : best)).offsetMs
}
