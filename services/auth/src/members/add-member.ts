// Puts a person into a workspace, by an invitation or by the operator's command.
import { blank, execute, load } from '@wds/aggregate/aggregate'
import { type Role, roles } from '@wds/contracts/roles'
import { type AppendContext, dbNow } from '@wds/event-store/event-store'
import type { Transaction } from '@wds/postgres/transaction'
import { memberships } from './aggregate.ts'
import { membershipIdOf } from './domain/membership.ts'
import type { Grants } from './ports.ts'
import { members } from './resource.ts'

interface NewMember {
  context: AppendContext
  userId: string
  role: Role
}

/** In the workspace of the transaction. False for somebody who is a member. */
export async function addMember(tx: Transaction, { context, userId, role }: NewMember): Promise<boolean> {
  const id = membershipIdOf(userId)
  const loaded = (await load(tx, memberships, id, { lock: true })) ?? blank(memberships, { id, nowMs: await dbNow(tx) })
  const command = { type: 'add', workspaceId: context.workspaceId, userId, role } as const
  return (await execute(tx, memberships, { context, loaded, command })).ok
}

/** As `addMember`; a member gets a role that is stronger than the present one. False for any other role. */
export async function addOrRaiseMember(tx: Transaction, o: NewMember & { grants: Grants }): Promise<boolean> {
  if (await addMember(tx, o)) return true
  const { context, userId, role, grants } = o
  // With what follows a role: tokens of grants carry the version of the membership, and every service refuses that of before.
  const resource = members(grants)
  const loaded = await load(tx, resource, membershipIdOf(userId), { lock: true })
  if (loaded?.state.status !== 'active' || roles.indexOf(role) >= roles.indexOf(loaded.state.role)) return false
  // A role that grows takes nothing from anybody: whoever gives it was judged before, and no owner is lost by it.
  const command = { type: 'change_role', role, by: null, otherOwners: 0 } as const
  return (await execute(tx, resource, { context, loaded, command })).ok
}
