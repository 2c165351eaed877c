// A new password for somebody who has forgotten it, by a link from an owner or the operator (auth.md 1.1). An account belongs to no
// workspace: an owner may only give a link for somebody who is in no other one, or the link would open other workspaces to that owner. It is
// worth what its giver may still give when it is used.
import { digestOf } from '@wds/access/digest'
import type { MountExchange } from '@wds/http-service/mount'
import type { Pool } from '@wds/postgres/pool'
import { setWorkspace, type Transaction, withTransaction } from '@wds/postgres/transaction'
import { recordAudit } from '../audit/audit.ts'
import type { AuditOrigin } from '../audit/store.ts'
import { disconnectAll } from '../identities/disconnect.ts'
import { deleteInvitationsBy } from '../invitations/store.ts'
import type { Grants } from '../members/ports.ts'
import { membershipOf, setPerson, workspacesOf } from '../members/store.ts'
import { type Account, findAccount } from '../people/store.ts'
import {
  deletePasswordLinksBy,
  findPasswordLink,
  insertPasswordLink,
  type PasswordLink,
  takePasswordLink,
} from '../people/store-links.ts'
import { byPerson, clientOf } from '../sign-in/sign-in.ts'
import { rememberBrowser } from '../throttle/known-browsers.ts'
import type { Cookies } from '../web/cookies.ts'
import { makeLinkToken } from '../web/link-token.ts'
import { giveNewPassword } from './new-password.ts'

/** `by`: the owner and the workspace that give it; null: the operator. Null where the person is not in that workspace alone, or cannot sign in. Afterwards the transaction sees the person's own rows. */
export async function makePasswordLink(
  tx: Transaction,
  o: { userId: string; by: { workspaceId: string; userId: string } | null; authUrl: string },
): Promise<{ link: string; expires: Date } | null> {
  const { token, digest } = makeLinkToken()
  const given = { user_id: o.userId, workspace_id: o.by?.workspaceId ?? null, giver: o.by?.userId ?? null }
  if ((await personOf(tx, given)) === null) return null
  return { link: `${o.authUrl}/password/${token}`, expires: await insertPasswordLink(tx, digest, given) }
}

/** Whom the link is for, if it is still worth something. */
async function personOf(tx: Transaction, link: PasswordLink): Promise<Account | null> {
  const account = await findAccount(tx, link.user_id, { lock: true })
  if (account?.status !== 'active') return null
  await setPerson(tx, link.user_id)
  return link.workspace_id === null || (await isOwnersToGive(tx, { ...link, workspace_id: link.workspace_id }))
    ? account
    : null
}

/** The transaction sees the person's rows. */
async function isOwnersToGive(
  tx: Transaction,
  { workspace_id, giver }: PasswordLink & { workspace_id: string },
): Promise<boolean> {
  const [only, ...more] = await workspacesOf(tx)
  if (only?.id !== workspace_id || more.length > 0 || giver === null) return false
  const before = tx.workspaceId
  await setWorkspace(tx, workspace_id)
  const present = await membershipOf(tx, workspace_id, giver)
  await setWorkspace(tx, before ?? '')
  return present?.role === 'owner'
}

export function findPersonOfLink(pool: Pool, token: string): Promise<Account | null> {
  return withTransaction(pool, { workspaceId: null }, async (tx) => {
    const link = await findPasswordLink(tx, digestOf(token))
    return link && personOf(tx, link)
  })
}

/**
 * Null for a link that is used, over or worth nothing any more; else the secret of the browser, which is known from now on. `endsApps`: with
 * the grants of the person, in whatever workspace.
 */
export function useLink(
  exchange: MountExchange,
  { pool, cookies, grants }: { pool: Pool; cookies: Cookies; grants: Grants },
  { token, hash, endsApps }: { token: string; hash: string; endsApps: boolean },
): Promise<string | null> {
  return withTransaction(pool, { workspaceId: null }, async (tx) => {
    const digest = digestOf(token)
    const link = await findPasswordLink(tx, digest)
    // The person's row first, as everybody who ends links does: two links of one person do not wait for each other.
    const person = link && (await personOf(tx, link))
    if (!person || !(await takePasswordLink(tx, digest))) return null
    const { user_id: userId } = person
    const origin = { ...clientOf(exchange), actor: `user:${userId}` }
    await giveNewPassword(tx, { userId, hash, origin })
    await disconnectAll(tx, userId, origin)
    await withdrawGiven(tx, userId, origin)
    if (endsApps) await grants.end(tx, { userId }, { reason: 'ended_by_user', by: byPerson(exchange, userId) })
    return rememberBrowser(tx, exchange.request, { userId, cookies })
  })
}

/** What the person gave and nobody has used: whoever knew the former password may have let themselves in again by it (decision 95). */
async function withdrawGiven(tx: Transaction, userId: string, origin: AuditOrigin): Promise<void> {
  await deletePasswordLinksBy(tx, userId)
  const before = tx.workspaceId
  for (const { workspace_id, invitation_id } of await deleteInvitationsBy(tx, userId)) {
    await setWorkspace(tx, workspace_id)
    await recordAudit(tx, { ...origin, action: 'invitation_revoked', object: invitation_id })
  }
  await setWorkspace(tx, before ?? '')
}
