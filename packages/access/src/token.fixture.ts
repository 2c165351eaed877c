// For tests: signs access tokens as auth does (auth.md 3.2), and any other way.
import { generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto'
import { exportJWK, type JWTHeaderParameters, type JWTPayload, SignJWT } from 'jose'
import { type SigningJwk, signingJwk } from './auth-events.ts'

export const issuer = 'https://auth.example.test'
export const audience = 'https://api.example.test'

export interface TestSigningKey {
  jwk: SigningJwk
  privateKey: KeyObject
}

export async function makeSigningKey(kid: string): Promise<TestSigningKey> {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return { jwk: signingJwk({ ...(await exportJWK(publicKey)), alg: 'ES256', kid }), privateKey }
}

/** Claims of a token that was issued at `atMs` and lives for an hour. */
export function claimsAt(atMs: number): JWTPayload & Record<string, unknown> {
  const iat = Math.floor(atMs / 1_000)
  const of = { sub: 'usr_1', client_id: 'cli_1', workspace_id: 'wsp_1', grant_id: 'grt_1', member_rev: 1 }
  return { ...of, iss: issuer, aud: audience, scope: 'stats:read', jti: randomUUID(), iat, exp: iat + 3_600 }
}

/** A token; `claims` and `header` replace those of a good one, undefined leaves one out. */
export function sign(
  { jwk, privateKey }: TestSigningKey,
  o: { atMs: number; claims?: JWTPayload & Record<string, unknown>; header?: Partial<JWTHeaderParameters> },
): Promise<string> {
  const header = { alg: 'ES256', typ: 'at+jwt', kid: jwk.kid, ...o.header }
  return new SignJWT({ ...claimsAt(o.atMs), ...o.claims })
    .setProtectedHeader(header)
    .sign(header.alg === 'HS256' ? new TextEncoder().encode(JSON.stringify(jwk)) : privateKey, { crit: { x: true } })
}
