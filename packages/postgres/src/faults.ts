// Judges what a failed call of the database means: whose fault it is, and whether the same work may succeed later.
import { types } from 'node:util'
import pg from 'pg'

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

/** The transaction is committed, and what came behind it failed: it must not run again. */
export class CommittedFault extends Error {
  override name = 'CommittedFault'
}

// Deadlock and serialisation failure: Postgres chose this transaction as the victim, the same work may succeed now.
const retriedCodes = new Set(['40P01', '40001'])
// SQLSTATEs that say the server goes, is not there yet or is full.
const unavailableCodes = new Set(['57P01', '57P02', '57P03', '57P05', '53300', '25P03', '25P04'])
/**
 * States of the server that pass without a change of the work: 08 connection, 53 out of disk, memory or connections, 57P going or
 * coming, 58 its disk or system fails, 25006 it only reads, 0A000 the same of a standby at `begin` (and a prepared statement that a
 * migration outdated). All other classes speak of a statement, its values or its rows (22, 23, 42, 54 ...), also XX: a broken page
 * or an internal error meets the same row again.
 */
const serverStates = /^(08|53|57P|58|25006$|25P0[34]$|0A000$)/

/** What `pg` says without a code. The third and the fourth: no connection was made, or came free, in time. */
const connectionFaults =
  /^(Connection terminated|Client has encountered a connection error|timeout expired|timeout exceeded when trying to connect|Query read timeout)/

/** True when the fault lies in the connection or the server, nothing was committed for it, and the same work may succeed later. */
export function isTransient(error: unknown): boolean {
  if (error instanceof ServiceError) return error.code !== 'transaction_aborted'
  return isRetried(error) || isConnectionFault(error) || isOfServer(error)
}

/** Tried again at once, in a new transaction. */
export function isRetried(error: unknown): boolean {
  if (mayBeCommitted(error)) return false
  return retriedCodes.has(sqlStateBehind(error) ?? '')
}

/** True when the transaction is committed, or nobody knows: the connection broke during the commit, or what came behind it failed. */
export function mayBeCommitted(error: unknown): boolean {
  return error instanceof CommittedFault || (error instanceof ServiceError && error.code === 'commit_unknown')
}

/** True when the connection is gone, or the server is not there to answer, nor its name to be found (`EAI_AGAIN`). */
export function isConnectionFault(error: unknown): boolean {
  if (!types.isNativeError(error)) return false
  const code = sqlStateOf(error) ?? (error as { code?: unknown }).code
  if (typeof code === 'string')
    return unavailableCodes.has(code) || code.startsWith('08') || /^E(?:AI_)?[A-Z]+$/.test(code)
  return connectionFaults.test(error.message)
}

/** True when the server as a whole cannot do it for now, whatever the statement and its values. */
function isOfServer(error: unknown): boolean {
  return serverStates.test(sqlStateOf(error) ?? '')
}

/** True when the server only reads. The address may lead to another one by now, but an open connection never does. */
export function isReadOnlyServer(error: unknown): boolean {
  return /^(25006|0A000)$/.test(sqlStateOf(error) ?? '')
}

/** The code that the server gave, also where the error only wraps what was thrown. */
export function sqlStateBehind(error: unknown): string | undefined {
  return sqlStateOf(error) ?? sqlStateOf((error as { cause?: unknown } | null)?.cause)
}

/** The code that the server gave. */
export function sqlStateOf(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined
}
