// Decides the lines that stats make of a period, for one brand and currency (domain.md 3.7): per campaign, then one for each day whose
// numbers changed since it was invoiced. It never rounds: every amount is a sum of minor units.
import type { InvoiceLine } from './amounts.ts'

/** Commissions of a campaign in the period. */
export interface CampaignSums {
  /** Null for rows without a campaign, and for those of one that is not known. */
  campaignId: string | null
  /** Its name, or how the source names it; null without one. */
  name: string | null
  qualifiedFtds: bigint | null
  cpa: bigint
  revshare: bigint
  other: bigint
  /** Of its deal: a negative sum is carried to the next invoice, else it is brought to 0. */
  negativeCarryover: boolean
}

/** What earlier invoices carried over of a campaign: positive, what the next one takes back. */
export interface Carried {
  campaignId: string | null
  name: string | null
  amount: bigint
  negativeCarryover: boolean
}

/** A day of which more or less was invoiced than its numbers say now. */
export interface Correction {
  day: string
  revision: number
  amount: bigint
  /** The day is billed as a whole by the lines before: this takes off what others billed of it. */
  isOwn: boolean
}

export type DrawnLine = Omit<InvoiceLine, 'id' | 'amount' | 'quantity' | 'unit_amount'> & {
  amount: bigint
  quantity: bigint | null
  unit_amount: bigint | null
}

/** Lines in their order: campaigns as given, then corrections by day. A line of 0 is none, unless it counts players. */
export function drawLines(o: {
  campaigns: readonly CampaignSums[]
  carried: readonly Carried[]
  corrections: readonly Correction[]
  /** The highest revision of the period's days. */
  revision: number
}): DrawnLine[] {
  const carriedOf = new Map(o.carried.map((one) => [one.campaignId, one]))
  const lines = o.campaigns.flatMap((sums) => {
    const carried = carriedOf.get(sums.campaignId)?.amount ?? 0n
    carriedOf.delete(sums.campaignId)
    return linesOfCampaign(sums, carried, o.revision)
  })
  // What was carried of a campaign that has no numbers in this period is taken back all the same.
  for (const { amount, ...campaign } of carriedOf.values()) {
    const nothing = { ...campaign, qualifiedFtds: null, cpa: 0n, revshare: 0n, other: 0n }
    lines.push(...linesOfCampaign(nothing, amount, o.revision))
  }
  const corrections = o.corrections.map(({ day, revision, amount, isOwn }) => ({
    ...lineOf(null, 'adjustment', isOwn ? `Billed before, ${day}` : `Correction of ${day}`, amount),
    stats_revision: revision,
  }))
  return [...lines, ...corrections]
}

function linesOfCampaign(sums: CampaignSums, carried: bigint, revision: number): DrawnLine[] {
  const { campaignId, qualifiedFtds, cpa, revshare, other } = sums
  const of = sums.name ?? 'no campaign'
  const lines: DrawnLine[] = []
  const add = (kind: InvoiceLine['kind'], description: string, amount: bigint) =>
    lines.push({ ...lineOf(campaignId, kind, description, amount), stats_revision: revision })
  if (cpa !== 0n || (qualifiedFtds ?? 0n) !== 0n)
    lines.push({ ...cpaLine(sums, `CPA, ${of}`), stats_revision: revision })
  if (revshare !== 0n) add('revshare', `Revenue share, ${of}`, revshare)
  if (other !== 0n) add('flat', `Other commission, ${of}`, other)
  if (carried !== 0n) add('carryover', `Carried over from earlier invoices, ${of}`, -carried)
  const rest = revshare - carried
  // Of a month that is billed again after it was void, a later invoice may have taken back a part, or all: what is carried is negative.
  const uncovered = carried < 0n ? rest : revshare
  if (sums.negativeCarryover && rest < 0n) add('carryover', `Carried over to the next invoice, ${of}`, -rest)
  if (!sums.negativeCarryover && uncovered < 0n)
    add('adjustment', `Negative revenue share not carried over, ${of}`, -uncovered)
  return lines
}

/** The price of one is told where all cost the same: nobody multiplies a rounded one. */
function cpaLine({ campaignId, qualifiedFtds, cpa }: CampaignSums, description: string) {
  const count = qualifiedFtds ?? 0n
  const isEven = count > 0n && cpa % count === 0n
  return {
    ...lineOf(campaignId, 'cpa', description, cpa),
    quantity: qualifiedFtds,
    unit_amount: isEven ? cpa / count : null,
  }
}

function lineOf(campaign_id: string | null, kind: InvoiceLine['kind'], description: string, amount: bigint) {
  return { origin: 'stats' as const, kind, description, campaign_id, quantity: null, unit_amount: null, amount }
}
