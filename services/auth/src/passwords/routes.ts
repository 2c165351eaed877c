// The link with which a member who has forgotten the password chooses a new one, given by an owner.
import { loadOr404 } from '@wds/aggregate/resource'
import { Problem } from '@wds/http-service/problem'
import type { Handle, RouteOf } from '@wds/http-service/route'
import { originOf, recordAudit } from '../audit/audit.ts'
import type { Dependencies } from '../dependencies.ts'
import { memberships } from '../members/aggregate.ts'
import { lockWorkspace, membershipOf } from '../members/store.ts'
import type { operations, paths } from '../openapi.generated.ts'
import { findAccount } from '../people/store.ts'
import { makePasswordLink } from './forgotten.ts'

const make =
  ({ authUrl }: Dependencies): Handle<operations['makePasswordLink']> =>
  (request) =>
    request.write(async (tx) => {
      const { workspaceId, id } = request.session
      const { state } = await loadOr404(tx, memberships, request.params.id)
      // The person's row before the workspace's, as where a person is erased or allows an app.
      if (state.status !== 'none') await findAccount(tx, state.user_id, { lock: true })
      await lockWorkspace(tx, workspaceId)
      if ((await membershipOf(tx, workspaceId, id))?.role !== 'owner') {
        throw new Problem('role_not_allowed', { detail: 'This needs the role owner.' })
      }
      if (state.status === 'none') throw new Problem('not_found')
      const by = { workspaceId, userId: id }
      const made = await makePasswordLink(tx, { userId: state.user_id, by, authUrl })
      if (made === null) {
        const detail = 'This person is not a member of this workspace alone, or cannot sign in: ask the operator.'
        throw new Problem('invalid_state', { detail, members: { current_status: 'member_elsewhere', allowed: [] } })
      }
      await recordAudit(tx, { ...originOf(request), action: 'password_link_made', object: state.user_id })
      const body = { object: 'password_link' as const, link: made.link, expires: made.expires.toISOString() }
      return { status: 201, body, holdsSecret: true }
    })

export const passwordRoutes = (o: Dependencies): RouteOf<paths>[] => [
  { method: 'POST', path: '/v1/members/{id}/password-link', session: 'manage_members', handle: make(o) },
]
