// Decides who may have which role in a workspace (auth.md 1.1 and 1.2): admins manage all but owners, and the last owner stays one.
import type { AuthEvent } from '@wds/contracts/auth-events'
import { type Role, roleAllows, roles } from '@wds/contracts/roles'
import { accept, type Decider, type Decision, type InvalidState, reject } from '@wds/decider/decider'

export type MembershipEvent = AuthEvent<'MemberAdded' | 'MemberRoleChanged' | 'MemberRemoved'>

/** Who commands; null: the operator, or an invitation that was given before. */
export type Commander = { userId: string; role: Role } | null

export interface AddMember {
  type: 'add'
  workspaceId: string
  userId: string
  role: Role
}
export interface ChangeRole {
  type: 'change_role'
  role: Role
  by: Commander
  /** Live owners of the workspace besides this member. */
  otherOwners: number
}
export interface RemoveMember {
  type: 'remove'
  by: Commander
  otherOwners: number
}
export type MembershipCommand = AddMember | ChangeRole | RemoveMember

export type MembershipRejection = { code: 'already_exists' | 'not_found' | 'role_not_allowed' } | InvalidState
export type MembershipState =
  | { status: 'none' }
  | {
      /** `deleted`: removed; an invitation may bring the person back, and versions go on. */
      status: 'active' | 'deleted'
      workspace_id: string
      user_id: string
      role: Role
      /** Version of the membership, `member_rev` of its tokens; it only ever rises. */
      rev: number
    }

type Existing = Exclude<MembershipState, { status: 'none' }>
type Decided = Decision<MembershipEvent, MembershipRejection>

/** May a person of this role give, change or take that role? */
export function mayManage(by: Commander, role: Role): boolean {
  return by === null || (roleAllows(by.role, 'manage_members') && (by.role === 'owner' || role !== 'owner'))
}

/** Would it give the member a stronger role, by somebody who may? */
export function isRaise(state: MembershipState, { role, by }: ChangeRole): boolean {
  if (state.status !== 'active' || !mayManage(by, state.role) || !mayManage(by, role)) return false
  return roles.indexOf(role) < roles.indexOf(state.role)
}

const lastOwner: InvalidState = { code: 'invalid_state', current_status: 'last_owner', allowed: [] }

function change(state: Existing, { role, by, otherOwners }: ChangeRole): Decided {
  if (!mayManage(by, state.role) || !mayManage(by, role)) return reject({ code: 'role_not_allowed' })
  if (role === state.role) return accept()
  if (state.role === 'owner' && otherOwners === 0) return reject(lastOwner)
  return accept({ type: 'MemberRoleChanged', data: { ...placeOf(state), role } })
}

function remove(state: Existing, { by, otherOwners }: RemoveMember): Decided {
  // Everybody may leave.
  if (by?.userId !== state.user_id && !mayManage(by, state.role)) return reject({ code: 'role_not_allowed' })
  if (state.role === 'owner' && otherOwners === 0) return reject(lastOwner)
  return accept({ type: 'MemberRemoved', data: placeOf(state) })
}

const placeOf = ({ workspace_id, user_id, rev }: Existing) => ({ workspace_id, user_id, member_rev: rev + 1 })

export const membershipDecider: Decider<MembershipState, MembershipCommand, MembershipEvent, MembershipRejection> = {
  initialState: { status: 'none' },
  evolve: (state, { type, data }) => {
    const { workspace_id, user_id, member_rev: rev } = data
    switch (type) {
      case 'MemberAdded':
      case 'MemberRoleChanged':
        return { status: 'active', workspace_id, user_id, role: data.role, rev }
      case 'MemberRemoved':
        return state.status === 'none' ? state : { ...state, status: 'deleted', rev }
    }
  },
  decide: (state, command) => {
    if (command.type === 'add') {
      if (state.status === 'active') return reject({ code: 'already_exists' })
      const { workspaceId: workspace_id, userId: user_id, role } = command
      const rev = state.status === 'none' ? 0 : state.rev
      return accept({ type: 'MemberAdded', data: { workspace_id, user_id, role, member_rev: rev + 1 } })
    }
    if (state.status !== 'active') return reject({ code: 'not_found' })
    return command.type === 'change_role' ? change(state, command) : remove(state, command)
  },
}

/** The membership's id is the person's, so that a person is found in a workspace by the primary key. */
export const membershipIdOf = (userId: string): string => `mbr_${userId.slice(4)}`
