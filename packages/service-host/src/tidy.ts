// Removes rows that have ended, again and again: idempotency keys of every service, and what a service names itself.
import { setTimeout as sleep } from 'node:timers/promises'
import { purgeIdempotencyKeys } from '@wds/http-service/idempotency'
import type { Pool } from '@wds/postgres/pool'
import type { Logger } from '@wds/telemetry/logger'

/** Keys live for 24 h: ten minutes more cost little, and a start of many processes does not purge at once. */
const everyMs = 600_000

/** Runs until the signal is aborted. `everyMs` is for tests. */
export async function keepTidy(
  service: { callers: 'known' | 'anyone'; tidy?(pool: Pool): Promise<unknown> },
  o: { pool: Pool; logger: Logger; signal: AbortSignal; everyMs?: number },
): Promise<void> {
  const steps = [...(service.callers === 'known' ? [purgeAllKeys] : []), ...(service.tidy ? [service.tidy] : [])]
  while (!o.signal.aborted) {
    await sleep(o.everyMs ?? everyMs, undefined, { signal: o.signal }).catch(() => undefined)
    for (const step of steps) {
      if (o.signal.aborted) return
      await step(o.pool).catch((error: unknown) => o.logger.warn({ err: error }, 'old rows could not be removed'))
    }
  }
}

/** The purge takes 1,000 rows a call: a service that gets more in ten minutes would never catch up with one. */
async function purgeAllKeys(pool: Pool): Promise<void> {
  while ((await purgeIdempotencyKeys(pool)) > 0);
}
