// The secret part of a link that is shown once: 256 random bits, of which only the SHA-256 is stored.
import { randomBytes } from 'node:crypto'
import { digestOf } from '@wds/access/digest'

export function makeLinkToken(): { token: string; digest: Buffer } {
  const token = randomBytes(32).toString('base64url')
  return { token, digest: digestOf(token) }
}
