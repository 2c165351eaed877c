// Who is signed in: sessions of people in browsers (auth.md 1.1). The cookie holds a secret of which only the digest is stored.
import { createHmac, randomBytes } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { digestOf } from '@wds/access/digest'
import { newId } from '@wds/aggregate/new-id'
import type { SessionEnd } from '@wds/contracts/auth-events'
import { Problem } from '@wds/http-service/problem'
import type { SessionJudge } from '@wds/http-service/session'
import type { Pool } from '@wds/postgres/pool'
import { allInOrder, type Transaction, withTransaction } from '@wds/postgres/transaction'
import { announceUnstreamed } from '../announcements/store.ts'
import { type OwnWorkspace, workspacesOf } from '../members/store.ts'
import type { Cookies } from '../web/cookies.ts'
import {
  deleteSession,
  deleteSessionById,
  deleteSessionsOf,
  type EndedByCookie,
  type EndedSession,
  findLiveSession,
  findSessionById,
  insertSession,
  roleOfSession,
  type SessionOrigin,
  sessionDaysMax,
  touchSession,
} from './store.ts'

/** A signed-in person. */
export interface Session {
  sessionId: string
  userId: string
  userName: string
  email: string
  /** Started by a sign-in within the last 10 minutes: that it is the person, and not somebody who found the cookie. */
  isRecent: boolean
  /** The current one, with role and version of the membership; null: a person of no workspace. */
  workspace: OwnWorkspace | null
  workspaces: OwnWorkspace[]
  /** For writes of this session in its current workspace. */
  csrf: string
}

/** What sessions are found with. */
export interface Sessions {
  pool: Pool
  cookies: Cookies
}

/** The live session of a `Cookie` header, or null. */
export async function findSession({ pool, cookies }: Sessions, header: string | undefined): Promise<Session | null> {
  const secret = cookies.read(header, 'session')
  if (secret === null || !/^[\w-]{43}$/.test(secret)) return null
  const digest = digestOf(secret)
  // One round trip: the statements do not wait for each other.
  const [row, workspaces] = await withTransaction(pool, { workspaceId: null }, (tx) =>
    allInOrder([findLiveSession(tx, digest), workspacesOf(tx), touchSession(tx, digest)]),
  )
  if (row === null) return null
  const workspace = workspaces.find(({ id }) => id === row.workspace_id) ?? workspaces[0] ?? null
  return {
    sessionId: row.session_id,
    userId: row.user_id,
    userName: row.name,
    email: row.email,
    isRecent: row.is_recent,
    workspace,
    workspaces,
    csrf: csrfOf(secret, workspace?.id ?? ''),
  }
}

/** Throws Problem `recent_sign_in_required` unless the session lives and a sign-in of the last 10 minutes started it. */
export async function requireRecentSignIn(
  tx: Transaction,
  session: Pick<Session, 'sessionId' | 'userId'>,
): Promise<void> {
  const found = await findSessionById(tx, session)
  if (!found?.is_recent) throw new Problem('recent_sign_in_required')
}

/** Whoever knows the token knows nothing of the cookie. Another current workspace has another token: a page of the former one changes nothing. */
function csrfOf(secret: string, workspaceId: string): string {
  return createHmac('sha256', secret).update(`csrf.1\n${workspaceId}`).digest('base64url')
}

/** For the HTTP kit. */
export function createSessionJudge(sessions: Sessions): SessionJudge {
  return async (header) => {
    const session = await findSession(sessions, header)
    if (session === null) return null
    const { userId: id, sessionId, workspace, csrf: csrfToken } = session
    if (workspace === null) return { client: null }
    const { id: workspaceId, role } = workspace
    const roleNow = (tx: Transaction) => roleOfSession(tx, { sessionId, workspaceId, userId: id })
    const isRecentNow = async (tx: Transaction) =>
      (await findSessionById(tx, { sessionId, userId: id }))?.is_recent === true
    return { client: { workspaceId, kind: 'user', id, role, sessionId, csrfToken, roleNow, isRecentNow } }
  }
}

/** A new session, with a new id whatever cookie the browser had (S20). The caller sets the cookie once the transaction is committed. */
export async function startSession(
  tx: Transaction,
  o: { userId: string; workspaceId: string | null; requestId: string } & SessionOrigin,
): Promise<{ sessionId: string; secret: string }> {
  const { userId, requestId } = o
  const secret = randomBytes(32).toString('base64url')
  const sessionId = newId('ses', Date.now())
  await insertSession(tx, { ...o, digest: digestOf(secret), sessionId })
  const started = { type: 'SessionStarted', key: userId, data: { session_id: sessionId, user_id: userId } } as const
  await announceUnstreamed(tx, [started], { actor: { type: 'user', id: userId }, requestId })
  return { sessionId, secret }
}

/** Ends the session of the cookie, if it is one. Returns which it was. */
export async function endSession(
  tx: Transaction,
  o: { secret: string; reason: SessionEnd; requestId: string },
): Promise<EndedByCookie | null> {
  const ended = await deleteSession(tx, digestOf(o.secret))
  if (ended === null) return null
  const { session_id, user_id } = ended
  await announceEnds(tx, [{ session_id, user_id }], o)
  return ended
}

/** Ends one session of the person; false: there is none. */
export async function endSessionById(
  tx: Transaction,
  o: { userId: string; sessionId: string; reason: SessionEnd; requestId: string },
): Promise<boolean> {
  const ended = await deleteSessionById(tx, o)
  await announceEnds(tx, ended, o)
  return ended.length > 0
}

/** Ends all sessions of a person, but for `except`. Returns how many. */
export async function endSessionsOf(
  tx: Transaction,
  o: { userId: string; except?: string; reason: SessionEnd; requestId: string },
): Promise<number> {
  const ended = await deleteSessionsOf(tx, o)
  await announceEnds(tx, ended, o)
  return ended.length
}

async function announceEnds(
  tx: Transaction,
  ended: readonly EndedSession[],
  o: { reason: SessionEnd; requestId: string },
): Promise<void> {
  const [first] = ended
  if (first === undefined) return
  const events = ended.map(
    (data) => ({ type: 'SessionEnded', key: data.user_id, data: { ...data, reason: o.reason } }) as const,
  )
  await announceUnstreamed(tx, events, { actor: { type: 'user', id: first.user_id }, requestId: o.requestId })
}

/** For the longest life of a session; the server ends it earlier where no request comes. */
export function setSessionCookie(cookies: Cookies, response: ServerResponse, secret: string): void {
  cookies.set(response, 'session', secret, { maxAgeSeconds: sessionDaysMax * 86_400 })
}
