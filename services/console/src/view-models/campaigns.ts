// What the pages of campaigns show, offer and send (ui.md 2): pure, as the API tells it.
import type { components } from '@wds/api-client/schemas'
import { campaignStatuses } from '@wds/contracts/states'
import { campaignTexts as words } from '../texts/campaigns.ts'
import { dayText, moneyText, rangeText } from './numbers.ts'

type Schemas = components['schemas']
export type Campaign = Schemas['Campaign']
export type CampaignAction = keyof typeof words.done

export { campaignStatuses }

const actions: Record<Campaign['status'], readonly CampaignAction[]> = {
  draft: ['activate', 'merge', 'archive'],
  active: ['pause', 'merge', 'archive'],
  paused: ['resume', 'merge', 'archive'],
  archived: [],
}

/** In the order of the buttons; the API says the same by 409. */
export const actionsOn = ({ status }: Pick<Campaign, 'status'>) => actions[status]

/** An archived campaign changes no more. */
export const canEdit = ({ status }: Pick<Campaign, 'status'>): boolean => status !== 'archived'

/** `CPA €120.00 and 25% revenue share`. */
export function dealText({ type, cpa, revshare_bps: bps }: Schemas['Deal']): string {
  const terms = [
    ...(cpa === null ? [] : [words.cpa(moneyText(cpa.amount, cpa.currency))]),
    ...(bps === null ? [] : [words.revshare(`${bps / 100}%`)]),
  ]
  return terms.length > 0 ? terms.join(words.and) : words.deals[type]
}

/** What a player must do before the CPA is owed; null: nothing is agreed. */
export function baselineText({ baseline }: Schemas['Deal']): string | null {
  if (baseline === null) return null
  const { min_deposit: least, wagering_x: times } = baseline
  return words.baseline(moneyText(least.amount, least.currency), times ?? null)
}

/** From its first day to its last; null: neither is known. */
export function periodText({ starts, ends }: Pick<Campaign, 'starts' | 'ends'>): string | null {
  const day = (date: string) => dayText(date, 'en-GB', true)
  if (starts !== null && ends !== null) return rangeText(starts, ends)
  if (starts !== null) return words.fromOn(day(starts))
  return ends === null ? null : words.until(day(ends))
}

/** Whether a sub-affiliate has a link of its own; the API puts it together. */
export const hasSubIdPlace = ({ tracking_url: url }: Pick<Campaign, 'tracking_url'>): boolean =>
  url?.includes('{sub_id}') === true

export interface CampaignDraft {
  name: string
  tags: string[]
  tracking_url: string
  landing_url: string
  /** Codes with commas or spaces between them. */
  countries: string
  starts: string
  ends: string
}

export function campaignDraft(campaign: Campaign): CampaignDraft {
  const { name, tags, tracking_url, landing_url, countries, starts, ends } = campaign
  return {
    name,
    tags: tags.length === 0 ? [''] : tags,
    countries: countries.join(', '),
    tracking_url: tracking_url ?? '',
    landing_url: landing_url ?? '',
    starts: starts ?? '',
    ends: ends ?? '',
  }
}

/** As a patch takes it: what was emptied is taken away. */
export function campaignFields(draft: CampaignDraft) {
  const filled = (text: string) => (text.trim() === '' ? null : text.trim())
  const each = (texts: readonly string[]) => [
    ...new Set(texts.map((text) => text.trim()).filter((text) => text !== '')),
  ]
  return {
    name: draft.name.trim(),
    tags: each(draft.tags),
    tracking_url: filled(draft.tracking_url),
    landing_url: filled(draft.landing_url),
    countries: each(draft.countries.toUpperCase().split(/[\s,]+/)),
    starts: filled(draft.starts),
    ends: filled(draft.ends),
  }
}
