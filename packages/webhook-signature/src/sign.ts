// Makes the signature headers of a webhook request (settled-points.md 11 to 13). It signs the raw bytes and never serialises anything.

import { createHmac } from 'node:crypto'
import { checkedSecrets, keysOf } from './secret.ts'

/** What is signed. */
export interface WebhookToSign {
  /** The live secrets, newest first; 1 to 32. */
  secrets: readonly string[]
  /** The event id, the same on every attempt. */
  id: string
  /** Unix seconds of the attempt. */
  timestamp: number
  /** The exact bytes of the request's body. */
  body: Uint8Array
}

/** Headers of the request, by their lower-case names. */
export interface WebhookHeaders {
  'x-service-signature': string
  'webhook-id': string
  'webhook-timestamp': string
  'webhook-signature': string
}

/** Lower-case hex of HMAC-SHA-256 over `t`, a period and the body; the key is the secret as shown (settled-points.md 11). */
function serviceSignature(secret: string, timestamp: number, body: Uint8Array): string {
  return createHmac('sha256', keysOf(secret).service).update(`${timestamp}.`).update(body).digest('hex')
}

/** Standard Webhooks: base64 of HMAC-SHA-256 over id, time and body, separated by periods. */
function standardSignature(secret: string, id: string, timestamp: number, body: Uint8Array): string {
  return createHmac('sha256', keysOf(secret).standard).update(`${id}.${timestamp}.`).update(body).digest('base64')
}

/**
 * One signature of each kind for each secret, in the order given. Throws `RangeError` for secrets of another form, an id
 * that is not 1 to 128 letters, digits, `_` and `-`, and a timestamp that is not whole Unix seconds.
 */
export function signWebhook({ secrets, id, timestamp, body }: WebhookToSign): WebhookHeaders {
  checkedSecrets(secrets)
  if (!/^[\w-]{1,128}$/.test(id)) throw new RangeError('an id has 1 to 128 letters, digits, _ and -')
  if (!Number.isInteger(timestamp) || timestamp < 0 || timestamp > 9_999_999_999) {
    throw new RangeError('a timestamp is whole Unix seconds')
  }
  const service = secrets.map((secret) => `v1=${serviceSignature(secret, timestamp, body)}`)
  const standard = secrets.map((secret) => `v1,${standardSignature(secret, id, timestamp, body)}`)
  return {
    'x-service-signature': [`t=${timestamp}`, ...service].join(','),
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': standard.join(' '),
  }
}
