// Declares the campaign: its stream, its row, its place in the API (domain.md 3.4). It is made by a source's rows, too: create-missing.ts.
import { type Loaded, workspaceOf } from '@wds/aggregate/aggregate'
import { publicEvents } from '@wds/aggregate/announcement'
import { mergePatch } from '@wds/aggregate/merge-patch'
import { commonFields, loadOr404, type Resource } from '@wds/aggregate/resource'
import type { InvalidState } from '@wds/decider/decider'
import { Problem, problemOfFaults } from '@wds/http-service/problem'
import type { ApiRequest } from '@wds/http-service/route'
import type { Transaction } from '@wds/postgres/transaction'
import { campaignsMax, countCampaignsLocked, findCampaign } from '../campaign-places/store-places.ts'
import { integrations } from '../integrations/resource.ts'
import type { Campaign, operations } from '../openapi.generated.ts'
import {
  type CampaignCommand,
  type CampaignEvent,
  type CampaignFields,
  type CampaignPatch,
  type CampaignState,
  campaignDecider,
} from './domain/campaign.ts'
import { campaignFaults, noDeal, wholeDeal } from './domain/campaign-form.ts'
import { campaignPublicEvent } from './domain/public-events.ts'

export const campaigns: Resource<CampaignState, CampaignCommand, CampaignEvent, InvalidState, Campaign> = {
  streamType: 'campaign',
  idPrefix: 'cmp',
  table: 'campaigns',
  path: '/v1/campaigns',
  scopes: { read: 'campaigns:read', write: 'campaigns:write' },
  decider: campaignDecider,
  columns: ({ status, fields, merged_into }) => ({
    status,
    merged_into: merged_into ?? null,
    integration_id: fields?.integration_id,
    external_id: fields?.external_id,
    brand_slug: fields?.brand_slug,
    tags: fields?.tags,
  }),
  filters: {
    status: 'status',
    brand: 'brand_slug',
    integration_id: 'integration_id',
    external_id: 'external_id',
    tag: { overlaps: 'tags' },
    merged_into: 'merged_into',
  },
  announce: publicEvents(campaignPublicEvent),
  toApi: (rows) => rows.map(toApiCampaign),
  create: (request: ApiRequest<operations['createCampaign']>) => {
    const { status = 'draft', integration_id, deal, ...given } = request.body
    const own = { ...newFields(given), deal: deal === undefined ? noDeal : wholeDeal(deal) }
    // The brand is the integration's, known once that is found.
    const faults = campaignFaults({ ...own, integration_id, brand_slug: '' })
    if (faults.length > 0) throw problemOfFaults(faults)
    return async (tx) => {
      const brand_slug = await brandOf(tx, integration_id)
      await refuseKnown(tx, { integrationId: integration_id, externalId: own.external_id })
      if ((await countCampaignsLocked(tx, workspaceOf(tx))) >= campaignsMax) throw new Problem('limit_reached')
      return { type: 'create', fields: { ...own, integration_id, brand_slug }, status }
    }
  },
  patch:
    (request: ApiRequest<operations['updateCampaign']>) =>
    (_tx, { state }) => {
      if (state.fields === null) throw new Error('a campaign without fields')
      const patch = patchOf(state.fields, request.body)
      const faults = campaignFaults({ ...state.fields, ...patch })
      if (faults.length > 0) throw problemOfFaults(faults)
      return { type: 'update', patch }
    },
}

type New = operations['createCampaign']['requestBody']['content']['application/json']

/** The fields of a campaign of which only some are told, but for those that say where it belongs. */
export function newFields(
  given: Omit<New, 'status' | 'integration_id' | 'deal'>,
): Omit<CampaignFields, 'integration_id' | 'brand_slug'> {
  const nothing = { tracking_url: null, landing_url: null, starts: null, ends: null }
  return { tags: [], metadata: {}, countries: [], ...nothing, deal: noDeal, ...given }
}

/** A deal is replaced whole: terms of the type before would be left over in it. */
function patchOf(
  fields: CampaignFields,
  { deal, ...given }: operations['updateCampaign']['requestBody']['content']['application/json'],
): CampaignPatch {
  const cleared = { tracking_url: null, landing_url: null, starts: null, ends: null }
  const patch = mergePatch(fields, given, cleared)
  return deal === undefined ? patch : { ...patch, deal: deal === null ? noDeal : wholeDeal(deal) }
}

/** Of the integration, which stays locked: its runs make campaigns, too. */
async function brandOf(tx: Transaction, integrationId: string): Promise<string> {
  const found = await loadOr404(tx, integrations, integrationId, { lock: true }).catch((error: unknown) => {
    if (!(error instanceof Problem && error.code === 'not_found')) throw error
    const detail = 'No integration has this id.'
    throw problemOfFaults([{ pointer: '/integration_id', code: 'invalid_value', detail }])
  })
  if (found.state.fields === null) throw new Error('an integration without fields')
  return found.state.fields.brand_slug
}

async function refuseKnown(tx: Transaction, o: { integrationId: string; externalId: string }): Promise<void> {
  const id = await findCampaign(tx, { workspaceId: workspaceOf(tx), ...o })
  if (id === null) return
  const detail = `${id} has this external id.`
  throw new Problem('already_exists', { errors: [{ pointer: '/external_id', code: 'already_exists', detail }] })
}

function toApiCampaign(row: Loaded<CampaignState>): Campaign {
  const { status, fields, merged_into = null } = row.state
  if (fields === null || status === 'none') throw new Error('a campaign without fields')
  return { ...commonFields('campaign', row), ...fields, status, merged_into }
}
