// What is asked of all rows of memberships.
import type { Plan, Role } from '@wds/contracts/roles'
import type { Transaction } from '@wds/postgres/transaction'
import { membershipIdOf } from './domain/membership.ts'

/** A workspace of a person, as the person sees it. */
export interface OwnWorkspace {
  id: string
  name: string
  slug: string
  plan: Plan
  role: Role
  /** Version of the membership, `member_rev` of tokens. */
  rev: number
}

/** The person's role in the workspace of `tx`; null for no member, and for one whose account is disabled. By the primary keys. `hold`: it does not change until `tx` ends. */
export async function membershipOf(
  tx: Transaction,
  workspaceId: string,
  userId: string,
  o: { hold?: boolean } = {},
): Promise<{ role: Role; rev: number } | null> {
  const hold = o.hold === true ? ' for share of m' : ''
  const { rows } = await tx.query<{ role: Role; rev: number }>({
    name: `membership-of${hold}`,
    text: `select m.role, m.version as rev from memberships m join users u on u.user_id = m.user_id and u.status = 'active'
            where m.workspace_id = $1 and m.id = $2 and m.status = 'active'${hold}`,
    values: [workspaceId, membershipIdOf(userId)],
  })
  return rows[0] ?? null
}

/** SQL of `workspacesOf`, for the person that `app.user_id` names; by memberships_user and the primary key of workspaces. */
export const ownWorkspaces = {
  name: 'own-workspaces',
  text: `select w.workspace_id as id, w.state ->> 'name' as name, w.state ->> 'slug' as slug, w.state ->> 'plan' as plan, m.role, m.version as rev
           from memberships m join workspaces w on w.workspace_id = m.workspace_id and w.status = 'active'
          where m.user_id = current_setting('app.user_id', true) and m.status = 'active'
          order by m.created, m.workspace_id`,
}

/** All workspaces of the person whom the transaction's `userId` names, in the order in which the person came to them. */
export async function workspacesOf(tx: Transaction): Promise<OwnWorkspace[]> {
  const { rows } = await tx.query<OwnWorkspace & { [column: string]: unknown }>(ownWorkspaces)
  return rows
}

/** Holds the workspace's row until `tx` ends: what is counted of its members, keys and apps stays true. Of two owners, not both may leave. Primary key. */
export async function lockWorkspace(tx: Transaction, workspaceId: string): Promise<void> {
  await tx.query({
    name: 'lock-workspace',
    text: 'select from workspaces where workspace_id = $1 for no key update',
    values: [workspaceId],
  })
}

/** Owners who can still sign in, besides one person. By the prefix of the primary key. */
export async function countOtherOwners(tx: Transaction, workspaceId: string, userId: string): Promise<number> {
  const { rows } = await tx.query<{ owners: number }>({
    name: 'count-other-owners',
    text: `select count(*)::int as owners from memberships m join users u on u.user_id = m.user_id and u.status = 'active'
            where m.workspace_id = $1 and m.user_id <> $2 and m.role = 'owner' and m.status = 'active'`,
    values: [workspaceId, userId],
  })
  return rows[0]?.owners ?? 0
}

/** Names and addresses of people. By the primary key. */
export async function findPeople(
  tx: Transaction,
  userIds: readonly string[],
): Promise<Map<string, { name: string; email: string | null }>> {
  const { rows } = await tx.query<{ user_id: string; name: string; email: string | null }>({
    name: 'people',
    text: 'select user_id, name, email from users where user_id = any($1)',
    values: [userIds],
  })
  return new Map(rows.map(({ user_id, name, email }) => [user_id, { name, email }]))
}

/** From here on the transaction sees the person's own rows over all workspaces. */
export async function setPerson(tx: Transaction, userId: string): Promise<void> {
  await tx.query({ name: 'set-person', text: `select set_config('app.user_id', $1, true)`, values: [userId] })
}
