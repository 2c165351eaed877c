// Rows of apps, their client ids and the digests of their secrets.
import type { Plan } from '@wds/contracts/roles'
import type { Scope } from '@wds/contracts/scopes'
import type { Pool } from '@wds/postgres/pool'
import { allInOrder, type Transaction, withTransaction } from '@wds/postgres/transaction'
import { liveSecrets, type StoredApp } from './domain/oauth-app.ts'

/** A client of the OAuth server. */
export interface Client {
  appId: string
  clientId: string
  /** Of the workspace that owns the app. */
  workspaceId: string
  workspaceName: string
  /** Whether it allows new authorisations is `planAllowsApps`. */
  plan: Plan
  name: string
  /** `development`: only its owner workspace may authorise it. `suspended`: nobody, and no secret is accepted. */
  state: 'live' | 'development' | 'suspended'
  scopes: Scope[]
  redirectUrls: string[]
  /** Those that are live now. `digest`: SHA-256 of the secret, 32 bytes; `ends`: epoch milliseconds; `isNoted`: that it was used in this minute is. */
  secrets: { id: string; digest: Buffer; ends: number | null; isNoted: boolean }[]
  logoDigest: string
}

/** Apps of the workspace that are not deleted. Primary key prefix (workspace_id). */
export async function countApps(tx: Transaction, workspaceId: string): Promise<number> {
  const { rows } = await tx.query<{ apps: number }>({
    name: 'count-oauth-apps',
    text: "select count(*)::int as apps from oauth_apps where workspace_id = $1 and status <> 'deleted'",
    values: [workspaceId],
  })
  return rows[0]?.apps ?? 0
}

/** Ids of those apps. Primary key prefix (workspace_id). */
export async function listApps(tx: Transaction, workspaceId: string): Promise<string[]> {
  const { rows } = await tx.query<{ id: string }>(
    "select id from oauth_apps where workspace_id = $1 and status <> 'deleted' order by id",
    [workspaceId],
  )
  return rows.map(({ id }) => id)
}

export async function insertClient(tx: Transaction, app: StoredApp): Promise<void> {
  await tx.query('insert into oauth_clients (client_id, workspace_id, app_id) values ($1, $2, $3)', [
    ...[app.client_id, app.workspace_id, app.app_id],
  ])
}

/** The client of an app that ends, its secrets and its logo. */
export async function removeClient(tx: Transaction, app: StoredApp): Promise<void> {
  const key = [app.workspace_id, app.app_id]
  await tx.query('delete from oauth_clients where client_id = $1', [app.client_id])
  await tx.query('delete from client_secrets where workspace_id = $1 and app_id = $2', key)
  await tx.query('delete from oauth_app_logos where workspace_id = $1 and app_id = $2', key)
  await tx.query('delete from oauth_errors where workspace_id = $1 and app_id = $2', key)
}

/** A new secret's digest: SHA-256 of it, 32 bytes. */
export async function insertSecret(
  tx: Transaction,
  o: { workspaceId: string; appId: string; secretId: string; digest: Buffer },
): Promise<void> {
  await tx.query('insert into client_secrets (workspace_id, app_id, secret_id, digest) values ($1, $2, $3, $4)', [
    ...[o.workspaceId, o.appId, o.secretId, o.digest],
  ])
}

/** Digests of secrets that the app does not have any more. Its newest one is stored behind this. */
export async function forgetSecrets(tx: Transaction, { workspace_id, app_id, secrets }: StoredApp): Promise<void> {
  await tx.query(
    'delete from client_secrets where workspace_id = $1 and app_id = $2 and not secret_id = any ($3::text[])',
    [workspace_id, app_id, secrets.map(({ id }) => id)],
  )
}

/** When a secret was made, and last accepted to the minute. */
export interface SecretUse {
  created: Date
  lastUsed: Date | null
}

/** Uses of the secrets of these apps, by secret. Primary key prefix (workspace_id, app_id). */
export async function readSecretUses(
  tx: Transaction,
  appIds: readonly string[],
): Promise<ReadonlyMap<string, SecretUse>> {
  const { rows } = await tx.query<SecretUse & { id: string; [column: string]: unknown }>({
    name: 'read-secret-uses',
    text: `select secret_id as id, created, last_used as "lastUsed" from client_secrets
      where workspace_id = $1 and app_id = any ($2::text[])`,
    values: [tx.workspaceId, appIds],
  })
  return new Map(rows.map(({ id, created, lastUsed }) => [id, { created, lastUsed }]))
}

