// Judges callers by what a process holds in memory of the tables: API keys, signing keys and denials of tokens (auth.md 5).

import { isScope } from '@wds/contracts/scopes'
import type { KeyRow } from './access-store.ts'
import { createTokenVerifier } from './access-token.ts'
import { parseRange } from './address-range.ts'
import type { AuthClient } from './auth-client.ts'
import { type AskAuth, type Authenticator, createAuthenticator, type KeyClient, type LiveKey } from './authenticator.ts'
import { createDenials } from './denials.ts'
import { createFollower, type FollowerOptions, type Following, type Freshness } from './follower.ts'
import { createQuestions } from './questions.ts'
import { createSigningKeys } from './signing-keys.ts'

export interface AccessDirectoryOptions extends FollowerOptions {
  /** `{auth_url}`, which issues access tokens. */
  issuer: string
  /** `{base_url}`, which they are for. */
  audience: string
  /** Asked for keys that the tables do not have yet, and for every credential while the end of the log is not seen; left out: such a key is refused, and the latter 503. */
  auth?: AuthClient | undefined
  /** Hears of each request that is let in by a key; must cost nothing. */
  onKeyUsed?: (client: KeyClient) => void
}

/** Judges by the tables, which it follows. */
export interface AccessDirectory extends Authenticator, Following, Freshness {}

/** A key that is not accepted is not asked for again within this. */
const refusedMs = 5_000
/** The projection has it by then; of the 2 s that a revocation may take. */
const foundMs = 1_000
/** Of the 5 s after which a revocation is answered whether the log has it or not. */
const checkedMs = 2_000
/** Invented keys cost auth little. */
const missesPerSecond = 50

/** Builds the directory. Before it is loaded `authenticate` rejects with `ServiceError` `keys_unavailable`, while neither the log nor auth can be asked with `access_unconfirmed` (→ 503). */
export function createAccessDirectory(o: AccessDirectoryOptions): AccessDirectory {
  const { auth } = o
  const keys = new Map<string, LiveKey | null>()
  const denials = createDenials()
  const signingKeys = createSigningKeys({ fetchKeys: auth?.signingKeys })
  const follower = createFollower(
    {
      take: (change) => {
        if (change.source === 'key') keys.set(change.row.digest, liveKeyOf(change.row))
        else if (change.source === 'denial') denials.take(change.row)
        else signingKeys.take(change.row)
      },
      clear: () => {
        for (const held of [keys, denials, signingKeys]) held.clear()
      },
      taken: denials.prune,
    },
    o,
  )
  const withoutSlash = (url: string) => url.replace(/\/+$/, '')
  const { authenticate } = createAuthenticator({
    findKey: (digest) => keys.get(digest),
    auth: auth && askAuth(auth),
    tokens: createTokenVerifier({
      issuer: withoutSlash(o.issuer),
      audience: withoutSlash(o.audience),
      keys: signingKeys,
    }),
    denies: denials.denies,
    nowMs: follower.nowMs,
    isConfirmed: follower.isConfirmed,
  })
  return {
    ...follower,
    async authenticate(authorization, remoteAddress) {
      const result = await authenticate(authorization, remoteAddress)
      if (result.ok && result.client.kind === 'api_key') o.onKeyUsed?.(result.client)
      return result
    },
  }
}

function askAuth(auth: AuthClient): AskAuth {
  const askKey = async (digest: string) => {
    const found = await auth.findKey(digest)
    return found ? liveKeyOf(found) : null
  }
  const missing = createQuestions<string, LiveKey | null>({
    ask: askKey,
    rememberMs: (key) => (key === null ? refusedMs : foundMs),
    perSecond: missesPerSecond,
  })
  const keys = createQuestions<string, LiveKey | null>({ ask: askKey, rememberMs: () => checkedMs })
  const tokens = createQuestions({ ask: auth.isTokenLive, rememberMs: () => checkedMs })
  return {
    findKey: (digest) => missing.ask(digest, digest),
    checkKey: (digest) => keys.ask(digest, digest),
    checkToken: (token) => tokens.ask(token.jti, token),
  }
}

/** Null: it was revoked, and nobody is asked for it. */
function liveKeyOf(row: KeyRow): LiveKey | null {
  if (row.revoked) return null
  return {
    client: {
      workspaceId: row.workspace_id,
      kind: 'api_key',
      id: row.key_id,
      scopes: new Set(row.scopes.filter(isScope)),
    },
    ranges: row.cidrs.length === 0 ? null : row.cidrs.map(parseRange).filter((range) => range !== null),
    endsMs: row.ends_ms ?? Number.POSITIVE_INFINITY,
  }
}
