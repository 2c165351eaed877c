// The sessions of whoever is signed in: the list, the end of one, and of all others.
import type { Handle, RouteOf } from '@wds/http-service/route'
import { originOf } from '../audit/audit.ts'
import { setPerson } from '../members/store.ts'
import type { operations, paths } from '../openapi.generated.ts'
import { endOtherSessions, endOwnSession } from './end-own.ts'
import { liveSessionsOf } from './store.ts'

const list: Handle<operations['listSessions']> = async (request) => {
  const { id, sessionId } = request.session
  const rows = await request.read((tx) => liveSessionsOf(tx, id))
  const data = rows.map((row) => ({
    object: 'account_session' as const,
    id: row.session_id,
    is_current: row.session_id === sessionId,
    created: row.created.toISOString(),
    last_used: row.last_seen.toISOString(),
    address: row.address,
    user_agent: row.user_agent,
  }))
  return { status: 200, body: { object: 'list', data, has_more: false, next_cursor: null }, cache: 'no-store' }
}

const endOne: Handle<operations['endOneSession']> = (request) =>
  request.write(async (tx) => {
    const { id: userId, sessionId: by } = request.session
    await setPerson(tx, userId)
    await endOwnSession(tx, { userId, by, sessionId: request.params.id, origin: originOf(request) })
    return { status: 204 }
  })

const endOthers: Handle<operations['endOtherSessions']> = (request) =>
  request.write(async (tx) => {
    const { id: userId, sessionId: by } = request.session
    await setPerson(tx, userId)
    await endOtherSessions(tx, { userId, by, origin: originOf(request) })
    return { status: 204 }
  })

export const ownSessionRoutes: RouteOf<paths>[] = [
  { method: 'GET', path: '/v1/account/sessions', session: 'be_member', handle: list },
  { method: 'DELETE', path: '/v1/account/sessions/{id}', session: 'be_member', handle: endOne },
  { method: 'POST', path: '/v1/account/sessions/end-others', session: 'be_member', handle: endOthers },
]
