// Keeps the lease of a piece of work while it is worked on.
import type { Pool } from '@wds/postgres/pool'
import type { Logger } from '@wds/telemetry/logger'
import { apartFromTurn } from '@wds/telemetry/progress'
import { keepLease, type LeasedWork } from './store.ts'

/**
 * Runs `work`, and renews its lease three times in the length of one until it has ended. `lost` is aborted once the lease is somebody
 * else's: nothing more may be written then. Renewing is no sign that the work moves.
 */
export async function withLease<T>(
  o: { pool: Pool; logger: Pick<Logger, 'warn'>; leaseMs: number },
  leased: LeasedWork,
  work: (lost: AbortSignal) => Promise<T>,
): Promise<T> {
  const lost = new AbortController()
  const renew = async (): Promise<void> => {
    try {
      if (!(await keepLease(o.pool, leased, o.leaseMs))) lost.abort()
    } catch (error) {
      const ids = { workspace_id: leased.workspaceId, work_id: leased.workId }
      o.logger.warn({ err: error, ...ids }, 'lease of queued work could not be renewed')
    }
  }
  const renewing = apartFromTurn(() => setInterval(() => void renew(), o.leaseMs / 3))
  try {
    return await work(lost.signal)
  } finally {
    clearInterval(renewing)
  }
}
