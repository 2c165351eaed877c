// Settings that read the reports of the fake network. For integration tests only.

/** Of `daily.csv` and `linked.csv`. */
const csvMapping = [
  { to: 'date', from: 'Date' },
  { to: 'campaign', from: 'Campaign ID' },
  { to: 'country', from: 'Country' },
  { to: 'clicks', from: 'Clicks' },
  { to: 'signups', from: 'Registrations' },
  { to: 'ftds', from: 'FTD' },
  { to: 'deposits_amount', from: 'Deposit Amount' },
  { to: 'ngr', from: 'Net Revenue' },
  { to: 'cpa_commission', from: 'CPA' },
  { to: 'revshare_commission', from: 'RevShare' },
]
/** Of the JSON reports. */
export const jsonMapping = [
  { to: 'date', from: '/day' },
  { to: 'campaign', from: '/campaign/id' },
  { to: 'country', from: 'geo' },
  { to: 'clicks', from: '/counts/clicks' },
  { to: 'signups', from: '/counts/registrations' },
  { to: 'ftds', from: '/counts/ftd' },
  { to: 'deposits_amount', from: '/money/deposits' },
  { to: 'ngr', from: '/money/net' },
  { to: 'cpa_commission', from: '/money/cpa' },
  { to: 'revshare_commission', from: '/money/rev' },
]
/** The address of a report of the network. */
export const addressOf = (source: { url: string }, report: string, door = 'open'): string =>
  `${source.url}/${door}/${report}?from={from}&to={to}`

/** Settings for `daily.csv`. */
export const csvSettings = (source: { url: string }, extra: object = {}) => ({
  url: addressOf(source, 'daily.csv'),
  mapping: csvMapping,
  ...extra,
})
/** Settings for `daily.json`. */
export const jsonSettings = (source: { url: string }, extra: object = {}) => ({
  url: addressOf(source, 'daily.json'),
  mapping: jsonMapping,
  rows_pointer: '/report/rows',
  pagination: 'json_pointer',
  next_pointer: '/paging/next',
  ...extra,
})
