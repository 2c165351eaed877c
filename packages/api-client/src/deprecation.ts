// Reads of an answer that its operation will end (versions.md): the one warning of it that reaches a program.

export interface DeprecationNotice {
  /** Such as `GET /v1/webhooks/{id}`. */
  operation: string
  /** Since when it is deprecated. */
  since: Date | null
  /** From then on it may be gone. */
  sunset: Date | null
  /** The page that says what to use instead. */
  link: string | null
}

/** Null where the operation stays. Headers: RFC 9745, RFC 8594. */
export function readDeprecation(operation: string, headers: Headers): DeprecationNotice | null {
  const since = headers.get('deprecation')
  if (since === null) return null
  const [, seconds] = /^@(\d+)$/.exec(since) ?? []
  const [, link = null] = /<([^>]*)>\s*;[^,]*\brel="deprecation"/.exec(headers.get('link') ?? '') ?? []
  return {
    operation,
    since: seconds === undefined ? null : new Date(Number(seconds) * 1_000),
    sunset: dateOf(headers.get('sunset')),
    link,
  }
}

function dateOf(text: string | null): Date | null {
  const ms = Date.parse(text ?? '')
  return Number.isNaN(ms) ? null : new Date(ms)
}
