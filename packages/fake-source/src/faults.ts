// What the network can be told to do wrong. Each fault is one that feeds of real networks, or of people who mean harm, are known for.

/** What each does to a report's request. */
export const faultModes = {
  error: '503 without a word',
  limited: '429 with Retry-After',
  unauthorized: '401, as after a change of the password',
  forbidden: '403',
  gone: '410',
  redirect: '302 to another address',
  hang: 'no answer until the client leaves',
  stall: 'status, headers and half of the body, then nothing',
  drip: 'the body in small pieces with a pause after each',
  cut: 'the connection is cut in the middle of the body',
  endless: 'rows without an end',
  endless_pages: 'pages without an end, each with a link to the next',
  bomb: 'a gzip body that grows a thousand times',
  long_line: 'one line without an end',
  garbage: 'bytes that are no text',
  html: '200 with the page of a sign-in',
  empty: 'a header without rows',
  schema: 'columns under other names',
  wrong_rows: 'each tenth row has a value that is none',
  mostly_wrong_rows: 'each second row has a value that is none',
  loop: 'the link to the next page leads back to this one',
  foreign_next: 'the link to the next page leads to another origin',
  drift: 'a row is added above the others while pages are read, so that each page begins with a row of the one before',
} as const
export type FaultMode = keyof typeof faultModes

/** A fault and how long it lasts. */
export interface Fault {
  mode: FaultMode
  /** Requests that it befalls; left out: all until it is changed. */
  times?: number
  /** Requests that are answered well before it begins; default 0. */
  after?: number
  /** Seconds of `Retry-After`; default 1. */
  retryAfterSeconds?: number
  /** Where `redirect` and `foreign_next` lead; default an address that no client may call. */
  location?: string
}

export const unreachable = 'http://169.254.169.254/latest/meta-data/'

/** Why it is no fault, or null. */
export function faultOfFault(value: unknown): string | null {
  if (typeof value !== 'object' || value === null) return 'a fault is an object with a mode'
  const { mode, times, after, retryAfterSeconds, location } = value as Record<string, unknown>
  if (typeof mode !== 'string' || !Object.hasOwn(faultModes, mode)) {
    return `mode is one of ${Object.keys(faultModes).join(', ')}`
  }
  const isCount = (n: unknown) => n === undefined || (Number.isInteger(n) && Number(n) >= 0)
  if (![times, after, retryAfterSeconds].every(isCount)) return 'times, after and retryAfterSeconds are whole numbers'
  return location === undefined || typeof location === 'string' ? null : 'location is a text'
}
