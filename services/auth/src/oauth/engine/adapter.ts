// How the engine stores: digests of ids, compare and set for what may be used once, families that end in one transaction (auth.md 2.2). Whatever
// it is not meant to store, it refuses.
import type { Pool } from '@wds/postgres/pool'
import { allInOrder, setWorkspace, withTransaction } from '@wds/postgres/transaction'
import { type Adapter, type AdapterPayload, errors } from 'oidc-provider'
import { findClient as findApp } from '../../oauth-apps/store.ts'
import { endGrants } from '../grants/end-grants.ts'
import { toClientMetadata } from './client-metadata.ts'
import { byClient, requestStateOf } from './request-state.ts'
import { consumeRecord, deleteRecord, findRecord, holdGrant, putRecord, type RecordKind, recordKinds } from './store.ts'
import { readUserContext } from './user-context.ts'

export interface AdapterOptions {
  pool: Pool
  /** `{auth_url}/oauth/authorize`: ways back are made from it, never from what a request says of its host (W5). */
  authorizeUrl: string
}

/** The adapter of one kind of the engine's models. */
export function createAdapter(name: string, o: AdapterOptions): Adapter {
  if (name === 'Client') return { ...refusing(name), find: (id) => findClient(id, o) }
  // Saved when a person has consented and read by nobody: each authorisation begins without one (W6).
  if (name === 'Session') return { ...refusing(name), upsert: async () => undefined }
  const kind = recordKinds.find((known) => known === name)
  return kind === undefined ? refusing(name) : stored(kind, o)
}

async function findClient(id: string, { pool }: AdapterOptions): Promise<AdapterPayload | undefined> {
  const client = await findApp(pool, id)
  return client === null || client.state === 'suspended' ? undefined : toClientMetadata(client)
}

/** Finds nothing and stores nothing. */
function refusing(name: string): Adapter {
  const refuse = async () => {
    throw new Error(`the engine does not store ${name} here`)
  }
  const nothing = async () => undefined
  return {
    find: nothing,
    findByUid: nothing,
    findByUserCode: nothing,
    upsert: refuse,
    consume: refuse,
    destroy: refuse,
    // The family goes with its Grant, which the engine destroys beside this.
    revokeByGrantId: nothing,
  }
}

function stored(kind: RecordKind, o: AdapterOptions): Adapter {
  return {
    ...refusing(kind),
    find: (id) => find(kind, id, o),
    upsert: (id, payload, ttlSeconds = 0) => upsert(kind, { id, payload, ttlSeconds }, o),
    consume: async (id) => {
      requestStateOf().consuming = { kind, id }
    },
    // A token is destroyed beside its Grant alone, with which it goes.
    destroy: async (id) => {
      if (kind === 'Grant') await endFamily(id, o)
      if (kind === 'Interaction') await deleteRecord(o.pool, kind, id)
    },
  }
}

async function find(kind: RecordKind, id: string, o: AdapterOptions): Promise<AdapterPayload | undefined> {
  const record = await findRecord(o.pool, kind, id)
  if (record === null) return undefined
  const { payload, consumed, workspaceId, memberRev } = record
  if (kind === 'Interaction' && !(await hasRedirectUrl(payload, o))) return undefined
  if (kind === 'Grant' && workspaceId !== null && memberRev !== null) {
    // Of the same row as the scopes: a token never carries a later version of the membership than the scopes it has.
    requestStateOf().grant = { grantId: id, workspaceId, memberRev }
  }
  const found: AdapterPayload = { ...payload, jti: id }
  if (consumed !== null) found.consumed = consumed
  if (kind === 'Interaction') found.returnTo = `${o.authorizeUrl}/${id}`
  return found
}

/** The engine compares the redirect URL at the beginning alone: one that the app gave up meanwhile gets neither code nor error. */
async function hasRedirectUrl({ params }: AdapterPayload, { pool }: AdapterOptions): Promise<boolean> {
  const client = await findApp(pool, String(params?.client_id))
  return client?.redirectUrls.includes(String(params?.redirect_uri)) ?? false
}

