// Makes readable what waits in the tables and what this worker has under way. Nothing is asked unless somebody reads metrics.
import type { Pool } from '@wds/postgres/pool'
import type { Logger } from '@wds/telemetry/logger'
import { observe } from '@wds/telemetry/metrics'
import { breakerFailures } from '../lanes/domain/lane.ts'
import { deliveryMetrics } from '../metrics.ts'
import { readEngineCounts, readWaitingLanes, waitReasons } from './store.ts'

const m = deliveryMetrics

/** Returns how to end it. */
export function observeEngine(o: { pool: Pool; logger: Logger; slots: number; underWay(): number }): () => void {
  const endOwn = observe([m.underWay, m.slots], {
    onError: () => undefined,
    read(report) {
      report(m.underWay, o.underWay())
      report(m.slots, o.slots)
    },
  })
  const endShared = observe(
    [m.oldestDueAge, m.oldestReadyDueAge, m.lanesDue, m.leases, m.breakersHalfOpen, m.fanOutAge],
    {
      onError: (error) => o.logger.warn({ err: error }, 'backlog metrics could not be read'),
      async read(report) {
        const waiting = new Map((await readWaitingLanes(o.pool, breakerFailures)).map((row) => [row.reason, row]))
        for (const reason of waitReasons) {
          const { ageSeconds, lanes } = waiting.get(reason) ?? { ageSeconds: 0, lanes: 0 }
          report(m.oldestDueAge, ageSeconds, { reason })
          report(m.lanesDue, lanes, { reason })
          if (reason === 'ready') report(m.oldestReadyDueAge, ageSeconds)
        }
        const counts = await readEngineCounts(o.pool, breakerFailures)
        report(m.leases, counts.leasesRunning, { state: 'running' })
        report(m.leases, counts.leasesExpired, { state: 'expired' })
        report(m.breakersHalfOpen, counts.breakersHalfOpen)
        report(m.fanOutAge, counts.fanOutAgeSeconds)
      },
    },
  )
  return () => {
    endOwn()
    endShared()
  }
}
