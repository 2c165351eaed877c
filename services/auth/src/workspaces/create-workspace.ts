// The operator's command: a workspace, its plan, a first key and an owner, in one transaction. The key is shown once, in this answer.
import { blank, execute } from '@wds/aggregate/aggregate'
import { newId } from '@wds/aggregate/new-id'
import type { Plan } from '@wds/contracts/roles'
import { scopes as allScopes, type Scope } from '@wds/contracts/scopes'
import { type AppendContext, dbNow } from '@wds/event-store/event-store'
import type { Pool } from '@wds/postgres/pool'
import { withTransaction } from '@wds/postgres/transaction'
import { createKey } from '../api-keys/create-key.ts'
import { byOperator } from '../audit/audit.ts'
import { workspaces } from './aggregate.ts'
import { type GivenOwner, giveOwner, type Owner } from './give-owner.ts'

export interface CreateWorkspaceRequest {
  name: string
  plan: Plan
  /** Name of the first key. */
  keyName: string
  /** Scopes of the first key; null: all eight. */
  scopes: Scope[] | null
  /** Null: nobody yet. */
  owner?: (Owner & { authUrl: string }) | null
  /** Of the new workspace; made here unless told. */
  context?: AppendContext
}

export interface CreatedWorkspace {
  workspaceId: string
  keyId: string
  /** The key itself, which nothing stores. */
  apiKey: string
  owner: GivenOwner | null
}

/** A refusal of the domain, with the code that the answer carries. */
export class CreateWorkspaceRefused extends Error {}

export function createWorkspace(pool: Pool, request: CreateWorkspaceRequest): Promise<CreatedWorkspace> {
  const { name, plan, keyName, scopes, owner = null } = request
  const context = request.context ?? { workspaceId: newId('wsp', Date.now()), ...byOperator() }
  const { workspaceId } = context
  return withTransaction(pool, { workspaceId }, async (tx) => {
    const nowMs = await dbNow(tx)
    const command = { type: 'create', workspaceId, name, plan } as const
    const loaded = blank(workspaces, { nowMs, id: workspaceId })
    const outcome = await execute(tx, workspaces, { context, loaded, command })
    if (!outcome.ok) throw new CreateWorkspaceRefused(outcome.error)
    const key = { name: keyName, scopes: scopes ?? [...allScopes], cidrs: [], expires: null, creator: null }
    const made = await createKey(tx, { context, nowMs, key })
    if (!made.ok) throw new CreateWorkspaceRefused(made.error)
    const given = owner && (await giveOwner(tx, owner, { context, authUrl: owner.authUrl }))
    return { workspaceId, keyId: made.value.id, apiKey: made.apiKey, owner: given }
  })
}
