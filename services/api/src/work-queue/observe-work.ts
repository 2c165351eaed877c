// Makes readable how much sync work waits. Nothing is asked unless somebody reads metrics.
import type { Pool } from '@wds/postgres/pool'
import type { Logger } from '@wds/telemetry/logger'
import { observe } from '@wds/telemetry/metrics'
import { apiMetrics } from '../metrics.ts'
import { readWaitingWork } from './store-waiting.ts'

/** Returns how to end it. */
export function observeWork(o: { pool: Pool; logger: Logger }): () => void {
  const { oldestWaitingRunAge, syncWork } = apiMetrics
  return observe([oldestWaitingRunAge, syncWork], {
    onError: (error) => o.logger.warn({ err: error }, 'sync queue metrics could not be read'),
    async read(report) {
      const { waiting, running, deferred, oldestWaitingSeconds } = await readWaitingWork(o.pool)
      report(oldestWaitingRunAge, oldestWaitingSeconds)
      report(syncWork, waiting, { state: 'waiting' })
      report(syncWork, running, { state: 'running' })
      report(syncWork, deferred, { state: 'deferred' })
    },
  })
}
