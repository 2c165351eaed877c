// Members of a workspace in the settings API: everybody sees them; owners manage all, admins all but owners, and anybody may leave.
import { workspaceOf } from '@wds/aggregate/aggregate'
import type { SettingsResource } from '@wds/aggregate/resource'
import { commonFields, invalidState } from '@wds/aggregate/resource'
import { Problem } from '@wds/http-service/problem'
import type { ApiRequest } from '@wds/http-service/route'
import { judgeRecentSignIn, roleNotAllowed } from '@wds/http-service/session'
import type { Transaction } from '@wds/postgres/transaction'
import { auditChange } from '../audit/audit.ts'
import type { components, operations } from '../openapi.generated.ts'
import { memberships } from './aggregate.ts'
import {
  type Commander,
  isRaise,
  type MembershipCommand,
  type MembershipEvent,
  type MembershipRejection,
  type MembershipState,
} from './domain/membership.ts'
import type { Grants } from './ports.ts'
import { lastOwnerDetail, managingRefused } from './refusals.ts'
import { countOtherOwners, findPeople, lockWorkspace, membershipOf } from './store.ts'

type Member = components['schemas']['Member']

export const members = (
  grants: Grants,
): SettingsResource<MembershipState, MembershipCommand, MembershipEvent, MembershipRejection, Member> => ({
  ...memberships,
  async project(tx, change) {
    await auditChange(tx, change)
    const { workspaceId, ...by } = change.context
    for (const { type, data } of change.events) {
      const { user_id: userId, member_rev: memberRev } = data
      if (type === 'MemberRoleChanged') await grants.cut(tx, { workspaceId, userId, role: data.role, memberRev, by })
      if (type === 'MemberRemoved') await grants.end(tx, { workspaceId, userId }, { reason: 'member_removed', by })
    }
  },
  path: '/v1/members',
  rights: { read: 'be_member', write: 'be_member' },
  filters: {},
  lockFirst: (tx) => lockWorkspace(tx, workspaceOf(tx)),
  patch:
    (request: ApiRequest<operations['changeMember']>) =>
    async (tx, { state }) => {
      const { role } = request.body
      const command = { type: 'change_role', role, ...(await standing(tx, request, state)) } as const
      if (isRaise(state, command)) await judgeRecentSignIn(tx, request.session)
      return command
    },
  delete:
    (request) =>
    async (tx, { state }) => ({ type: 'remove', ...(await standing(tx, request, state)) }),
  toProblem: (rejection) => {
    if (rejection.code === 'invalid_state') return invalidState(rejection, lastOwnerDetail)
    return rejection.code === 'role_not_allowed' ? managingRefused() : new Problem(rejection.code)
  },
  isLive: true,
  async toApi(rows, tx) {
    const ids = rows.flatMap(({ state }) => (state.status === 'none' ? [] : [state.user_id]))
    const people = await findPeople(tx, ids)
    return rows.map((row) => {
      if (row.state.status === 'none') throw new Error('a member that is stored has been added')
      const { user_id: id, role } = row.state
      const { name = '', email = null } = people.get(id) ?? {}
      return { ...commonFields('member', row), user: { id, name, email }, role }
    })
  },
})

/** Who commands, by the role of this moment: the lock on the members holds it. */
async function standing(
  tx: Transaction,
  { session }: ApiRequest,
  state: MembershipState,
): Promise<{ by: Commander; otherOwners: number }> {
  const present = await membershipOf(tx, session.workspaceId, session.id)
  if (present === null) throw roleNotAllowed('be_member', null)
  const otherOwners = state.status === 'none' ? 0 : await countOtherOwners(tx, session.workspaceId, state.user_id)
  return { by: { userId: session.id, role: present.role }, otherOwners }
}
