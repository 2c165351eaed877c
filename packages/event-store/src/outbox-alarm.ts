// Warns when the outbox does not get to the log (auth.md 5.7): what was changed holds here and nowhere else.

import type { LogLogger } from '@wds/event-log/port'
import { wait } from '@wds/pacing/wait'
import type { Pool } from '@wds/postgres/pool'
import { LogThrottle } from '@wds/telemetry/log-throttle'
import { outboxAge } from './outbox.ts'

/** Milliseconds that the oldest row may wait. */
const ageMaxMs = 5_000

/** Looks every 5 s until `signal` is aborted, in every process that may lead: the leader itself may be what stands. `everyMs` is for tests. */
export async function watchOutbox(o: {
  pool: Pool
  signal: AbortSignal
  logger: LogLogger
  everyMs?: number
}): Promise<void> {
  const throttle = new LogThrottle()
  while (!o.signal.aborted) {
    await wait(o.everyMs ?? ageMaxMs, o.signal)
    // A database that is away is the relay's to tell.
    const ageMs = o.signal.aborted ? null : await outboxAge(o.pool).catch(() => null)
    if (ageMs === null) continue
    const fields = { outbox_age_ms: Math.round(ageMs) }
    const late = 'oldest outbox row is older than 5 s: nothing gets to the log, or a burst is held back'
    if (ageMs > ageMaxMs) throttle.wrong(() => o.logger.warn(fields, late))
    else throttle.over(() => o.logger.info(fields, 'outbox gets to the log again'))
  }
}
