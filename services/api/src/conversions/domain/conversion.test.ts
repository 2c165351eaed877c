import { describe, expect, test } from '@jest/globals'
import type { RowRules } from '../../sources/domain/check-row.ts'
import { type ConversionRules, readConversion } from './conversion.ts'
import { type ConversionGroup, foldGroup } from './fold-group.ts'

const nowMs = Date.parse('2026-03-10T12:00:00Z')
const rules: ConversionRules = { settings: {}, zone: 'Europe/Berlin', currency: 'EUR', nowMs }
const read = (given: Record<string, string>, extra: Partial<ConversionRules> = {}) =>
  readConversion(new Map(Object.entries(given)), { ...rules, ...extra })
const least = { event: 'deposit', tx_id: 't1' }

describe('a conversion', () => {
  test('has the parameters in minor units; an empty one was not given, and the time is now', () => {
    const given = { ...least, campaign: 'c', sub_id: 's', country: 'DE', amount: '12.5', commission: '3', currency: '' }
    expect(read(given)).toEqual({
      ok: true,
      value: {
        event: 'deposit',
        txId: 't1',
        occurredMs: nowMs,
        campaign: 'c',
        subId: 's',
        country: 'DE',
        // A deposit has no use for a commission, so none is kept.
        currency: 'EUR',
        amount: 1250n,
        commission: null,
        kind: null,
      },
    })
    expect(read({ ...least, currency: 'JPY', amount: '12.5' })).toMatchObject({ value: { amount: 12n } })
    expect(read({ ...least, currency: 'KWD', amount: '12.5' })).toMatchObject({ value: { amount: 12500n } })
  })

  test.each([
    ['1773140400', '2026-03-10T11:00:00Z'],
    ['2026-03-10T11:00:00Z', '2026-03-10T11:00:00Z'],
    ['2026-03-10T13:00:00+02:00', '2026-03-10T11:00:00Z'],
    ['2026-03-10 12:00:00', '2026-03-10T11:00:00Z'],
  ])('of %s occurred at %s: a time without an offset is one of the source', (ts, instant) => {
    expect(read({ ...least, ts })).toMatchObject({ value: { occurredMs: Date.parse(instant) } })
  })

  test.each([
    [{ tx_id: 't' }, 'event', 'required'],
    [{ event: 'sale', tx_id: 't' }, 'event', 'invalid_value'],
    [{ event: 'toString', tx_id: 't' }, 'event', 'invalid_value'],
    [{ event: 'click' }, 'tx_id', 'required'],
    [{ event: 'click', tx_id: 'x'.repeat(101) }, 'tx_id', 'out_of_range'],
    [{ ...least, ts: 'yesterday' }, 'ts', 'invalid_value'],
    [{ ...least, ts: '2026-01-24T11:59:59Z' }, 'ts', 'out_of_range'],
    [{ ...least, ts: '2026-03-10T12:05:01Z' }, 'ts', 'out_of_range'],
    [{ ...least, amount: '12,50' }, 'amount', 'invalid_value'],
    [{ ...least, amount: '{payout}' }, 'amount', 'invalid_value'],
    [{ ...least, amount: '-1' }, 'amount', 'out_of_range'],
    [{ ...least, amount: '90071992547409.92' }, 'amount', 'amount_overflow'],
    [{ ...least, currency: 'XXQ' }, 'currency', 'unknown_currency'],
    [{ ...least, country: 'Germany' }, 'country', 'invalid_value'],
    [{ ...least, campaign: 'x'.repeat(101) }, 'campaign', 'out_of_range'],
    [{ event: 'chargeback', tx_id: 't' }, 'amount', 'required'],
    [{ event: 'commission', tx_id: 't' }, 'commission', 'required'],
  ])('%j is refused for %s: %s', (given, parameter, code) => {
    expect(read(given as unknown as Record<string, string>)).toMatchObject({ ok: false, error: { parameter, code } })
  })

  test('is 45 days old at most and 5 minutes ahead, both to the second', () => {
    for (const ts of ['2026-01-24T12:00:00Z', '2026-03-10T12:05:00Z'])
      expect(read({ ...least, ts })).toMatchObject({ ok: true })
  })

  test('comes under the names and words of the settings, and faults name what came', () => {
    const settings = {
      parameter_map: { tx_id: 'transaction', amount: 'payout', event: 'goal' },
      event_map: { lead: 'signup', sale: 'deposit' },
    } as const
    const given = { goal: 'sale', transaction: '7', payout: '1', amount: 'not read' }
    expect(read(given, { settings })).toMatchObject({ value: { event: 'deposit', txId: '7', amount: 100n } })
    expect(read({ ...given, payout: 'x' }, { settings })).toMatchObject({ error: { parameter: 'payout' } })
    // A word of ours still means itself.
    expect(read({ ...given, goal: 'click' }, { settings })).toMatchObject({ value: { event: 'click' } })
  })
})

const rowRules: RowRules = {
  granularity: 'hour',
  zone: 'Asia/Kathmandu',
  currency: 'EUR',
  today: '2026-03-11',
  onUnknownCampaign: 'create',
  knowsCampaign: () => false,
}
const group: ConversionGroup = {
  quarterMs: Date.parse('2026-03-10T18:15:00Z'),
  event: 'click',
  kind: null,
  campaign: 'c',
  country: 'DE',
  currency: 'EUR',
  subId: null,
  conversions: 3n,
  amount: null,
  commission: null,
}

describe('the row of a group', () => {
  test.each([
    ['click', { clicks: 3n }],
    ['signup', { signups: 3n }],
    ['ftd', { ftds: 3n, deposits: 3n, ftd_amount: 500n, deposits_amount: 500n }],
    ['qualified_ftd', { qualified_ftds: 3n, cpa_commission: 70n }],
    ['deposit', { deposits: 3n, deposits_amount: 500n }],
    ['chargeback', { chargebacks_amount: 500n }],
    ['commission', { revshare_commission: 70n }],
  ] as const)('of %s has these measures, and of no other it says anything', (event, expected) => {
    const checked = foldGroup({ ...group, event, amount: 500n, commission: 70n }, rowRules)
    const values = checked.ok ? Object.entries(checked.row.values).filter(([, value]) => value !== null) : []
    expect(Object.fromEntries(values)).toEqual(expected)
  })

  test('of another commission is another commission', () => {
    const checked = foldGroup({ ...group, event: 'commission', kind: 'other', commission: -70n }, rowRules)
    expect(checked).toMatchObject({ row: { values: { other_commission: -70n, revshare_commission: null } } })
  })

  test('lies in the hour of the source’s clock, which may begin at a quarter', () => {
    expect(foldGroup(group, rowRules)).toMatchObject({
      warnings: [],
      row: { day: '2026-03-11', hourMs: Date.parse('2026-03-10T18:15:00Z') },
    })
  })

  test('warns of sub-affiliates that nobody knows, and is refused where a sum is too large or its campaign is to be known', () => {
    expect(foldGroup({ ...group, subId: 's' }, rowRules)).toMatchObject({ warnings: ['unknown_sub_affiliate'] })
    const sum = { ...group, event: 'deposit', amount: 2n ** 60n } as const
    expect(foldGroup(sum, rowRules)).toMatchObject({ ok: false, code: 'amount_overflow' })
    expect(foldGroup(group, { ...rowRules, onUnknownCampaign: 'reject' })).toMatchObject({ code: 'unknown_campaign' })
  })
})
