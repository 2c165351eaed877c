// Decides what a sub-affiliate earns of a day (domain.md 3.8, 3.9): its plan's rate, amounts in the payout currency, and what a month's end
// adds. Integers of minor units, each part rounded half to even once.
import type { PlanTerms } from '../../commission-plans/domain/commission-plan.ts'
import type { EntryReason, Fraction, Terms } from '../../ledger/domain/ledger-entry.ts'
import { divideHalfEven } from '../../stats/domain/round-half-even.ts'

/** What the rows of a day, a campaign and a currency come to. */
export interface Sums {
  qualifiedFtds: bigint
  commission: bigint
  ngr: bigint
}

const amountMax = 9_007_199_254_740_991n

/** `ftds`: qualified ones of the month up to and with the day. Below the first tier there is none. */
export function rateOf(plan: Pick<PlanTerms, 'type' | 'revshare_bps' | 'tiers'>, ftds: bigint): number {
  if (plan.type !== 'tiered') return plan.revshare_bps ?? 0
  return plan.tiers.findLast(({ from_ftds }) => BigInt(from_ftds) <= ftds)?.revshare_bps ?? 0
}

/** In the payout currency, and in that of the rows before conversion (`rowAmount`); null where one is beyond the range of money. */
export function amountOf(terms: Terms, sums: Sums): { amount: bigint; rowAmount: bigint } | null {
  const [share, fixed] = [
    sums[terms.base] * BigInt(terms.rate_bps),
    sums.qualifiedFtds * BigInt(terms.cpa?.amount ?? 0),
  ]
  const amount = convert(share, terms.fx, 10_000n) + convert(fixed, terms.cpa_fx, 1n)
  const rowAmount = convert(share, null, 10_000n) + convert(fixed, intoRows(terms), 1n)
  const isBeyond = [amount, rowAmount].some((one) => one > amountMax || one < -amountMax)
  return isBeyond ? null : { amount, rowAmount }
}

/** From the currency of `cpa` to that of the rows, through the payout currency. */
function intoRows({ fx, cpa_fx }: Terms): Fraction {
  const [over, under] = [BigInt(cpa_fx?.numerator ?? 1), BigInt(cpa_fx?.denominator ?? 1)]
  const [numerator, denominator] = [over * BigInt(fx?.denominator ?? 1), under * BigInt(fx?.numerator ?? 1)]
  return { numerator: String(numerator), denominator: String(denominator) }
}

function convert(amount: bigint, fx: Fraction | null, over: bigint): bigint {
  if (fx === null) return divideHalfEven(amount, over)
  return divideHalfEven(amount * BigInt(fx.numerator), BigInt(fx.denominator) * over)
}

/** What the end of a month adds to it, and to the next one (domain.md 3.9). */
export interface MonthEnd {
  kind: 'carryover' | 'adjustment'
  reason: EntryReason | null
  amount: bigint
  month: 'this' | 'next'
}

/** A closed month comes to 0 at least, and to the plan's cap at most: never by a silent clamp (domain.md M6). */
export function monthEnd(sum: bigint, plan: Pick<PlanTerms, 'cap' | 'negative_carryover'>): MonthEnd[] {
  if (sum < 0n && plan.negative_carryover)
    return [
      { kind: 'carryover', reason: null, amount: -sum, month: 'this' },
      { kind: 'carryover', reason: null, amount: sum, month: 'next' },
    ]
  if (sum < 0n) return [{ kind: 'adjustment', reason: 'negative_floor', amount: -sum, month: 'this' }]
  if (plan.cap === null || sum <= BigInt(plan.cap.amount)) return []
  return [{ kind: 'adjustment', reason: 'cap', amount: BigInt(plan.cap.amount) - sum, month: 'this' }]
}
