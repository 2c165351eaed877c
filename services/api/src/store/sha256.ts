// The hash function that the domain is handed: it makes no hash by itself.
import { createHash } from 'node:crypto'

/** SHA-256 of a text in UTF-8. */
export function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
