// Periodically deletes expired rows: request counts, idempotency keys, what is over of keys and tokens, and old dead letters of every service, and
// what a service names itself.

import { pruneAccess } from '@wds/access/projection'
import { pruneDeadLetters } from '@wds/event-log/dead-letters'
import { purgeIdempotencyKeys } from '@wds/http-service/idempotency'
import { purgeRequestQuotas } from '@wds/http-service/quota-store'
import { wait } from '@wds/pacing/wait'
import type { Pool } from '@wds/postgres/pool'
import type { Logger } from '@wds/telemetry/logger'
import type { Progress } from '@wds/telemetry/progress'
import { runLoop } from './loop.ts'

/** Keys live for 24 h: ten minutes more cost little, and a start of many processes does not purge at once. */
const everyMs = 600_000

/** Runs until the signal is aborted. `everyMs` is for tests. */
export async function keepTidy(
  service: { callers: 'known' | 'anyone'; tidy?(pool: Pool): Promise<unknown> },
  o: { pool: Pool; logger: Logger; progress: Progress; signal: AbortSignal; everyMs?: number },
): Promise<void> {
  const pauseMs = o.everyMs ?? everyMs
  await wait(pauseMs, o.signal)
  const keep = (name: string, remove: (pool: Pool) => Promise<unknown>) =>
    runLoop({ ...o, name, pauseMs, turn: () => remove(o.pool).then(() => false) })
  await Promise.all([
    keep('purge-request-quotas', purgeRequestQuotas),
    ...(service.callers === 'known'
      ? [
          keep('purge-idempotency-keys', purgeAllKeys),
          keep('prune-access', pruneAccess),
          keep('prune-dead-letters', (pool) => pruneLetters(pool, o.logger)),
        ]
      : []),
    ...(service.tidy ? [keep('tidy', service.tidy)] : []),
  ])
}

/** The purge takes 1,000 rows a call: a service that gets more in ten minutes would never catch up with one. */
async function purgeAllKeys(pool: Pool): Promise<void> {
  while ((await purgeIdempotencyKeys(pool)) > 0);
}

async function pruneLetters(pool: Pool, logger: Logger): Promise<void> {
  const { removed, unreplayed } = await pruneDeadLetters(pool)
  if (unreplayed > 0)
    logger.warn({ removed, unreplayed }, 'dead letters older than 30 days deleted, some never replayed')
}
