/** The sub-affiliates of the sample, what they earn by, and the file of the traffic that they brought. */
import { daysBefore, monthBefore, uploadSource } from './sources.ts'

/** Days of the file, the newest last: a week of a month in which nothing else reports, so that it is closed soon, and the last 60 days. */
const daysOf = (day: string): string[] => [
  ...Array.from({ length: 7 }, (_, at) => daysBefore(monthBefore(day, 4).to, 6 - at)),
  ...Array.from({ length: 60 }, (_, at) => daysBefore(day, 60 - at)),
]

export const subAffiliateSource = { ...uploadSource, name: 'Partner traffic' }

interface Sample {
  plan: object
  profile: { name: string; email: string; external_id: string }
}

/** One earns a share, the other a fixed amount for each player beside a smaller one. */
export const subAffiliates: Record<'reviewer' | 'streamer', Sample> = {
  reviewer: {
    plan: { name: 'Share of 40 %', type: 'revshare', revshare_bps: 4_000, negative_carryover: true },
    profile: { name: 'Rita Reyes', email: 'rita@partners.example', external_id: 'rita-reviews' },
  },
  streamer: {
    plan: {
      name: '20 € a player and 10 %',
      type: 'hybrid',
      cpa: { amount: 2_000, currency: 'EUR' },
      revshare_bps: 1_000,
    },
    profile: { name: 'Sami Strand', email: 'sami@partners.example', external_id: 'sami-streams' },
  },
}

/** Active at once, and paid in euros. The plan counts from the first day of the file on. */
export const subAffiliateOf = (profile: Sample['profile'], planId: string, day: string) => ({
  ...profile,
  plan_id: planId,
  payout_currency: 'EUR',
  country: 'MT',
  invite: false,
  effective_from: daysOf(day)[0],
})

/** A line for each day and sub-affiliate. */
export function trafficFile(day: string): string {
  const lines = daysOf(day).flatMap((on, days) =>
    Object.values(subAffiliates).map(({ profile }, at) => {
      const clicks = 90 + ((days * (17 + at)) % 60)
      const ftds = 1 + ((days + at) % 4)
      const [net, share] = [ftds * 61.5 - 40, ftds * 24.6 - 16].map((amount) => amount.toFixed(2))
      const counts = [clicks, ftds * 2, ftds, ftds]
      return [on, `partners-${at + 1}`, profile.external_id, ...counts, net, ftds * 45, share]
    }),
  )
  const columns = 'date,campaign,sub_id,clicks,signups,ftds,qualified_ftds,ngr,cpa_commission,revshare_commission'
  return `${[columns, ...lines.map((line) => line.join())].join('\n')}\n`
}
