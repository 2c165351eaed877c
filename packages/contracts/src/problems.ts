// The catalogue of problems: every code that an answer of the REST API can carry, once (api-conventions.md 3, domain.md 2).
// Answers, OpenAPI files and the problem pages are made from it. No text names a host, a path, a library or a workspace.

/** One problem: what the client reads and what to do about it. */
export interface ProblemDefinition {
  /** Stable code, the last part of the problem's `type` address. */
  readonly code: string
  /** HTTP status of the answer. */
  readonly status: number
  /** Short summary, the same for every occurrence. */
  readonly title: string
  /** What the client reads where the occurrence says nothing more exact. */
  readonly detail: string
  /** How the client gets past it. */
  readonly howToFix: string
  /** A registered type that takes the place of `{base_url}/problems/{code}` (C60). */
  readonly registeredType?: string
}

type Row = readonly [title: string, detail: string, howToFix: string]

const badRequest = {
  malformed_json: [
    'The request body is not readable JSON',
    'The body is not valid JSON, repeats a key, is not valid UTF-8 or is nested deeper than 32 levels.',
    'Send UTF-8 JSON without a byte order mark, each key once, at most 32 levels deep.',
  ],
  unknown_parameter: [
    'A query parameter is not known',
    'The query holds a parameter or filter that this route does not have.',
    "Remove the parameter or correct its name; the route's reference lists all of them.",
  ],
  duplicate_parameter: [
    'A parameter is given more than once',
    'Every parameter takes one value.',
    'Give the parameter once; write lists with commas.',
  ],
  invalid_parameter: [
    'A parameter is not valid',
    'A parameter or header has a value that cannot be read or is not allowed.',
    'Correct the parameter named in errors.',
  ],
  limit_out_of_range: [
    'The limit is out of range',
    'The limit must be a whole number within the range of this route.',
    'Ask for 1 to 100 items (stats: 1 to 1,000) and follow next_cursor.',
  ],
  invalid_cursor: [
    'The cursor is not valid',
    'The cursor was altered, or belongs to another list, other filters or another workspace.',
    'Use next_cursor unchanged and with the same filters, or begin without a cursor.',
  ],
  invalid_idempotency_key: [
    'The Idempotency-Key is not valid',
    'The key is empty, longer than 255 characters or holds characters that are not printable ASCII.',
    'Send 1 to 255 printable ASCII characters, for example a UUID.',
  ],
  idempotency_key_required: [
    'An Idempotency-Key is required',
    'This request moves money or numbers a document, so it must carry an Idempotency-Key.',
    'Send the header Idempotency-Key with a value of your own for each intended effect.',
  ],
  invalid_request: [
    'The request is not valid',
    'The request is malformed.',
    'Send the token once, as the header Authorization: Bearer, and a request as the reference describes it.',
  ],
  metric_not_additive: [
    'The metric cannot be summed over days',
    'Visitors are counted once per day, so unique_clicks cannot be added up over several days.',
    'Group by day, ask for one day, or leave the metric out.',
  ],
  time_zone_not_supported: [
    'The time zone is not supported for this query',
    'An integration of this query reports whole days, which cannot be cut anew in another time zone.',
    "Use the workspace's time zone, or leave out the integrations named in errors.",
  ],
} as const satisfies Record<string, Row>

const unauthorized = {
  unauthenticated: [
    'Authentication is required',
    'The request carries no access token or API key.',
    'Send the header Authorization: Bearer with an access token or an API key; settings are opened by signing in.',
  ],
  invalid_token: [
    'The token is not valid',
    'The access token or API key is unknown, expired, revoked or not allowed from this address.',
    'Refresh the access token, or use an API key that is live.',
  ],
} as const satisfies Record<string, Row>

const forbidden = {
  insufficient_scope: [
    'The token lacks a scope',
    'The token does not have the scope that this request needs.',
    'Ask for the scope named in the WWW-Authenticate header. A write scope does not include the read scope.',
  ],
  role_not_allowed: [
    'Your role does not allow this',
    'This needs another role in the workspace.',
    'Ask an owner or admin of the workspace.',
  ],
  plan_required: [
    "The workspace's plan does not include this",
    'This needs a higher plan.',
    'Upgrade the workspace to the business plan or above.',
  ],
  csrf_failed: [
    'The request did not come from the settings pages',
    'A change by a signed-in person needs the CSRF token of the session and its current workspace, sent from our own pages.',
    'Read GET /v1/session again, and send its csrf_token as the header X-CSRF-Token from the same origin.',
  ],
  recent_sign_in_required: [
    'The last sign-in is too long ago',
    'This lets somebody in for longer than your session lasts, changes how you sign in or where you are signed in, or ends the workspace: it needs a sign-in of the last 10 minutes.',
    'Sign in again, then repeat the request with the new session and its csrf_token.',
  ],
  session_required: [
    'A signed-in person is required',
    'Settings are opened by a signed-in person only, not by a token of an app or an API key.',
    'Sign in and use the settings pages.',
  ],
} as const satisfies Record<string, Row>