/** Tells that a secret was accepted; kept to the minute, so that it costs one write a minute. */
export async function noteSecretUse(
  pool: Pool,
  o: { workspaceId: string; appId: string; secretId: string },
): Promise<void> {
  await withTransaction(pool, { workspaceId: o.workspaceId }, (tx) =>
    tx.query({
      name: 'note-secret-use',
      text: `update client_secrets set last_used = date_trunc('minute', app_now())
        where workspace_id = $1 and app_id = $2 and secret_id = $3
          and last_used is distinct from date_trunc('minute', app_now())`,
      values: [o.workspaceId, o.appId, o.secretId],
    }),
  )
}

interface ClientRow {
  name: string
  plan: Plan
  state: StoredApp
  now_ms: number
  digests: { id: string; digest: string; isNoted: boolean }[]
  [column: string]: unknown
}

/**
 * The client of this id, read anew on every request (S41: a suspension works at once); null for none, for one whose app or workspace was
 * deleted. Primary keys serve it.
 */
export async function findClient(pool: Pool, clientId: string): Promise<Client | null> {
  if (!isPossible(clientId)) return null
  // One round trip: the first statement sets the workspace for the second.
  const [, { rows }] = await withTransaction(pool, { workspaceId: null, readOnly: true }, (tx) =>
    allInOrder([
      tx.query({
        name: 'enter-workspace-of-client',
        text: `select set_config('app.workspace_id', workspace_id, true) from oauth_clients where client_id = $1`,
        values: [clientId],
      }),
      tx.query<ClientRow>({
        name: 'find-oauth-client',
        text: `select w.state ->> 'name' as name, w.state ->> 'plan' as plan, a.state,
            extract(epoch from app_now())::float8 * 1000 as now_ms,
            (select coalesce(json_agg(json_build_object('id', s.secret_id, 'digest', encode(s.digest, 'hex'),
                'isNoted', s.last_used is not distinct from date_trunc('minute', app_now()))), '[]')
               from client_secrets s where s.workspace_id = a.workspace_id and s.app_id = a.id) as digests
          from oauth_clients c join oauth_apps a on a.workspace_id = c.workspace_id and a.id = c.app_id
            join workspaces w on w.workspace_id = a.workspace_id
          where c.client_id = $1 and a.status <> 'deleted' and w.status <> 'deleted'`,
        values: [clientId],
      }),
    ]),
  )
  const [row] = rows
  return row ? toClient(row) : null
}

/** Where the client's app is; null for an id that nobody has. Primary key of oauth_clients. */
export async function findApp(pool: Pool, clientId: string): Promise<{ workspaceId: string; appId: string } | null> {
  if (!isPossible(clientId)) return null
  const { rows } = await pool.query<{ workspaceId: string; appId: string }>({
    name: 'find-oauth-app',
    text: 'select workspace_id as "workspaceId", app_id as "appId" from oauth_clients where client_id = $1',
    values: [clientId],
  })
  return rows[0] ?? null
}

/** Postgres refuses this character, and no client id has it. */
const isPossible = (clientId: string) => !clientId.includes('\u0000')

function toClient({ name: workspaceName, plan, state: app, now_ms, digests }: ClientRow): Client {
  if (app.status === 'deleted') throw new Error('a deleted app is no client')
  const byId = new Map(digests.map(({ id, digest, isNoted }) => [id, { digest: Buffer.from(digest, 'hex'), isNoted }]))
  const live = liveSecrets(app, now_ms).flatMap(({ id, ends }) => {
    const stored = byId.get(id)
    return stored ? [{ id, ...stored, ends: ends === null ? null : Date.parse(ends) }] : []
  })
  return {
    appId: app.app_id,
    clientId: app.client_id,
    workspaceId: app.workspace_id,
    workspaceName,
    plan,
    name: app.name,
    state: app.status,
    scopes: app.scopes,
    redirectUrls: app.redirect_urls,
    secrets: live,
    logoDigest: app.logo_digest,
  }
}
