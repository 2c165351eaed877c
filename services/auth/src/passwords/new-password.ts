// Gives a person a new password: every session of the person and every link for another one end with it, and no browser is known any more.
import type { Transaction } from '@wds/postgres/transaction'
import { recordAuditOfPerson } from '../audit/audit.ts'
import type { AuditOrigin } from '../audit/store.ts'
import { savePassword } from '../people/store.ts'
import { deletePasswordLinks } from '../people/store-links.ts'
import { endSessionsOf } from '../sessions/session.ts'
import { deleteKnownBrowsers } from '../throttle/store-known-browsers.ts'

/** In the transaction of the person (`userId`), whose row the caller has locked. */
export async function giveNewPassword(
  tx: Transaction,
  o: { userId: string; hash: string; origin: AuditOrigin },
): Promise<void> {
  const { userId, hash, origin } = o
  await savePassword(tx, userId, hash)
  await deletePasswordLinks(tx, userId)
  await deleteKnownBrowsers(tx, userId)
  await endSessionsOf(tx, { userId, reason: 'password_changed', requestId: origin.requestId })
  await recordAuditOfPerson(tx, { ...origin, action: 'password_changed', object: userId })
}
