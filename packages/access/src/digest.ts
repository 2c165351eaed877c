import { hash } from 'node:crypto'

/** What stands for a random secret in tables: its SHA-256, 32 bytes. No slow hash, since nobody guesses the secret (security.md 3). */
export function digestOf(secret: string): Buffer {
  return hash('sha256', secret, 'buffer')
}
