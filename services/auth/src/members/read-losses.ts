// GET /v1/members/{id}/losses: what a change of role or a removal would take, counted before it is done (auth.md 1.2). It changes nothing.
import { loadOr404 } from '@wds/aggregate/resource'
import { type Role, scopesOfRole } from '@wds/contracts/roles'
import type { Handle, RouteOf } from '@wds/http-service/route'
import type { operations, paths } from '../openapi.generated.ts'
import { memberships } from './aggregate.ts'
import { countKeysMadeBy, countNarrowedGrants } from './store-losses.ts'

const readLosses: Handle<operations['readMemberLosses']> = (request) =>
  request.read(async (tx) => {
    const { state } = await loadOr404(tx, memberships, request.params.id)
    if (state.status === 'none') throw new Error('a member that is stored has been added')
    const role: Role | null = request.query.role ?? null
    const kept = role === null ? [] : scopesOfRole(role)
    const grants = await countNarrowedGrants(tx, { userId: state.user_id, kept })
    const body = {
      object: 'member_losses' as const,
      role,
      scopes: scopesOfRole(state.role).filter((scope) => !kept.includes(scope)),
      grants_cut: grants.cut,
      grants_ended: grants.ended,
      api_keys: await countKeysMadeBy(tx, state.user_id),
    }
    return { status: 200, body, cache: 'no-store' }
  })

export const memberLossesRoutes = (): RouteOf<paths>[] => [
  { method: 'GET', path: '/v1/members/{id}/losses', session: 'manage_members', handle: readLosses },
]
