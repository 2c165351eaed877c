// A pool of connections, with the limits that every connection of a service has. It never connects at import, and a broken idle
// connection never ends the process.
import { waitingFor } from '@wds/telemetry/progress'
import pg from 'pg'
import { observePool } from './observe-pool.ts'
import { RoleClient } from './role-client.ts'

/** A pool of connections of one role to one database. */
export type Pool = pg.Pool

/** What a query needs: a pool, a client and a transaction all fit. */
export interface Queryable {
  query<R extends pg.QueryResultRow = pg.QueryResultRow>(
    query: string | pg.QueryConfig,
    values?: unknown[],
  ): Promise<pg.QueryResult<R>>
}

/** Options of {@link createPool}. */
export interface PoolOptions {
  connectionString: string
  /** Connections at most; 10 unless told: enough for two cores, and 300 of the server are shared by many. */
  max?: number
  /** Shown in `pg_stat_activity`. */
  applicationName: string
  /** Milliseconds one statement may take; 5,000 unless told, 0 for no limit. */
  statementTimeoutMs?: number
}

/** Settings of Postgres by name, for each connection of a pool. */
export type ConnectionSettings = Record<string, string>

// A transaction that waits for its own client holds row locks and old snapshots (stack.md 7.13).
const idleInTransactionMs = 10_000
// Longest wait for a lock; a migration that wants a table lock must not queue all traffic behind it.
const lockTimeoutMs = 5_000
/** Longest wait for a connection, milliseconds. */
export const connectTimeoutMs = 5_000
// Added to a statement's own limit, which the server enforces: after it the server or the network is silent, and the connection is closed.
const silenceMs = 2_000

/** Longest wait for the answer to a statement of this limit, milliseconds; 0: for ever. */
export function answerTimeoutMs(statementTimeoutMs: number): number {
  return statementTimeoutMs === 0 ? 0 : Math.trunc(statementTimeoutMs) + silenceMs
}

const made = new WeakMap<Pool, { options: PoolOptions; own: Pool[] }>()

/** Makes a pool; the first query connects. `int8` and `numeric` stay strings. Ends with `pool.end()`. */
export function createPool(options: PoolOptions): Pool {
  const pool = openPool(options)
  const own: Pool[] = []
  made.set(pool, { options, own })
  const end = pool.end.bind(pool) as () => Promise<void>
  pool.end = (async () => {
    await Promise.all([end(), ...own.splice(0).map((one) => one.end())])
  }) as typeof pool.end
  return pool
}

/**
 * A pool of one connection, for a loop; it ends with `pool`. Every connection plans the statements of a database function for itself, and
 * again after each vacuum of a table, 5 to 30 ms; a loop on a pool of many connections would pay that on each of them.
 * `settings` hold on this connection alone, also after it was made again.
 */
export function ownConnection(pool: Pool, purpose: string, settings: ConnectionSettings = {}): Pool {
  const parent = made.get(pool)
  if (parent === undefined) throw new Error('a connection of its own needs a pool of createPool')
  const { applicationName } = parent.options
  const own = openPool({ ...parent.options, applicationName: `${applicationName}-${purpose}`, max: 1 }, settings)
  parent.own.push(own)
  return own
}

function openPool(options: PoolOptions, settings: ConnectionSettings = {}): Pool {
  const max = options.max ?? 10
  const statementTimeoutMs = options.statementTimeoutMs ?? 5_000
  const pool = new pg.Pool({
    connectionString: options.connectionString,
    Client: RoleClient,
    application_name: options.applicationName,
    max,
    // Connections are kept: loading and planning in a new one costs more than the requests of a quiet hour.
    min: max,
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: statementTimeoutMs,
    query_timeout: answerTimeoutMs(statementTimeoutMs),
    lock_timeout: lockTimeoutMs,
    idle_in_transaction_session_timeout: idleInTransactionMs,
    keepAlive: true,
    // Notices a network that silently drops idle connections while no request waits; and no connection is kept for ever.
    keepAliveInitialDelayMillis: 30_000,
    maxLifetimeSeconds: 1_800,
    // Statements of one transaction that do not wait for each other share a round trip.
    pipeline: true,
    // Before anybody gets the connection.
    onConnect: (client) => applySettings(client, settings),
  })
  // The pool drops the connection itself, and the next query reports the fault to its caller.
  pool.on('error', () => undefined)
  // A connection in use emits the error in addition to failing its query; without a listener it would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined))
  observePool(pool, { name: options.applicationName, max })
  // A loop that waits for the database does not count as stuck (kubernetes.md K21).
  const query = pool.query.bind(pool) as (...parts: unknown[]) => Promise<unknown>
  pool.query = ((...parts: unknown[]) => waitingFor(() => query(...parts))) as typeof pool.query
  return pool
}

async function applySettings(client: Queryable, settings: ConnectionSettings): Promise<void> {
  const entries = Object.entries(settings)
  if (entries.length === 0) return
  const values = entries.flat()
  const calls = entries.map((_, n) => `set_config($${2 * n + 1}, $${2 * n + 2}, false)`)
  await client.query(`select ${calls.join(', ')}`, values)
}
