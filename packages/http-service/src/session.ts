// Judges a request to a route that a signed-in person opens (auth.md 1.1): who is signed in, whether a write comes from our own page, and
// what the role allows. Cookies and tables are the service's: the kit asks its SessionJudge.
import type { IncomingMessage } from 'node:http'
import { type Right, type Role, roleAllows, rolesWith } from '@wds/contracts/roles'
import type { Transaction } from '@wds/postgres/transaction'
import { linesOf } from './headers.ts'
import { isSameSecret } from './is-same-secret.ts'
import { Problem } from './problem.ts'

/** A signed-in person, acting in the current workspace of the session. */
export interface SessionClient {
  workspaceId: string
  kind: 'user'
  /** `usr_…` */
  id: string
  role: Role
  /** `ses_…` */
  sessionId: string
  /** Bound to the session and its workspace; writes send it as `X-CSRF-Token`. */
  csrfToken: string
  /** The role as `tx` sees it; null: no member any more, or the session has ended. */
  roleNow(tx: Transaction): Promise<Role | null>
  /** Does the session live, and was it started by a sign-in of the last 10 minutes? */
  isRecentNow(tx: Transaction): Promise<boolean>
}

/** A live session. */
export interface FoundSession {
  /** Null: the person is a member of no workspace, and no route of the settings API is open. */
  client: SessionClient | null
}

/** Finds the live session of a `Cookie` header; null without one. */
export type SessionJudge = (cookieHeader: string | undefined) => Promise<FoundSession | null>

/** RFC 9110 15.5.2 asks for a challenge with every 401. */
const challenge = { 'www-authenticate': 'Cookie realm="wds"' }

/** The session of the request. Throws Problems `session_required` (a token is no person, auth.md B9) and `unauthenticated`. */
export async function findSession(request: IncomingMessage, judge: SessionJudge | undefined): Promise<FoundSession> {
  if (hasBearer(request)) throw new Problem('session_required')
  const session = await judge?.(request.headers.cookie)
  if (!session) {
    throw new Problem('unauthenticated', {
      detail: 'Nobody is signed in, or the session has ended.',
      headers: challenge,
    })
  }
  return session
}

/** Does the request bring credentials of its own, whatever cookies go with it? */
export function hasBearer(request: IncomingMessage): boolean {
  return linesOf(request, 'authorization').length > 0
}

/** Throws Problems `csrf_failed` and `role_not_allowed`. */
export function judgeSession(request: IncomingMessage, session: FoundSession, right: Right): SessionClient {
  const { client } = session
  if (client === null) throw new Problem('role_not_allowed', { detail: 'You are a member of no workspace.' })
  if (request.method !== 'GET' && request.method !== 'HEAD') judgeOrigin(request, client)
  if (!roleAllows(client.role, right)) throw roleNotAllowed(right, client.role)
  return client
}

/** Throws Problem `role_not_allowed` unless the role still allows it in the transaction of a write: a body may come half a minute after its head. */
export async function judgeRoleNow(tx: Transaction, session: SessionClient, right: Right): Promise<void> {
  const role = await session.roleNow(tx)
  if (role === null || !roleAllows(role, right)) throw roleNotAllowed(right, role)
}

/** Throws Problem `recent_sign_in_required` where the person did not sign in just now. */
export async function judgeRecentSignIn(tx: Transaction, session: SessionClient): Promise<void> {
  if (!(await session.isRecentNow(tx))) throw new Problem('recent_sign_in_required')
}

/** 403 that names the roles which may. `role`: of whoever asked; null: no member any more. */
export function roleNotAllowed(right: Right, role: Role | null): Problem {
  const own = role === null ? 'You are not a member of this workspace any more.' : `Your role is ${role}.`
  return new Problem('role_not_allowed', { detail: `This needs the role ${rolesWith(right).join(' or ')}. ${own}` })
}

/** A browser says itself where a request comes from, and only our own page can read the token. */
function judgeOrigin(request: IncomingMessage, { csrfToken }: SessionClient): void {
  const [given, ...more] = linesOf(request, 'x-csrf-token')
  const isOurs = linesOf(request, 'sec-fetch-site').join() === 'same-origin'
  if (!isOurs || given === undefined || more.length > 0 || !isSameSecret(given, csrfToken))
    throw new Problem('csrf_failed')
}
