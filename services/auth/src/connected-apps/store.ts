// What stands beside grants: the apps, most of which belong to other workspaces, and the people.
import { setWorkspace, type Transaction } from '@wds/postgres/transaction'

/** What everybody may know of an app. */
export interface AppFace {
  name: string
  logoDigest: string
  /** Name of the workspace that it belongs to. */
  ownerWorkspace: string
}

/** Faces of apps by client id, whatever workspace they belong to; a deleted app has none. Primary keys serve it, one query for each workspace. */
export async function readAppFaces(tx: Transaction, clientIds: readonly string[]): Promise<Map<string, AppFace>> {
  const { rows: places } = await tx.query<{ workspace: string; apps: string[] }>({
    name: 'places-of-clients',
    text: `select workspace_id as workspace, array_agg(app_id) as apps from oauth_clients
      where client_id = any ($1::text[]) group by workspace_id`,
    values: [clientIds],
  })
  const before = tx.workspaceId ?? ''
  const faces = new Map<string, AppFace>()
  for (const { workspace, apps } of places) {
    await setWorkspace(tx, workspace)
    const { rows } = await tx.query<AppFace & { clientId: string; [column: string]: unknown }>({
      name: 'app-faces',
      text: `select a.state ->> 'client_id' as "clientId", a.state ->> 'name' as name, a.state ->> 'logo_digest' as "logoDigest",
          w.state ->> 'name' as "ownerWorkspace"
        from oauth_apps a join workspaces w on w.workspace_id = a.workspace_id
        where a.workspace_id = $1 and a.id = any ($2::text[]) and a.status <> 'deleted'`,
      values: [workspace, apps],
    })
    for (const { clientId, name, logoDigest, ownerWorkspace } of rows)
      faces.set(clientId, { name, logoDigest, ownerWorkspace })
  }
  if (places.length > 0) await setWorkspace(tx, before)
  return faces
}

/** Names of people by id. Primary key of users. */
export async function readNames(tx: Transaction, userIds: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await tx.query<{ id: string; name: string }>({
    name: 'names-of-users',
    text: 'select user_id as id, name from users where user_id = any ($1::text[])',
    values: [userIds],
  })
  return new Map(rows.map(({ id, name }) => [id, name]))
}
