// Names why an export fails and says it in a sentence. Codes are those of the problems that the same stats query would be answered with.

/** Most rows of an export. */
export const exportRowsMax = 1_000_000
/** Largest file, as it is stored. */
export const exportBytesMax = 268_435_456

/** Bytes of all files of a workspace. */
export const storedBytesMax = 1_073_741_824

export const exportErrors = {
  limit_reached: 'The files of exports take 1 GiB with this one: delete some, or wait until they expire.',
  result_too_large:
    'The result has more than 1,000,000 rows, or its file more than 256 MiB. Shorten the period or filter.',
  rate_missing: 'No rate is known for a day of the query or within the 7 days before it.',
  amount_overflow: 'A sum lies beyond ±9,007,199,254,740,991.',
  time_zone_not_supported: 'A source reports whole days, which another time zone cannot cut.',
  invalid_value: 'The query is not valid any more, as one of a rate set that was replaced.',
  query_timeout: 'The result could not be summed within two minutes. Shorten the period or filter.',
  internal_error: 'Making the file failed again and again. Ask for it anew; if it stays so, tell the operator.',
} as const
export type ExportErrorCode = keyof typeof exportErrors

/** The code where an export ends with it; null for what another attempt may get over. */
export function finalErrorOf(code: string): ExportErrorCode | null {
  return Object.hasOwn(exportErrors, code) && code !== 'internal_error' ? (code as ExportErrorCode) : null
}
