import { expect, test } from '@jest/globals'
import type { Terms } from '../../ledger/domain/ledger-entry.ts'
import { amountOf, monthEnd, rateOf } from './commission.ts'

const tiers = [
  { from_ftds: 3, revshare_bps: 1_000 },
  { from_ftds: 9, revshare_bps: 3_000 },
]
const cap = { amount: 1_500, currency: 'EUR' }
const terms: Terms = {
  plan_id: 'pln_1',
  base: 'ngr',
  rate_bps: 5_000,
  cpa: null,
  cpa_fx: null,
  fx: null,
  rate_set: null,
}
const sums = { qualifiedFtds: 2n, commission: 7n, ngr: 5n }
const cpa = { cpa: { amount: 3, currency: 'USD' }, cpa_fx: { numerator: '4', denominator: '5' } }

test.each([
  [2n, 0],
  [3n, 1_000],
  [8n, 1_000],
  [9n, 3_000],
])('%s qualified FTDs of the month: %s basis points', (ftds, bps) => {
  expect(rateOf({ type: 'tiered', revshare_bps: null, tiers }, ftds)).toBe(bps)
})

test('an amount is the share of the base, rounded half to even, and what each FTD earns', () => {
  expect(amountOf(terms, sums)?.amount).toBe(2n)
  expect(amountOf({ ...terms, base: 'commission' }, sums)?.amount).toBe(4n)
  expect(amountOf({ ...terms, ...cpa }, sums)?.amount).toBe(7n)
  expect(amountOf(terms, { ...sums, ngr: -5n })?.amount).toBe(-2n)
})

test('an amount is known in the currency of the rows, too, each currency rounded by itself', () => {
  const [yen, usd] = [
    { numerator: '1', denominator: '60' },
    { numerator: '4', denominator: '5' },
  ]
  const in_yen = { ...terms, fx: yen }
  expect(amountOf(terms, sums)).toEqual({ amount: 2n, rowAmount: 2n })
  expect(amountOf(in_yen, { ...sums, ngr: 61n })).toEqual({ amount: 1n, rowAmount: 30n })
  // Paid in the currency of the rows: its fixed part is what it is in the payout currency.
  expect(amountOf({ ...terms, ...cpa }, sums)).toEqual({ amount: 7n, rowAmount: 7n })
  // The fixed part of 6 is of dollars, as are the rows.
  expect(amountOf({ ...terms, ...cpa, fx: usd }, sums)).toEqual({ amount: 7n, rowAmount: 8n })
  // Of dollars, paid in yen, of rows in another currency: 6 / 50 yen are 7.2 of the rows.
  expect(amountOf({ ...in_yen, ...cpa, cpa_fx: { numerator: '1', denominator: '50' } }, sums)?.rowAmount).toBe(2n + 7n)
})

test('an amount beyond the range of money is none', () => {
  const fx = { numerator: '20000', denominator: '1' }
  expect(amountOf({ ...terms, fx }, { ...sums, ngr: 9_007_199_254_740_991n })).toBeNull()
})

test.each([
  [-5n, true, null, ['carryover null 5 this', 'carryover null -5 next']],
  [-5n, false, null, ['adjustment negative_floor 5 this']],
  [1_501n, true, cap, ['adjustment cap -1 this']],
  [1_500n, true, cap, []],
  [1_501n, true, null, []],
  [0n, false, cap, []],
])('a month of %s, carryover %s, cap %j ends with %j', (sum, negative_carryover, limit, ends) => {
  const found = monthEnd(sum, { negative_carryover, cap: limit })
  expect(found.map(({ kind, reason, amount, month }) => `${kind} ${reason} ${amount} ${month}`)).toEqual(ends)
})
