// A new password for somebody who has forgotten it, by a link from an owner or the operator (auth.md 1.1). An account belongs to no
// workspace: an owner may only give a link for somebody who is in no other one, or the link would open other workspaces to that owner.
import { digestOf } from '@wds/access/digest'
import type { MountExchange } from '@wds/http-service/mount'
import type { Pool } from '@wds/postgres/pool'
import { type Transaction, withTransaction } from '@wds/postgres/transaction'
import { setPerson, workspacesOf } from '../members/store.ts'
import { type Account, findAccount } from '../people/store.ts'
import { findPasswordLink, insertPasswordLink, type PasswordLink, takePasswordLink } from '../people/store-links.ts'
import { clientOf } from '../sign-in/sign-in.ts'
import { rememberBrowser } from '../throttle/known-browsers.ts'
import type { Cookies } from '../web/cookies.ts'
import { makeLinkToken } from '../web/link-token.ts'
import { giveNewPassword } from './new-password.ts'

/** Null where the person is in another workspace, or is none that can sign in. Afterwards the transaction sees the person's own rows. */
export async function makePasswordLink(
  tx: Transaction,
  o: { userId: string; workspaceId: string | null; authUrl: string },
): Promise<{ link: string; expires: Date } | null> {
  const { token, digest } = makeLinkToken()
  const given = { user_id: o.userId, workspace_id: o.workspaceId }
  if ((await personOf(tx, given)) === null) return null
  return { link: `${o.authUrl}/password/${token}`, expires: await insertPasswordLink(tx, digest, given) }
}

/** Whom the link is for, if it is still worth something. */
async function personOf(tx: Transaction, { user_id, workspace_id }: PasswordLink): Promise<Account | null> {
  const account = await findAccount(tx, user_id, { lock: true })
  if (account?.status !== 'active') return null
  await setPerson(tx, user_id)
  const own = workspace_id === null ? [] : await workspacesOf(tx)
  return own.every(({ id }) => id === workspace_id) ? account : null
}

export function findPersonOfLink(pool: Pool, token: string): Promise<Account | null> {
  return withTransaction(pool, { workspaceId: null }, async (tx) => {
    const link = await findPasswordLink(tx, digestOf(token))
    return link && personOf(tx, link)
  })
}

/** Null for a link that is used, over or worth nothing any more; else the secret of the browser, which is known from now on. */
export function useLink(
  exchange: MountExchange,
  { pool, cookies }: { pool: Pool; cookies: Cookies },
  { token, hash }: { token: string; hash: string },
): Promise<string | null> {
  return withTransaction(pool, { workspaceId: null }, async (tx) => {
    const link = await takePasswordLink(tx, digestOf(token))
    const person = link && (await personOf(tx, link))
    if (!person) return null
    const { user_id: userId } = person
    await giveNewPassword(tx, { userId, hash, origin: { ...clientOf(exchange), actor: `user:${userId}` } })
    return rememberBrowser(tx, exchange.request, { userId, cookies })
  })
}
