// The operator's commands on workspaces, on the internal listener.
import { execute } from '@wds/aggregate/aggregate'
import { newId } from '@wds/aggregate/new-id'
import { Problem } from '@wds/http-service/problem'
import type { ApiRequest, Handle, RouteOf } from '@wds/http-service/route'
import { withTransaction } from '@wds/postgres/transaction'
import { byOperator } from '../audit/audit.ts'
import type { Dependencies } from '../dependencies.ts'
import type { operations, paths } from '../openapi.generated.ts'
import { workspaces } from './aggregate.ts'
import { CreateWorkspaceRefused, createWorkspace } from './create-workspace.ts'
import { giveOwner, judgeOwner } from './give-owner.ts'
import { loadWorkspace, toApi } from './settings-routes.ts'

type Operator = Pick<Dependencies, 'pool' | 'hasher' | 'authUrl'>

const contextOf = (workspaceId: string, { requestId }: ApiRequest) => ({ workspaceId, ...byOperator(requestId) })

/** Key and link of an invitation stand in this answer and nowhere else. */
const make =
  ({ pool, hasher, authUrl }: Operator): Handle<operations['createWorkspace']> =>
  async (request) => {
    const { name, plan = 'free', key_name: keyName = 'first key', scopes = null, owner: given } = request.body
    const owner =
      given === undefined ? null : { ...(await judgeOwner(given, { hasher, workspaceName: name })), authUrl }
    const context = contextOf(newId('wsp', Date.now()), request)
    const made = await createWorkspace(pool, { name, plan, keyName, scopes, owner, context }).catch(
      (error: unknown) => {
        if (error instanceof CreateWorkspaceRefused) throw new Problem('validation_failed', { detail: error.message })
        throw error
      },
    )
    const { workspaceId: workspace_id, keyId: key_id, apiKey: api_key } = made
    return { status: 201, body: { workspace_id, key_id, api_key, ...made.owner }, holdsSecret: true }
  }

const addOwner =
  ({ pool, hasher, authUrl }: Operator): Handle<operations['giveOwner']> =>
  async (request) => {
    const owner = await judgeOwner(request.body, { hasher })
    const workspaceId = request.params.id
    const given = await withTransaction(pool, { workspaceId }, async (tx) => {
      await loadWorkspace(tx, workspaceId, { lock: true })
      return giveOwner(tx, owner, { context: contextOf(workspaceId, request), authUrl })
    })
    // Whoever holds the link becomes one by using it: until then nothing is done.
    if ('invitation_link' in given) return { status: 202, body: given, holdsSecret: true }
    return { status: 200, body: given }
  }

const changePlan =
  ({ pool }: Operator): Handle<operations['changePlan']> =>
  async (request) => {
    const workspaceId = request.params.id
    const command = { type: 'change_plan', workspaceId, plan: request.body.plan } as const
    const changed = await withTransaction(pool, { workspaceId }, async (tx) => {
      const loaded = await loadWorkspace(tx, workspaceId, { lock: true })
      const outcome = await execute(tx, workspaces, { context: contextOf(workspaceId, request), loaded, command })
      if (!outcome.ok) throw new Problem('not_found')
      return outcome.value
    })
    return { status: 200, body: toApi(changed) }
  }

export const workspaceRoutes = (o: Operator): RouteOf<paths>[] => {
  const command = { method: 'POST', scope: null, bodyBytesMax: 64 * 1024 } as const
  return [
    { ...command, path: '/internal/workspaces', handle: make(o) },
    { ...command, path: '/internal/workspaces/{id}/owners', handle: addOwner(o) },
    { ...command, path: '/internal/workspaces/{id}/plan', handle: changePlan(o) },
  ]
}
