// The form of an API key (auth.md 5): makes one and judges one. It never keeps a key; only its digest goes further.

import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const start = 'wdk_live_'
const randomCharacters = 32
const checksumCharacters = 6
const keyCharacters = start.length + randomCharacters + checksumCharacters
/** Bytes from here on would favour some characters: they are drawn again (248 = 4 × 62). */
const fairBelow = 248
const drawsMax = 64

/** For scanners of source code: matches every key that was ever issued. */
export const apiKeyPattern = '\\bwdk_live_[0-9A-Za-z]{38}\\b'

/** A well-formed key, or not. `digest`: SHA-256 of the key, 32 bytes. `prefix` (13 characters) and `last4` are for display. */
export type ParsedApiKey = { ok: true; digest: Buffer; prefix: string; last4: string } | { ok: false }

/** 6 characters of base62 hold 32 bits: 62⁶ > 2³². */
function checksumOf(text: string): string {
  let rest = crc32(text)
  let result = ''
  for (let place = 0; place < checksumCharacters; place += 1) {
    result = alphabet.charAt(rest % 62) + result
    rest = Math.floor(rest / 62)
  }
  return result
}

/**
 * A new key of 190 random bits: `wdk_live_`, 32 characters of base62, 6 of checksum. `randomBytes` gives that many bytes
 * of a CSPRNG; one that gives no usable byte in 64 draws throws.
 */
export function makeApiKey(randomBytes: (length: number) => Uint8Array): string {
  let text = start
  for (let draw = 0; draw < drawsMax; draw += 1) {
    for (const byte of randomBytes(randomCharacters)) {
      if (byte < fairBelow && text.length < start.length + randomCharacters) text += alphabet.charAt(byte % 62)
    }
    if (text.length === start.length + randomCharacters) return text + checksumOf(text)
  }
  throw new Error('the source of random bytes gives no usable bytes')
}

const form = /^wdk_live_[0-9A-Za-z]{38}$/

/** Whether it ends with the checksum of what stands before it. */
const endsWithChecksum = (text: string): boolean => text.endsWith(checksumOf(text.slice(0, -checksumCharacters)))

/**
 * SHA-256 of the key in hex, or null for what is none. Judges form and checksum, so that a mistyped or invented key costs no
 * look-up. `wdk_test_` is reserved and refused.
 */
export function digestOfApiKey(text: string): string | null {
  const isKey = text.length === keyCharacters && form.test(text) && endsWithChecksum(text)
  return isKey ? hash('sha256', text, 'hex') : null
}

/** Judges as `digestOfApiKey`. */
export function parseApiKey(text: string): ParsedApiKey {
  const digest = digestOfApiKey(text)
  if (digest === null) return { ok: false }
  return {
    ok: true,
    digest: Buffer.from(digest, 'hex'),
    prefix: text.slice(0, start.length + 4),
    last4: text.slice(-4),
  }
}
