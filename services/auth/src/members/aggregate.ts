import type { Aggregate } from '@wds/aggregate/aggregate'
import { announce } from '../announcements/announce.ts'
import { auditChange } from '../audit/audit.ts'
import {
  type MembershipCommand,
  type MembershipEvent,
  type MembershipRejection,
  type MembershipState,
  membershipDecider,
} from './domain/membership.ts'

/** A person in a workspace: one stream for both, whatever comes and goes. */
export const memberships: Aggregate<MembershipState, MembershipCommand, MembershipEvent, MembershipRejection> = {
  streamType: 'membership',
  idPrefix: 'mbr',
  table: 'memberships',
  decider: membershipDecider,
  columns: (state) =>
    state.status === 'none' ? state : { status: state.status, user_id: state.user_id, role: state.role },
  announce,
  project: auditChange,
}
