// The operator's commands on apps, on the internal listener: registration whatever the plan, suspension at once.
import { execute, load } from '@wds/aggregate/aggregate'
import { loadOr404 } from '@wds/aggregate/resource'
import { dbNow } from '@wds/event-store/event-store'
import { retryOnConflict } from '@wds/event-store/retry-on-conflict'
import { Problem } from '@wds/http-service/problem'
import type { ApiRequest, Handle, RouteOf } from '@wds/http-service/route'
import type { Pool } from '@wds/postgres/pool'
import { withTransaction } from '@wds/postgres/transaction'
import { byOperator } from '../audit/audit.ts'
import type { operations, paths } from '../openapi.generated.ts'
import { workspaces } from '../workspaces/aggregate.ts'
import { oauthApps } from './aggregate.ts'
import { clientIdOf } from './domain/oauth-app.ts'
import { judgeNewApp } from './judge-fields.ts'
import { formBytesMax } from './logo.ts'
import { registerApp } from './register-app.ts'
import { shownApp, toProblem } from './resource.ts'
import { findApp } from './store.ts'

export function operatorAppRoutes(pool: Pool): RouteOf<paths>[] {
  const one = '/internal/oauth-apps/{id}'
  const scope = null
  return [
    { method: 'POST', path: '/internal/oauth-apps', scope, bodyBytesMax: formBytesMax, handle: register(pool) },
    { method: 'POST', path: `${one}/suspend`, scope, handle: (request) => command(pool, request, 'suspend') },
    { method: 'POST', path: `${one}/reinstate`, scope, handle: (request) => command(pool, request, 'reinstate') },
  ]
}

const contextOf = (workspaceId: string, { requestId }: ApiRequest) => ({ workspaceId, ...byOperator(requestId) })

const register =
  (pool: Pool): Handle<operations['registerOAuthAppAsOperator']> =>
  async (request) => {
    const { workspace_id: workspaceId, ...form } = request.body
    const app = await judgeNewApp(workspaceId, form)
    return withTransaction(pool, { workspaceId }, async (tx) => {
      const workspace = await load(tx, workspaces, workspaceId, { lock: true })
      if (workspace?.state.status !== 'active')
        throw new Problem('not_found', { detail: 'There is no such workspace.' })
      const made = await registerApp(tx, { context: contextOf(workspaceId, request), nowMs: await dbNow(tx), app })
      if (!made.ok) throw toProblem(made.error)
      const body = { ...(await shownApp(tx, made.value)), client_secret: made.secret }
      return { status: 201, body, holdsSecret: true }
    })
  }

/** Whatever the workspace: the operator names the app alone. */
async function command(
  pool: Pool,
  request: ApiRequest<operations['suspendOAuthApp']>,
  type: 'suspend' | 'reinstate',
): Promise<{ status: 204 }> {
  const place = await findApp(pool, clientIdOf(request.params.id))
  if (place === null) throw new Problem('not_found')
  const { workspaceId, appId } = place
  await retryOnConflict(() =>
    withTransaction(pool, { workspaceId }, async (tx) => {
      const loaded = await loadOr404(tx, oauthApps, appId, { lock: true })
      const context = contextOf(workspaceId, request)
      const outcome = await execute(tx, oauthApps, { context, loaded, command: { type } })
      if (!outcome.ok) throw toProblem(outcome.error)
    }),
  )
  return { status: 204 }
}
