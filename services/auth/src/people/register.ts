// Makes an account. It is called with an invitation or by the operator's command alone: there is no open registration (auth.md 1.1).
import { newId } from '@wds/aggregate/new-id'
import type { Actor } from '@wds/event-store/event-store'
import type { Transaction } from '@wds/postgres/transaction'
import { announceUnstreamed } from '../announcements/store.ts'
import { emailKeyOf } from './email.ts'
import { insertUser, savePassword } from './store.ts'

export interface NewPerson {
  name: string
  email: string
  /** Null: signs in by an upstream provider. */
  passwordHash: string | null
  /** A new id unless told. */
  userId?: string
}

/** The id of the new person, or null where somebody has the address. */
export async function registerPerson(
  tx: Transaction,
  { name, email, passwordHash, userId = newId('usr', Date.now()) }: NewPerson,
  o: { actor?: Actor; requestId: string },
): Promise<string | null> {
  if (!(await insertUser(tx, { userId, name, email, emailKey: emailKeyOf(email) }))) return null
  if (passwordHash !== null) await savePassword(tx, userId, passwordHash)
  const registered = { type: 'UserRegistered', key: userId, data: { user_id: userId } } as const
  await announceUnstreamed(tx, [registered], { actor: o.actor ?? { type: 'user', id: userId }, requestId: o.requestId })
  return userId
}
