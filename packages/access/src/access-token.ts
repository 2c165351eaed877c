// Verifies an access token (auth.md 3.2, 3.4; RFC 9068): signature, algorithm, type, issuer, audience, times and members. Whether it was revoked
// is not asked here. Nothing in a token chooses where a key comes from.

import { hash } from 'node:crypto'
import { isScope, type Scope } from '@wds/contracts/scopes'
import { errors, type JWTPayload, jwtVerify } from 'jose'
import { type SigningKeys, UnknownKey } from './signing-keys.ts'

/** An app, or our own settings pages, that acts for a person in one workspace. */
export interface TokenClient {
  workspaceId: string
  kind: 'client'
  /** Client id: `cli_…`, or `console`. */
  id: string
  scopes: ReadonlySet<Scope>
  /** `usr_…` */
  userId: string
  /** `grt_…`; of `console` its session. */
  grantId: string
}

/** What a verified token says. Instants are epoch milliseconds. */
export interface AccessToken {
  client: TokenClient
  jti: string
  memberRev: number
  issuedMs: number
  expiresMs: number
}

export interface TokenVerifier {
  /** Null: it is not valid at `nowMs`. Throws `ServiceError` when its key is unknown and auth could not be asked for it. */
  verify(token: string, nowMs: number): Promise<AccessToken | null>
}

/** The longest token that is looked at; ours have some 900 characters. */
const charactersMax = 4_096
/** Clocks may differ by as much (B11). */
const toleranceMs = 30_000
/** A verified token is not verified again for so long, and not beyond its end. */
const cachedMs = 60_000
const cachedMax = 10_000

/** `issuer` and `audience`: `{auth_url}` and `{base_url}`, without a slash at the end. */
export function createTokenVerifier(o: { issuer: string; audience: string; keys: SigningKeys }): TokenVerifier {
  const seen = new Map<string, { token: AccessToken; untilMs: number }>()
  return {
    async verify(text, nowMs) {
      if (text.length > charactersMax) return null
      const digest = hash('sha256', text, 'base64')
      const known = seen.get(digest)
      if (known && nowMs < known.untilMs) return known.token
      seen.delete(digest)
      const token = await verifyAnew(text, nowMs, o)
      if (token === null) return null
      const [oldest] = seen.size < cachedMax ? [] : seen.keys()
      if (oldest !== undefined) seen.delete(oldest)
      seen.set(digest, { token, untilMs: Math.min(nowMs + cachedMs, token.expiresMs) })
      return token
    },
  }
}

async function verifyAnew(
  text: string,
  nowMs: number,
  o: { issuer: string; audience: string; keys: SigningKeys },
): Promise<AccessToken | null> {
  try {
    const { payload } = await jwtVerify(text, ({ kid }) => o.keys.find(kid ?? ''), {
      issuer: o.issuer,
      audience: o.audience,
      algorithms: ['ES256'],
      typ: 'at+jwt',
      clockTolerance: toleranceMs / 1_000,
      currentDate: new Date(nowMs),
    })
    return readClaims(payload, nowMs)
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof UnknownKey) return null
    throw error
  }
}

/** Null unless every member is there and of its kind: our own tokens have them all. */
function readClaims(payload: JWTPayload, nowMs: number): AccessToken | null {
  const { iat, exp, jti, member_rev: memberRev } = payload
  const { sub, client_id, scope, workspace_id, grant_id } = payload
  const texts = [jti, sub, client_id, workspace_id, grant_id]
  if (!texts.every((text) => typeof text === 'string' && text !== '' && text.length <= 200)) return null
  if (typeof scope !== 'string' || !Number.isInteger(memberRev)) return null
  if (iat === undefined || exp === undefined || iat * 1_000 > nowMs + toleranceMs) return null
  const [tokenId, userId, id, workspaceId, grantId] = texts as [string, string, string, string, string]
  const scopes = new Set(scope.split(' ').filter(isScope))
  return {
    client: { workspaceId, kind: 'client', id, scopes, userId, grantId },
    jti: tokenId,
    memberRev: memberRev as number,
    issuedMs: iat * 1_000,
    expiresMs: exp * 1_000,
  }
}
