// A person ends sessions of their own. Another one than that which asks needs a sign-in of the last 10 minutes: whoever found the cookie of a
// session that is older does not sign out the person who comes back. Each holds the person's row, as a sign-in does: a session that is being
// made ends too, and of two that end each other one is left.
import { Problem } from '@wds/http-service/problem'
import type { Transaction } from '@wds/postgres/transaction'
import { recordAuditOfPerson } from '../audit/audit.ts'
import type { AuditOrigin } from '../audit/store.ts'
import { findAccount } from '../people/store.ts'
import { endSessionById, endSessionsOf, requireRecentSignIn } from './session.ts'

/** In a transaction of the person's own. `by`: the session that asks. */
interface Ending {
  userId: string
  by: string
  origin: AuditOrigin
}

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
  const which = { userId, ...(except === undefined ? {} : { except }) }
  const ended = await endSessionsOf(tx, { ...which, reason: 'ended_by_user', requestId: origin.requestId })
  if (ended === 0) return
  await recordAuditOfPerson(tx, { ...origin, action: 'sessions_ended', object: userId })
}
