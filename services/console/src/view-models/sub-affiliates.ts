// What the pages of sub-affiliates show, offer and send (ui.md 2): pure, as the API tells it.

import type { OptionsOf } from '@wds/api-client/operations'
import type { components } from '@wds/api-client/schemas'
import { subAffiliateStatuses } from '@wds/contracts/states'
import { withoutUndefined } from '@wds/contracts/without-undefined'
import { subAffiliateTexts as words } from '../texts/sub-affiliates.ts'
import { amountInput, minorOf } from './invoices.ts'

type Schemas = components['schemas']
export type SubAffiliate = Schemas['SubAffiliate']
export type SubAffiliateAction = keyof typeof words.done
export { subAffiliateStatuses }

const byStatus: Record<SubAffiliate['status'], readonly SubAffiliateAction[]> = {
  invited: ['invite', 'plan', 'adjust', 'withdraw'],
  expired: ['invite', 'plan', 'adjust', 'withdraw'],
  active: ['pay', 'plan', 'adjust', 'suspend', 'remove'],
  suspended: ['reactivate', 'plan', 'adjust', 'remove'],
  removed: [],
}

/** All that it is owed, in months that are closed or open. */
export const owedTo = ({ balance }: Pick<SubAffiliate, 'balance'>) => balance.available + balance.pending

/** In the order of the buttons. To one that was removed a payout may come back: then its balance is brought to 0. */
export function subAffiliateActions(
  subAffiliate: Pick<SubAffiliate, 'status' | 'balance'>,
): readonly SubAffiliateAction[] {
  return subAffiliate.status === 'removed' && owedTo(subAffiliate) !== 0 ? ['adjust'] : byStatus[subAffiliate.status]
}

export interface AdjustmentDraft {
  amount: string
  /** Empty: the first one that is open. */
  month: string
  note: string
}

/** Of one that was removed nothing but its whole balance can be posted. */
export function adjustmentDraft(
  subAffiliate: Pick<SubAffiliate, 'status' | 'balance' | 'payout_currency'>,
): AdjustmentDraft {
  const isRemoved = subAffiliate.status === 'removed'
  return {
    amount: isRemoved ? amountInput(-owedTo(subAffiliate), subAffiliate.payout_currency) : '',
    month: '',
    note: '',
  }
}

/** Null: the amount is none. */
export function newAdjustment({ amount: text, month, note }: AdjustmentDraft, currency: string) {
  const amount = minorOf(text, currency)
  if (amount === null) return null
  return withoutUndefined<OptionsOf<'/v1/sub-affiliates/{id}/adjustments', 'post'>['body']>({
    amount,
    month: month === '' ? undefined : month,
    note: note.trim() === '' ? undefined : note.trim(),
  })
}

export interface SubAffiliateDraft {
  name: string
  email: string
  plan: string
  /** Empty: today. */
  from: string
  currency: string
  /** Empty: none. */
  least: string
  externalId: string
  joining: keyof typeof words.joining
}

export const emptySubAffiliate = (plan: string, currency: string): SubAffiliateDraft => ({
  name: '',
  email: '',
  plan,
  from: '',
  currency,
  least: '',
  externalId: '',
  joining: 'invite',
})

/** A sentence by field. */
export interface SubAffiliateFaults {
  name?: string
  email?: string
  least?: string
}

/** What is missing or no amount; what else is wrong the API says. */
export function subAffiliateFaults({ name, email, least, currency }: SubAffiliateDraft): SubAffiliateFaults {
  const isMissing = (text: string) => text.trim() === ''
  return withoutUndefined({
    name: isMissing(name) ? words.needed : undefined,
    email: isMissing(email) ? words.needed : undefined,
    least: !isMissing(least) && (minorOf(least, currency) ?? 0) <= 0 ? words.amountFault : undefined,
  })
}

export function newSubAffiliate(draft: SubAffiliateDraft): Schemas['NewSubAffiliate'] {
  const { currency } = draft
  const externalId = draft.externalId.trim()
  const least = minorOf(draft.least, currency)
  return withoutUndefined({
    name: draft.name.trim(),
    email: draft.email.trim(),
    plan_id: draft.plan,
    payout_currency: currency,
    effective_from: draft.from === '' ? undefined : draft.from,
    external_id: externalId === '' ? undefined : externalId,
    minimum_payout: least === null ? undefined : { amount: least, currency },
    invite: draft.joining === 'invite',
  })
}
