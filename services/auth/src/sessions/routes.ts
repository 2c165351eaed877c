// The session of the settings API: who is signed in, in which workspace; switching; ending all sessions of the person.
import { scopesOfRole } from '@wds/contracts/roles'
import { Problem } from '@wds/http-service/problem'
import type { Handle, RouteOf } from '@wds/http-service/route'
import { roleNotAllowed } from '@wds/http-service/session'
import { withTransaction } from '@wds/postgres/transaction'
import { originOf } from '../audit/audit.ts'
import type { Dependencies } from '../dependencies.ts'
import { findPeople, membershipOf, setPerson, workspacesOf } from '../members/store.ts'
import type { operations, paths } from '../openapi.generated.ts'
import { endAllSessions, signOutSession } from './end-own.ts'
import { ownSessionRoutes } from './own-routes.ts'
import { setCurrentWorkspace } from './store.ts'

const readSession =
  ({ pool }: Dependencies): Handle<operations['readSession']> =>
  async ({ session: { id: userId, workspaceId, role, csrfToken } }) => {
    const { person, own } = await withTransaction(pool, { workspaceId, userId, readOnly: true }, async (tx) => {
      const [people, own] = await Promise.all([findPeople(tx, [userId]), workspacesOf(tx)])
      return { person: people.get(userId), own }
    })
    const workspaces = own.map(({ rev: _, ...shown }) => shown)
    const workspace = workspaces.find(({ id }) => id === workspaceId)
    // Removed since the session was judged.
    if (!person || !workspace) throw roleNotAllowed('be_member', null)
    const user = { id: userId, name: person.name, email: person.email }
    const body = { object: 'session' as const, user, role, workspace, workspaces, csrf_token: csrfToken }
    return { status: 200, body, cache: 'no-store' }
  }

/** To another workspace of the person. The CSRF token is another one then: GET /v1/session has it. */
const switchWorkspace =
  ({ pool }: Dependencies): Handle<operations['switchWorkspace']> =>
  async ({ body, session: { id, sessionId } }) => {
    const { workspace_id: workspaceId } = body
    await withTransaction(pool, { workspaceId, userId: id }, async (tx) => {
      // Its members are still there after a workspace was deleted.
      if (!(await workspacesOf(tx)).some((own) => own.id === workspaceId)) throw new Problem('not_found')
      await setCurrentWorkspace(tx, sessionId, workspaceId)
    })
    return { status: 204 }
  }

/** Five minutes: the pages ask again, and a revocation has little left to refuse. */
const consoleTokenSeconds = 300 as const

/** With it the pages call the other services, in the name of the session: its end denies the token (auth.md 1.4). */
const makeToken =
  ({ pool, signToken }: Dependencies): Handle<operations['makeConsoleToken']> =>
  async ({ session: { id: sub, workspaceId: workspace_id, sessionId: grant_id } }) => {
    const membership = await withTransaction(pool, { workspaceId: workspace_id, readOnly: true }, (tx) =>
      membershipOf(tx, workspace_id, sub),
    )
    if (membership === null) throw roleNotAllowed('be_member', null)
    const scope = scopesOfRole(membership.role).join(' ')
    const claims = { sub, client_id: 'console', scope, workspace_id, grant_id, member_rev: membership.rev }
    const access_token = await signToken(claims, { lifeSeconds: consoleTokenSeconds })
    const body = { access_token, token_type: 'Bearer', expires_in: consoleTokenSeconds, scope } as const
    return { status: 200, body, cache: 'no-store', holdsSecret: true }
  }

/** As the button on the account page does. */
const endThisSession: Handle<operations['endSession']> = (request) =>
  request.write(async (tx) => {
    const { id: userId, sessionId } = request.session
    await setPerson(tx, userId)
    await signOutSession(tx, { userId, sessionId, origin: originOf(request) })
    return { status: 204 }
  })

/** This one too. */
const endAll: Handle<operations['endAllSessions']> = (request) =>
  request.write(async (tx) => {
    const { id: userId } = request.session
    await setPerson(tx, userId)
    await endAllSessions(tx, { userId, origin: originOf(request) })
    return { status: 204 }
  })

export const sessionRoutes = (o: Dependencies): RouteOf<paths>[] => [
  { method: 'GET', path: '/v1/session', session: 'be_member', handle: readSession(o) },
  { method: 'POST', path: '/v1/session/switch', session: 'be_member', handle: switchWorkspace(o) },
  { method: 'POST', path: '/v1/session/token', session: 'be_member', handle: makeToken(o) },
  { method: 'POST', path: '/v1/session/end', session: 'be_member', handle: endThisSession },
  { method: 'POST', path: '/v1/session/end-all', session: 'be_member', handle: endAll },
  ...ownSessionRoutes,
]
