// What an entry of the ledger says (domain.md 3.9). Amounts are minor units of the payout currency.
import type { Money } from '@wds/contracts/currencies'

export type EntryKind = 'accrual' | 'adjustment' | 'carryover' | 'payout' | 'payout_reversal'
export type EntryReason = 'restated' | 'plan_changed' | 'negative_floor' | 'cap' | 'write_off' | 'manual'

/** Minor units of one currency times this are those of another. */
export interface Fraction {
  numerator: string
  denominator: string
}

/** By what a day was worked out, kept for its next restatement. Fractions are null where nothing was converted. */
export interface Terms {
  plan_id: string
  base: 'commission' | 'ngr'
  rate_bps: number
  cpa: Money | null
  /** From the currency of `cpa`. */
  cpa_fx: Fraction | null
  /** From the currency of the rows. */
  fx: Fraction | null
  /** The rates that were used; null where nothing was converted. */
  rate_set: string | null
}

/** The rows of a day that an entry is about. */
export interface AboutDay {
  day: string
  integrationId: string | null
  /** Null where the rows name none that is known. */
  campaignId: string | null
  rowCurrency: string
  /** What the entry is in the currency of the rows, before conversion. */
  rowAmount: bigint
  revision: number
  terms: Terms
}

export interface NewEntry {
  subAffiliateId: string
  kind: EntryKind
  reason: EntryReason | null
  amount: bigint
  currency: string
  month: string
  /** Of what follows a day. */
  about: AboutDay | null
  note: string | null
  /** What made it: together they are there once. */
  source: 'stats_day' | 'stats_month' | 'manual' | 'write_off' | 'payout' | 'payout_reversal'
  sourceId: string
}
