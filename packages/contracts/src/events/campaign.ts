// Declares the events of campaigns (domain.md 5.15 to 5.19).
import type { EventDeclaration } from './declaration.ts'

const readScope = ['campaigns:read'] as const

export const campaignEvents = {
  'campaign.created': {
    meaning: 'A campaign was added.',
    data: {
      campaign_id: 'id cmp',
      integration_id: 'id int',
      brand_slug: 'slug',
      name: 'str',
      status: 'str draft|active',
      external_id: 'str',
    },
    oncePer: 'campaign',
    readScope,
    volume: 'low',
    example: { name: 'Autumn welcome offer', status: 'draft' },
  },
  'campaign.updated': {
    meaning: 'Fields of a campaign changed.',
    data: { campaign_id: 'id cmp', brand_slug: 'slug', changed: '[str]' },
    oncePer: 'version',
    readScope,
    volume: 'low',
    example: { changed: ['name'] },
  },
  'campaign.paused': {
    meaning: 'A campaign was paused by a user or a rule.',
    data: { campaign_id: 'id cmp', brand_slug: 'slug', reason: 'str user|rule', rule_id: 'id rul?' },
    oncePer: 'version',
    readScope,
    volume: 'low',
    example: { reason: 'rule' },
  },
  'campaign.resumed': {
    meaning: 'A paused campaign is active again.',
    data: { campaign_id: 'id cmp', brand_slug: 'slug', reason: 'str user|rule', rule_id: 'id rul?' },
    oncePer: 'version',
    readScope,
    volume: 'low',
    example: { reason: 'user', rule_id: null },
  },
  'campaign.archived': {
    meaning: 'A campaign was closed for good.',
    data: { campaign_id: 'id cmp', brand_slug: 'slug' },
    oncePer: 'campaign',
    readScope,
    volume: 'low',
  },
} as const satisfies Record<string, EventDeclaration>
