// Takes the next piece of work from a queue in which workspaces take turns. In one workspace only one process works at a time.
import type { Transaction } from '@wds/postgres/transaction'

/** Most workspaces that one call tries: more than there are processes, since each process locks one. */
const workspacesMax = 32

/** A queue of due work. `table` has the columns workspace_id and due, and an index that begins with due; `lock` names the advisory lock of a workspace. */
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
 * The oldest due work of the next workspace after `after`, starting again with the first behind the last. That workspace is locked until the
 * transaction ends; a workspace that another process has locked is skipped. Null when no work is due, or all workspaces with work are locked.
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
