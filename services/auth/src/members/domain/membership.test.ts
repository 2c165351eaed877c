import { describe, expect, test } from '@jest/globals'
import { type Role, roles } from '@wds/contracts/roles'
import type { InvalidState } from '@wds/decider/decider'
import { given } from '@wds/decider/given-when-then'
import { type MembershipEvent, mayManage, membershipDecider } from './membership.ts'

const place = { workspace_id: 'wsp_1', user_id: 'usr_1' }
const added = (role: Role, member_rev = 1): MembershipEvent => ({
  type: 'MemberAdded',
  data: { ...place, role, member_rev },
})
const changed = (role: Role, member_rev: number): MembershipEvent => ({
  type: 'MemberRoleChanged',
  data: { ...place, role, member_rev },
})
const removed = (member_rev: number): MembershipEvent => ({ type: 'MemberRemoved', data: { ...place, member_rev } })
const add = { type: 'add', workspaceId: 'wsp_1', userId: 'usr_1', role: 'member' } as const
const by = (role: Role, userId = 'usr_2') => ({ userId, role })
const lastOwner: InvalidState = { code: 'invalid_state', current_status: 'last_owner', allowed: [] }
const when = (events: MembershipEvent[]) => given(membershipDecider, events)

test('a member is added once; after a removal again, and the version goes on', () => {
  when([])
    .when(add)
    .then([added('member')])
  when([added('member')])
    .when(add)
    .thenRejected({ code: 'already_exists' })
  when([added('member'), removed(2)])
    .when(add)
    .then([added('member', 3)])
})

test('every change raises the version of the membership', () => {
  const change = { type: 'change_role', role: 'viewer', by: by('admin'), otherOwners: 1 } as const
  when([added('member')])
    .when(change)
    .then([changed('viewer', 2)])
  when([added('member'), changed('admin', 2)])
    .when(change)
    .then([changed('viewer', 3)])
  when([added('member')])
    .when({ ...change, role: 'member' })
    .then([])
})

describe('auth.md 1.2: owners manage all, admins all but owners, others nobody', () => {
  for (const commander of roles) {
    for (const role of roles) {
      const may = commander === 'owner' || (commander === 'admin' && role !== 'owner')
      test(`${commander} ${may ? 'gives, changes and takes' : 'neither gives nor changes nor takes'} ${role}`, () => {
        expect(mayManage(by(commander), role)).toBe(may)
        const other: Role = role === 'viewer' ? 'member' : 'viewer'
        const change = { type: 'change_role', role: other, by: by(commander), otherOwners: 1 } as const
        const remove = { type: 'remove', by: by(commander), otherOwners: 1 } as const
        const give = { type: 'change_role', role, by: by(commander), otherOwners: 1 } as const
        const refusal = { code: 'role_not_allowed' } as const
        if (may) {
          when([added(role)])
            .when(change)
            .then([changed(other, 2)])
          when([added(role)])
            .when(remove)
            .then([removed(2)])
          when([added(other)])
            .when(give)
            .then([changed(role, 2)])
        } else {
          when([added(role)])
            .when(change)
            .thenRejected(refusal)
          when([added(role)])
            .when(remove)
            .thenRejected(refusal)
          when([added(other)])
            .when(give)
            .thenRejected(refusal)
        }
      })
    }
  }
  test.each(roles)('%s may leave', (role) => {
    const leave = { type: 'remove', by: by(role, 'usr_1'), otherOwners: 1 } as const
    when([added(role)])
      .when(leave)
      .then([removed(2)])
  })
})

test('the last owner can neither leave nor be removed nor be lowered, also not by the operator', () => {
  for (const commander of [by('owner', 'usr_1'), by('owner'), null]) {
    const alone = { by: commander, otherOwners: 0 }
    when([added('owner')])
      .when({ type: 'remove', ...alone })
      .thenRejected(lastOwner)
    when([added('owner')])
      .when({ type: 'change_role', role: 'admin', ...alone })
      .thenRejected(lastOwner)
    when([added('owner')])
      .when({ type: 'change_role', role: 'owner', ...alone })
      .then([])
  }
})

test('who is no member, or no more, is not found', () => {
  for (const events of [[], [added('member'), removed(2)]]) {
    when(events).when({ type: 'remove', by: null, otherOwners: 1 }).thenRejected({ code: 'not_found' })
    when(events)
      .when({ type: 'change_role', role: 'viewer', by: null, otherOwners: 1 })
      .thenRejected({ code: 'not_found' })
  }
})
