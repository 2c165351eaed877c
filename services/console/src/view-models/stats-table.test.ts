import { describe, expect, test } from '@jest/globals'
import {
  beyondText,
  changeText,
  groupOfRows,
  groupText,
  hasCurrencies,
  keyOfRow,
  metricsOfGroup,
  metricText,
  shownMetrics,
} from './stats-table.ts'

const row = { day: '2026-11-22', currency: 'EUR', clicks: 1284, ngr: 125_050, conversion_rate: 0.0321, epc: 97.4 }
const names = new Map([
  ['int_1', 'Northern Bets'],
  ['acme', 'Acme Casino'],
])

describe('a row of stats', () => {
  test('counts, money of its currency, shares, and what no source supplies', () => {
    expect([metricText(row, 'clicks'), metricText(row, 'ngr')]).toEqual(['1,284', '€1,250.50'])
    expect([metricText(row, 'conversion_rate'), metricText(row, 'epc')]).toEqual(['3.2%', '€0.97'])
    expect(metricText({ ...row, commission: null }, 'commission')).toBe('–')
  })

  test('a sum beyond what numbers hold is not taken for one that no source supplies', () => {
    expect(beyondText({ beyond_range: ['commission', 'new_one'] })).toMatch(/^Commission, new_one: a sum is larger/)
    expect([beyondText({ beyond_range: [] }), beyondText({})]).toEqual([null, null])
  })

  test('its group in words', () => {
    expect(groupText(row, 'day', names)).toBe('22 Nov 2026')
    expect(groupText({ integration_id: 'int_1' }, 'integration', names)).toBe('Northern Bets')
    expect([
      groupText({ country: null }, 'country', names),
      groupText({ brand_slug: 'other' }, 'brand', names),
    ]).toEqual(['without', 'other'])
    expect(groupText({ brand_slug: 'acme' }, 'brand', names)).toBe('Acme Casino')
    const spring = { campaign_external_id: 'sp1', campaign_id: 'cmp_1' }
    expect(groupText(spring, 'campaign', new Map([['cmp_1', 'Spring']]))).toBe('Spring')
    expect(groupText({ ...spring, campaign_id: null }, 'campaign', names)).toBe('sp1')
  })

  test('regression: rows say by what they are summed, also while another grouping is chosen', () => {
    expect([groupOfRows([row], 'day'), groupOfRows([row], 'brand'), groupOfRows([], 'brand')]).toEqual([
      ...['day', 'day', 'brand'],
    ])
    expect(groupOfRows([{ campaign_external_id: null, campaign_id: null }], 'week')).toBe('campaign')
  })

  test('how it stands against the compared days', () => {
    const compared = (delta_pct: number | null) => ({ compare: { clicks: { value: 1, delta: 1, delta_pct } } })
    expect(changeText(compared(12.34), 'clicks')).toBe('+12.3%')
    expect(changeText(compared(-50), 'clicks')).toBe('-50%')
    expect([changeText(compared(null), 'clicks'), changeText(row, 'clicks')]).toEqual([null, null])
  })

  test('what sub-affiliates cost is asked for but by country, and has a column where they cost something', () => {
    expect([metricsOfGroup('country'), metricsOfGroup('day')].map((names) => names.includes('margin'))).toEqual([
      ...[false, true],
    ])
    const shown = (...costs: (number | null)[]) =>
      shownMetrics(
        costs.map((sub_affiliate_cost) => ({ sub_affiliate_cost })),
        'brand',
      ).slice(8)
    expect([shown(0, 12), shown(-1), shown(0, null)]).toEqual([
      ['sub_affiliate_cost', 'margin'],
      ['sub_affiliate_cost', 'margin'],
      [],
    ])
    expect(metricText({ ...row, margin: -250 }, 'margin')).toBe('-€2.50')
    expect(groupText({ sub_affiliate_id: 'rita-reviews' }, 'sub_affiliate', names)).toBe('rita-reviews')
  })

  test('rows of one group in two currencies are two', () => {
    const other = { ...row, currency: 'USD' }
    expect(keyOfRow(row, 'day')).not.toBe(keyOfRow(other, 'day'))
    const campaign = (id: string) => keyOfRow({ campaign_external_id: 'spring', campaign_id: id }, 'campaign')
    expect(campaign('cmp_1')).not.toBe(campaign('cmp_2'))
    expect([hasCurrencies([row, other]), hasCurrencies([row]), hasCurrencies([{ clicks: 1 }])]).toEqual([
      ...[true, false, false],
    ])
  })
})
