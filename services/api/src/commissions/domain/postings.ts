// Decides which entries bring the ledger to what the numbers of a final day say (domain.md 3.9, decision 67): for each campaign and currency of
// its rows the difference between what they come to and what was posted. Deciding again, with these entries posted, gives none.
import type { Money } from '@wds/contracts/currencies'
import type { Fraction, Terms } from '../../ledger/domain/ledger-entry.ts'
import { amountOf, type Sums } from './commission.ts'

/** Rows that share one amount: those of a campaign, or, without one, of an integration, in one currency. */
export interface RowsOf {
  /** Null in what was posted before entries named it. */
  integrationId: string | null
  /** Null where none is known by the rows' name. */
  campaignId: string | null
  currency: string
}

/** What was posted of the day. */
export interface Posted extends RowsOf {
  amount: bigint
  rowAmount: bigint
  entries: number
  /** Of the last entry, and its number. */
  terms: Terms
  number: number
}

/** What these rows of a day say now. */
export type Earned = Sums & RowsOf

/** Of a plan on a day; what is converted is not known yet. */
export interface PlanTermsOfDay {
  plan_id: string
  base: 'commission' | 'ngr'
  rate_bps: number
  cpa: Money | null
}

/** What a unit of a currency is in the payout currency: null where it is the same one. */
export type Rate = (currency: string) => Fraction | null | 'missing'

export interface Posting {
  kind: 'accrual' | 'adjustment'
  reason: 'restated' | 'plan_changed' | null
  amount: bigint
  integrationId: string | null
  campaignId: string | null
  rowCurrency: string
  /** The amount in the currency of the rows. */
  rowAmount: bigint
  terms: Terms
  /** How many entries these rows have of the day with this one. */
  nth: number
}

const nothing: Sums = { qualifiedFtds: 0n, commission: 0n, ngr: 0n }

/** Terms of the plan that were stored for the day: all its campaigns have the rate that was stored first. Null where none were. */
export function storedTerms(posted: readonly Posted[], planId: string): Terms | null {
  const known = posted.filter(({ terms }) => terms.plan_id === planId)
  return known.length === 0 ? null : known.reduce((newest, one) => (one.number > newest.number ? one : newest)).terms
}

/** `fresh`: where none are stored. Not whole where an amount could not be worked out: for lack of a rate, or beyond the range of money. */
export function postingsOf(o: {
  now: readonly Earned[]
  posted: readonly Posted[]
  fresh: PlanTermsOfDay
  rate: Rate
  rateSet: string
}): { postings: Posting[]; isWhole: boolean } {
  const common = storedTerms(o.posted, o.fresh.plan_id) ?? o.fresh
  const postings: Posting[] = []
  let isWhole = true
  for (const { integrationId, campaignId, currency: rowCurrency, sums, before } of groupsOf(o.now, o.posted)) {
    const isOtherPlan = before !== null && before.terms.plan_id !== o.fresh.plan_id
    const isNothing = sums.qualifiedFtds === 0n && sums.commission === 0n && sums.ngr === 0n
    if (before === null && isNothing) continue
    const isStored = before !== null && !isOtherPlan
    const terms = isStored ? before.terms : withRates(common, { ...o, rowCurrency })
    const target = terms === null ? null : amountOf(terms, sums)
    if (terms === null || target === null) {
      isWhole = false
      continue
    }
    const amount = target.amount - (before?.amount ?? 0n)
    const rowAmount = target.rowAmount - (before?.rowAmount ?? 0n)
    // A difference of less than a unit of the payout currency may be some units of the rows' currency (decision 70).
    if (isStored && amount === 0n && rowAmount === 0n) continue
    postings.push({
      kind: before === null ? 'accrual' : 'adjustment',
      reason: before === null ? null : isOtherPlan ? 'plan_changed' : 'restated',
      amount,
      integrationId,
      campaignId,
      rowCurrency,
      rowAmount,
      terms,
      nth: (before?.entries ?? 0) + 1,
    })
  }
  return { postings, isWhole }
}

/** What the rows say now beside what was posted. Rows that are gone count as 0. */
function groupsOf(now: readonly Earned[], posted: readonly Posted[]) {
  const keyOf = (one: RowsOf) => `${one.campaignId ?? one.integrationId} ${one.currency}`
  const before = new Map(posted.map((one) => [keyOf(one), one]))
  const keys = new Set(now.map(keyOf))
  return [
    ...now.map((one) => ({ ...one, sums: one as Sums, before: before.get(keyOf(one)) ?? null })),
    ...posted.filter((one) => !keys.has(keyOf(one))).map((one) => ({ ...one, sums: nothing, before: one })),
  ]
}

/** By the rates of the day; null where one is missing. */
function withRates(terms: PlanTermsOfDay, o: { rate: Rate; rateSet: string; rowCurrency: string }): Terms | null {
  const fx = o.rate(o.rowCurrency)
  const cpa_fx = terms.cpa === null ? null : o.rate(terms.cpa.currency)
  if (fx === 'missing' || cpa_fx === 'missing') return null
  const { plan_id, base, rate_bps, cpa } = terms
  return { plan_id, base, rate_bps, cpa, cpa_fx, fx, rate_set: fx === null && cpa_fx === null ? null : o.rateSet }
}
