// Signing in and out with the page's form (auth.md 1.1): a new session each time, with secrets that nobody brought.
import type { MountExchange } from '@wds/http-service/mount'
import type { Pool } from '@wds/postgres/pool'
import { withTransaction } from '@wds/postgres/transaction'
import { type By, recordAuditOfPerson } from '../audit/audit.ts'
import { setPerson } from '../members/store.ts'
import type { PasswordHasher } from '../people/password-hash.ts'
import { findAccount, replaceHash } from '../people/store.ts'
import { verifyPassword } from '../people/verify-password.ts'
import { signOutCookie } from '../sessions/end-own.ts'
import { setSessionCookie, startSession } from '../sessions/session.ts'
import { browserOf, rememberBrowser, setBrowserCookie } from '../throttle/known-browsers.ts'
import type { Cookies } from '../web/cookies.ts'

export interface SignIn {
  pool: Pool
  cookies: Cookies
  hasher: PasswordHasher
}

export type SignInOutcome =
  | { ok: true }
  | { ok: false; reason: 'wrong' }
  | { ok: false; reason: 'too_many_failures'; retryAfterSeconds: number }

/** Who asks, from where. */
export const clientOf = ({ request, requestId, origin }: MountExchange) => ({
  address: origin.address,
  userAgent: request.headers['user-agent']?.slice(0, 255) ?? null,
  requestId,
})

/** What a person does by a page of ours, for events. */
export const byPerson = (exchange: MountExchange, userId: string): By => {
  const { address, userAgent, requestId } = clientOf(exchange)
  const { traceparent } = exchange.trace
  const actor = { type: 'user', id: userId } as const
  return { actor, correlation: requestId, trace: { traceparent }, origin: { address, userAgent } }
}

/** Sets the cookies of the new session. Throws Problem `unavailable` when too many passwords are judged already. */
export async function signInWithPassword(
  exchange: MountExchange,
  given: { email: string; password: string },
  o: SignIn,
): Promise<SignInOutcome> {
  const browser = browserOf(o.cookies, exchange.request)
  const verified = await verifyPassword(o, { ...given, ...clientOf(exchange), browser })
  if (!verified.ok) return verified
  const { account } = verified
  const newHash = o.hasher.isOutdated(account.hash) ? await o.hasher.hash(given.password) : null
  const opened = await withTransaction(o.pool, { workspaceId: null, userId: account.user_id }, async (tx) => {
    // Changed or disabled since it was judged: whoever ended all sessions would have ended this one.
    const now = await findAccount(tx, account.user_id, { lock: true })
    if (now?.status !== 'active' || now.hash !== account.hash) return null
    if (newHash !== null) await replaceHash(tx, account.user_id, { from: account.hash, to: newHash })
    return openSession(tx, exchange, { userId: account.user_id, cookies: o.cookies })
  })
  if (opened === null) return { ok: false, reason: 'wrong' }
  setCookiesOf(exchange, o.cookies, opened)
  return { ok: true }
}

/** Secrets of the cookies that a sign-in sets. */
export interface OpenedSession {
  session: string
  browser: string
}

/**
 * Ends the session that the browser had and starts a new one (S20); the caller sets the cookies once it is committed. Where the former one was
 * the same person's, its workspace stays the current one: another tab of the console goes on in it.
 */
export async function openSession(
  tx: Parameters<typeof startSession>[0],
  exchange: MountExchange,
  o: { userId: string; workspaceId?: string; cookies: Cookies },
): Promise<OpenedSession> {
  const { userId, cookies } = o
  const client = clientOf(exchange)
  const secretBefore = cookies.read(exchange.request.headers.cookie, 'session')
  const former = secretBefore && (await signOutCookie(tx, { secret: secretBefore, client }))
  if (former) await setPerson(tx, userId)
  const workspaceId = o.workspaceId ?? (former && former.userId === userId ? former.workspaceId : null)
  const { secret, sessionId } = await startSession(tx, { userId, workspaceId, ...client })
  await recordAuditOfPerson(tx, { ...client, actor: `user:${userId}`, action: 'sign_in', object: sessionId })
  return { session: secret, browser: await rememberBrowser(tx, exchange.request, { userId, cookies }) }
}

export function setCookiesOf({ response }: MountExchange, cookies: Cookies, { session, browser }: OpenedSession): void {
  setSessionCookie(cookies, response, session)
  setBrowserCookie(cookies, response, browser)
}

/** Ends the session of the cookie, and forgets the cookie in any case. */
export async function signOut(
  exchange: MountExchange,
  { pool, cookies }: Pick<SignIn, 'pool' | 'cookies'>,
): Promise<void> {
  const secret = cookies.read(exchange.request.headers.cookie, 'session')
  if (secret !== null) {
    await withTransaction(pool, { workspaceId: null }, (tx) =>
      signOutCookie(tx, { secret, client: clientOf(exchange) }),
    )
  }
  cookies.clear(exchange.response, 'session')
}
