// What people do with a sub-affiliate, POST and PATCH among it, which judge plans and store personal data beside the stream (domain.md 3.8).
import { change } from '@wds/aggregate/resource'
import type { Handle, RouteOf } from '@wds/http-service/route'
import type { ApiDependencies } from '../dependencies.ts'
import type { operations, paths } from '../openapi.generated.ts'
import { acceptInvitation } from './accept-invitation.ts'
import { invitationMs } from './domain/invitation.ts'
import { allowedActions } from './domain/sub-affiliate.ts'
import { InvitationLink } from './invitation-link.ts'
import { ledgerRoutes } from './ledger-routes.ts'
import { subAffiliates } from './resource.ts'
import { settle } from './settle.ts'
import { changePlan, createSubAffiliate, patchSubAffiliate } from './write-sub-affiliate.ts'

export function subAffiliateRoutes(o: ApiDependencies): RouteOf<paths>[] {
  const scope = subAffiliates.scopes.write
  const action = { method: 'POST', scope } as const
  const one = '/v1/sub-affiliates/{id}'
  return [
    { method: 'POST', path: '/v1/sub-affiliates', scope, handle: (request) => createSubAffiliate(request, o) },
    { method: 'PATCH', path: one, scope, handle: (request) => patchSubAffiliate(request, o) },
    { ...action, path: `${one}/invite`, handle: invite(o) },
    { ...action, path: `${one}/suspend`, handle: suspend },
    {
      ...action,
      path: `${one}/reactivate`,
      handle: (request) => change(request, subAffiliates, () => ({ type: 'reactivate' })),
    },
    { ...action, path: `${one}/remove`, handle: remove },
    ...ledgerRoutes(o),
    { ...action, path: `${one}/plan`, handle: (request) => changePlan(request) },
    { method: 'POST', scope: null, path: '/v1/sub-affiliate-invitations/{token}/accept', handle: acceptInvitation },
  ]
}

function invite({ baseUrl }: Pick<ApiDependencies, 'baseUrl'>): Handle<operations['inviteSubAffiliate']> {
  return (request) => {
    const link = new InvitationLink(baseUrl)
    const { shownOnce } = link
    return change(
      request,
      subAffiliates,
      async (tx, { id, state, nowMs }) => {
        const expiresMs = nowMs + invitationMs
        // What is refused leaves the link that is open as it is.
        if (allowedActions(state).includes('invite')) await link.renew(tx, { subAffiliateId: id, expiresMs })
        return { type: 'invite', expiresMs }
      },
      { shownOnce },
    )
  }
}

const suspend: Handle<operations['suspendSubAffiliate']> = (request) =>
  change(request, subAffiliates, () => ({ type: 'suspend', reason: request.body.reason }))

const remove: Handle<operations['removeSubAffiliate']> = (request) =>
  change(request, subAffiliates, async (tx, { id, state, nowMs }) => {
    const { reason, write_off: isWrittenOff = false } = request.body
    if (state.status !== 'removed') await settle(tx, { id, isWrittenOff, nowMs })
    return { type: 'remove', reason, atMs: nowMs }
  })
