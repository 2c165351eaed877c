// Makes readable how much work of the queue waits. Nothing is asked unless somebody reads metrics.
import type { Pool } from '@wds/postgres/pool'
import type { Logger } from '@wds/telemetry/logger'
import { observe } from '@wds/telemetry/metrics'
import { apiMetrics } from '../metrics.ts'
import { readWaitingWork } from './store-waiting.ts'

/** Returns how to end it. */
export function observeWork(o: { pool: Pool; logger: Logger }): () => void {
  const { oldestWaitingRunAge, syncWork, oldestWaitingExportAge, exportWork } = apiMetrics
  return observe([oldestWaitingRunAge, syncWork, oldestWaitingExportAge, exportWork], {
    onError: (error) => o.logger.warn({ err: error }, 'queue metrics could not be read'),
    async read(report) {
      const sync = await readWaitingWork(o.pool, ['import', 'run'])
      const exported = await readWaitingWork(o.pool, ['export'])
      report(oldestWaitingRunAge, sync.oldestWaitingSeconds)
      report(oldestWaitingExportAge, exported.oldestWaitingSeconds)
      for (const state of ['waiting', 'running', 'deferred'] as const) {
        report(syncWork, sync[state], { state })
        report(exportWork, exported[state], { state })
      }
    },
  })
}
