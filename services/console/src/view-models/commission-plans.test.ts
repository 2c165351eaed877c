import { expect, test } from '@jest/globals'
import {
  bpsOf,
  draftOfPlan,
  emptyPlanDraft,
  newPlan,
  type Plan,
  planFaults,
  termsText,
  tierRows,
} from './commission-plans.ts'

const at = '2026-11-01T00:00:00.000Z'
const nothing = { cpa: null, revshare_bps: null, tiers: [], cap: null, negative_carryover: false } as const
const plan = (terms: Partial<Plan>): Plan => ({
  object: 'commission_plan',
  id: 'pln_1',
  created: at,
  updated: at,
  version: 1,
  name: 'Standard',
  ...nothing,
  tiers: [],
  type: 'revshare',
  base: 'commission',
  ...terms,
})
const tiers = [
  { from_ftds: 0, revshare_bps: 1_000 },
  { from_ftds: 10, revshare_bps: 1_250 },
]
const cpa = { amount: 5_000, currency: 'EUR' }

test('terms are said in words, by their kind', () => {
  expect(termsText(plan({ type: 'cpa', cpa }))).toBe('€50.00 for each qualified FTD')
  expect(termsText(plan({ type: 'hybrid', cpa, revshare_bps: 2_050, base: 'ngr' }))).toBe(
    '€50.00 for each qualified FTD and 20.5% of NGR',
  )
  expect(termsText(plan({ type: 'tiered', tiers }))).toBe('10% to 12.5% of commission, in 2 tiers')
})

test('a tier holds until the next one begins, the last for good', () => {
  expect(tierRows(tiers)).toEqual([
    { ftds: '0 to 9', share: '10%' },
    { ftds: '10 and more', share: '12.5%' },
  ])
})

test.each([
  ['12.5', 1_250],
  ['0', 0],
  ['100', 10_000],
  ['0.29', 29],
  ['100.01', null],
  ['12,5', null],
  ['12.555', null],
  ['-1', null],
  ['', null],
] as const)('%j is a share of %j hundredths of a percent', (text, bps) => expect(bpsOf(text)).toBe(bps))

test('a plan holds the terms of its kind alone, whatever was typed for another', () => {
  const draft = { ...emptyPlanDraft('EUR'), name: ' Standard ', cpa: '50', share: '30', cap: '' }
  const rest = { name: 'Standard', negative_carryover: false }
  expect(newPlan({ ...draft, type: 'cpa' })).toEqual({ ...rest, type: 'cpa', cpa })
  expect(newPlan(draft)).toEqual({ ...rest, type: 'revshare', revshare_bps: 3_000, base: 'commission' })
  const tiered = { ...draft, type: 'tiered', tiers: [{ from: '5', share: '7.5' }], cap: '1,000' } as const
  expect(newPlan({ ...tiered, tiers: [...tiered.tiers] })).toEqual({
    ...rest,
    type: 'tiered',
    tiers: [{ from_ftds: 5, revshare_bps: 750 }],
    base: 'commission',
    cap: { amount: 100_000, currency: 'EUR' },
  })
})

test('what is no amount or no share is named; what the kind does not have is not', () => {
  const draft = emptyPlanDraft('EUR')
  expect(Object.keys(planFaults(draft))).toEqual(['share'])
  expect(Object.keys(planFaults({ ...draft, type: 'cpa', cpa: '12,50', cap: '-1' }))).toEqual(['cpa', 'cap'])
  expect(Object.keys(planFaults({ ...draft, type: 'tiered' }))).toEqual(['tiers'])
})

test('the terms of a plan that is taken up are sent as they were', () => {
  const given = plan({ type: 'tiered', tiers, cap: { amount: 70_000, currency: 'USD' }, negative_carryover: true })
  const { name: _, ...terms } = newPlan(draftOfPlan(given, 'EUR'))
  const { type, base, cap, negative_carryover } = given
  expect(terms).toEqual({ type, base, cap, negative_carryover, tiers })
})
