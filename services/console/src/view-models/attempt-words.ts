// What became of an attempt, in words beside the code (ui.md 4).

const words: Readonly<Record<string, string>> = {
  timeout: 'No answer within 10 s',
  dns_not_found: 'Name not found',
  dns_failed: 'The name could not be looked up',
  connection_refused: 'Connection refused',
  connection_reset: 'Connection cut by the other side',
  connection_failed: 'No connection could be made',
  tls_expired: 'The certificate has expired',
  tls_wrong_host: 'The certificate is for another name',
  tls_untrusted: 'The certificate is not trusted',
  tls_failed: 'No secure connection could be made',
  destination_not_allowed: 'Address not allowed',
  response_invalid: 'The answer is not valid HTTP',
  response_too_large: 'The answer is too large',
}

interface Outcome {
  error_code: string | null
  response_status: number | null
}

/** Such as `No answer within 10 s`, `Answered with 500`; null while it is under way. */
export function causeOf({ error_code: code, response_status: status }: Outcome): string | null {
  if (status !== null && status >= 300 && status < 400) return `Answered with ${status}. Redirects are not followed`
  if (code === 'http_status' || (code === null && status !== null))
    return status === null ? 'Refused by the endpoint' : `Answered with ${status}`
  return code === null ? null : (words[code] ?? code)
}

const reasons: Readonly<Record<string, string>> = {
  attempts_exhausted: 'All attempts failed',
  subscription_disabled: 'The subscription was disabled',
  subscription_deleted: 'The subscription was deleted',
}

/** Why a delivery is dead. */
export const reasonWords = (reason: string): string => reasons[reason] ?? reason

const disabled: Readonly<Record<string, string>> = {
  user: 'switched off by a person or a key',
  gone: 'the endpoint answered 410 Gone',
  failing: 'it failed for too long',
  authorization_revoked: 'the app that made it lost its authorisation',
}

/** Why a subscription is disabled. */
export const disabledWords = (reason: string): string => disabled[reason] ?? reason

/** A group of dead letters: the reason, then the code or the class of the status. */
export function groupWords(o: { reason: string; error_code: string | null; status_class: string | null }): string {
  if (o.error_code === null) return reasonWords(o.reason)
  if (o.error_code === 'http_status') return `Answered with ${o.status_class ?? 'an error'}`
  return words[o.error_code] ?? o.error_code
}

/** A group in one line, told apart from others of the same code by its reason: `Answered with 5xx (all attempts failed)`. */
export function deadLetterName(o: Parameters<typeof groupWords>[0]): string {
  const reason = reasonWords(o.reason)
  if (o.error_code === null) return reason
  return `${groupWords(o)} (${reason.charAt(0).toLowerCase()}${reason.slice(1)})`
}
