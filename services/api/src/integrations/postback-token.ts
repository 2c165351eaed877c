// Makes the token of an integration's address for postbacks, and what its stream is told of it. The token itself is shown once, and kept
// nowhere: what is stored is its digest.
import { randomBytes } from 'node:crypto'
import { digestOf } from '@wds/access/digest'
import type { CredentialsMark } from './domain/integration-fields.ts'

const tokenBytes = 32
const shape = /^[A-Za-z0-9_-]{43}$/

/** The path at which postbacks are taken; the token stands in place of the last part. */
export const postbackPath = '/v1/postbacks/{token}'

/** A new one. */
export const makeToken = (): string => randomBytes(tokenBytes).toString('base64url')

/** What a token is looked up by; null for a text that can be none. */
export function digestOfToken(text: string): Buffer | null {
  return shape.test(text) ? digestOf(text) : null
}

export function urlOfToken(baseUrl: string, token: string): string {
  return baseUrl.replace(/\/+$/, '') + postbackPath.replace('{token}', token)
}

/** What is told of it: of 32 random bytes the digest says nothing, so 4 of its hex digits are the fingerprint. */
export function markOfToken(digest: Buffer, nowMs: number): CredentialsMark {
  return {
    kind: 'postback',
    fingerprint: `…${digest.toString('hex').slice(0, 4)}`,
    updated_ms: nowMs,
    expires_ms: null,
  }
}
