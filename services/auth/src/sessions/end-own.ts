// A person ends sessions of their own. Another one than that which asks needs a sign-in of the last 10 minutes: whoever found the cookie of a
// session that is older does not sign out the person who comes back. Each holds the person's row, as a sign-in does: a session that is being
// made ends too, and of two that end each other one is left. Signing out needs nothing but the session itself.
import { withoutUndefined } from '@wds/contracts/without-undefined'
import { Problem } from '@wds/http-service/problem'
import type { Transaction } from '@wds/postgres/transaction'
import { recordAuditOfPerson } from '../audit/audit.ts'
import type { AuditOrigin } from '../audit/store.ts'
import { setPerson } from '../members/store.ts'
import { findAccount } from '../people/store.ts'
import { endSession, endSessionById, endSessionsOf, requireRecentSignIn } from './session.ts'

/** In a transaction of the person's own. `by`: the session that asks. */
interface Ending {
  userId: string
  by: string
  origin: AuditOrigin
}

/** Ends the session of a cookie, if it is one, and makes the transaction its person's. Returns whose it was, and its current workspace. */
export async function signOutCookie(
  tx: Transaction,
  { secret, client }: { secret: string; client: Omit<AuditOrigin, 'actor'> },
): Promise<{ userId: string; workspaceId: string | null } | null> {
  const ended = await endSession(tx, { secret, reason: 'signed_out', requestId: client.requestId })
  if (ended === null) return null
  const { session_id: sessionId, user_id: userId, workspace_id: workspaceId } = ended
  await setPerson(tx, userId)
  if (ended.was_live) await recordSignOut(tx, { sessionId, origin: { ...client, actor: `user:${userId}` } })
  return { userId, workspaceId }
}

/** In a transaction of the person's own. Nothing happens where the session has ended already. */
export async function signOutSession(
  tx: Transaction,
  { userId, sessionId, origin }: { userId: string; sessionId: string; origin: AuditOrigin },
): Promise<void> {
  const end = { userId, sessionId, reason: 'signed_out', requestId: origin.requestId } as const
  if (await endSessionById(tx, end)) await recordSignOut(tx, { sessionId, origin })
}

const recordSignOut = (tx: Transaction, { sessionId, origin }: { sessionId: string; origin: AuditOrigin }) =>
  recordAuditOfPerson(tx, { ...origin, action: 'sign_out', object: sessionId })

/** The session that asks needs no recent sign-in to end itself. Throws Problems `recent_sign_in_required` and `not_found`. */
export async function endOwnSession(tx: Transaction, o: Ending & { sessionId: string }): Promise<void> {
  const { userId, sessionId, by, origin } = o
  await findAccount(tx, userId, { lock: true })
  if (sessionId !== by) await requireRecentSignIn(tx, { userId, sessionId: by })
  const end = { userId, sessionId, reason: 'ended_by_user', requestId: origin.requestId } as const
  if (!(await endSessionById(tx, end))) throw new Problem('not_found')
  await recordAuditOfPerson(tx, { ...origin, action: 'session_ended', object: sessionId })
}

/** Throws Problem `recent_sign_in_required`. */
export async function endOtherSessions(tx: Transaction, { userId, by, origin }: Ending): Promise<void> {
  await findAccount(tx, userId, { lock: true })
  await requireRecentSignIn(tx, { userId, sessionId: by })
  await endSessionsByPerson(tx, { userId, except: by, origin })
}

/** Those that ask among them, so no recent sign-in is needed. */
export async function endAllSessions(tx: Transaction, { userId, origin }: Omit<Ending, 'by'>): Promise<void> {
  await findAccount(tx, userId, { lock: true })
  await endSessionsByPerson(tx, { userId, origin })
}

/** The caller has locked the person's row, and judged who asks. */
export async function endSessionsByPerson(
  tx: Transaction,
  { userId, except, origin }: { userId: string; except?: string; origin: AuditOrigin },
): Promise<void> {
  const which = { userId, except, reason: 'ended_by_user', requestId: origin.requestId } as const
  const ended = await endSessionsOf(tx, withoutUndefined(which))
  if (ended === 0) return
  await recordAuditOfPerson(tx, { ...origin, action: 'sessions_ended', object: userId })
}
