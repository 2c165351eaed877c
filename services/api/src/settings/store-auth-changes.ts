// What auth changed of workspaces, each event of auth once. It never forgets one that was announced: the log may repeat it.
import type { Queryable } from '@wds/postgres/pool'
import type { AuthSetting } from './domain/settings.ts'

/** A change that auth told of, by the id of its event. */
export interface AuthChange {
  workspaceId: string
  eventId: string
  changed: AuthSetting[]
  /** As in the header of the record: `user:usr_…`. */
  actor: string
  correlation: string
}

/** Notes it to be announced; a repeated one changes nothing. Primary key. */
export async function insertAuthChange(tx: Queryable, change: AuthChange): Promise<void> {
  const { workspaceId, eventId, changed, actor, correlation } = change
  await tx.query({
    name: 'auth-change-insert',
    text: `insert into auth_changes (workspace_id, event_id, changed, actor, correlation) values ($1, $2, $3, $4, $5)
      on conflict do nothing`,
    values: [workspaceId, eventId, changed, actor, correlation],
  })
}

/** The one that is due for longest and that nobody holds, locked, over all workspaces; null: none. Index auth_changes_due. */
export async function takeAuthChange(tx: Queryable): Promise<AuthChange | null> {
  const { rows } = await tx.query<AuthChange>({
    name: 'auth-change-take',
    text: `select workspace_id as "workspaceId", event_id as "eventId", changed, actor, correlation from auth_changes
      where due <= app_now() order by due, event_id limit 1 for no key update skip locked`,
  })
  return rows[0] ?? null
}

/** Takes it off the queue, or puts it off by `waitMs`; one that was announced stays announced, where the commit was not heard of. Primary key. */
export async function settleAuthChange(
  tx: Queryable,
  { workspaceId, eventId }: AuthChange,
  o: { waitMs: number | null },
): Promise<void> {
  await tx.query({
    name: 'auth-change-settle',
    text: `update auth_changes set due = app_now() + $3::integer * interval '1 ms' where workspace_id = $1 and event_id = $2 and due is not null`,
    values: [workspaceId, eventId, o.waitMs],
  })
}
