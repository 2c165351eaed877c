// What workspaces are called, as auth told last. Only names are kept here: slug and plan are auth's alone.
import { workspaceOf } from '@wds/aggregate/aggregate'
import type { Queryable } from '@wds/postgres/pool'
import type { Transaction } from '@wds/postgres/transaction'

/** In whatever order events come, the newest wins. Primary key. */
export async function noteWorkspaceName(
  tx: Queryable,
  o: { workspaceId: string; name: string; eventId: string },
): Promise<void> {
  await tx.query({
    name: 'workspace-name-note',
    text: `insert into workspace_names as known (workspace_id, name, event_id) values ($1, $2, $3)
      on conflict (workspace_id) do update set name = excluded.name, event_id = excluded.event_id
      where known.event_id < excluded.event_id`,
    values: [o.workspaceId, o.name, o.eventId],
  })
}

/** Of the transaction's workspace; null where auth has not told yet. Primary key. */
export async function readWorkspaceName(tx: Transaction): Promise<string | null> {
  const { rows } = await tx.query<{ name: string }>('select name from workspace_names where workspace_id = $1', [
    workspaceOf(tx),
  ])
  return rows[0]?.name ?? null
}
