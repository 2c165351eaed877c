// What the pages of payouts show and offer (ui.md 2): pure, as the API tells it.

import type { components } from '@wds/api-client/schemas'
import { payoutStatuses } from '@wds/contracts/states'
import { withoutUndefined } from '@wds/contracts/without-undefined'
import { payoutTexts } from '../texts/payouts.ts'
import { minorOf } from './invoices.ts'
import type { SubAffiliate } from './sub-affiliates.ts'

type Schemas = components['schemas']
export type Payout = Schemas['Payout']
export type PayoutAction = keyof typeof payoutTexts.done
export { payoutStatuses }

/** In the order of the buttons; the API says the same by 409. */
export function payoutActions({
  status,
  held,
  returned,
}: Pick<Payout, 'status' | 'held' | 'returned'>): PayoutAction[] {
  if (status === 'scheduled') return held === null ? ['mark_paid', 'hold', 'cancel'] : ['release', 'cancel']
  if (status === 'processing') return ['mark_paid', 'mark_failed']
  return status === 'paid' && returned === null ? ['record_return'] : []
}

/** Why a payout is held, as a part of a sentence. */
export function holdWords({ by_rule_id: rule, reason }: NonNullable<Payout['held']>): string {
  if (rule !== null || reason === 'rule') return payoutTexts.byRule
  return payoutTexts.holdReasons[reason].toLowerCase()
}

/** Why it failed, in words; a code that is not known here stands for itself. */
export function failureWords(code: string): string {
  const { failures, returned } = payoutTexts
  if (code === 'returned') return returned
  return Object.hasOwn(failures, code) ? failures[code as keyof typeof failures] : code
}

export interface PayoutWish {
  /** Empty: all that is available. */
  amount: string
  /** Empty: today. */
  day: string
}

/** Null: the amount is none. */
export function newPayout(
  { id, payout_currency: currency }: Pick<SubAffiliate, 'id' | 'payout_currency'>,
  wish: PayoutWish,
): Schemas['NewPayout'] | null {
  const isAll = wish.amount.trim() === ''
  const amount = isAll ? 1 : minorOf(wish.amount, currency)
  if (amount === null || amount < 1) return null
  return withoutUndefined({
    sub_affiliate_id: id,
    amount: isAll ? undefined : amount,
    scheduled_for: wish.day === '' ? undefined : wish.day,
  })
}
