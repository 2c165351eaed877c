// Decides what others are told of a campaign (domain.md 5.15 to 5.19).
import type { PublicEvent } from '@wds/contracts/envelope'
import type { CampaignEvent, CampaignState } from './campaign.ts'

/** Announcement of a campaign's event. `state` is the state after it. */
export function campaignPublicEvent(id: string, { fields }: CampaignState, event: CampaignEvent): PublicEvent {
  if (fields === null) throw new Error('a campaign without fields')
  const { brand_slug, integration_id } = fields
  const place = { campaign_id: id, brand_slug }
  switch (event.type) {
    case 'CampaignCreated': {
      // As it was made: the state is the one after all events of a command.
      const { status } = event.data
      const { name, external_id } = event.data.fields
      return { type: 'campaign.created', onceKey: id, data: { ...place, integration_id, name, status, external_id } }
    }
    case 'CampaignUpdated':
      return { type: 'campaign.updated', onceKey: null, data: { ...place, changed: event.data.changed } }
    case 'CampaignMerged':
      return { type: 'campaign.updated', onceKey: null, data: { ...place, changed: ['merged_into'] } }
    case 'CampaignActivated':
      return { type: 'campaign.updated', onceKey: null, data: { ...place, changed: ['status'] } }
    case 'CampaignPaused':
      return { type: 'campaign.paused', onceKey: null, data: { ...place, rule_id: null, ...event.data } }
    case 'CampaignResumed':
      return { type: 'campaign.resumed', onceKey: null, data: { ...place, rule_id: null, ...event.data } }
    case 'CampaignArchived':
      return { type: 'campaign.archived', onceKey: id, data: place }
  }
}
