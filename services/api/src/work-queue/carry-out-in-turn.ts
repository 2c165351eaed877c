// Carries out the next piece of a queue whose workspaces take turns: a piece that fails is put off, and stops no other.
import { retryOnConflict } from '@wds/event-store/retry-on-conflict'
import type { Pool } from '@wds/postgres/pool'
import {
  mayBeCommitted,
  setWorkspace,
  type Transaction,
  type TransactionOptions,
  withTransaction,
} from '@wds/postgres/transaction'

/** Whose piece was carried out last. */
export interface Turns {
  last: string
}

/**
 * In one transaction, of the piece's workspace once it is taken; false when none is due. `report`: tells of a failed piece, which
 * `defer` then puts off, in a transaction of its own, unless it may be committed all the same.
 */
export async function carryOutInTurn<W extends { workspaceId: string }>(o: {
  pool: Pool
  turns: Turns
  statementTimeoutMs?: NonNullable<TransactionOptions['statementTimeoutMs']>
  take(tx: Transaction, after: string): Promise<W | null>
  handle(tx: Transaction, work: W): Promise<void>
  report(work: W, error: unknown): void
  defer(tx: Transaction, work: W, error: unknown): Promise<void>
}): Promise<boolean> {
  const { pool, turns, statementTimeoutMs } = o
  const timeout = statementTimeoutMs === undefined ? {} : { statementTimeoutMs }
  let taken: W | null = null
  try {
    return await retryOnConflict(() =>
      withTransaction(pool, { workspaceId: null, ...timeout }, async (tx) => {
        // Of an attempt before this one: what fails from here on is not its fault.
        taken = null
        taken = await o.take(tx, turns.last)
        if (taken === null) return false
        turns.last = taken.workspaceId
        await setWorkspace(tx, taken.workspaceId)
        await o.handle(tx, taken)
        return true
      }),
    )
  } catch (error) {
    const failed = taken as W | null
    if (failed === null) throw error
    o.report(failed, error)
    // It may be done, and have set when it is due next. If it is not done, it is due still.
    if (mayBeCommitted(error)) return true
    await withTransaction(pool, { workspaceId: failed.workspaceId }, (tx) => o.defer(tx, failed, error))
    return true
  }
}
