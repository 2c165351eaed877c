// Decides the limits every connection of a service carries. It never connects at import and never lets a broken
// idle connection end the process.
import { waitingFor } from '@wds/telemetry/progress'
import pg from 'pg'
import { observePool } from './observe-pool.ts'

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

// A transaction that waits for its own client holds row locks and old snapshots (stack.md 7, rule 13).
const idleInTransactionMs = 10_000
// A lock waited for longer is a fault; a migration that wants a table lock must not queue all traffic behind it.
const lockTimeoutMs = 5_000
/** Longest wait for a connection, milliseconds. */
export const connectTimeoutMs = 5_000
// Above a statement's own limit, which the server keeps: past it the server, or the way to it, is silent, and the connection is given up.
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
 * A pool of one connection beside `pool`, which ends it: for a loop. Each connection plans the statements of a function for itself,
 * and anew whenever a table was vacuumed; taken from a pool of many, a loop meets that on all of them, 5 to 30 ms each.
 */
export function ownConnection(pool: Pool, purpose: string): Pool {
  const parent = made.get(pool)
  if (parent === undefined) throw new Error('a connection of its own needs a pool of createPool')
  const { applicationName } = parent.options
  const own = openPool({ ...parent.options, applicationName: `${applicationName}-${purpose}`, max: 1 })
  parent.own.push(own)
  return own
}

function openPool(options: PoolOptions): Pool {
  const max = options.max ?? 10
  const statementTimeoutMs = options.statementTimeoutMs ?? 5_000
  const pool = new pg.Pool({
    connectionString: options.connectionString,
    application_name: options.applicationName,
    max,
    // Kept: what a new one has to load and to plan costs more than the requests of a quiet hour.
    min: max,
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: statementTimeoutMs,
    query_timeout: answerTimeoutMs(statementTimeoutMs),
    lock_timeout: lockTimeoutMs,
    idle_in_transaction_session_timeout: idleInTransactionMs,
    keepAlive: true,
    // A way that drops what is idle, unseen, is noticed while nobody waits; and nothing is kept for ever.
    keepAliveInitialDelayMillis: 30_000,
    maxLifetimeSeconds: 1_800,
    // Statements of one transaction that do not wait for each other share a round trip.
    pipeline: true,
  })
  // The pool drops the connection itself, and the next query reports the fault to somebody who can act on it.
  pool.on('error', () => undefined)
  // A connection in use emits the error as well, beside failing its query; unheard it would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined))
  observePool(pool, { name: options.applicationName, max })
  // A loop that waits for an answer does not hang (kubernetes.md K21).
  const query = pool.query.bind(pool) as (...parts: unknown[]) => Promise<unknown>
  pool.query = ((...parts: unknown[]) => waitingFor(() => query(...parts))) as typeof pool.query
  return pool
}
