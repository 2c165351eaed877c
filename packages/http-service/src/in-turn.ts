// Runs a transaction of a request when it is its workspace's turn for a connection (decision 26).
import type { Pool } from '@wds/postgres/pool'
import { runTransaction, type Transaction, type TransactionOptions } from '@wds/postgres/transaction'
import type { FairTurns } from './fair-turns.ts'

/** `turns`: of the pool. Without a workspace the transaction takes its turn among all others without one. */
export async function inTurn<T>(
  { pool, turns }: { pool: Pool; turns: FairTurns },
  o: TransactionOptions,
  fn: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const { result, settled } = await turns.run(o.workspaceId ?? '', () => runTransaction(pool, o, fn))
  await settled
  return result
}
