import { describe, expect, test } from '@jest/globals'
import {
  actionsOn,
  baselineText,
  type Campaign,
  campaignDraft,
  campaignFields,
  canEdit,
  dealText,
  periodText,
} from './campaigns.ts'

const none = { type: 'none', cpa: null, revshare_bps: null, baseline: null, negative_carryover: false } as const
const cpa = { amount: 12_000, currency: 'EUR' }
const campaign: Campaign = {
  object: 'campaign',
  id: 'cmp_1',
  created: '2026-11-01T00:00:00.000Z',
  updated: '2026-11-01T00:00:00.000Z',
  version: 1,
  name: 'Spring',
  tags: ['seo'],
  metadata: {},
  integration_id: 'int_1',
  brand_slug: 'acme',
  external_id: 'sp1',
  status: 'active',
  merged_into: null,
  deal: none,
  countries: ['DE', 'AT'],
  tracking_url: 'https://go.example/1',
  landing_url: null,
  starts: '2026-11-01',
  ends: null,
}

test.each([
  ['draft', ['activate', 'merge', 'archive'], true],
  ['active', ['pause', 'merge', 'archive'], true],
  ['paused', ['resume', 'merge', 'archive'], true],
  ['archived', [], false],
] as const)('what is offered on one that is %s', (status, actions, isEditable) => {
  expect([actionsOn({ status }), canEdit({ status })]).toEqual([actions, isEditable])
})

describe('a deal in words', () => {
  test.each([
    [none, 'None is noted'],
    [{ ...none, type: 'flat' }, 'Flat fee'],
    [{ ...none, type: 'cpa', cpa }, 'CPA €120.00'],
    [{ ...none, type: 'revshare', revshare_bps: 2_550 }, '25.5% revenue share'],
    [{ ...none, type: 'hybrid', cpa, revshare_bps: 0 }, 'CPA €120.00 and 0% revenue share'],
  ] as const)('%j', (deal, text) => expect(dealText(deal)).toBe(text))

  test('what a player must do before the CPA is owed', () => {
    const min_deposit = { amount: 2_000, currency: 'EUR' }
    const of = (wagering_x: number | null) => baselineText({ ...none, baseline: { min_deposit, wagering_x } })
    expect([of(null), of(3)]).toEqual([
      'Once a player deposits €20.00',
      'Once a player deposits €20.00 and wagers it 3 times',
    ])
    expect(baselineText(none)).toBeNull()
  })
})

test('its days, of which either may be open', () => {
  const of = (starts: string | null, ends: string | null) => periodText({ starts, ends })
  expect([of('2026-11-01', null), of(null, '2026-11-30')]).toEqual(['From 1 Nov 2026', 'Until 30 Nov 2026'])
  expect([of('2026-11-01', '2026-11-30'), of(null, null)]).toEqual(['1\u2009–\u200930 Nov 2026', null])
})

describe('what is typed', () => {
  test('what was opened and not touched is sent back as it was', () => {
    const { name, tags, tracking_url, landing_url, countries, starts, ends } = campaign
    const saved = { name, tags, tracking_url, landing_url, countries, starts, ends }
    expect(campaignFields(campaignDraft(campaign))).toEqual(saved)
  })

  test('rows without a text and doubles fall away, countries are parted, and what was emptied is taken away', () => {
    const draft = {
      ...campaignDraft(campaign),
      tags: [' seo ', '', 'seo', 'a,b'],
      countries: ' de,at  ch,DE',
      starts: '',
    }
    expect(campaignFields({ ...draft, tracking_url: '  ' })).toMatchObject({
      tags: ['seo', 'a,b'],
      countries: ['DE', 'AT', 'CH'],
      starts: null,
      tracking_url: null,
    })
    expect(campaignFields({ ...draft, tags: [''], countries: ' ' })).toMatchObject({ tags: [], countries: [] })
  })
})
