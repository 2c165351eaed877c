// Ends a way to sign in: an account at an upstream provider is not the person's any more (decision 87).
import { Problem } from '@wds/http-service/problem'
import type { Transaction } from '@wds/postgres/transaction'
import { recordAuditOfPerson } from '../audit/audit.ts'
import type { AuditOrigin } from '../audit/store.ts'
import { findAccount } from '../people/store.ts'
import { endSessionsByPerson } from '../sessions/end-own.ts'
import { requireRecentSignIn } from '../sessions/session.ts'
import { isOnlyWayIn, toConnected } from './connected.ts'
import type { Provider } from './providers.ts'
import { deleteIdentitiesOf, deleteIdentity, identitiesOf } from './store.ts'

/**
 * In a transaction of the person's own, asked by this session. Every other session of the person ends: one of them may have been started
 * with the account. Throws Problems `recent_sign_in_required`, `not_found`, and `invalid_state` for the only way to sign in.
 */
export async function disconnectIdentity(
  tx: Transaction,
  o: { identityId: string; userId: string; sessionId: string; providers: readonly Provider[]; origin: AuditOrigin },
): Promise<void> {
  const { identityId, userId, sessionId, origin } = o
  // Held, so that of two at once the second sees what the first has left.
  const account = await findAccount(tx, userId, { lock: true })
  await requireRecentSignIn(tx, { userId, sessionId })
  const connected = toConnected(await identitiesOf(tx, userId), o.providers)
  const found = connected.find(({ id }) => id === identityId)
  if (found === undefined) throw new Problem('not_found')
  if (isOnlyWayIn(identityId, { hasPassword: account?.hash != null, connected })) {
    const detail =
      'You could not sign in without it: connect another account, or ask an owner of your workspace for a link to a password, first.'
    throw new Problem('invalid_state', { detail, members: { current_status: 'only_way_in', allowed: [] } })
  }
  await deleteIdentity(tx, identityId)
  await recordAuditOfPerson(tx, { ...origin, action: 'identity_unlinked', object: found.issuer })
  await endSessionsByPerson(tx, { userId, except: sessionId, origin })
}

/** Where a person comes back by a link: nobody knows who connected what. Sessions are the caller's. */
export async function disconnectAll(tx: Transaction, userId: string, origin: AuditOrigin): Promise<void> {
  for (const issuer of await deleteIdentitiesOf(tx, userId)) {
    await recordAuditOfPerson(tx, { ...origin, action: 'identity_unlinked', object: issuer })
  }
}
