// Decides what of a campaign's fields a JSON Schema cannot see (domain.md 3.4): a deal of its type, dates, countries, addresses, currencies.
import { isCountry } from '@wds/contracts/countries'
import { minorUnits } from '@wds/contracts/currencies'
import type { FieldFault } from '@wds/contracts/field-fault'
import { dayNumber } from '../../calendar/domain/calendar.ts'
import { metadataFaults } from '../../metadata/domain/metadata.ts'
import type { CampaignFields, Deal } from './campaign.ts'
import { isHttps, isTrackingUrl, subIdPlace } from './tracking-link.ts'

/** A deal as it may be given: what it leaves out is null, or false. */
export type GivenDeal = Pick<Deal, 'type'> & {
  cpa?: Deal['cpa']
  revshare_bps?: number | null
  baseline?: { min_deposit: { amount: number; currency: string }; wagering_x?: number | null } | null
  negative_carryover?: boolean
}

/** The deal of a campaign of which nothing was agreed, or nothing is known. */
export const noDeal: Deal = { type: 'none', cpa: null, revshare_bps: null, baseline: null, negative_carryover: false }

export function wholeDeal({ baseline, ...given }: GivenDeal): Deal {
  const whole = baseline ? { min_deposit: baseline.min_deposit, wagering_x: baseline.wagering_x ?? null } : null
  return { ...noDeal, ...given, baseline: whole }
}

/** Which terms a deal of each type needs; one that it does not need is a fault. */
const termsOfType: Record<Deal['type'], readonly ('cpa' | 'revshare_bps')[]> = {
  cpa: ['cpa'],
  revshare: ['revshare_bps'],
  hybrid: ['cpa', 'revshare_bps'],
  flat: [],
  none: [],
}
const terms = ['cpa', 'revshare_bps'] as const

export function campaignFaults(fields: CampaignFields): FieldFault[] {
  const faults: FieldFault[] = [...metadataFaults(fields.metadata)]
  const add = (pointer: string, detail: string, code: FieldFault['code'] = 'validation_failed') =>
    faults.push({ pointer, code, detail })
  if (fields.tracking_url !== null && !isTrackingUrl(fields.tracking_url))
    add('/tracking_url', `Must be an https address; ${subIdPlace} may stand behind its host only.`)
  if (fields.landing_url !== null && !isHttps(fields.landing_url)) add('/landing_url', 'Must be an https address.')
  for (const [at, country] of fields.countries.entries())
    if (!isCountry(country)) add(`/countries/${at}`, 'Must be an ISO 3166-1 alpha-2 code.')
  for (const name of ['starts', 'ends'] as const)
    if (fields[name] !== null && dayNumber(fields[name]) === null) add(`/${name}`, 'Must be a date, YYYY-MM-DD.')
  if (fields.starts !== null && fields.ends !== null && fields.starts > fields.ends)
    add('/ends', 'Must not be before starts.')
  return [...faults, ...dealFaults(fields.deal)]
}

function dealFaults(deal: Deal): FieldFault[] {
  const needed = termsOfType[deal.type]
  const faults = terms.flatMap((term): FieldFault[] => {
    const isGiven = deal[term] !== null
    if (isGiven === needed.includes(term)) return []
    const detail = isGiven ? `A deal of type ${deal.type} has no such term.` : `A deal of type ${deal.type} needs it.`
    return [{ pointer: `/deal/${term}`, code: 'validation_failed', detail }]
  })
  const amounts = [
    { pointer: '/deal/cpa/currency', money: deal.cpa },
    { pointer: '/deal/baseline/min_deposit/currency', money: deal.baseline?.min_deposit ?? null },
  ]
  for (const { pointer, money } of amounts)
    if (money !== null && minorUnits(money.currency) === null)
      faults.push({ pointer, code: 'unknown_currency', detail: 'The currency is not in ISO 4217.' })
  return faults
}
