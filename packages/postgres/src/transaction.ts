// Decides how a transaction begins, in which workspace it runs, when it is tried again and how it ends.
// It never lets the workspace outlive the transaction and never hands a connection in doubt back to the pool.
import { setTimeout as sleep } from 'node:timers/promises'
import { waitingFor } from '@wds/telemetry/progress'
import { isConnectionFault, isReadOnlyServer, isRetried, ServiceError } from './faults.ts'
import { inWorkspace, OpenTransaction, type Transaction, type TransactionOptions } from './open-transaction.ts'
import type { Pool } from './pool.ts'

// biome-ignore lint/performance/noBarrelFile: whoever runs transactions takes what belongs to them from one place.
export { isTransient, ServiceError } from './faults.ts'
export { allInOrder, type Transaction, type TransactionOptions } from './open-transaction.ts'

const retriesMax = 3

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
  await tx.query(inWorkspace(workspaceId))
  ;(tx as { workspaceId: string | null }).workspaceId = workspaceId
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
    // The pool would hand out this connection for its whole life: the next one may lead to the new primary.
    if (isReadOnlyServer(error)) fault ??= error as Error
    for (const run of tx.rolledBack) run()
    throw isConnectionFault(error)
      ? new ServiceError('database_unavailable', 'The connection to the database broke.', { cause: error })
      : tx.reasonOf(error)
  } finally {
    // With an error the pool destroys the client: a connection in doubt would carry the workspace to the next user.
    client.release(fault instanceof ServiceError && fault.code === 'transaction_aborted' ? undefined : fault)
  }
  for (const run of tx.committed) run()
  return result
}
