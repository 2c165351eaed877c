// Accepting an invitation: it is used up, the person becomes a member, and a new person gets an account and a session, in one transaction.
import { digestOf } from '@wds/access/digest'
import { newId } from '@wds/aggregate/new-id'
import type { MountExchange } from '@wds/http-service/mount'
import type { Pool } from '@wds/postgres/pool'
import { type Transaction, withTransaction } from '@wds/postgres/transaction'
import { connectIdentity } from '../identities/connect.ts'
import type { VouchedIdentity } from '../identities/store.ts'
import { addOrRaiseMember } from '../members/add-member.ts'
import { mayManage } from '../members/domain/membership.ts'
import type { Grants } from '../members/ports.ts'
import { membershipOf } from '../members/store.ts'
import { registerPerson } from '../people/register.ts'
import { findAccount } from '../people/store.ts'
import type { Session } from '../sessions/session.ts'
import { findSessionById, setCurrentWorkspace } from '../sessions/store.ts'
import { byPerson, clientOf, type OpenedSession, openSession, type SignIn } from '../sign-in/sign-in.ts'
import { findInvitation, type InvitationRow, takeInvitation } from './store.ts'
import { findInviter, type InvitingWorkspace } from './store-inviter.ts'

export interface OpenInvitation {
  invitation: InvitationRow
  workspace: InvitingWorkspace
}

/** Thrown out of the transaction, which leaves the invitation as it was. */
class NotAccepted extends Error {
  readonly reason: 'gone' | 'member_already' | 'address_taken' | 'signed_out'
  constructor(reason: NotAccepted['reason']) {
    super(reason)
    this.reason = reason
  }
}

/** The invitation of a link, or null: never made, used, ended, or given by somebody who might not give it now. */
export async function openInvitation(pool: Pool, token: string): Promise<OpenInvitation | null> {
  const invitation = await withTransaction(pool, { workspaceId: null }, (tx) => findInvitation(tx, digestOf(token)))
  if (invitation === null) return null
  return withTransaction(pool, { workspaceId: invitation.workspace_id, readOnly: true }, async (tx) => {
    const workspace = await judge(tx, invitation)
    return workspace && { invitation, workspace }
  })
}

/** An invitation is worth what its inviter may still give. */
async function judge(
  tx: Transaction,
  { workspace_id, inviter, role }: InvitationRow,
): Promise<InvitingWorkspace | null> {
  const workspace = await findInviter(tx, workspace_id, inviter)
  if (workspace === null || inviter === 'operator') return workspace
  const present = await membershipOf(tx, workspace_id, inviter)
  return present !== null && mayManage({ userId: inviter, role: present.role }, role) ? workspace : null
}

/** `value`: what accepting gave. */
type Outcome<T> = { ok: true; value: T } | { ok: false; reason: NotAccepted['reason'] }

/** Somebody who is signed in joins; the workspace becomes the current one of the session. `signed_out`: it has ended meanwhile. */
export function acceptSignedIn(
  exchange: MountExchange,
  o: { pool: Pool; grants: Grants; token: string; workspaceId: string; session: Session },
): Promise<Outcome<void>> {
  const { session, workspaceId } = o
  return inWorkspace(o.pool, { workspaceId, userId: session.userId }, async (tx) => {
    // Held, so that whoever erases the person finds this membership too.
    const account = await findAccount(tx, session.userId, { lock: true })
    if (account?.status !== 'active' || (await findSessionById(tx, session)) === null)
      throw new NotAccepted('signed_out')
    await join(tx, exchange, { ...o, userId: session.userId })
    await setCurrentWorkspace(tx, session.sessionId, workspaceId)
  })
}

/** A new person. Gives back the session, whose cookies the caller sets. */
export async function acceptAsNewPerson(
  exchange: MountExchange,
  o: {
    token: string
    workspaceId: string
    name: string
    email: string
    passwordHash: string | null
    identity?: VouchedIdentity
    grants: Grants
  } & Pick<SignIn, 'pool' | 'cookies'>,
): Promise<Outcome<OpenedSession>> {
  const { workspaceId, requestId } = { ...o, requestId: exchange.requestId }
  const userId = newId('usr', Date.now())
  return inWorkspace(o.pool, { workspaceId, userId }, async (tx) => {
    if (!(await registerPerson(tx, { ...o, userId }, { requestId }))) throw new NotAccepted('address_taken')
    await join(tx, exchange, { ...o, userId })
    const { identity } = o
    const origin = { ...clientOf(exchange), actor: `user:${userId}` }
    // Another attempt of the same person was faster.
    if (identity && !(await connectIdentity(tx, { userId, identity, origin }))) throw new NotAccepted('gone')
    return openSession(tx, exchange, { userId, workspaceId, cookies: o.cookies })
  })
}

async function inWorkspace<T>(
  pool: Pool,
  at: { workspaceId: string; userId: string },
  work: (tx: Transaction) => Promise<T>,
): Promise<Outcome<T>> {
  try {
    return { ok: true, value: await withTransaction(pool, at, work) }
  } catch (error) {
    if (!(error instanceof NotAccepted)) throw error
    return { ok: false, reason: error.reason }
  }
}

async function join(
  tx: Transaction,
  exchange: MountExchange,
  { token, userId, workspaceId, grants }: { token: string; userId: string; workspaceId: string; grants: Grants },
): Promise<void> {
  const invitation = await takeInvitation(tx, digestOf(token))
  if (invitation?.workspace_id !== workspaceId || (await judge(tx, invitation)) === null) throw new NotAccepted('gone')
  const context = { workspaceId, ...byPerson(exchange, userId) }
  const given = { context, userId, role: invitation.role, grants }
  if (!(await addOrRaiseMember(tx, given))) throw new NotAccepted('member_already')
}
