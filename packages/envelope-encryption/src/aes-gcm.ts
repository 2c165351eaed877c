// One AES-256-GCM operation with a random nonce. It never tells why a ciphertext does not open.

import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { EnvelopeError } from './envelope-error.ts'
import type { Sealed } from './envelope-format.ts'

const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

/** Encrypts `plain` under a 32-byte key and authenticates `aad` with it. */
export function seal(key: Buffer, plain: Uint8Array, aad: Buffer): Sealed {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: tagBytes })
  cipher.setAAD(aad)
  const body = Buffer.concat([cipher.update(plain), cipher.final()])
  return { nonce, body, tag: cipher.getAuthTag() }
}

/** The plain bytes. Throws `EnvelopeError` `not_authentic` for another key, another `aad` or any change. */
export function open(key: Buffer, sealed: Sealed, aad: Buffer): Buffer {
  try {
    const decipher = createDecipheriv(algorithm, key, sealed.nonce, { authTagLength: tagBytes })
    decipher.setAAD(aad)
    decipher.setAuthTag(sealed.tag)
    return Buffer.concat([decipher.update(sealed.body), decipher.final()])
  } catch {
    throw new EnvelopeError('not_authentic', 'an encrypted value does not belong to its key and place')
  }
}
