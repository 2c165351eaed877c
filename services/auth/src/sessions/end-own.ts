// A person ends sessions of their own from another one. It asks for a sign-in of the last 10 minutes: whoever found the cookie of a session
// that is older does not sign out the person who comes back.
import { Problem } from '@wds/http-service/problem'
import type { Transaction } from '@wds/postgres/transaction'
import { recordAuditOfPerson } from '../audit/audit.ts'
import type { AuditOrigin } from '../audit/store.ts'
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
  if (sessionId !== by) await requireRecentSignIn(tx, { userId, sessionId: by })
  const end = { userId, sessionId, reason: 'ended_by_user', requestId: origin.requestId } as const
  if (!(await endSessionById(tx, end))) throw new Problem('not_found')
  await recordAuditOfPerson(tx, { ...origin, action: 'session_ended', object: sessionId })
}

/** Throws Problem `recent_sign_in_required`. */
export async function endOtherSessions(tx: Transaction, { userId, by, origin }: Ending): Promise<void> {
  await requireRecentSignIn(tx, { userId, sessionId: by })
  await endSessionsOf(tx, { userId, except: by, reason: 'ended_by_user', requestId: origin.requestId })
  await recordAuditOfPerson(tx, { ...origin, action: 'sessions_ended', object: userId })
}
