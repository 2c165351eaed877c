// Makes a pool readable: connections, who waits for one and for how long. A process that nobody reads pays nothing for it.
import { isMetering, observe } from '@wds/telemetry/metrics'
import { poolMetrics } from '@wds/telemetry/platform-metrics'
import type pg from 'pg'

const { connections, connectionsMax, pendingRequests, waitTime } = poolMetrics

/** Observes until the process ends: a pool lives as long. */
export function observePool(pool: pg.Pool, o: { name: string; max: number }): void {
  if (!isMetering()) return
  const named = { 'db.client.connection.pool.name': o.name }
  observe([connections, connectionsMax, pendingRequests], {
    // Counts of this process: nothing to fail.
    onError: () => undefined,
    read(report) {
      report(connections, pool.totalCount - pool.idleCount, { ...named, 'db.client.connection.state': 'used' })
      report(connections, pool.idleCount, { ...named, 'db.client.connection.state': 'idle' })
      report(connectionsMax, o.max, named)
      report(pendingRequests, pool.waitingCount, named)
    },
  })
  timeConnect(pool, named)
}

/** `pool.query` takes its connection by `connect` too. A connection that was not given is not timed. */
function timeConnect(pool: pg.Pool, named: { 'db.client.connection.pool.name': string }): void {
  type Callback = (
    error: Error | undefined,
    client: pg.PoolClient | undefined,
    done: (release?: unknown) => void,
  ) => void
  const connect = pool.connect.bind(pool) as {
    (): Promise<pg.PoolClient>
    (callback: Callback): void
  }
  const timedConnect = (callback?: Callback): unknown => {
    const startedMs = performance.now()
    const record = () => waitTime.record((performance.now() - startedMs) / 1_000, named)
    if (callback === undefined) {
      return connect().then((client) => {
        record()
        return client
      })
    }
    return connect((error, client, done) => {
      if (error === undefined || error === null) record()
      callback(error, client, done)
    })
  }
  pool.connect = timedConnect as typeof pool.connect
}
