// Keys made from the one secret that all processes share, each for one purpose alone (RFC 5869). What they sign lives for minutes.
import { hkdfSync } from 'node:crypto'

export function deriveKey(secret: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, Buffer.alloc(0), purpose, 32))
}

/** Of the tokens in forms. */
export const formsKey = (secret: Buffer): Buffer => deriveKey(secret, 'forms')
