// Decides how a transaction begins, in which workspace it runs, when it is tried again and how it ends.
// It never lets the workspace outlive the transaction and never hands a connection in doubt back to the pool.
import { setTimeout as sleep } from 'node:timers/promises'
import { types } from 'node:util'
import { waitingFor } from '@wds/telemetry/progress'
import pg from 'pg'
import { answerTimeoutMs, type Pool, type Queryable } from './pool.ts'

/** One open transaction. */
export interface Transaction extends Queryable {
  /** The workspace that row-level security sees, or null: then tenant tables show no rows to the HTTP role. */
  readonly workspaceId: string | null
  /** Runs `fn` once the transaction is committed; never when it is rolled back. `fn` must not throw. */
  afterCommit(fn: () => void): void
}

/** Options of {@link withTransaction}. */
export interface TransactionOptions {
  workspaceId: string | null
  /** Milliseconds per statement; the pool's limit unless told. */
  statementTimeoutMs?: number
  isolation?: 'read committed' | 'repeatable read'
  readOnly?: boolean
  /** Says that what `fn` sends before it waits for the first time only reads: then it goes out together with the begin. */
  readsFirst?: boolean
}

/** A fault of the infrastructure, not of the caller. */
export class ServiceError extends Error {
  /** `database_unavailable`: nothing was committed; `commit_unknown`: the connection broke during the commit;
   * `transaction_aborted`: a failed statement was swallowed, the transaction was rolled back. */
  readonly code: string

  constructor(code: string, message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'ServiceError'
    this.code = code
  }
}

// Deadlock and serialisation failure: Postgres chose this transaction as the victim, the same work may succeed now.
const retriedCodes = new Set(['40P01', '40001'])
const retriesMax = 3
// Classes of SQLSTATE that say the server goes, is not there yet or is full.
const unavailableCodes = new Set(['57P01', '57P02', '57P03', '57P05', '53300', '25P03'])

/**
 * Runs `fn` in one transaction of the workspace and commits; rolls back when `fn` throws and throws the same error.
 * Deadlocks and serialisation failures are tried again up to 3 times, so `fn` must have no other effects than SQL and
 * `afterCommit`. Throws {@link ServiceError} when the database cannot be reached.
 */
export async function withTransaction<T>(
  pool: Pool,
  options: TransactionOptions,
  fn: (tx: Transaction) => Promise<T>,
): Promise<T> {
  for (let retry = 0; ; retry++) {
    try {
      return await runOnce(pool, options, fn)
    } catch (error) {
      if (retry >= retriesMax || !isRetried(error)) throw error
      // Random, so that two victims do not meet again.
      await sleep(Math.random() * 10 * 2 ** retry)
    }
  }
}

/** Moves an open transaction into a workspace: a worker that took a row of a queue goes on in the row's workspace. */
export async function setWorkspace(tx: Transaction, workspaceId: string): Promise<void> {
  await tx.query("select set_config('app.workspace_id', $1, true)", [workspaceId])
  ;(tx as { workspaceId: string | null }).workspaceId = workspaceId
}

/** True when the fault lies in the connection or the server and the same work may succeed later. */
export function isTransient(error: unknown): boolean {
  if (error instanceof ServiceError) return error.code !== 'transaction_aborted'
  return isRetried(error) || isConnectionFault(error)
}

/**
 * Waits for statements that were sent together, in one round trip; the first one that failed, in their order, throws. What
 * follows it in the transaction has failed as well then, so nothing of it is stored.
 */
export async function allInOrder<T extends readonly unknown[]>(
  statements: T,
): Promise<{ -readonly [I in keyof T]: Awaited<T[I]> }> {
  const ends = await Promise.allSettled(statements)
  for (const end of ends) if (end.status === 'rejected') throw end.reason
  return ends.map((end) => (end as PromiseFulfilledResult<unknown>).value) as never
}

