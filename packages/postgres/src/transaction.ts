// Runs a transaction in a workspace: begin, commit or rollback, retries. The workspace never outlives the transaction, and a connection
// whose state is uncertain never goes back to the pool.
import { backoffMs } from '@wds/pacing/backoff'
import { wait } from '@wds/pacing/wait'
import { waitingFor } from '@wds/telemetry/progress'
import { isConnectionFault, isReadOnlyServer, isRetried, ServiceError } from './faults.ts'
import { inWorkspace, OpenTransaction, type Transaction, type TransactionOptions } from './open-transaction.ts'
import type { Pool } from './pool.ts'

// biome-ignore lint/performance/noBarrelFile: whoever runs transactions takes what belongs to them from one place.
export { isTransient, mayBeCommitted, ServiceError, sqlStateBehind, sqlStateOf } from './faults.ts'
export { allInOrder, type Transaction, type TransactionOptions } from './open-transaction.ts'

const retriesMax = 3
// Full jitter, so that two transactions that deadlocked do not collide again.
const retryMs = { min: 10, max: 40, jitter: 1 }

/**
 * Runs `fn` in one transaction of the workspace and commits; rolls back when `fn` throws and throws the same error.
 * Deadlocks and serialisation failures are retried up to 3 times, so `fn` must have no effects except SQL and `afterCommit`.
 * Throws {@link ServiceError} when the database cannot be reached.
 */
export async function withTransaction<T>(
  pool: Pool,
  options: TransactionOptions,
  fn: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const { result, settled } = await runTransaction(pool, options, fn)
  await settled
  return result
}

/** A transaction that is committed. `settled`: what its `afterCommit` had to wait for is over. */
export interface Committed<T> {
  result: T
  settled: Promise<unknown>
}

/** As `withTransaction`, for a caller that holds something while it waits for a connection, and gives it back before `settled`. */
export async function runTransaction<T>(
  pool: Pool,
  options: TransactionOptions,
  fn: (tx: Transaction) => Promise<T>,
): Promise<Committed<T>> {
  return retryDeadlocks(() => runOnce(pool, options, fn))
}

/**
 * Runs `work` again, up to 3 times, while Postgres ends it for a deadlock or a serialisation failure: a whole transaction, or a statement
 * that is one by itself.
 */
export async function retryDeadlocks<T>(work: () => Promise<T>): Promise<T> {
  for (let retry = 0; ; retry++) {
    try {
      return await work()
    } catch (error) {
      if (retry >= retriesMax || !isRetried(error)) throw error
      await wait(backoffMs(retryMs, retry + 1))
    }
  }
}

/** Sets the workspace of an open transaction: for a worker that took a row of a queue and goes on in the row's workspace. */
export async function setWorkspace(tx: Transaction, workspaceId: string): Promise<void> {
  await tx.query(inWorkspace(workspaceId))
  ;(tx as { workspaceId: string | null }).workspaceId = workspaceId
}

async function runOnce<T>(
  pool: Pool,
  options: TransactionOptions,
  fn: (tx: Transaction) => Promise<T>,
): Promise<Committed<T>> {
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
    // Connected to a server that became read-only: destroy the connection, a new one may reach the new primary.
    if (isReadOnlyServer(error)) fault ??= error as Error
    throw isConnectionFault(error)
      ? new ServiceError('database_unavailable', 'The connection to the database broke.', { cause: error })
      : tx.reasonOf(error)
  } finally {
    // With an error the pool destroys the client: an uncertain connection could carry the workspace to its next user.
    client.release(fault instanceof ServiceError && fault.code === 'transaction_aborted' ? undefined : fault)
  }
  return { result, settled: Promise.all(tx.committed.map((run) => run(pool))) }
}
