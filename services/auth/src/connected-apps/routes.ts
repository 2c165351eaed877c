// Connected apps (auth.md 4.4): the live grants of a workspace as its people see and end them. Whoever does not manage grants has its own
// alone; the grants themselves belong to the OAuth server.
import type { Loaded } from '@wds/aggregate/aggregate'
import { type Listed, list } from '@wds/aggregate/list'
import { answerOf, commonFields, loadOr404 } from '@wds/aggregate/resource'
import { roleAllows } from '@wds/contracts/roles'
import { requireMatch } from '@wds/http-service/conditional'
import type { Cursors } from '@wds/http-service/cursor'
import { Problem } from '@wds/http-service/problem'
import type { ApiRequest, Handle, RouteOf } from '@wds/http-service/route'
import type { Transaction } from '@wds/postgres/transaction'
import { readLastTokens } from '../oauth/engine/store.ts'
import { grants } from '../oauth/grants/aggregate.ts'
import type { GrantState } from '../oauth/grants/domain/grant.ts'
import { endGrants } from '../oauth/grants/end-grants.ts'
import type { ConnectedApp, operations, paths } from '../openapi.generated.ts'
import { readAppFaces, readNames } from './store.ts'

const connectedApps: Listed<GrantState, ConnectedApp> = {
  path: '/v1/connected-apps',
  table: grants.table,
  decider: grants.decider,
  // Given by who asks, never by the query.
  filters: { user: 'user_id', status: 'status' },
  isLive: true,
  toApi,
}

export function connectedAppRoutes({ cursors }: { cursors: Cursors }): RouteOf<paths>[] {
  const session = 'be_member'
  const listAll: Handle<operations['listConnectedApps']> = (request) => {
    const mine = seesAll(request) ? {} : { user: request.session.id }
    return list(request, connectedApps, { cursors, within: { ...mine, status: 'live' } })
  }
  return [
    { method: 'GET', path: '/v1/connected-apps', session, handle: listAll },
    { method: 'GET', path: '/v1/connected-apps/{id}', session, handle: read },
    { method: 'DELETE', path: '/v1/connected-apps/{id}', session, handle: end },
    { method: 'POST', path: '/v1/connected-apps/end-all', session, handle: endAll },
  ]
}

const seesAll = (request: Pick<ApiRequest, 'session'>) => roleAllows(request.session.role, 'manage_grants')

/** The live grant, or 404: also for one of somebody else. */
async function find(tx: Transaction, request: Pick<ApiRequest, 'session' | 'params'>): Promise<Loaded<GrantState>> {
  const found = await loadOr404(tx, grants, request.params.id ?? '')
  const { state } = found
  const isSeen = state.status === 'live' && (seesAll(request) || state.user_id === request.session.id)
  if (!isSeen) throw new Problem('not_found')
  return found
}

const read: Handle<operations['readConnectedApp']> = (request) =>
  request.read(async (tx) => answerOf(tx, connectedApps, await find(tx, request)))

/** A refresh fails from the commit on; access tokens follow as the deny-lists hear of it (auth.md 5). */
const end: Handle<operations['endConnectedApp']> = (request) =>
  request.write(async (tx) => {
    const { id: grantId, state, version } = await find(tx, request)
    requireMatch(request, version)
    const isOwn = state.status !== 'none' && state.user_id === request.session.id
    const reason = isOwn ? 'ended_by_user' : 'ended_by_admin'
    const { workspaceId } = request.session
    const ended = await endGrants(tx, { grantId, workspaceId }, { reason, by: request.context })
    // Somebody else was faster.
    if (ended === 0) throw new Problem('not_found')
    return { status: 204 }
  })

/** One's own first: they end by the person's wish, the others by the administrator's. */
const endAll: Handle<operations['endAllConnectedApps']> = (request) =>
  request.write(async (tx) => {
    const { workspaceId, id: userId } = request.session
    const by = request.context
    let ended = await endGrants(tx, { workspaceId, userId }, { reason: 'ended_by_user', by })
    if (seesAll(request)) ended += await endGrants(tx, { workspaceId }, { reason: 'ended_by_admin', by })
    return { status: 200, body: { object: 'ended_connected_apps', ended } }
  })

async function toApi(rows: Loaded<GrantState>[], tx: Transaction): Promise<ConnectedApp[]> {
  const states = rows.flatMap(({ state }) => (state.status === 'none' ? [] : [state]))
  const names = await readNames(
    tx,
    states.map(({ user_id }) => user_id),
  )
  const faces = await readAppFaces(
    tx,
    states.map(({ client_id }) => client_id),
  )
  const lastTokens = await readLastTokens(
    tx,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => {
    const { state } = row
    if (state.status === 'none') throw new Error('what is stored is a grant')
    const face = faces.get(state.client_id)
    const common = commonFields('connected_app', row)
    return {
      ...common,
      app: {
        client_id: state.client_id,
        name: face?.name ?? null,
        logo_path: face ? `/logos/${face.logoDigest}.png` : null,
        owner_workspace: face?.ownerWorkspace ?? null,
      },
      user: { id: state.user_id, name: names.get(state.user_id) ?? null },
      scopes: state.scopes,
      // Until its code is redeemed there is no token.
      last_used: `${(lastTokens.get(row.id)?.toISOString() ?? common.created).slice(0, 17)}00.000Z`,
    }
  })
}
