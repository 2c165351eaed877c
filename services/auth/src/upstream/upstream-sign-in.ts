// What becomes of a person whom an upstream provider vouches for: a session, a link to the account that is signed in, or, with an
// invitation, a new account. Never an account that merely has the same mail address.
import type { MountExchange } from '@wds/http-service/mount'
import { Problem } from '@wds/http-service/problem'
import { withTransaction } from '@wds/postgres/transaction'
import { recordAuditOfPerson } from '../audit/audit.ts'
import type { Dependencies } from '../dependencies.ts'
import { connectIdentity } from '../identities/connect.ts'
import { findIdentity, touchIdentity, type VouchedIdentity } from '../identities/store.ts'
import { acceptAsNewPerson, openInvitation } from '../invitations/accept.ts'
import { setPerson } from '../members/store.ts'
import { emailKeyOf, isEmail } from '../people/email.ts'
import { isPersonName } from '../people/name.ts'
import { findAccount } from '../people/store.ts'
import { findSession } from '../sessions/session.ts'
import { findSessionById } from '../sessions/store.ts'
import { clientOf, openSession, setCookiesOf } from '../sign-in/sign-in.ts'
import { throttled } from '../throttle/throttled.ts'

type Options = Omit<Dependencies, 'cursors'>

/** `unknown`: nobody's identity yet. `refused`: of an account that is no longer used. */
export type SignedIn = 'ok' | 'unknown' | 'refused'

/** Sets the cookies of the new session. */
export async function signInUpstream(
  exchange: MountExchange,
  o: Options,
  identity: VouchedIdentity,
): Promise<SignedIn> {
  const outcome = await withTransaction(o.pool, { workspaceId: null }, async (tx) => {
    const userId = await findIdentity(tx, identity)
    if (userId === null) return 'unknown'
    // Held, so that whoever ends the account ends this session too.
    const account = await findAccount(tx, userId, { lock: true })
    await setPerson(tx, userId)
    // Disconnected since it was found: whoever did has ended the sessions of the others.
    if ((await findIdentity(tx, identity)) !== userId) return 'unknown'
    if (account?.status === 'active') {
      await touchIdentity(tx, identity)
      return openSession(tx, exchange, { userId, cookies: o.cookies })
    }
    await recordAuditOfPerson(tx, {
      actor: `user:${userId}`,
      action: 'sign_in',
      object: userId,
      outcome: 'refused',
      ...clientOf(exchange),
    })
    return 'refused'
  })
  if (typeof outcome === 'string') return outcome
  setCookiesOf(exchange, o.cookies, outcome)
  return 'ok'
}

/**
 * For the person of the session that began the attempt. `taken`: it is another person's. `gone`: that session is not this browser's now.
 * Throws Problem `recent_sign_in_required`.
 */
export async function linkIdentity(
  exchange: MountExchange,
  o: Options,
  { sessionId, identity }: { sessionId: string; identity: VouchedIdentity },
): Promise<'ok' | 'taken' | 'gone'> {
  const session = await findSession(o, exchange.request.headers.cookie)
  if (session?.sessionId !== sessionId) return 'gone'
  const { userId } = session
  return withTransaction(o.pool, { workspaceId: null, userId }, async (tx) => {
    const account = await findAccount(tx, userId, { lock: true })
    const now = await findSessionById(tx, session)
    // Ended since it was found: by a new password, which would not end what is connected behind it.
    if (account?.status !== 'active' || now === null) return 'gone'
    // Judged here, too: whoever has the cookie of the session can make that of an attempt, which says that it was judged.
    if (!now.is_recent) throw new Problem('recent_sign_in_required')
    const origin = { ...clientOf(exchange), actor: `user:${userId}` }
    if (await connectIdentity(tx, { userId, identity, origin })) return 'ok'
    return (await findIdentity(tx, identity)) === userId ? 'ok' : 'taken'
  })
}

export type Joined = 'ok' | 'gone' | 'incomplete' | 'address_taken' | 'too_many_failures'

/** A new person with the invitation of this link. Sets the cookies of the new session. `incomplete`: the provider gave no name or address. */
export async function joinUpstream(
  exchange: MountExchange,
  o: Options,
  given: { token: string; identity: VouchedIdentity; name: unknown; email: unknown },
): Promise<Joined> {
  const { token, identity, name, email } = given
  if (typeof name !== 'string' || !isPersonName(name) || typeof email !== 'string' || !isEmail(email.trim())) {
    return 'incomplete'
  }
  const open = await openInvitation(o.pool, token)
  if (open === null) return 'gone'
  const person = { name: name.trim(), email: email.trim(), passwordHash: null, identity }
  const workspaceId = open.invitation.workspace_id
  const outcome = await throttled(o.pool, { emailKey: emailKeyOf(email), exchange }, () =>
    acceptAsNewPerson(exchange, { ...o, ...person, token, workspaceId }),
  )
  if (!outcome.ok)
    return outcome.reason === 'member_already' || outcome.reason === 'signed_out' ? 'gone' : outcome.reason
  setCookiesOf(exchange, o.cookies, outcome.value)
  return 'ok'
}
