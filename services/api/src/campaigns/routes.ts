// Actions of a campaign beside what its resource declares (domain.md 3.4).
import { change, loadOr404 } from '@wds/aggregate/resource'
import type { Handle, RouteOf } from '@wds/http-service/route'
import type { operations, paths } from '../openapi.generated.ts'
import { trackingLink } from './domain/tracking-link.ts'
import { mergeCampaign } from './merge-campaign.ts'
import { campaigns } from './resource.ts'

export function campaignRoutes(): RouteOf<paths>[] {
  const action = { method: 'POST', scope: campaigns.scopes.write } as const
  const path = '/v1/campaigns/{id}'
  return [
    { method: 'GET', path: `${path}/tracking-link`, scope: campaigns.scopes.read, handle: readTrackingLink },
    {
      ...action,
      path: `${path}/activate`,
      handle: (request) => change(request, campaigns, () => ({ type: 'activate' })),
    },
    { ...action, path: `${path}/pause`, handle: (request) => change(request, campaigns, () => ({ type: 'pause' })) },
    { ...action, path: `${path}/resume`, handle: (request) => change(request, campaigns, () => ({ type: 'resume' })) },
    {
      ...action,
      path: `${path}/archive`,
      handle: (request) => change(request, campaigns, () => ({ type: 'archive' })),
    },
    { ...action, path: `${path}/merge`, handle: mergeCampaign },
  ]
}

const readTrackingLink: Handle<operations['readTrackingLink']> = async (request) => {
  const { id } = request.params
  const { sub_affiliate: sub_id = null } = request.query
  const { state } = await request.read((tx) => loadOr404(tx, campaigns, id))
  const url = trackingLink(state.fields?.tracking_url ?? null, sub_id ?? '')
  return { status: 200, body: { object: 'tracking_link', campaign_id: id, sub_id, url } }
}
