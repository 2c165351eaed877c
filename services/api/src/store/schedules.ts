// When the next scheduled run of an integration is due, by the database's clock. It never starts a run.
import type { Transaction } from '@wds/postgres/transaction'

/** Sets the next due time; null removes the schedule. */
export async function setSchedule(
  tx: Transaction,
  o: { workspaceId: string; integrationId: string; dueMs: number | null },
): Promise<void> {
  if (o.dueMs === null) {
    await tx.query('delete from schedules where workspace_id = $1 and integration_id = $2', [
      o.workspaceId,
      o.integrationId,
    ])
    return
  }
  await tx.query(
    `insert into schedules (workspace_id, integration_id, due) values ($1, $2, to_timestamp($3::float8 / 1000))
     on conflict (workspace_id, integration_id) do update set due = excluded.due`,
    [o.workspaceId, o.integrationId, o.dueMs],
  )
}

/** The oldest due schedule, locked, or null. The index schedules_due serves it. */
export async function takeDueSchedule(tx: Transaction): Promise<{ workspaceId: string; integrationId: string } | null> {
  const { rows } = await tx.query<{ workspace_id: string; integration_id: string }>(
    `select workspace_id, integration_id from schedules where due <= app_now()
     order by due limit 1 for update skip locked`,
  )
  return rows[0] ? { workspaceId: rows[0].workspace_id, integrationId: rows[0].integration_id } : null
}
