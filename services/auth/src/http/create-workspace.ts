/** The operator's command: a workspace, its plan and a first key, in one transaction. The key is shown once, in this answer. */
import { createHash, randomBytes } from 'node:crypto'
import { makeApiKey, parseApiKey } from '@wds/access/api-key'
import { makeId } from '@wds/contracts/ids'
import { scopes as allScopes, type Scope } from '@wds/contracts/scopes'
import { topics } from '@wds/contracts/topics'
import { type AppendContext, appendEvents, dbNow, loadStream } from '@wds/event-store/event-store'
import type { StoredEvent, StoredStream } from '@wds/event-store/republish'
import type { Pool } from '@wds/postgres/pool'
import { type Transaction, withTransaction } from '@wds/postgres/transaction'
import { serverContext } from '@wds/telemetry/spans'
import { type ApiKeyCreated, apiKeyDecider } from '../domain/api-key.ts'
import { type Plan, workspaceDecider } from '../domain/workspace.ts'
import { countLiveKeys, insertApiKey } from '../store/api-keys.ts'
import { insertWorkspace } from '../store/workspaces.ts'

export interface CreateWorkspaceRequest {
  name: string
  plan: Plan
  /** Name of the first key. */
  keyName: string
  /** Scopes of the first key; null: all eight. */
  scopes: Scope[] | null
}

export interface CreatedWorkspace {
  workspaceId: string
  keyId: string
  /** The key itself, which nothing stores. */
  apiKey: string
}

/** A refusal of the domain, with the code that the answer carries. */
export class CreateWorkspaceRefused extends Error {}

/** The JSON of an auth event on the log; streams and log carry the same data. */
function announce(event: { type: string; data: unknown }, meta: { eventId: string; created: string }, key: string) {
  const payload = { id: meta.eventId, type: event.type, created: meta.created, data: event.data }
  return [{ topic: topics.authEvents, key, type: event.type, payload: Buffer.from(JSON.stringify(payload)) }]
}

/**
 * The same of an event as its stream holds it: for `republish`, after the log lost records. Of a revoked key only its end is announced
 * again: whoever has forgotten both must not hear of its beginning alone.
 */
export function announceAgain(stored: StoredEvent, stream: StoredStream) {
  if (stream.later.some(({ type }) => type === 'ApiKeyRevoked')) return []
  return announce(stored, stored, stream.workspaceId)
}

async function createKey(
  tx: Transaction,
  o: { context: AppendContext; nowMs: number; name: string; scopes: Scope[] },
): Promise<{ keyId: string; apiKey: string }> {
  const workspaceId = o.context.workspaceId
  const apiKey = makeApiKey(randomBytes)
  const parsed = parseApiKey(apiKey)
  if (!parsed.ok) throw new Error('a new key does not parse')
  const keyId = makeId('key', o.nowMs, randomBytes(10))
  const key: ApiKeyCreated['data'] = {
    key_id: keyId,
    workspace_id: workspaceId,
    digest: createHash('sha256').update(apiKey).digest('hex'),
    prefix: parsed.prefix,
    last4: parsed.last4,
    name: o.name,
    scopes: o.scopes,
    cidrs: [],
    expires: null,
  }
  const liveKeys = await countLiveKeys(tx, workspaceId)
  const decision = apiKeyDecider.decide(apiKeyDecider.initialState, { type: 'CreateApiKey', key, liveKeys })
  if (!decision.accepted) throw new CreateWorkspaceRefused(decision.rejection)
  const appended = await appendEvents(tx, {
    context: o.context,
    streamType: 'api_key',
    streamId: keyId,
    expectedVersion: 0,
    nowMs: o.nowMs,
    lastCreatedMs: null,
    events: decision.events,
    announce: (event, meta) => announce(event, meta, workspaceId),
  })
  await insertApiKey(tx, key, { version: appended.version, created: appended.created[0] as string })
  return { keyId, apiKey }
}

export async function createWorkspace(pool: Pool, request: CreateWorkspaceRequest): Promise<CreatedWorkspace> {
  const workspaceId = makeId('wsp', Date.now(), randomBytes(10))
  const requestId = makeId('req', Date.now(), randomBytes(10))
  return withTransaction(pool, { workspaceId }, async (tx) => {
    const nowMs = await dbNow(tx)
    const context: AppendContext = {
      workspaceId,
      actor: { type: 'system', id: 'operator' },
      correlation: requestId,
      trace: serverContext(undefined),
    }
    const stream = await loadStream(tx, workspaceDecider, {
      workspaceId,
      streamType: 'workspace',
      streamId: workspaceId,
    })
    const decision = workspaceDecider.decide(stream.state, {
      type: 'CreateWorkspace',
      workspaceId,
      name: request.name,
      plan: request.plan,
    })
    if (!decision.accepted) throw new CreateWorkspaceRefused(decision.rejection)
    const appended = await appendEvents(tx, {
      context,
      streamType: 'workspace',
      streamId: workspaceId,
      expectedVersion: stream.version,
      nowMs,
      lastCreatedMs: stream.lastCreatedMs,
      events: decision.events,
      announce: (event, meta) => announce(event, meta, workspaceId),
    })
    for (const event of decision.events) {
      const { name, slug, plan } = event.data
      const created = appended.created[0] as string
      await insertWorkspace(tx, { workspaceId, name, slug, plan, version: appended.version, created })
    }
    const key = await createKey(tx, { context, nowMs, name: request.keyName, scopes: request.scopes ?? [...allScopes] })
    return { workspaceId, ...key }
  })
}