const notFound = {
  not_found: [
    'Not found',
    'There is nothing at this address.',
    'Check the path and the id. Records of other workspaces are answered the same way.',
  ],
} as const satisfies Record<string, Row>

const methodNotAllowed = {
  method_not_allowed: [
    'The method is not allowed',
    'This address does not take this method.',
    'Use one of the methods of the Allow header.',
  ],
} as const satisfies Record<string, Row>

const notAcceptable = {
  not_acceptable: [
    'No acceptable type',
    'The answer cannot be given in a type that the Accept header allows.',
    'Accept application/json, or leave the header out.',
  ],
} as const satisfies Record<string, Row>

const requestTimeout = {
  request_timeout: [
    'The request was too slow',
    'The headers or the body did not arrive in time.',
    'Send the request again over a faster connection or in smaller parts.',
  ],
} as const satisfies Record<string, Row>

const conflict = {
  invalid_state: [
    'The present state does not allow this',
    'The action is not possible in the state that current_status names.',
    'Send one of the actions that allowed lists; where it is empty, wait until current_status has changed.',
  ],
  idempotency_in_progress: [
    'The first request with this key is still running',
    'Another request with the same Idempotency-Key has not ended yet.',
    'Wait as long as Retry-After says and send the same request again.',
  ],
  limit_reached: [
    'A limit is reached',
    'The workspace has as many of these as it may have.',
    'Delete what is no longer needed first.',
  ],
  already_exists: [
    'It exists already',
    'A record with this unique value exists already.',
    'Use the existing record or another value.',
  ],
  sync_already_running: [
    'A sync run is already open',
    'The integration has a sync run that has not ended; only one is open at a time.',
    'Wait until the open run has ended, or cancel it.',
  ],
  stats_exist: [
    'The integration has stats',
    'Its stats were counted in its time zone and granularity, so these can no longer change. Create another integration with the values you need and send it the days again.',
    'Create another integration and send it the days again. To take the old stats out of all sums, import one row of zeros with window_mode replace that covers their days; for one query, use filter_not[integration].',
  ],
  period_not_final: [
    'The period is not final',
    'At least one day of the period is not final, so its numbers may still change.',
    'Wait for stats.daily_ready of the last day of the period.',
  ],
  invoice_has_payments: [
    'The invoice has payments',
    'An invoice with payments cannot be made void.',
    'Issue a credit note that replaces the invoice.',
  ],
  balance_not_zero: [
    'The balance is not zero',
    'A sub-affiliate with a balance cannot be removed.',
    'Pay the balance out first, or remove with write_off: true.',
  ],
  webhook_disabled: [
    'The webhook subscription is disabled',
    'Nothing is sent to a disabled subscription.',
    'Enable the subscription and send the request again.',
  ],
  event_expired: [
    'The event is no longer kept',
    'Events are kept for 30 days: older ones can neither be read nor replayed.',
    'Read the resource itself. Begin the event log without a cursor.',
  ],
  replay_already_running: [
    'A replay that may send the same is already open',
    'A subscription has at most one open replay of a period or of dead letters; one of all subscriptions counts for each of them.',
    'Wait until the replay that replay_id names has ended, or cancel it.',
  ],
} as const satisfies Record<string, Row>

const preconditionFailed = {
  precondition_failed: [
    'The record has changed',
    'The If-Match header does not name the present version; nothing was changed.',
    'Read the record again and repeat the change with its new ETag.',
  ],
} as const satisfies Record<string, Row>

const preconditionRequired = {
  precondition_required: [
    'If-Match is required',
    'Changes of money records must name the version they change.',
    'Send the header If-Match with the ETag of the record.',
  ],
} as const satisfies Record<string, Row>

const payloadTooLarge = {
  payload_too_large: [
    'The body is too large',
    'The body is larger than this route accepts, also after decompression.',
    'Send at most 1 MiB of JSON; imports take 50 MiB. Split larger files.',
  ],
} as const satisfies Record<string, Row>