async function runOnce<T>(pool: Pool, options: TransactionOptions, fn: (tx: Transaction) => Promise<T>): Promise<T> {
  const client = await waitingFor(() => pool.connect()).catch((cause: unknown) => {
    throw new ServiceError('database_unavailable', 'The database gave no connection.', { cause })
  })
  const committed: (() => void)[] = []
  const begin: Begin = { fault: null }
  let fault: Error | undefined
  let result: T
  const begun = waitingFor(() => open(client, options, begin))
  begun.catch(() => undefined)
  try {
    // A statement that writes must never run outside a transaction: only reads are sent before the answer is there.
    if (!options.readOnly && !options.readsFirst) await begun
    result = await fn(transactionOn(client, options, { committed, begin }))
    await begun
    fault = await commit(client)
    if (fault) throw fault
  } catch (thrown) {
    // What was sent with a begin that failed failed with it, and may have been told of it first.
    const error = await begun.then(
      () => thrown,
      (cause: unknown) => cause,
    )
    if (!fault) fault = await rollback(client, error)
    throw isConnectionFault(error)
      ? new ServiceError('database_unavailable', 'The connection to the database broke.', { cause: error })
      : error
  } finally {
    // With an error the pool destroys the client: a connection in doubt would carry the workspace to the next user.
    client.release(fault instanceof ServiceError && fault.code === 'transaction_aborted' ? undefined : fault)
  }
  for (const run of committed) run()
  return result
}

/** One round trip: begin, limits and workspace together. `set_config(…, true)` ends with the transaction. */
async function open(client: pg.PoolClient, options: TransactionOptions, begin: Begin): Promise<void> {
  const mode = `isolation level ${options.isolation ?? 'read committed'} ${options.readOnly ? 'read only' : 'read write'}`
  const timeout =
    options.statementTimeoutMs === undefined
      ? ''
      : `set local statement_timeout = ${Math.trunc(options.statementTimeoutMs)};`
  const began = client.query(`begin ${mode}; ${timeout}`)
  // At once: before anybody hears of the next answer.
  began.catch((cause: unknown) => {
    begin.fault = cause
  })
  await allInOrder([
    began,
    // Empty for none: no workspace has that id, and it overrides whatever the session might hold.
    client.query({
      name: 'begin-workspace',
      text: `select set_config('app.workspace_id', $1, true)`,
      values: [options.workspaceId ?? ''],
    }),
  ])
}

/** Why the transaction did not begin, null while it is not known to have failed. */
interface Begin {
  fault: unknown
}

function transactionOn(
  client: pg.PoolClient,
  options: TransactionOptions,
  { committed, begin }: { committed: (() => void)[]; begin: Begin },
): Transaction {
  const { workspaceId, statementTimeoutMs } = options
  // The pool waits for an answer no longer than its own limit asks for.
  const limited = (query: string | pg.QueryConfig) =>
    statementTimeoutMs === undefined
      ? query
      : { ...(typeof query === 'string' ? { text: query } : query), query_timeout: answerTimeoutMs(statementTimeoutMs) }
  return {
    workspaceId,
    query: (query, values) =>
      begin.fault !== null ? notBegun() : waitingFor(() => client.query(limited(query) as string, values)),
    afterCommit: (run) => void committed.push(run),
  }
}

/** Nothing may be sent: it would run outside a transaction. The begin's own error is what the caller gets. */
function notBegun(): Promise<never> {
  return Promise.reject(new Error('the transaction has not begun'))
}

async function commit(client: pg.PoolClient): Promise<Error | undefined> {
  try {
    const { command } = await waitingFor(() => client.query('commit'))
    if (command === 'COMMIT') return undefined
    return new ServiceError('transaction_aborted', 'A failed statement had ended the transaction; it was rolled back.')
  } catch (cause) {
    // A commit refused by the server (a deferred constraint, a serialisation failure) has rolled back.
    if (cause instanceof pg.DatabaseError && !isConnectionFault(cause)) throw cause
    return new ServiceError('commit_unknown', 'The connection broke during the commit.', { cause })
  }
}

/** Returns the fault for which the client must be destroyed, or undefined when it is clean again. */
async function rollback(client: pg.PoolClient, error: unknown): Promise<Error | undefined> {
  if (isConnectionFault(error)) return error as Error
  try {
    await waitingFor(() => client.query('rollback'))
    return undefined
  } catch (fault) {
    return fault as Error
  }
}

function isRetried(error: unknown): boolean {
  const code = sqlStateOf(error) ?? sqlStateOf((error as { cause?: unknown } | null)?.cause)
  return code !== undefined && retriedCodes.has(code)
}

function isConnectionFault(error: unknown): boolean {
  if (!types.isNativeError(error)) return false
  const code = sqlStateOf(error) ?? (error as { code?: unknown }).code
  if (typeof code === 'string') return unavailableCodes.has(code) || code.startsWith('08') || /^E[A-Z]+$/.test(code)
  return /^(Connection terminated|Client has encountered a connection error|timeout expired|Query read timeout)/.test(
    error.message,
  )
}

function sqlStateOf(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined
}
