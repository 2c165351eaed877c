// What the pages of commission plans show and send (ui.md 2): pure, as the API tells it.

import type { components } from '@wds/api-client/schemas'
import { withoutUndefined } from '@wds/contracts/without-undefined'
import { planTexts as words } from '../texts/commission-plans.ts'
import { amountInput, minorOf } from './invoices.ts'
import { countText, moneyText } from './numbers.ts'

type Schemas = components['schemas']
export type Plan = Schemas['CommissionPlan']
type PlanType = Plan['type']

export const shareText = (bps: number) => `${bps / 100}%`

/** `€50.00 for each qualified FTD and 30% of commission`. */
export function termsText({ cpa, revshare_bps: bps, tiers, base }: Plan): string {
  const of = words.bases[base]
  const shares = tiers.map((tier) => tier.revshare_bps)
  const [least, most] = [Math.min(...shares), Math.max(...shares)]
  return [
    ...(cpa === null ? [] : [words.cpa(moneyText(cpa.amount, cpa.currency))]),
    ...(bps === null ? [] : [words.shareOf(shareText(bps), of)]),
    ...(tiers.length === 0 ? [] : [words.tiered(shareText(least), shareText(most), of, tiers.length)]),
  ].join(words.and)
}

/** From which to which count of qualified FTDs each tier holds: `0 to 9`, `10 and more`. */
export function tierRows(tiers: Plan['tiers']): { ftds: string; share: string }[] {
  return tiers.map(({ from_ftds: from, revshare_bps: bps }, at) => {
    const next = tiers[at + 1]?.from_ftds
    const ftds = next === undefined ? words.fromOn(countText(from)) : words.range(countText(from), countText(next - 1))
    return { ftds, share: shareText(bps) }
  })
}

export interface TierDraft {
  from: string
  share: string
}

export interface PlanDraft {
  name: string
  type: PlanType
  cpa: string
  share: string
  tiers: TierDraft[]
  base: Plan['base']
  cap: string
  currency: string
  capCurrency: string
  isCarriedOver: boolean
}

export const emptyTier: TierDraft = { from: '', share: '' }

export const emptyPlanDraft = (currency: string): PlanDraft => ({
  name: '',
  type: 'revshare',
  cpa: '',
  share: '',
  tiers: [{ from: '0', share: '' }],
  base: 'commission',
  cap: '',
  currency,
  capCurrency: currency,
  isCarriedOver: false,
})

/** The terms of another plan, with a name of its own to come. */
export function draftOfPlan(plan: Plan, currency: string): PlanDraft {
  const { type, cpa, revshare_bps: bps, tiers, base, cap, negative_carryover: isCarriedOver } = plan
  const empty = emptyPlanDraft(currency)
  return {
    name: empty.name,
    type,
    base,
    isCarriedOver,
    cpa: cpa === null ? empty.cpa : amountInput(cpa.amount, cpa.currency),
    currency: cpa === null ? empty.currency : cpa.currency,
    share: bps === null ? empty.share : String(bps / 100),
    tiers: tiers.length === 0 ? empty.tiers : tiers.map(draftOfTier),
    cap: cap === null ? empty.cap : amountInput(cap.amount, cap.currency),
    capCurrency: cap === null ? empty.capCurrency : cap.currency,
  }
}

const draftOfTier = ({ from_ftds, revshare_bps }: Plan['tiers'][number]): TierDraft => ({
  from: String(from_ftds),
  share: String(revshare_bps / 100),
})

/** `12.5` is 1250; null: no share of a hundred, or finer than the API takes. */
export function bpsOf(text: string): number | null {
  if (!/^\d{1,3}(\.\d{1,2})?$/.test(text.trim())) return null
  const bps = Math.round(Number(text) * 100)
  return bps <= 10_000 ? bps : null
}

const hasCpa = ({ type }: PlanDraft) => type === 'cpa' || type === 'hybrid'
const hasShare = ({ type }: PlanDraft) => type === 'revshare' || type === 'hybrid'
export const partsOf = (draft: PlanDraft) => ({
  cpa: hasCpa(draft),
  share: hasShare(draft),
  tiers: draft.type === 'tiered',
  base: draft.type !== 'cpa',
})

const countOf = (text: string) => (/^\d{1,9}$/.test(text.trim()) ? Number(text) : null)

/** What of the fields is no amount or no share; what else is wrong the API says. */
export function planFaults(draft: PlanDraft): { cpa?: string; share?: string; tiers?: string; cap?: string } {
  const parts = partsOf(draft)
  const isTier = ({ from, share }: TierDraft) => countOf(from) !== null && bpsOf(share) !== null
  const isAmount = (text: string, currency: string) => (minorOf(text, currency) ?? 0) > 0
  return withoutUndefined({
    cpa: parts.cpa && !isAmount(draft.cpa, draft.currency) ? words.amountFault : undefined,
    share: parts.share && bpsOf(draft.share) === null ? words.shareFault : undefined,
    tiers: parts.tiers && !draft.tiers.every(isTier) ? words.tiersFault : undefined,
    cap: draft.cap.trim() !== '' && !isAmount(draft.cap, draft.capCurrency) ? words.amountFault : undefined,
  })
}

/** As the API takes it: the terms of its kind alone. */
export function newPlan(draft: PlanDraft): Schemas['NewCommissionPlan'] {
  const parts = partsOf(draft)
  const money = (text: string, currency: string) => ({ amount: minorOf(text, currency) ?? 0, currency })
  return withoutUndefined({
    name: draft.name.trim(),
    type: draft.type,
    cpa: parts.cpa ? money(draft.cpa, draft.currency) : undefined,
    revshare_bps: parts.share ? (bpsOf(draft.share) ?? 0) : undefined,
    tiers: parts.tiers
      ? draft.tiers.map(({ from, share }) => ({
          from_ftds: countOf(from) ?? 0,
          revshare_bps: bpsOf(share) ?? 0,
        }))
      : undefined,
    base: parts.base ? draft.base : undefined,
    cap: draft.cap.trim() === '' ? undefined : money(draft.cap, draft.capCurrency),
    negative_carryover: draft.isCarriedOver,
  })
}
