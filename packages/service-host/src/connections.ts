// Counts the connections to Postgres that a process may open, and refuses a start on a server that cannot hold them: it would
// work until it is under load. Partitions do not count: the log's pool is bounded.
import type { Queryable } from '@wds/postgres/pool'
import type { Service } from './service.ts'
import type { ServiceValues } from './service-settings.ts'

/** Connections at most, by what they are for. */
export interface ConnectionNeeds {
  http: number
  worker: number
  /** Beside the pools, one for each loop that keeps its own. */
  loops: number
  log: number
}

// One to listen, and for each of two consumers one to look for records and one to renew claims; one more appends.
const logConnections = 6
// Beside the pools: of the HTTP side the quotas; of the worker the relay and its leader lock.
const hostLoops = { http: 1, worker: 2 }

/** Of a process with these settings. */
export function connectionNeeds<V extends ServiceValues, S, W>(service: Service<V, S, W>, values: V): ConnectionNeeds {
  const { http, worker, loops = 0, httpOwn = 0 } = service.connections
  const serves = values.WDS_ROLE !== 'worker'
  const works = values.WDS_ROLE !== 'http'
  return {
    http: serves ? http : 0,
    worker: works ? (typeof worker === 'number' ? worker : worker(values)) : 0,
    loops: (serves ? hostLoops.http + httpOwn : 0) + (works ? hostLoops.worker + loops : 0),
    log: works && values.KAFKA_BROKERS === undefined ? logConnections : 0,
  }
}

/** Throws an Error of one sentence when the server behind `db` lets ordinary roles open fewer than all of them together. */
export async function refuseTooManyConnections(db: Queryable, setting: string, needs: ConnectionNeeds): Promise<void> {
  const { rows } = await db.query<{ max: number; reserved: number }>(
    `select current_setting('max_connections')::int as max, current_setting('superuser_reserved_connections')::int
       + coalesce(current_setting('reserved_connections', true)::int, 0) as reserved`,
  )
  const { max = 0, reserved = 0 } = rows[0] ?? {}
  const { http, worker, loops, log } = needs
  const wanted = http + worker + loops + log
  if (wanted <= max - reserved) return
  throw new Error(
    `this process may open ${wanted} connections (http ${http}, worker ${worker}, loops ${loops}, log ${log}), and the server of ` +
      `${setting} has room for ${max - reserved}: raise its max_connections from ${max} to ${wanted + reserved} or more`,
  )
}
