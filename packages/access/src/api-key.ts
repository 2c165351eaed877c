// The form of an API key (auth.md 5): makes one and judges one. It never keeps a key; only its digest goes further.

import { hash } from 'node:crypto'
import { isCheckedText, makeCheckedText } from './checked-text.ts'

const form = { start: 'wdk_live_', randomCharacters: 32 }

/** For scanners of source code: matches every key that was ever issued. */
export const apiKeyPattern = '\\bwdk_live_[0-9A-Za-z]{38}\\b'

/** A well-formed key, or not. `digest`: SHA-256 of the key, 32 bytes. `prefix` (13 characters) and `last4` are for display. */
export type ParsedApiKey = { ok: true; digest: Buffer; prefix: string; last4: string } | { ok: false }

/** A new key of 190 random bits: `wdk_live_`, 32 characters of base62, 6 of checksum. As `makeCheckedText`. */
export function makeApiKey(randomBytes: (length: number) => Uint8Array): string {
  return makeCheckedText(form, randomBytes)
}

/**
 * SHA-256 of the key in hex, or null for what is none. Judges form and checksum, so that a mistyped or invented key costs no
 * look-up. `wdk_test_` is reserved and refused.
 */
export function digestOfApiKey(text: string): string | null {
  return isCheckedText(form, text) ? hash('sha256', text, 'hex') : null
}

/** Judges as `digestOfApiKey`. */
export function parseApiKey(text: string): ParsedApiKey {
  const digest = digestOfApiKey(text)
  if (digest === null) return { ok: false }
  return {
    ok: true,
    digest: Buffer.from(digest, 'hex'),
    prefix: text.slice(0, form.start.length + 4),
    last4: text.slice(-4),
  }
}
