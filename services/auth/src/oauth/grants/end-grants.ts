// Ends and narrows grants, for everything that a grant hangs on: the app, the member, the person, the workspace. Whoever removes the
// engine's row of a grant tells its end in the same transaction, once (auth.md 2.2).
import { executeOrFail, load } from '@wds/aggregate/aggregate'
import type { GrantEnd } from '@wds/contracts/auth-events'
import { type Role, scopesOfRole } from '@wds/contracts/roles'
import { setWorkspace, type Transaction } from '@wds/postgres/transaction'
import type { By } from '../../audit/audit.ts'
import { grants } from './aggregate.ts'
import type { GrantCommand, GrantState } from './domain/grant.ts'
import { deleteFamilies, type GrantFilter, type GrantOwner, lockGrants, narrowFamily } from './store.ts'

/** Ends every grant that fits all members of `filter`, in whatever workspace. Returns how many there were. */
export async function endGrants(
  tx: Transaction,
  filter: GrantFilter,
  o: { reason: GrantEnd; isReuse?: boolean; by: By },
): Promise<number> {
  const owners = await lockGrants(tx, filter)
  if (owners.length === 0) return 0
  await deleteFamilies(
    tx,
    owners.map(({ grantId }) => grantId),
  )
  const { reason, isReuse = false, by } = o
  await inEachWorkspace(tx, owners, async (owner) => {
    await run(tx, owner, { by, command: { type: 'end', reason, isReuse } })
  })
  return owners.length
}

/** Of an app that is deleted. */
export function endGrantsOfApp(tx: Transaction, appId: string, by: By): Promise<number> {
  return endGrants(tx, { appId }, { reason: 'app_deleted', by })
}

/**
 * Narrows a member's grants in a workspace to what the role holds, ends those that are left without scopes, and lets their next tokens carry
 * `memberRev`, the membership's version after the change. To be called in the transaction of every change of a role.
 */
export async function cutGrants(
  tx: Transaction,
  o: { workspaceId: string; userId: string; role: Role; memberRev: number; by: By },
): Promise<void> {
  const { workspaceId, userId, memberRev, by } = o
  const owners = await lockGrants(tx, { workspaceId, userId })
  await inEachWorkspace(tx, owners, async (owner) => {
    const { grantId } = owner
    const state = await run(tx, owner, { by, command: { type: 'keep_scopes', scopes: scopesOfRole(o.role) } })
    if (state.status === 'live') await narrowFamily(tx, { grantId, scopes: state.scopes, memberRev })
    else await deleteFamilies(tx, [grantId])
  })
}

/** Commands a grant of the transaction's workspace whose engine's row the caller has locked, so it is live. */
async function run(
  tx: Transaction,
  owner: Pick<GrantOwner, 'grantId' | 'workspaceId'>,
  o: { by: By; command: GrantCommand },
): Promise<GrantState> {
  const loaded = await load(tx, grants, owner.grantId, { lock: true })
  if (loaded === null) throw new Error(`grant ${owner.grantId} has no row`)
  const context = { ...o.by, workspaceId: owner.workspaceId }
  return (await executeOrFail(tx, grants, { context, loaded, command: o.command })).state
}

/** Row-level security sees one workspace at a time; the caller finds its own one again afterwards. */
async function inEachWorkspace(
  tx: Transaction,
  owners: readonly GrantOwner[],
  fn: (owner: GrantOwner) => Promise<void>,
): Promise<void> {
  const before = tx.workspaceId
  for (const owner of owners) {
    if (tx.workspaceId !== owner.workspaceId) await setWorkspace(tx, owner.workspaceId)
    await fn(owner)
  }
  if (tx.workspaceId !== before) await setWorkspace(tx, before ?? '')
}
