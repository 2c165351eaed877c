import type { Aggregate } from '@wds/aggregate/aggregate'
import { withoutUndefined } from '@wds/contracts/without-undefined'
import { announce } from '../../announcements/announce.ts'
import { auditChange } from '../../audit/audit.ts'
import {
  type GrantCommand,
  type GrantEvent,
  type GrantRejection,
  type GrantState,
  grantDecider,
} from './domain/grant.ts'

/** What a person allowed an app in a workspace; its rows of the engine stand beside it (auth.md 2.2). */
export const grants: Aggregate<GrantState, GrantCommand, GrantEvent, GrantRejection> = {
  streamType: 'grant',
  idPrefix: 'grt',
  table: 'grants',
  decider: grantDecider,
  columns: (state) =>
    withoutUndefined({
      status: state.status,
      user_id: state.status === 'none' ? undefined : state.user_id,
      app_id: state.status === 'none' ? undefined : state.app_id,
    }),
  announce,
  project: auditChange,
}