const uriTooLong = {
  uri_too_long: [
    'The address is too long',
    'The path and query together are longer than 8 KiB.',
    'Shorten the filters, or use the route that takes the query as a body.',
  ],
} as const satisfies Record<string, Row>

const unsupportedMediaType = {
  unsupported_media_type: [
    'The media type is not supported',
    'The body has a Content-Type or Content-Encoding that this route does not take.',
    'Send application/json, or for changes application/merge-patch+json; the reference names the types of imports.',
  ],
} as const satisfies Record<string, Row>

const headersTooLarge = {
  headers_too_large: [
    'The headers are too large',
    'The headers are larger than 16 KiB.',
    'Send fewer or shorter headers.',
  ],
} as const satisfies Record<string, Row>

const unprocessable = {
  validation_failed: [
    'The request body is not valid',
    'At least one field is not valid.',
    'Correct the fields named in errors.',
  ],
  unknown_field: [
    'A field is not known',
    'The body holds a field that is not known here or can only be read.',
    'Remove the field that the pointer in errors names.',
  ],
  invalid_character: [
    'A character is not allowed',
    'Text must not hold the character U+0000.',
    'Remove the character from the field named in errors.',
  ],
  out_of_range: [
    'A value is out of range',
    'A number or length lies outside the allowed range.',
    'Use a value within the range named in errors.',
  ],
  required: [
    'A required field is missing',
    'The body lacks a field that is required.',
    'Send the field that the pointer in errors names.',
  ],
  invalid_type: [
    'A value has the wrong type',
    'A field holds a value of another JSON type than it takes.',
    'Send a value of the type named in errors.',
  ],
  invalid_format: [
    'A value has the wrong form',
    'A text does not have the form that the field asks for.',
    'Send the text in the form named in errors.',
  ],
  invalid_value: [
    'A value is not acceptable',
    'A field holds a value that it does not take.',
    'Use one of the values that the reference lists for the field named in errors.',
  ],
  idempotency_key_reused: [
    'The Idempotency-Key was used for another request',
    'The key belongs to a request with another query or body.',
    'Use a new key for a new request, and the same key only to repeat the same request.',
  ],
  brand_exists: [
    'The brand exists with other values',
    'The slug is known, and the brand object of the request differs from it.',
    'Leave the brand object out, or change the brand by its own route.',
  ],
  provider_not_available: [
    'The provider is not available',
    'This provider is reserved and cannot be used yet.',
    'Use one of the providers listed as available.',
  ],
  unknown_currency: [
    'The currency is not known',
    'The code is not in ISO 4217.',
    'Use an ISO 4217 code in capital letters, for example EUR.',
  ],
  unknown_time_zone: [
    'The time zone is not known',
    'The value is not an IANA time zone name.',
    'Use an IANA name, for example Europe/Malta; offsets such as GMT+2 are not names.',
  ],
  amount_overflow: [
    'The amount is too large',
    'Amounts lie within ±9,007,199,254,740,991 minor units.',
    'Use a smaller amount; in an export, shorten the period or group by more dimensions.',
  ],
  rate_missing: [
    'An exchange rate is missing',
    'No rate is known for a day of the query or within the 7 days before it.',
    'Import the missing rates, or ask without a currency.',
  ],
  result_too_large: [
    'The result is too large',
    'A query returns at most 10,000 rows.',
    'Shorten the period, group by fewer dimensions, or filter; use an export for more.',
  ],
  overpayment: [
    'The payment is larger than the amount due',
    'A payment has the sign of the amount due and is not larger than it.',
    'Record at most the amount due.',
  ],
  below_minimum: [
    'The payout is below the minimum',
    "The amount is below the sub-affiliate's minimum payout.",
    'Wait for a larger balance, or lower the minimum payout.',
  ],
  insufficient_balance: [
    'The balance is not sufficient',
    'The amount is larger than the available balance.',
    'Pay at most the available balance.',
  ],
  period_closed: [
    'The period is closed',
    'The date lies in a month that is closed.',
    'Choose a date in a month that is still open.',
  ],
  period_too_old: [
    'The period is too old',
    'The period begins before the 30 days for which events are kept.',
    'Choose a later beginning.',
  ],
  nothing_matched: [
    'Nothing matched',
    'There is nothing to replay: no delivery and no event is selected that can be replayed.',
    'Look at what is selected with dry_run, and choose another period, other states or other types.',
  ],
  subject_not_supported: [
    'The trigger cannot supply this subject',
    'The subject type is not one that the trigger supplies.',
    'Choose another subject type or another trigger.',
  ],
  sync_not_supported: [
    'The integration cannot be synced like this',
    'Integrations of provider csv_upload take rows by import only.',
    'Import the file (again) instead.',
  ],
  no_postbacks: [
    'The integration receives no postbacks',
    'Only integrations of provider postback have an address for postbacks.',
    'Connect the network once more with provider postback.',
  ],
  unknown_column: [
    'A column is not known or is missing',
    'The header line names a column that is not known here, or lacks a required one.',
    'Correct the columns named in errors.',
  ],
  unknown_event_type: [
    'The event type is not known',
    'The event catalog has no such type, and no type matches such a pattern.',
    'Use a type of the event catalog, a prefix such as invoice.* or *.',
  ],
  invalid_filter: [
    'The payload filter is not valid',
    'The filter of the subscription holds a condition that cannot be judged, or too many of them.',
    'Send 1 to 10 conditions {pointer, op, value}: a JSON pointer at most 5 members deep, eq, neq, in, gt, lt or exists, and a value that the operator takes.',
  ],
  header_not_allowed: [
    'The header is not allowed',
    'This header may not be set here: HTTP, proxies, the signature or the credentials need it.',
    'For a webhook use Authorization, or a name that begins with X-. For a feed give what is secret as credentials.',
  ],
  url_not_allowed: [
    'The URL is not allowed',
    'The URL is not one that the service may call.',
    'Use an https URL of a public host, without credentials, on an allowed port.',
  ],
} as const satisfies Record<string, Row>

