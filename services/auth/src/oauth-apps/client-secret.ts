// The form of a client secret: `wds_`, 40 characters of base62 (238 bits), a checksum of 6. Only its SHA-256 is stored.
import { randomBytes } from 'node:crypto'
import { makeCheckedText } from '@wds/access/checked-text'
import { digestOf } from '@wds/access/digest'

const form = { start: 'wds_', randomCharacters: 40 }

/** For scanners of source code: matches every secret that was ever issued. */
export const clientSecretPattern = '\\bwds_[0-9A-Za-z]{46}\\b'

/** A new secret, which nothing stores, and its digest. */
export function makeClientSecret(): { secret: string; digest: Buffer } {
  const secret = makeCheckedText(form, randomBytes)
  return { secret, digest: digestOf(secret) }
}
