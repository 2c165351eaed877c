// Decides the words for what went wrong with an attempt, a sync run or a row of a feed (delivery.md; domain.md 4.5, 4.6).
// The messages are fixed texts: they never repeat the other side's words.
import type { BrokenReason } from './states.ts'

/** Error classes of an attempt, in words that a subscriber understands (delivery.md 2.7). */
export const attemptErrorCodes = [
  'timeout',
  'dns_not_found',
  'dns_failed',
  'connection_refused',
  'connection_reset',
  'connection_failed',
  'tls_expired',
  'tls_wrong_host',
  'tls_untrusted',
  'tls_failed',
  'destination_not_allowed',
  'http_status',
  'response_invalid',
  'response_too_large',
] as const
export type AttemptErrorCode = (typeof attemptErrorCodes)[number]

/** What an error of a sync run means for the run and its integration. */
export interface SyncErrorDefinition {
  /** True: the run fails at once and the integration breaks. False: the run is tried again. */
  readonly permanent: boolean
  /** Reason the integration breaks with; null where the fault is the service's own and does not count. */
  readonly brokenReason: BrokenReason | null
  /** Fixed text for `error_message` and `error.message`. */
  readonly message: string
}

/** Every error code of a sync run (domain.md 4.6). For trigger `upload` see `isPermanent`. */
export const syncErrorCodes = {
  invalid_credentials: permanent('invalid_credentials', 'The source refused the credentials.'),
  access_denied: permanent('access_denied', 'The source denied access to the feed.'),
  client_error: permanent('access_denied', 'The source refused the request.'),
  source_gone: permanent('source_gone', 'The feed no longer exists at its address.'),
  redirect_refused: permanent('source_gone', 'The source redirected the request, and redirects are not followed.'),
  next_link_refused: permanent('source_gone', 'The link to the next page leads to another origin.'),
  pagination_loop: permanent('source_gone', 'The links to the next page lead in a circle.'),
  schema_changed: permanent('schema_changed', 'A column that the mapping names is missing from the feed.'),
  too_many_rejects: permanent('schema_changed', 'More than a fifth of the rows were rejected; nothing was stored.'),
  destination_not_allowed: permanent('destination_not_allowed', 'The address of the feed is not allowed.'),
  feed_too_large: permanent('feed_too_large', 'The feed is larger than a run may read.'),
  rate_limited: retryable('rate_limited', 'The source limits the rate of requests.'),
  source_error: retryable('unreachable', 'The source answered with an error of its own.'),
  dns_failure: retryable('unreachable', "The source's name could not be resolved."),
  connection_failed: retryable('unreachable', 'No connection to the source could be made.'),
  tls_error: retryable('unreachable', 'No secure connection to the source could be made.'),
  timeout: retryable('timeout', 'The source did not answer in time.'),
  invalid_body: retryable('schema_changed', "The file or the source's answer is malformed or was cut off."),
  empty_window: retryable('schema_changed', 'The source sent no rows for days that have stored rows.'),
  worker_lost: retryable(null, 'The attempt was interrupted by a fault of the service.'),
  internal_error: retryable(null, 'The attempt failed by a fault of the service.'),
} as const satisfies Record<string, SyncErrorDefinition>

export type SyncErrorCode = keyof typeof syncErrorCodes

/** Whether a code ends a run at once; one of trigger `upload` ends by all but the service's own faults (domain.md 4.6). */
export function isPermanent(code: SyncErrorCode, upload: boolean): boolean {
  return upload ? code !== 'worker_lost' && code !== 'internal_error' : syncErrorCodes[code].permanent
}

/** Why a row was rejected, with the fixed text for it (domain.md 4.5). */
export const rowRejectionCodes = {
  missing_required: 'A required value is missing.',
  hour_missing: 'The row has no hour although the integration counts by the hour.',
  bad_date: 'The date is not in the expected format or does not exist.',
  date_in_future: 'The date lies after today.',
  date_too_old: 'The date lies before 2000-01-01.',
  bad_number: 'The value is not a number.',
  fraction_not_allowed: 'A count must be a whole number.',
  negative_value: 'The value must not be negative.',
  bad_encoding: 'The row holds invalid bytes or the character U+0000.',
  unknown_currency: 'The currency is not in ISO 4217.',
  too_many_decimals: 'The amount has more decimals than its currency.',
  amount_overflow: 'The amount is beyond 9,007,199,254,740,991 minor units.',
  bad_country: 'The country is not an ISO 3166-1 alpha-2 code.',
  unknown_campaign: 'The campaign is not known.',
  duplicate_key: 'Another row has the same key.',
  row_too_large: 'The row is larger than 64 KiB or has more than 200 columns.',
  malformed_json: 'The line is not a JSON object, or a value in it is neither text nor a number.',
  unknown_field: 'The line holds a field that is not known here.',
  wrong_column_count:
    'The line has more or fewer cells than the header line; a cell that holds a comma must be quoted.',
  text_too_long: 'The text is longer than its field takes.',
  hour_too_large: 'More rows of the hour came than are taken of one; the others were left out.',
  not_against_euro: 'Exactly one of base and quote must be EUR.',
  bad_rate: 'The rate is no positive decimal with at most 12 digits before and 12 after the point.',
  unknown_invoice: 'No invoice has this id or number.',
  not_payable: 'The invoice takes no payment: it is a draft, void, or paid.',
  overpayment: 'The payment has not the sign of what is due, or is larger.',
  other_currency: 'The currency is not that of the invoice.',
  bad_value: 'The value is none that the field takes.',
  campaign_archived: 'The campaign is archived and changes no more.',
  limit_reached: 'There are as many of these as there may be.',
} as const satisfies Record<string, string>

export type RowRejectionCode = keyof typeof rowRejectionCodes

/** Warnings about a row that is kept, with the fixed text for each (domain.md 4.5). */
export const rowWarningCodes = {
  ngr_mismatch: 'NGR differs from GGR less bonuses, fees and chargebacks.',
  unknown_sub_affiliate: 'No sub-affiliate has this external id; the row was stored without one.',
  unassigned_campaign: 'The campaign is not known; the row was stored without one.',
  campaign_not_created: 'The campaign was not made: a run makes 1,000, and a workspace has 10,000 at most.',
  approximate_day: "The source's day is not exactly the workspace's day.",
} as const satisfies Record<string, string>

export type RowWarningCode = keyof typeof rowWarningCodes

function permanent<R extends BrokenReason>(brokenReason: R, message: string) {
  return { permanent: true, brokenReason, message } as const
}

function retryable<R extends BrokenReason | null>(brokenReason: R, message: string) {
  return { permanent: false, brokenReason, message } as const
}
