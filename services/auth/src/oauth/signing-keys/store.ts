// Keys that sign access tokens, the private half in envelope encryption (security.md 3). Every change is announced in its transaction.

import { generateKeyPairSync } from 'node:crypto'
import { newId } from '@wds/aggregate/new-id'
import type { AuthEvents } from '@wds/contracts/auth-events'
import type { EnvelopeEncryption } from '@wds/envelope-encryption/envelope-encryption'
import type { Pool } from '@wds/postgres/pool'
import { type Transaction, withTransaction } from '@wds/postgres/transaction'
import type { EncryptedColumn } from '@wds/service-host/reencrypt-secrets'
import { calculateJwkThumbprint, type JWK_EC_Private, type JWK_EC_Public } from 'jose'
import { announceUnstreamed } from '../../announcements/store.ts'

/** Public members only (RFC 7517). */
export type PublicJwk = AuthEvents['SigningKeyPublished']['jwk']

/** `next`: published, and signs from the next rotation on. `retired`: signs no more, and is published until its last token is over. */
export type SigningKeyState = 'current' | 'next' | 'retired'

export interface SigningKeys {
  /** The one that signs. */
  current: { kid: string; privateJwk: JWK_EC_Private & { kid: string; alg: 'ES256'; use: 'sig' } }
  /** All of them, the current one first. */
  published: PublicJwk[]
}

interface KeyRow {
  kid: string
  state: SigningKeyState
  public_jwk: PublicJwk
  private_jwk: string | null
  /** Milliseconds in this state. */
  age_ms: number
  [column: string]: unknown
}

const keyColumn = { table: 'signing_keys', column: 'private_jwk' } as const
const placeOf = (kid: string) => ({ workspaceId: '', rowId: kid, ...keyColumn })

/** For `reencrypt-secrets`. */
export const storedKeys: EncryptedColumn = { ...keyColumn, id: 'kid', of: 'service' }

async function readKeys(db: Pick<Transaction, 'query'>): Promise<KeyRow[]> {
  // A handful of rows.
  const { rows } = await db.query<KeyRow>(
    `select kid, state, public_jwk, private_jwk, extract(epoch from app_now() - since)::float8 * 1000 as age_ms
      from signing_keys order by array_position(array['current', 'next', 'retired'], state), since desc`,
  )
  return rows
}

/** The keys as they are now. The first call of a new installation makes one. Throws when the current one does not decrypt. */
export async function loadSigningKeys(pool: Pool, envelope: EnvelopeEncryption): Promise<SigningKeys> {
  const rows = await withTransaction(pool, { workspaceId: null }, async (tx) => {
    const found = await readKeys(tx)
    if (found.length > 0) return found
    await lockRotation(tx)
    if ((await readKeys(tx)).length === 0) await addKey(tx, { envelope, state: 'current' })
    return await readKeys(tx)
  })
  const current = rows[0]
  if (current?.state !== 'current' || current.private_jwk === null) throw new Error('there is no current signing key')
  return {
    current: { kid: current.kid, privateJwk: JSON.parse(envelope.decrypt(current.private_jwk, placeOf(current.kid))) },
    published: rows.map(({ public_jwk }) => public_jwk),
  }
}

/** The public half of every key that tokens may be signed with. */
export async function readPublishedKeys(pool: Pool): Promise<PublicJwk[]> {
  return (await readKeys(pool)).map(({ public_jwk }) => public_jwk)
}

/** Until then somebody may not know it: JWKS are cached for 5 minutes, and the log is read within seconds. */
const publishedBeforeUseMs = 10 * 60_000
/** A token lives for an hour; processes sign with a retired key until they have looked (half a minute). */
const retiredMs = 2 * 3_600_000

/** What a step of the rotation did. `wait`: nothing, the next step is due in so many milliseconds. */
export type Rotation = { did: 'published' | 'promoted'; kid: string } | { did: 'wait'; ms: number }

/**
 * One step of a rotation: publishes a new key, or, once it was published for 10 minutes, lets it sign and retires the one before. Retired
 * keys go two hours later (`pruneSigningKeys`).
 */
export function rotateSigningKeys(pool: Pool, envelope: EnvelopeEncryption): Promise<Rotation> {
  return withTransaction(pool, { workspaceId: null }, async (tx): Promise<Rotation> => {
    await lockRotation(tx)
    const next = (await readKeys(tx)).find(({ state }) => state === 'next')
    if (next === undefined) return { did: 'published', kid: await addKey(tx, { envelope, state: 'next' }) }
    if (next.age_ms < publishedBeforeUseMs) return { did: 'wait', ms: Math.ceil(publishedBeforeUseMs - next.age_ms) }
    await tx.query(
      `update signing_keys set state = 'retired', private_jwk = null, since = app_now() where state = 'current'`,
    )
    await tx.query(`update signing_keys set state = 'current', since = app_now() where kid = $1`, [next.kid])
    return { did: 'promoted', kid: next.kid }
  })
}

/** Removes keys that were retired two hours ago. */
export function pruneSigningKeys(pool: Pool): Promise<void> {
  return withTransaction(pool, { workspaceId: null }, async (tx) => {
    const { rows } = await tx.query<{ kid: string }>(
      `delete from signing_keys where state = 'retired' and since < app_now() - make_interval(secs => $1) returning kid`,
      [retiredMs / 1_000],
    )
    const retired = rows.map(({ kid }) => ({ type: 'SigningKeyRetired', key: kid, data: { kid } }) as const)
    await announceUnstreamed(tx, retired, bySigningKeys())
  })
}

/** Rotations wait for each other. */
async function lockRotation(tx: Transaction): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtext('signing_keys'))`)
}

async function addKey(
  tx: Transaction,
  { envelope, state }: { envelope: EnvelopeEncryption; state: SigningKeyState },
): Promise<string> {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { d, x, y } = privateKey.export({ format: 'jwk' }) as JWK_EC_Private
  const bare = { kty: 'EC', crv: 'P-256', x, y } satisfies JWK_EC_Public & { kty: 'EC' }
  const kid = await calculateJwkThumbprint(bare)
  const jwk: PublicJwk = { kty: 'EC', crv: 'P-256', x, y, alg: 'ES256', use: 'sig', kid }
  await tx.query('insert into signing_keys (kid, state, public_jwk, private_jwk) values ($1, $2, $3, $4)', [
    ...[kid, state, JSON.stringify(jwk), envelope.encrypt(JSON.stringify({ ...jwk, d }), placeOf(kid))],
  ])
  await announceUnstreamed(tx, [{ type: 'SigningKeyPublished', key: kid, data: { kid, jwk } }], bySigningKeys())
  return kid
}

const bySigningKeys = () => ({
  actor: { type: 'system', id: 'signing-keys' } as const,
  requestId: newId('req', Date.now()),
})
