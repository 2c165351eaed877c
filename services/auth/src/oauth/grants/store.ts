// The engine's rows of grants: who holds which, and the end of a family (auth.md 2.2).
import type { AuthEvents } from '@wds/contracts/auth-events'
import type { Scope } from '@wds/contracts/scopes'
import type { Queryable } from '@wds/postgres/pool'
import type { Transaction } from '@wds/postgres/transaction'

/** Which grants. Several members: those that fit all of them. */
export interface GrantFilter {
  grantId?: string
  workspaceId?: string
  userId?: string
  appId?: string
}

/** Whose a grant is; the version of the membership that its scopes fit. */
export interface GrantOwner {
  grantId: string
  workspaceId: string
  userId: string
  memberRev: number
}

interface OwnerRow {
  grantId: string
  workspaceId: string
  userId: string
  memberRev: number
  [column: string]: unknown
}

const ownerColumns = `grant_id as "grantId", workspace_id as "workspaceId", user_id as "userId", member_rev as "memberRev"`

/**
 * Locks live grants until the transaction ends, in an order that all callers share. engine_records_family, _person, _app or _workspace
 * serves it. An empty filter is a defect: it would name every grant there is.
 */
export async function lockGrants(tx: Transaction, filter: GrantFilter): Promise<GrantOwner[]> {
  const { grantId = null, workspaceId = null, userId = null, appId = null } = filter
  const given = { grant_id: grantId, workspace_id: workspaceId, user_id: userId, app_id: appId }
  const named = Object.entries(given).filter(([, value]) => value !== null)
  if (named.length === 0) throw new Error('grants are named by something')
  const { rows } = await tx.query<OwnerRow>({
    name: `lock-grants-${named.map(([name]) => name).join('-')}`,
    text: `select ${ownerColumns} from engine_records
      where kind = 'Grant' and ${named.map(([name], at) => `${name} = $${at + 1}`).join(' and ')} order by grant_id for update`,
    values: named.map(([, value]) => value),
  })
  return rows
}

/** Removes every row of the families; the caller holds the locks of their Grant rows, so no token joins them meanwhile. */
export async function deleteFamilies(tx: Transaction, grantIds: readonly string[]): Promise<void> {
  await tx.query({
    name: 'delete-families',
    text: 'delete from engine_records where grant_id = any ($1::text[])',
    values: [grantIds],
  })
}

/** Stores the engine's row of a new grant. `id`: SHA-256 of the grant's id. */
export async function insertGrantRow(
  tx: Transaction,
  o: { id: Buffer; grant: AuthEvents['AppAuthorized']; payload: object; ttlSeconds: number },
): Promise<void> {
  const { grant } = o
  await tx.query({
    name: 'insert-grant',
    text: `insert into engine_records (kind, id, grant_id, payload, expires_at, workspace_id, user_id, app_id, member_rev)
      values ('Grant', $1, $2, $3, app_now() + make_interval(secs => $4), $5, $6, $7, $8)`,
    values: [
      ...[o.id, grant.grant_id, JSON.stringify(o.payload), o.ttlSeconds],
      ...[grant.workspace_id, grant.user_id, grant.app_id, grant.member_rev],
    ],
  })
}

/**
 * Brings a locked grant in line with a membership: its version, and the scopes that are left. Tokens that wait to be used are cut as well, so
 * that none asks for more than the grant holds (W24).
 */
export async function narrowFamily(
  tx: Transaction,
  o: { grantId: string; scopes: readonly Scope[]; memberRev: number },
): Promise<void> {
  const scope = o.scopes.join(' ')
  await tx.query({
    name: 'narrow-grant',
    text: `update engine_records set member_rev = $3, payload = jsonb_set(payload, '{resources}',
        (select jsonb_object_agg(resource, $2::text) from jsonb_object_keys(payload -> 'resources') resource))
      where kind = 'Grant' and grant_id = $1`,
    values: [o.grantId, scope, o.memberRev],
  })
  await tx.query({
    name: 'narrow-tokens',
    text: `update engine_records set payload = jsonb_set(payload, '{scope}', to_jsonb($2::text))
      where kind in ('RefreshToken', 'AuthorizationCode') and grant_id = $1 and consumed_at is null`,
    values: [o.grantId, scope],
  })
}

/** The version of the membership that a live grant is in line with; null: it is not live. engine_records_family serves it. */
export async function revOfGrant(db: Queryable, grantId: string): Promise<number | null> {
  const { rows } = await db.query<{ rev: number }>({
    name: 'rev-of-grant',
    text: `select member_rev as rev from engine_records where grant_id = $1 and kind = 'Grant' and expires_at > app_now()`,
    values: [grantId],
  })
  return rows[0]?.rev ?? null
}

/** Has the person allowed the app, in whatever workspace, and not ended it? engine_records_person serves it. */
export async function hasAllowed(db: Queryable, o: { userId: string; appId: string }): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'has-allowed',
    text: `select from engine_records where kind = 'Grant' and user_id = $1 and app_id = $2 and expires_at > app_now() limit 1`,
    values: [o.userId, o.appId],
  })
  return rowCount === 1
}

/** Client ids of the apps that the person has allowed, in whatever workspace, and not ended. engine_records_person serves it. */
export async function clientsAllowedBy(db: Queryable, userId: string): Promise<string[]> {
  const { rows } = await db.query<{ client_id: string }>({
    name: 'clients-allowed-by',
    text: `select distinct payload ->> 'clientId' as client_id from engine_records
            where kind = 'Grant' and user_id = $1 and expires_at > app_now() order by client_id`,
    values: [userId],
  })
  return rows.map(({ client_id }) => client_id)
}

/**
 * Grants that nobody can use any more: no code or refresh token of theirs is live, and the last access token is over. At most `limit`. By a
 * scan over grants, each of which engine_records_family answers for.
 */
export async function findIdleGrants(db: Queryable, limit: number): Promise<GrantOwner[]> {
  const { rows } = await db.query<OwnerRow>({
    name: 'find-idle-grants',
    // Its code comes at the latest when its interaction ends; an access token lives for an hour.
    text: `select ${ownerColumns} from engine_records g where kind = 'Grant'
      and to_timestamp((payload ->> 'iat')::bigint) < app_now() - interval '70 minutes' and not exists (
        select from engine_records t where t.grant_id = g.grant_id and t.kind <> 'Grant'
          and (t.consumed_at > app_now() - interval '70 minutes' or t.consumed_at is null and t.expires_at > app_now()))
      order by grant_id limit $1`,
    values: [limit],
  })
  return rows
}
