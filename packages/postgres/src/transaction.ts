// Decides how a transaction begins, in which workspace it runs, when it is tried again and how it ends.
// It never lets the workspace outlive the transaction and never hands a connection in doubt back to the pool.
import { setTimeout as sleep } from 'node:timers/promises'
import { types } from 'node:util'
import { waitingFor } from '@wds/telemetry/progress'
import pg from 'pg'
import { answerTimeoutMs, type Pool, type Queryable } from './pool.ts'
import { StatementTurn } from './statement-turn.ts'

/** One open transaction. */
export interface Transaction extends Queryable {
  /** The workspace that row-level security sees, or null: then tenant tables show no rows to the HTTP role. */
  readonly workspaceId: string | null
  /** Runs `fn` once the transaction is committed; never when it is rolled back. `fn` must not throw. */
  afterCommit(fn: () => void): void
  /**
   * Sends what was just asked with the commit instead of waiting for it, unless something else is asked meanwhile. Whatever is
   * wrong with it must fail in the database: then the commit is not run, and the transaction rejects with its error. To be asked
   * already when this is called: behind the commit nothing is asked any more.
   */
  withCommit(statement: Promise<unknown>): void
}

/** Options of {@link withTransaction}. */
export interface TransactionOptions {
  workspaceId: string | null
  /** Milliseconds per statement; the pool's limit unless told. */
  statementTimeoutMs?: number
  isolation?: 'read committed' | 'repeatable read'
  readOnly?: boolean
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
  const tx = new OpenTransaction(client, options)
  let fault: Error | undefined
  let result: T
  try {
    result = await fn(tx)
    fault = await tx.commit()
    if (fault) throw fault
  } catch (error) {
    if (!fault) fault = await tx.rollback(error)
    throw isConnectionFault(error)
      ? new ServiceError('database_unavailable', 'The connection to the database broke.', { cause: error })
      : error
  } finally {
    // With an error the pool destroys the client: a connection in doubt would carry the workspace to the next user.
    client.release(fault instanceof ServiceError && fault.code === 'transaction_aborted' ? undefined : fault)
  }
  for (const run of tx.committed) run()
  return result
}

/**
 * Begins with its first statement, in one round trip with it: what follows a begin that failed is not run. Statements of one
 * turn of the event loop go out together; when one fails, those behind it fail with the same error.
 */
class OpenTransaction implements Transaction {
  readonly workspaceId: string | null
  readonly committed: (() => void)[] = []
  /** What goes with the commit. */
  readonly #last: Promise<unknown>[] = []
  readonly #client: pg.PoolClient
  readonly #options: TransactionOptions
  /** Gathers the statements of this turn. */
  #turn: StatementTurn | null = null
  #state: 'unbegun' | 'begins' | 'begun' = 'unbegun'
  #hasEnded = false
  /** Why the transaction did not begin. */
  #fault: { error: unknown } | null = null

  constructor(client: pg.PoolClient, options: TransactionOptions) {
    this.#client = client
    this.#options = options
    this.workspaceId = options.workspaceId
  }

  // Its users may take the two apart from it.
  readonly query = <R extends pg.QueryResultRow>(
    query: string | pg.QueryConfig,
    values?: unknown[],
  ): Promise<pg.QueryResult<R>> => {
    if (this.#fault !== null) return Promise.reject(this.#fault.error)
    // It would run outside the transaction, in whatever the connection serves next.
    if (this.#hasEnded) return Promise.reject(new Error('the transaction has ended'))
    const statement = typeof query === 'string' ? { text: query } : query
    const answer = this.#add(values === undefined ? statement : { ...statement, values })
    return answer.catch((error: Error) => {
      // Its own stack ends at the socket; this one leads to whoever waits.
      Error.captureStackTrace(error)
      throw error
    }) as Promise<pg.QueryResult<R>>
  }

  readonly afterCommit = (run: () => void): void => {
    this.committed.push(run)
  }

  readonly withCommit = (statement: Promise<unknown>): void => {
    statement.catch(() => undefined)
    this.#last.push(statement)
  }

  /** Together with the statements that nobody waited for. */
  async commit(): Promise<Error | undefined> {
    this.#hasEnded = true
    if (this.#state === 'unbegun') return undefined
    if (this.#fault !== null) throw this.#fault.error
    let command: string
    try {
      command = (await this.#add({ name: 'commit', text: 'commit' })).command
    } catch (cause) {
      if (!(cause instanceof pg.DatabaseError) || isConnectionFault(cause)) {
        return new ServiceError('commit_unknown', 'The connection broke during the commit.', { cause })
      }
      // Refused by the server (a deferred constraint, a serialisation failure), or not run behind a statement that failed.
      await allInOrder(this.#last)
      throw cause
    }
    await allInOrder(this.#last)
    if (command === 'COMMIT') return undefined
    return new ServiceError('transaction_aborted', 'A failed statement had ended the transaction; it was rolled back.')
  }

  /** Returns the fault for which the client must be destroyed, or undefined when it is clean again. */
  async rollback(error: unknown): Promise<Error | undefined> {
    this.#hasEnded = true
    if (isConnectionFault(error)) return error as Error
    // What is not sent yet is not run.
    this.#turn?.fail(error)
    this.#turn = null
    if (this.#state === 'unbegun') return undefined
    try {
      await this.#add({ name: 'rollback', text: 'rollback' })
      return undefined
    } catch (fault) {
      return fault as Error
    }
  }

  #add(statement: pg.QueryConfig): Promise<pg.QueryResult> {
    if (this.#turn === null) {
      const { statementTimeoutMs } = this.#options
      // The pool waits for an answer no longer than its own limit asks for.
      const timeoutMs = statementTimeoutMs === undefined ? undefined : answerTimeoutMs(statementTimeoutMs)
      this.#turn = new StatementTurn({ query_timeout: timeoutMs })
      if (this.#state === 'unbegun') this.#begin(this.#turn)
      // Nothing is sent behind a begin that is not answered yet: it might run outside a transaction.
      else if (this.#state === 'begun') this.#sendSoon()
    }
    return this.#turn.add(statement)
  }

  #begin(turn: StatementTurn): void {
    const { isolation = 'read committed', readOnly = false, statementTimeoutMs, workspaceId } = this.#options
    const begin = `begin isolation level ${isolation} ${readOnly ? 'read only' : 'read write'}`
    const setLocal = (name: string, value: string): Promise<pg.QueryResult> =>
      turn.add({ name: 'set-local', text: 'select set_config($1, $2, true)', values: [name, value] })
    this.#state = 'begins'
    const begun = [
      turn.add({ name: begin, text: begin }),
      // Empty for none: no workspace has that id, and it overrides whatever the session might hold.
      setLocal('app.workspace_id', workspaceId ?? ''),
    ]
    if (statementTimeoutMs !== undefined)
      begun.push(setLocal('statement_timeout', String(Math.trunc(statementTimeoutMs))))
    Promise.all(begun)
      .catch((error: unknown) => {
        this.#fault = { error }
        this.#turn?.fail(error)
        this.#turn = null
      })
      .finally(() => {
        this.#state = 'begun'
        this.#sendSoon()
      })
    this.#sendSoon()
  }

  #sendSoon(): void {
    process.nextTick(() => {
      const turn = this.#turn
      this.#turn = null
      if (turn !== null) void waitingFor(() => turn.sendOn(this.#client))
    })
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
