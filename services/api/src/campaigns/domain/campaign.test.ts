import { describe, expect, test } from '@jest/globals'
import type { InvalidState } from '@wds/decider/decider'
import { given } from '@wds/decider/given-when-then'
import {
  type CampaignCommand,
  type CampaignEvent,
  type CampaignFields,
  campaignDecider,
  campaignMachine,
} from './campaign.ts'
import { campaignFaults, type GivenDeal, noDeal, wholeDeal } from './campaign-form.ts'
import { trackingLink } from './tracking-link.ts'

const fields: CampaignFields = {
  name: 'Spring',
  tags: [],
  metadata: {},
  countries: [],
  deal: noDeal,
  integration_id: 'int_1',
  brand_slug: 'acme',
  external_id: 'spring',
  tracking_url: null,
  landing_url: null,
  starts: null,
  ends: null,
}
const created: CampaignEvent = { type: 'CampaignCreated', data: { fields, status: 'draft' } }
const activated: CampaignEvent = { type: 'CampaignActivated', data: {} }

describe('C23: each pair of state and action of the campaign', () => {
  const stories: Record<keyof typeof campaignMachine, CampaignEvent[]> = {
    none: [],
    draft: [created],
    active: [created, activated],
    paused: [created, activated, { type: 'CampaignPaused', data: { reason: 'user' } }],
    archived: [created, { type: 'CampaignArchived', data: {} }],
  }
  const commands: CampaignCommand[] = [
    { type: 'create', fields, status: 'active' },
    { type: 'update', patch: { name: 'Other' } },
    { type: 'activate' },
    { type: 'pause' },
    { type: 'resume' },
    { type: 'archive' },
    { type: 'merge', into: 'cmp_2' },
  ]
  for (const [status, events] of Object.entries(stories))
    for (const command of commands)
      test(`${status}, ${command.type}`, () => {
        const row: Record<string, string> = campaignMachine[status as keyof typeof campaignMachine]
        const state = events.reduce(campaignDecider.evolve, campaignDecider.initialState)
        const decision = campaignDecider.decide(state, command)
        expect(decision.accepted).toBe(command.type in row)
        if (!decision.accepted) return expect(decision.rejection.current_status).toBe(status)
        const next = decision.events.reduce(campaignDecider.evolve, state).status
        return expect(next).toBe(row[command.type] === 'as_asked' ? 'active' : row[command.type])
      })
})

test('a merged campaign is merged no more, but follows the one that took it up', () => {
  const merged: CampaignEvent[] = [
    { type: 'CampaignMerged', data: { into: 'cmp_2' } },
    { type: 'CampaignArchived', data: {} },
  ]
  const story = [created, activated]
  given(campaignDecider, story).when({ type: 'merge', into: 'cmp_2' }).then(merged)
  const refusal: InvalidState = { code: 'invalid_state', current_status: 'archived', allowed: [] }
  given(campaignDecider, [...story, ...merged])
    .when({ type: 'merge', into: 'cmp_3' })
    .thenRejected(refusal)
  given(campaignDecider, [...story, ...merged])
    .when({ type: 'follow', into: 'cmp_3' })
    .then([{ type: 'CampaignMerged', data: { into: 'cmp_3' } }])
  given(campaignDecider, [created, { type: 'CampaignArchived', data: {} }])
    .when({ type: 'follow', into: 'cmp_3' })
    .thenRejected(refusal)
})

test('a change of nothing makes no event; one of something names what changed', () => {
  const story = given(campaignDecider, [created])
  story.when({ type: 'update', patch: { name: 'Spring', deal: { ...noDeal } } }).then([])
  const patch = { name: 'Summer' }
  given(campaignDecider, [created])
    .when({ type: 'update', patch: { ...patch, tags: [] } })
    .then([{ type: 'CampaignUpdated', data: { patch, changed: ['name'] } }])
})

describe('the form of a campaign', () => {
  const cpa = { amount: 12_000, currency: 'EUR' }
  const pointersOf = (deal: GivenDeal) =>
    campaignFaults({ ...fields, deal: wholeDeal(deal) }).map(({ pointer, code }) => `${pointer} ${code}`)

  test.each<[GivenDeal, string[]]>([
    [{ type: 'none' }, []],
    [{ type: 'flat' }, []],
    [{ type: 'cpa', cpa }, []],
    [{ type: 'revshare', revshare_bps: 0 }, []],
    [{ type: 'hybrid', cpa, revshare_bps: 2_500, baseline: { min_deposit: cpa, wagering_x: 1 } }, []],
    [{ type: 'cpa' }, ['/deal/cpa validation_failed']],
    [{ type: 'revshare', cpa, revshare_bps: 1 }, ['/deal/cpa validation_failed']],
    [{ type: 'hybrid', cpa }, ['/deal/revshare_bps validation_failed']],
    [{ type: 'cpa', cpa: { amount: 1, currency: 'XQX' } }, ['/deal/cpa/currency unknown_currency']],
    [
      { type: 'flat', baseline: { min_deposit: { amount: 1, currency: 'XQX' } } },
      ['/deal/baseline/min_deposit/currency unknown_currency'],
    ],
  ])('%j', (deal, faults) => expect(pointersOf(deal)).toEqual(faults))

  test.each<[Partial<CampaignFields>, string[]]>([
    [{ starts: '2026-02-28', ends: '2026-02-28' }, []],
    [{ starts: '2026-03-01', ends: '2026-02-28' }, ['/ends']],
    [{ starts: '2026-02-30' }, ['/starts']],
    [{ countries: ['DE', 'QQ'] }, ['/countries/1']],
    [{ tracking_url: 'https://go.example/x?y=1', landing_url: 'http://go.example' }, ['/landing_url']],
    [{ tracking_url: 'javascript:alert(1)' }, ['/tracking_url']],
    [{ tracking_url: 'https://go.example/{sub_id}?s={sub_id}' }, []],
    [{ tracking_url: 'https://{sub_id}.example/' }, ['/tracking_url']],
    [{ tracking_url: 'https://go.example:{sub_id}/' }, ['/tracking_url']],
    [{ tracking_url: 'https://{sub_id}@go.example/' }, ['/tracking_url']],
    [{ tracking_url: 'https://a:{sub_id}@go.example/' }, ['/tracking_url']],
    [{ landing_url: 'https://go.example/{sub_id}' }, []],
    [{ metadata: Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`k${at}`, 'v'])) }, ['/metadata']],
  ])('%j', (patch, faults) =>
    expect(campaignFaults({ ...fields, ...patch }).map(({ pointer }) => pointer)).toEqual(faults),
  )
})

test.each([
  ['https://go.example/{sub_id}?s={sub_id}', 'a b&c', 'https://go.example/a%20b%26c?s=a%20b%26c'],
  // What a replacement would read as a pattern of its own.
  ['https://go.example/?s={sub_id}', '$&', 'https://go.example/?s=%24%26'],
  ['https://go.example/?s=1', 'a', null],
  [null, 'a', null],
])('the link of %s for %s', (address, subId, link) => expect(trackingLink(address, subId)).toBe(link))
