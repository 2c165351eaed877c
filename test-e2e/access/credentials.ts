/** Keys and access tokens of every condition, announced on the log as auth announces them. */
import { generateKeyPairSync, hash, type KeyObject, randomBytes, randomUUID } from 'node:crypto'
import { makeApiKey } from '@wds/access/api-key'
import type { AuthEvents, AuthEventType } from '@wds/contracts/auth-events'
import { type IdPrefix, idRandomBytes, makeId } from '@wds/contracts/ids'
import { scopes as allScopes, type Scope } from '@wds/contracts/scopes'
import { topics } from '@wds/contracts/topics'
import type { EventLog, NewLogRecord } from '@wds/event-log/port'
import { exportJWK, SignJWT } from 'jose'

export interface TokenMaker {
  /** `grantId`: what is revoked. */
  makeToken(o: TokenOptions): Promise<{ token: string; grantId: string }>
}

interface TokenOptions {
  workspaceId: string
  scopes?: readonly Scope[]
  /** Over since an hour. */
  expired?: boolean
  /** Of an access token: seconds that it still lives, below 0 since when it is over. */
  secondsLeft?: number
}

export const newId = (prefix: IdPrefix): string => makeId(prefix, Date.now(), randomBytes(idRandomBytes))

async function tell<T extends AuthEventType>(log: EventLog, type: T, key: string, data: AuthEvents[T]): Promise<void> {
  const eventId = newId('evt')
  const event = { id: eventId, type, created: new Date().toISOString(), data }
  const headers = { event_id: eventId, event_type: type, schema_version: '1', workspace_id: key }
  const record: NewLogRecord = {
    topic: topics.authEvents,
    key,
    eventId,
    headers,
    payload: Buffer.from(JSON.stringify(event)),
  }
  await log.publish([record])
}

/** A key that signs as one of auth's; services know it once they read the log. */
export async function openTokenMaker(log: EventLog, o: { issuer: string; audience: string }): Promise<TokenMaker> {
  const kid = randomUUID()
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x, y } = (await exportJWK(publicKey)) as { x: string; y: string }
  const jwk = { kty: 'EC', crv: 'P-256', x, y, alg: 'ES256', use: 'sig', kid } as const
  await tell(log, 'SigningKeyPublished', kid, { kid, jwk })
  return { makeToken: (of) => makeToken(of, { ...o, kid, privateKey }) }
}

async function makeToken(
  { workspaceId, scopes = allScopes, expired = false, secondsLeft = expired ? -3_600 : 3_600 }: TokenOptions,
  o: { issuer: string; audience: string; kid: string; privateKey: KeyObject },
) {
  const grantId = newId('grt')
  const iat = Math.floor(Date.now() / 1_000) - 3_600 + secondsLeft
  const claims = {
    client_id: newId('app').replace('app', 'cli'),
    scope: scopes.join(' '),
    workspace_id: workspaceId,
    grant_id: grantId,
  }
  const token = await new SignJWT({ ...claims, member_rev: 1 })
    .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: o.kid })
    .setIssuer(o.issuer)
    .setAudience(o.audience)
    .setSubject(newId('usr'))
    .setJti(randomUUID())
    .setIssuedAt(iat)
    .setExpirationTime(iat + 3_600)
    .sign(o.privateKey)
  return { token, grantId }
}

export async function revokeGrant(log: EventLog, workspaceId: string, grantId: string): Promise<void> {
  const of = { workspace_id: workspaceId, grant_id: grantId, user_id: 'usr_x', client_id: 'cli_x' }
  await tell(log, 'GrantRevoked', workspaceId, { ...of, reason: 'ended_by_user' })
}

export async function makeKey(
  log: EventLog,
  { workspaceId, scopes = allScopes, expired = false }: TokenOptions,
): Promise<{ token: string; keyId: string }> {
  const token = makeApiKey(randomBytes)
  const keyId = newId('key')
  await tell(log, 'ApiKeyCreated', workspaceId, {
    key_id: keyId,
    workspace_id: workspaceId,
    digest: hash('sha256', token, 'hex'),
    prefix: token.slice(0, 13),
    last4: token.slice(-4),
    name: 'test',
    scopes: [...scopes],
    cidrs: [],
    creator: null,
    expires: expired ? new Date(Date.now() - 3_600_000).toISOString() : null,
  })
  return { token, keyId }
}

export const revokeKey = (log: EventLog, workspaceId: string, keyId: string): Promise<void> =>
  tell(log, 'ApiKeyRevoked', workspaceId, { workspace_id: workspaceId, key_id: keyId })
