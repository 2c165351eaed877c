// Puts a person into a workspace, by an invitation or by the operator's command.
import { blank, execute, load } from '@wds/aggregate/aggregate'
import { type Role, roles } from '@wds/contracts/roles'
import { type AppendContext, dbNow } from '@wds/event-store/event-store'
import type { Transaction } from '@wds/postgres/transaction'
import { memberships } from './aggregate.ts'
import { membershipIdOf } from './domain/membership.ts'

/** In the workspace of the transaction. A member gets a role that is stronger than the present one; false for any other role. */
export async function addMember(
  tx: Transaction,
  o: { context: AppendContext; userId: string; role: Role },
): Promise<boolean> {
  const { context, userId, role } = o
  const id = membershipIdOf(userId)
  const loaded = (await load(tx, memberships, id, { lock: true })) ?? blank(memberships, { id, nowMs: await dbNow(tx) })
  const command = { type: 'AddMember', workspaceId: context.workspaceId, userId, role } as const
  if ((await execute(tx, memberships, { context, loaded, command })).ok) return true
  const { state } = loaded
  if (state.status !== 'active' || roles.indexOf(role) >= roles.indexOf(state.role)) return false
  // A role that grows takes nothing from anybody: whoever gives it was judged before, and no owner is lost by it.
  const raise = { type: 'ChangeRole', role, by: null, otherOwners: 0 } as const
  return (await execute(tx, memberships, { context, loaded, command: raise })).ok
}
