// Decides who is calling from the Authorization header (auth.md B1, B2, B4, B6): API keys and access tokens take one path. A key of wrong form
// costs no look-up. What it does not know it refuses. By memory alone, as long as that is known to be complete; else auth is asked (auth.md 5.7).

import type { Scope } from '@wds/contracts/scopes'
import { ServiceError } from '@wds/postgres/transaction'
import type { AccessToken, TokenClient, TokenVerifier } from './access-token.ts'
import { type AddressRange, isInRanges } from './address-range.ts'
import { digestOfApiKey } from './api-key.ts'

/** A caller that is no app: the workspace's own key. */
export interface KeyClient {
  workspaceId: string
  kind: 'api_key'
  /** `key_…` */
  id: string
  scopes: ReadonlySet<Scope>
}

/** The caller of a request. */
export type Client = KeyClient | TokenClient

/** The caller, or the code of the problem to answer with. */
export type Authentication =
  | { ok: true; client: Client }
  | { ok: false; problem: 'unauthenticated' | 'invalid_token' | 'invalid_request' }

/** Judges a request. */
export interface Authenticator {
  /**
   * `authorization`: the header's value; `remoteAddress`: the client's, from listed proxies only. Rejects when what is in
   * memory is not fresh enough to judge by: that is 503, not a refusal.
   */
  authenticate(authorization: string | undefined, remoteAddress: string): Promise<Authentication>
}

/** A key that is not revoked, as kept in memory. */
export interface LiveKey {
  client: KeyClient
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

export interface AuthenticatorOptions {
  /** Looks the digest (hex) of a key up in memory. Null: it was revoked; undefined: it is not known there. */
  findKey(digest: string): LiveKey | null | undefined
  tokens: TokenVerifier
  /** Was this token revoked, in whatever way? */
  denies(token: AccessToken, nowMs: number): boolean
  /** The anchored clock, epoch milliseconds; throws before the tables are in memory. */
  nowMs(): number
  /** Does memory hold everything that auth told until a few seconds ago? */
  isConfirmed(): boolean
  /** Left out where nobody can be asked. */
  auth?: AskAuth | undefined
}

/** What auth is asked. Each rejects with `ServiceError` (→ 503) when it does not answer. */
export interface AskAuth {
  /** A key that is not known in memory. Null: there is none. */
  findKey(digest: string): Promise<LiveKey | null>
  /** A key as it is now. Null: it is revoked, or over. */
  checkKey(digest: string): Promise<LiveKey | null>
  /** Is a token that was verified still good? */
  checkToken(token: AccessToken): Promise<boolean>
}

export function createAuthenticator(o: AuthenticatorOptions): Authenticator {
  return {
    async authenticate(authorization, remoteAddress) {
      const credentials = readBearer(authorization)
      if (credentials.kind === 'none') return { ok: false, problem: 'unauthenticated' }
      if (credentials.kind === 'malformed') return { ok: false, problem: 'invalid_request' }
      const { token } = credentials
      const client = token.startsWith('wdk_') ? await judgeKey(token, remoteAddress, o) : await judgeToken(token, o)
      return client === null ? { ok: false, problem: 'invalid_token' } : { ok: true, client }
    },
  }
}

async function judgeKey(token: string, remoteAddress: string, o: AuthenticatorOptions): Promise<Client | null> {
  const digest = digestOfApiKey(token)
  if (digest === null) return null
  // Throws before anybody is asked.
  o.nowMs()
  const key = await keyOf(digest, o)
  // Written so that an end or a clock that is not a number refuses.
  if (!key || !(o.nowMs() < key.endsMs)) return null
  return key.ranges === null || isInRanges(remoteAddress, key.ranges) ? key.client : null
}

async function keyOf(digest: string, o: AuthenticatorOptions): Promise<LiveKey | null> {
  const key = o.findKey(digest)
  // A key is revoked for good.
  if (key === null || (key !== undefined && o.isConfirmed())) return key
  if (o.auth === undefined && o.isConfirmed()) return null
  return askAuth(o, (auth) => (key === undefined ? auth.findKey(digest) : auth.checkKey(digest)))
}

async function judgeToken(text: string, o: AuthenticatorOptions): Promise<Client | null> {
  const token = await o.tokens.verify(text, o.nowMs())
  // Asked every time, and after the signature was judged: what was revoked meanwhile is refused.
  if (token === null || o.denies(token, o.nowMs())) return null
  const isGood = o.isConfirmed() || (await askAuth(o, (auth) => auth.checkToken(token)))
  return isGood ? token.client : null
}

/** While the end of the log is not seen either, nobody can tell a good credential from a revoked one. */
async function askAuth<T>(o: AuthenticatorOptions, ask: (auth: AskAuth) => Promise<T>): Promise<T> {
  try {
    if (o.auth !== undefined) return await ask(o.auth)
  } catch (error) {
    if (o.isConfirmed()) throw error
    throw unconfirmed(error)
  }
  throw unconfirmed()
}

const unconfirmed = (cause?: unknown) =>
  new ServiceError('access_unconfirmed', 'Neither the end of the log nor auth can be asked.', { cause })
