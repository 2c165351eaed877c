// Makes a person the owner of a workspace, for the operator: by a new account with a password, or by an invitation for whoever it is.
import type { AppendContext } from '@wds/event-store/event-store'
import { Problem } from '@wds/http-service/problem'
import type { Transaction } from '@wds/postgres/transaction'
import { originOfBy } from '../audit/audit.ts'
import { invite } from '../invitations/invite.ts'
import { addMember } from '../members/add-member.ts'
import { membershipOf } from '../members/store.ts'
import { refusalOfPassword } from '../people/common-passwords.ts'
import { emailKeyOf, isEmail } from '../people/email.ts'
import { isPersonName } from '../people/name.ts'
import type { PasswordHasher } from '../people/password-hash.ts'
import { registerPerson } from '../people/register.ts'
import { findAccountByEmail } from '../people/store.ts'

/** As the operator gives it. */
export interface OwnerRequest {
  email: string
  name?: string
  password?: string
}

/** One that may be carried out. */
export interface Owner {
  email: string
  name: string | null
  passwordHash: string | null
}

/** Exactly one of them. */
export type GivenOwner = { user_id: string } | { invitation_link: string }

/** `workspaceName`: no word of it makes the password. Throws Problem `validation_failed`, and `unavailable` when too many passwords are computed already. */
export async function judgeOwner(
  { email, name, password }: OwnerRequest,
  { hasher, workspaceName = '' }: { hasher: Pick<PasswordHasher, 'hash'>; workspaceName?: string },
): Promise<Owner> {
  const refusal = password === undefined ? null : refusalOfPassword(password, [email, name ?? '', workspaceName])
  if (!isEmail(email))
    throw new Problem('validation_failed', { detail: 'The address of the owner is no mail address.' })
  if (name !== undefined && !isPersonName(name))
    throw new Problem('validation_failed', { detail: 'The name of the owner cannot be shown.' })
  if (refusal !== null) throw new Problem('validation_failed', { detail: refusal })
  return { email, name: name ?? null, passwordHash: password === undefined ? null : await hasher.hash(password) }
}

/**
 * In the workspace of the context. Can be repeated. An account that is there keeps its password and its role, and gets a link: nobody has
 * proven that an address is his or hers, so whoever took it first is not made an owner for it.
 */
export async function giveOwner(
  tx: Transaction,
  { email, name, passwordHash }: Owner,
  o: { context: AppendContext; authUrl: string },
): Promise<GivenOwner> {
  const { context } = o
  const { workspaceId, actor, correlation: requestId } = context
  const account = await findAccountByEmail(tx, emailKeyOf(email))
  const present = account === null ? null : await membershipOf(tx, workspaceId, account.user_id)
  if (account !== null && present?.role === 'owner') return { user_id: account.user_id }
  if (account !== null || passwordHash === null) {
    const invitation = { role: 'owner', email, name, inviter: 'operator' } as const
    const { link } = await invite(tx, invitation, { workspaceId, authUrl: o.authUrl, origin: originOfBy(context) })
    return { invitation_link: link }
  }
  const person = { name: name ?? email, email, passwordHash }
  const userId = await registerPerson(tx, person, { actor, requestId })
  if (userId === null) throw new Problem('unavailable', { headers: { 'retry-after': '1' } })
  await addMember(tx, { context, userId, role: 'owner' })
  return { user_id: userId }
}
