// Takes the next piece of a queue whose workspaces take turns, one process at a time in each.
import type { Transaction } from '@wds/postgres/transaction'

/** Workspaces that one look goes through: more than there are processes, each of which holds one. */
const workspacesMax = 32

/** What a workspace has due. `table` has workspace_id and due, with an index that begins with due; `lock`: names the workspace's advisory lock. */
interface TurnQueue<W> {
  table:
    | 'anomaly_day_work'
    | 'automation_ticks'
    | 'automation_work'
    | 'import_work'
    | 'invoice_due_work'
    | 'sub_affiliate_work'
  lock: string
  oldestOf(tx: Transaction, workspaceId: string): Promise<W | null>
}

/**
 * Of the workspace that comes after `after`, around all that have something due. The workspace is locked until the transaction ends; one
 * that another process holds is passed over.
 */
export async function takeInTurn<W>(tx: Transaction, queue: TurnQueue<W>, after: string): Promise<W | null> {
  const { rows } = await tx.query<{ workspace_id: string }>(
    `select workspace_id from ${queue.table} where due <= app_now() group by workspace_id
     order by workspace_id <= $1, workspace_id limit $2`,
    [after, workspacesMax],
  )
  for (const { workspace_id: workspaceId } of rows) {
    if (!(await tryLockWorkspace(tx, queue.lock, workspaceId))) continue
    const work = await queue.oldestOf(tx, workspaceId)
    if (work !== null) return work
  }
  return null
}

async function tryLockWorkspace(tx: Transaction, lock: string, workspaceId: string): Promise<boolean> {
  const { rows } = await tx.query<{ is_held: boolean }>(
    "select pg_try_advisory_xact_lock(hashtextextended($1 || ':' || $2, 0)) as is_held",
    [lock, workspaceId],
  )
  return rows[0]?.is_held === true
}