const tooManyRequests = {
  quota_exceeded: [
    'The quota is used up',
    'Too many requests in this window.',
    'Wait as long as Retry-After says, and keep to the RateLimit headers.',
  ],
} as const satisfies Record<string, Row>

const internal = {
  internal_error: [
    'Internal error',
    'The request failed by a fault of the service.',
    'Try again later; if it stays, report the request id.',
  ],
} as const satisfies Record<string, Row>

const unavailable = {
  unavailable: [
    'The service cannot answer now',
    'The service is busy or starting, or something that it needs to judge the request is away for the moment.',
    'Wait as long as Retry-After says and send the same again, a POST with the same Idempotency-Key.',
  ],
  query_timeout: [
    'The query took too long',
    'The query was ended after 5 seconds.',
    'Shorten the period, group by fewer dimensions, or try again later.',
  ],
} as const satisfies Record<string, Row>

/** Status → codes with their texts, in the order of the table in api-conventions.md 3. */
const byStatus = [
  [400, badRequest],
  [401, unauthorized],
  [403, forbidden],
  [404, notFound],
  [405, methodNotAllowed],
  [406, notAcceptable],
  [408, requestTimeout],
  [409, conflict],
  [412, preconditionFailed],
  [413, payloadTooLarge],
  [414, uriTooLong],
  [415, unsupportedMediaType],
  [422, unprocessable],
  [428, preconditionRequired],
  [429, tooManyRequests],
  [431, headersTooLarge],
  [500, internal],
  [503, unavailable],
] as const

type KeysOf<T> = T extends unknown ? keyof T : never

/** Code of a problem. */
export type ProblemCode = KeysOf<(typeof byStatus)[number][1]>

/** RFC-registered type of a used-up quota (C60). */
const quotaExceededType = 'https://iana.org/assignments/http-problem-types#quota-exceeded'

/** Every problem by its code. */
export const problems: Readonly<Record<ProblemCode, ProblemDefinition>> = catalogue()

/** Whether the text is the code of a problem. */
export function isProblemCode(text: string): text is ProblemCode {
  return Object.hasOwn(problems, text)
}

function catalogue(): Record<ProblemCode, ProblemDefinition> {
  const rows = byStatus.flatMap(([status, codes]) =>
    Object.entries<Row>(codes).map(([code, row]) => [code, definitionOf(code, status, row)] as const),
  )
  return Object.fromEntries(rows) as Record<ProblemCode, ProblemDefinition>
}

function definitionOf(code: string, status: number, [title, detail, howToFix]: Row): ProblemDefinition {
  const definition = { code, status, title, detail, howToFix }
  return code === 'quota_exceeded' ? { ...definition, registeredType: quotaExceededType } : definition
}
