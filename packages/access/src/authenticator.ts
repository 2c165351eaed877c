// Decides who is calling from the Authorization header (auth.md 3.4, rows B1, B2, B4, B6). It looks in memory only, and a key
// of wrong form costs no look-up. What it does not know it refuses.

import type { Scope } from '@wds/contracts/scopes'
import { type AddressRange, isInRanges } from './address-range.ts'
import { digestOfApiKey } from './api-key.ts'

/** The caller of a request. */
export interface Client {
  workspaceId: string
  kind: 'api_key'
  /** `key_…` */
  id: string
  scopes: ReadonlySet<Scope>
}

/** The caller, or the code of the problem to answer with. */
export type Authentication =
  | { ok: true; client: Client }
  | { ok: false; problem: 'unauthenticated' | 'invalid_token' | 'invalid_request' }

/** Judges a request. */
export interface Authenticator {
  /**
   * `authorization`: the header's value; `remoteAddress`: the client's, from listed proxies only. Throws when the keys in
   * memory are not fresh enough to judge by: that is 503, not a refusal.
   */
  authenticate(authorization: string | undefined, remoteAddress: string): Authentication
}

/** A key that is not revoked, as kept in memory. */
export interface LiveKey {
  client: Client
  /** Null: from anywhere. A range that cannot be read is left out, and the list stays a list. */
  ranges: readonly AddressRange[] | null
  /** Epoch milliseconds at which it ends, infinity for never. */
  endsMs: number
}

/** What the header carries. */
type Credentials = { kind: 'none' } | { kind: 'malformed' } | { kind: 'token'; token: string }

/** RFC 6750 2.1 and RFC 9110 11.1: the scheme in any case, one or more spaces, a token of the b64token alphabet. */
function readBearer(authorization: string | undefined): Credentials {
  if (authorization === undefined || authorization === '') return { kind: 'none' }
  const space = authorization.indexOf(' ')
  const scheme = space === -1 ? authorization : authorization.slice(0, space)
  if (scheme.toLowerCase() !== 'bearer') return { kind: 'none' }
  const token = space === -1 ? '' : authorization.slice(space).replace(/^ +/, '')
  return /^[\w.~+/-]+=*$/.test(token) ? { kind: 'token', token } : { kind: 'malformed' }
}

/** `findKey` looks a digest (hex) up in memory; `nowMs` is the anchored clock, epoch milliseconds. */
export function createAuthenticator(o: {
  findKey: (digest: string) => LiveKey | undefined
  nowMs: () => number
}): Authenticator {
  return {
    authenticate(authorization, remoteAddress) {
      const credentials = readBearer(authorization)
      if (credentials.kind === 'none') return { ok: false, problem: 'unauthenticated' }
      if (credentials.kind === 'malformed') return { ok: false, problem: 'invalid_request' }
      const digest = digestOfApiKey(credentials.token)
      const key = digest === null ? undefined : o.findKey(digest)
      // Written so that an end or a clock that is not a number refuses.
      if (key === undefined || !(o.nowMs() < key.endsMs)) return { ok: false, problem: 'invalid_token' }
      if (key.ranges !== null && !isInRanges(remoteAddress, key.ranges)) return { ok: false, problem: 'invalid_token' }
      return { ok: true, client: key.client }
    },
  }
}
