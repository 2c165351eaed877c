// Makes an account at an upstream provider a way to sign in. Whoever asks was judged before.
import { newId } from '@wds/aggregate/new-id'
import type { Transaction } from '@wds/postgres/transaction'
import { recordAuditOfPerson } from '../audit/audit.ts'
import type { AuditOrigin } from '../audit/store.ts'
import { insertIdentity, type VouchedIdentity } from './store.ts'

/** In a transaction of the person's own, once it has its workspaces. False where it is somebody's already. */
export async function connectIdentity(
  tx: Transaction,
  { userId, identity, origin }: { userId: string; identity: VouchedIdentity; origin: AuditOrigin },
): Promise<boolean> {
  if (!(await insertIdentity(tx, { identityId: newId('idn', Date.now()), userId, identity }))) return false
  await recordAuditOfPerson(tx, { ...origin, action: 'identity_linked', object: identity.issuer })
  return true
}
