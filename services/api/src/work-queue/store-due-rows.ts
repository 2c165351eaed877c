// Rows that say when something is to be looked at: one for each object of a workspace, which a change of the object sets or takes away.
import { workspaceOf } from '@wds/aggregate/aggregate'
import type { Transaction } from '@wds/postgres/transaction'
import { takeInTurn } from './store-turns.ts'

/** An object that is due. */
export interface DueRow {
  workspaceId: string
  id: string
}

/** A table with workspace_id, the column that names the object, and due; its primary key and an index that begins with due serve all of it. */
type DueTable =
  | { table: 'automation_ticks'; column: 'rule_id' }
  | { table: 'invoice_due_work'; column: 'invoice_id' }
  | { table: 'sub_affiliate_work'; column: 'subject' }

/** Sets the instant of an object, or takes it away. */
export async function setDue(
  tx: Transaction,
  { table, column }: DueTable,
  o: { id: string; atMs: number | null },
): Promise<void> {
  const place = [workspaceOf(tx), o.id]
  if (o.atMs === null) {
    await tx.query(`delete from ${table} where workspace_id = $1 and ${column} = $2`, place)
    return
  }
  await tx.query(
    `insert into ${table} (workspace_id, ${column}, due) values ($1, $2, to_timestamp($3::float8 / 1000))
     on conflict (workspace_id, ${column}) do update set due = excluded.due`,
    [...place, o.atMs],
  )
}

/** An object whose instant has come, of each workspace in turn, the oldest first. `lock`: names the workspace's advisory lock. */
export function takeDue(tx: Transaction, of: DueTable & { lock: string }, after: string): Promise<DueRow | null> {
  const { table, column, lock } = of
  const oldestOf = async (tx: Transaction, workspaceId: string): Promise<DueRow | null> => {
    const { rows } = await tx.query<{ id: string }>(
      `select ${column} as id from ${table} where workspace_id = $1 and due <= app_now() order by due, ${column} limit 1`,
      [workspaceId],
    )
    return rows[0] ? { workspaceId, id: rows[0].id } : null
  }
  return takeInTurn(tx, { table, lock, oldestOf }, after)
}

/** Looks at it again later. */
export async function deferDue(
  tx: Transaction,
  { table, column }: DueTable,
  o: DueRow & { waitMs: number },
): Promise<void> {
  await tx.query(
    `update ${table} set due = app_now() + $3::float8 * interval '1 millisecond' where workspace_id = $1 and ${column} = $2`,
    [o.workspaceId, o.id, o.waitMs],
  )
}
