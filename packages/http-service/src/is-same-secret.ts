import { hash, timingSafeEqual } from 'node:crypto'

/** Compares what was given with a secret, in constant time, on digests of equal length (security.md 3). */
export function isSameSecret(given: string, secret: string): boolean {
  return timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', secret, 'buffer'))
}
