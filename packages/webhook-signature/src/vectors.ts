// Reads `vectors.json`: requests and what every verifier has to say of them, for implementations in any language.
import { readFileSync } from 'node:fs'
import type { RefusalReason } from './verify.ts'

/** One request as a receiver sees it. */
export interface Vector {
  /** Unique. */
  name: string
  /** The receiver's, as shown when it was made. */
  secret: string
  /** `X-Service-Signature`; null: it is missing. */
  header: string | null
  /** The raw bytes. */
  body: Uint8Array
  /** The receiver's clock, unix seconds. */
  now: number
  expected: 'accepted' | RefusalReason
}

/** All of them. The file has `body_base64` instead of `body`. */
export function readVectors(): Vector[] {
  const text = readFileSync(new URL('../vectors.json', import.meta.url), 'utf8')
  const { vectors } = JSON.parse(text) as { vectors: (Omit<Vector, 'body'> & { body_base64: string })[] }
  return vectors.map(({ body_base64, ...vector }) => ({ ...vector, body: Buffer.from(body_base64, 'base64') }))
}
