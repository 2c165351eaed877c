/** The integrations of the sample, and the file that one of them is given. */

const from = { currency: 'EUR', source_time_zone: 'UTC' }

export const uploadSource = {
  name: 'Sample upload',
  provider: 'csv_upload',
  brand_slug: 'acme-casino',
  ...from,
  brand: { name: 'Acme Casino', vertical: 'casino' },
}

/** So many days before that one, as YYYY-MM-DD. */
export const daysBefore = (day: string, days: number) =>
  new Date(Date.parse(day) - days * 86_400_000).toISOString().slice(0, 10)

/** With a day: 90 days of four campaigns, one very good and one bad among them; else the provider's own numbers of 30 days. */
export function demoSource(day: string | undefined) {
  const brand = { name: 'Northern Bets', vertical: 'sportsbook' }
  const source = { name: 'Sample demo', provider: 'demo', brand_slug: 'northern-bets', brand, ...from }
  if (day === undefined) return { ...source, initial_backfill_days: 30, settings: {} }
  const anomalies = [
    { date: daysBefore(day, 37), factor: 1.8 },
    { date: daysBefore(day, 9), factor: 2.4 },
    { date: daysBefore(day, 2), factor: 0.3 },
  ]
  return { ...source, initial_backfill_days: 90, settings: { clicks_per_day: 900, anomalies } }
}

/** Read from the local affiliate network at that address, which goes on correcting its numbers for days. */
export const networkSource = (url: string) => ({
  name: 'Harbour Affiliates',
  provider: 'http_json',
  brand_slug: 'acme-casino',
  ...from,
  initial_backfill_days: 90,
  lookback_days: 7,
  schedule: { every_minutes: 15 },
  credentials: { token: networkToken },
  settings: {
    url: `${url}/bearer/daily.json?from={from}&to={to}`,
    auth: 'bearer',
    rows_pointer: '/report/rows',
    pagination: 'json_pointer',
    next_pointer: '/paging/next',
    only: [{ from: 'brand', equals: 'Acme Casino' }],
    mapping: Object.entries(networkColumns).map(([to, from]) => ({ to, from })),
  },
})

/** No secret: packages/fake-source. */
const networkToken = 'fake-source-token'
const networkColumns = {
  date: '/day',
  campaign: '/campaign/id',
  country: '/geo',
  clicks: '/counts/clicks',
  signups: '/counts/registrations',
  ftds: '/counts/ftd',
  qualified_ftds: '/counts/qualified',
  deposits: '/counts/deposits',
  deposits_amount: '/money/deposits',
  ngr: '/money/net',
  cpa_commission: '/money/cpa',
  revshare_commission: '/money/rev',
}

/** The month that lies so many before that of the day. */
export function monthBefore(day: string, months: number): { from: string; to: string } {
  const [year = 0, month = 1] = day.split('-').map(Number)
  const dateOf = (at: number, ofMonth: number) => new Date(Date.UTC(year, at, ofMonth)).toISOString().slice(0, 10)
  return { from: dateOf(month - 1 - months, 1), to: dateOf(month - months, 0) }
}

/** Of a month before there were numbers, so that it can be generated at once. */
export const feeInvoice = (brand_slug: string, day: string) => ({
  brand_slug,
  currency: 'EUR',
  period: monthBefore(day, 5),
  memo: 'Thank you for working with us.',
  line_items: [
    { kind: 'flat', description: 'Placement on the front page', amount: 125_000 },
    { kind: 'flat', description: 'Newsletter', amount: 40_000 },
  ],
})

/** Its account refuses, so it is broken after its first run. */
export const refusedSource = {
  name: 'Baltic Sports',
  provider: 'demo',
  brand_slug: 'baltic-sports',
  ...from,
  brand: { name: 'Baltic Sports', vertical: 'sportsbook' },
  settings: { failures: { every_runs: 1, attempts: 1, code: 'access_denied' } },
}

export const monthlySource = {
  name: 'Lumen Trading',
  provider: 'csv_upload',
  brand_slug: 'lumen-trading',
  ...from,
  brand: { name: 'Lumen Trading', vertical: 'forex' },
}

/** Five days before that one; the last line cannot be read. */
export function monthlyFile(day: string): string {
  const lines = [5, 4, 3, 2, 1].map(
    (days) => `${daysBefore(day, days)},newsletter,SE,${40 + 7 * days},${days},${days}20.50`,
  )
  return [
    'date,campaign,country,clicks,ftds,deposits_amount',
    ...lines,
    `${daysBefore(day, 1)},banner,SE,many,1,80.00`,
    '',
  ].join('\n')
}