type Saved = { id: string; payload: AdapterPayload; ttlSeconds: number }

async function upsert(kind: RecordKind, { id, payload, ttlSeconds }: Saved, o: AdapterOptions): Promise<void> {
  // What a client or browser presents is the id: it stands in no column.
  const { jti: _, returnTo: __, ...kept } = payload
  if (kind === 'Grant') throw new Error('grants are made by consent, with their event')
  if (kind === 'Interaction') return putRecord(o.pool, { kind, id, grantId: null, payload: kept, ttlSeconds })
  await joinFamily(kind, { id, payload: kept, ttlSeconds }, o)
}

/**
 * A code or token of a live grant, with no more scopes than the grant has now. What it is given for is consumed in the same transaction: a
 * request that the database cuts short has consumed nothing, and may be tried again.
 */
async function joinFamily(
  kind: 'AuthorizationCode' | 'RefreshToken',
  { id, payload, ttlSeconds }: Saved,
  { pool }: AdapterOptions,
): Promise<void> {
  const state = requestStateOf()
  const { consuming } = state
  const { grantId, scope, accountId = '' } = payload as unknown as TokenPayload
  const ended = await withTransaction(pool, { workspaceId: null }, async (tx) => {
    const grant = await holdGrant(tx, grantId)
    // What comes after the end of its family is not stored: nobody could use it.
    if (grant === null) return 'gone'
    const outcome = consuming === null ? 'consumed' : await consumeRecord(tx, consuming.kind, consuming.id)
    if (outcome !== 'consumed') return outcome
    const { workspaceId } = grant
    const held = new Set(Object.values(grant.resources).flatMap((text) => text.split(' ')))
    const kept = scope.split(' ').filter((name) => held.has(name))
    const stored = putRecord(tx, { kind, id, grantId, payload: { ...payload, scope: kept.join(' ') }, ttlSeconds })
    await allInOrder([stored, setWorkspace(tx, workspaceId)])
    if (kind === 'RefreshToken') state.userContext = await readUserContext(tx, { workspaceId, userId: accountId })
    return null
  })
  if (ended !== null && kind === 'RefreshToken')
    await refuseUsed(consuming?.kind ?? kind, { grantId, outcome: ended }, { pool })
}

interface TokenPayload {
  grantId: string
  scope: string
  accountId?: string
}

/**
 * One of any number of callers goes on; the others end the family, which is committed before they are refused. Beside that no transaction is
 * open: whoever came second holds the Grant that is to end.
 */
async function refuseUsed(
  kind: RecordKind,
  { grantId, outcome }: { grantId: string; outcome: 'again' | 'gone' },
  { pool }: Pick<AdapterOptions, 'pool'>,
): Promise<never> {
  if (outcome === 'gone') throw new errors.InvalidGrant(`${kind} ended while it was used`)
  const by = byClient()
  await withTransaction(pool, { workspaceId: null }, (tx) => endGrants(tx, { grantId }, { ...reuseOf(kind), by }))
  throw new errors.InvalidGrant(`${kind} was used by two requests at the same time`)
}

const reuseOf = (kind: RecordKind) =>
  kind === 'RefreshToken'
    ? ({ reason: 'refresh_token_reused', isReuse: true } as const)
    : ({ reason: 'code_reused' } as const)

/** The engine ends a grant for two reasons: its client revoked a token, or something was used twice. */
async function endFamily(grantId: string, { pool }: AdapterOptions): Promise<void> {
  const { route, grantType } = requestStateOf()
  const end =
    route === 'revocation'
      ? ({ reason: 'revoked_by_app' } as const)
      : reuseOf(grantType === 'refresh_token' ? 'RefreshToken' : 'AuthorizationCode')
  await withTransaction(pool, { workspaceId: null }, (tx) => endGrants(tx, { grantId }, { ...end, by: byClient() }))
}
