// The form of a signing secret (settled-points.md 11): `whsec_` and the base64 of 24 random bytes.

import { createSecretKey, type KeyObject } from 'node:crypto'

const prefix = 'whsec_'
const randomBytesNeeded = 24

/**
 * At most this many secrets of a subscription are live at once, room for 20 rotations within one overlap
 * (reliability.md F50); a header with more signatures is refused.
 */
export const signaturesMax = 32

/** A secret of 24 bytes from a CSPRNG. Throws `RangeError` for another length. */
export function generateSecret(random24: Uint8Array): string {
  if (random24.length !== randomBytesNeeded) throw new RangeError(`a secret needs ${randomBytesNeeded} random bytes`)
  return prefix + Buffer.from(random24).toString('base64')
}

/** Whether the text has the form of a secret. */
export function isSecret(text: string): boolean {
  return text.length === 38 && /^whsec_[A-Za-z0-9+/]{32}$/.test(text)
}

/** The secrets as they are. Throws `RangeError` for none, for more than `signaturesMax` and for one of another form, without showing it. */
export function checkedSecrets(secrets: readonly string[]): readonly string[] {
  if (secrets.length === 0 || secrets.length > signaturesMax)
    throw new RangeError(`1 to ${signaturesMax} secrets are needed`)
  if (!secrets.every(isSecret)) throw new RangeError('a secret is whsec_ and the base64 of 24 bytes')
  return secrets
}

/** The keys of one secret, ready for HMAC: making one costs more than signing a kilobyte. */
export interface SecretKeys {
  /** Of `X-Service-Signature`: the secret as shown (settled-points.md 11). */
  readonly service: KeyObject
  /** Of the Standard Webhooks signature: the bytes behind the prefix (settled-points.md 13). */
  readonly standard: KeyObject
}

const keptMax = 4_096
const kept = new Map<string, SecretKeys>()

/** The keys of a secret of the right form; those of the secrets in use are kept. */
export function keysOf(secret: string): SecretKeys {
  const known = kept.get(secret)
  if (known !== undefined) return known
  const keys = {
    service: createSecretKey(Buffer.from(secret)),
    standard: createSecretKey(Buffer.from(secret.slice(prefix.length), 'base64')),
  }
  if (kept.size >= keptMax) kept.clear()
  kept.set(secret, keys)
  return keys
}
