// Judges the X-Service-Signature header of a webhook request (settled-points.md 11 and 14; security.md XB01 to XB03).
// It accepts one spelling only, compares in constant time, and never looks at a body that was parsed and written again.

import { createHmac, timingSafeEqual } from 'node:crypto'
import { checkedSecrets, signaturesMax } from './secret.ts'

/** What is judged. */
export interface WebhookToVerify {
  /** The secret as shown when it was made, or several during a rotation (1 to 32). */
  secret?: string
  secrets?: readonly string[]
  /** The header's value as received. */
  header: string | readonly string[] | undefined
  /** The body's bytes as received. */
  body: Uint8Array
  /** The receiver's clock, Unix seconds. */
  nowSeconds: number
  /** How far `t` may be off, in either direction. Default 300 (settled-points.md 14). */
  toleranceSeconds?: number
}

/** Why a request is refused. */
export type RefusalReason = 'missing' | 'malformed' | 'too_many_signatures' | 'timestamp_off' | 'no_match'

/** Accepted, or refused with the reason. */
export type Verification = { ok: true } | { ok: false; reason: RefusalReason }

const signatureCharacters = 'v1='.length + 64
const headerCharactersMax = 't=9999999999'.length + signaturesMax * (signatureCharacters + 1)

interface ParsedHeader {
  timestamp: string
  signatures: Buffer[]
}

const refused = (reason: RefusalReason): { ok: false; reason: RefusalReason } => ({ ok: false, reason })

/** `t=<digits>`, then one to 32 different `v1=<64 lower-case hex digits>`, separated by commas and nothing else. */
function parseHeader(header: string): ParsedHeader | RefusalReason {
  if (header.length > headerCharactersMax) return header.startsWith('t=') ? 'too_many_signatures' : 'malformed'
  const [first = '', ...rest] = header.split(',')
  const timestamp = /^t=(0|[1-9][0-9]{0,9})$/.exec(first)?.[1]
  if (timestamp === undefined || rest.length === 0) return 'malformed'
  if (rest.length > signaturesMax) return 'too_many_signatures'
  if (!rest.every((part) => /^v1=[0-9a-f]{64}$/.test(part)) || new Set(rest).size !== rest.length) return 'malformed'
  return { timestamp, signatures: rest.map((part) => Buffer.from(part.slice(3), 'hex')) }
}

/**
 * Whether one of the signatures was made with one of the secrets over exactly these bytes, at about this time. Takes time
 * linear in the body; a header longer than any genuine one is refused by its length. Throws `RangeError` when the secrets
 * are not of their form: that is a fault of the receiver's configuration, not of the request.
 */
export function verifyWebhook(input: WebhookToVerify): Verification {
  const { header, body, nowSeconds, toleranceSeconds = 300 } = input
  const secrets = checkedSecrets([...(input.secret === undefined ? [] : [input.secret]), ...(input.secrets ?? [])])
  if (header === undefined || header === '') return refused('missing')
  if (typeof header !== 'string') return refused('malformed')
  const parsed = parseHeader(header)
  if (typeof parsed === 'string') return refused(parsed)
  // Written so that a clock that is not a number refuses.
  if (!(Math.abs(nowSeconds - Number(parsed.timestamp)) <= toleranceSeconds)) return refused('timestamp_off')
  let matches = 0
  for (const secret of secrets) {
    const expected = createHmac('sha256', secret).update(`${parsed.timestamp}.`).update(body).digest()
    for (const signature of parsed.signatures) matches += timingSafeEqual(expected, signature) ? 1 : 0
  }
  return matches > 0 ? { ok: true } : refused('no_match')
}
