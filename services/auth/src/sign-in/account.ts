// The page of the account, shown at `/sign-in` to whoever is signed in, and its forms.
import type { Mount, MountExchange } from '@wds/http-service/mount'
import { allInOrder, withTransaction } from '@wds/postgres/transaction'
import type { Dependencies } from '../dependencies.ts'
import { isOnlyWayIn, toConnected } from '../identities/connected.ts'
import { disconnectIdentity } from '../identities/disconnect.ts'
import { pathOf } from '../identities/links.ts'
import { identitiesOf } from '../identities/store.ts'
import { type AccountModel, accountPage } from '../pages/account-page.ts'
import { findAccount } from '../people/store.ts'
import { findSession, type Session } from '../sessions/session.ts'
import type { ShownForm } from '../web/forms.ts'
import { sendPage, sendRedirect } from '../web/page.ts'
import { pageMount } from '../web/page-mount.ts'
import { consolePath } from '../web/return-path.ts'
import { clientOf } from './sign-in.ts'

export type AccountOptions = Pick<Dependencies, 'pool' | 'cookies' | 'forms' | 'providers'>

export function accountMounts(o: AccountOptions): Mount[] {
  const path = '/sign-in/identities/{id}/disconnect'
  return [pageMount({ path, methods: ['POST'], handle: (exchange) => disconnect(exchange, o) })]
}

export async function sendAccount(exchange: MountExchange, session: Session, o: AccountOptions): Promise<void> {
  sendPage(exchange, { status: 200, html: accountPage(await accountModel(exchange, session, o)) })
}

async function accountModel(exchange: MountExchange, session: Session, o: AccountOptions): Promise<AccountModel> {
  const { userId, userName: name, email, workspace } = session
  const { hasPassword, connected } = await withTransaction(o.pool, { workspaceId: null }, async (tx) => {
    const [account, rows] = await allInOrder([findAccount(tx, userId), identitiesOf(tx, userId)])
    return { hasPassword: account?.hash != null, connected: toConnected(rows, o.providers) }
  })
  const target = (action: string, form: ShownForm) => ({ action, hidden: o.forms.hidden(exchange, form) })
  return {
    person: { name, email },
    workspaceName: workspace?.name ?? null,
    consoleHref: consolePath,
    passwordHref: '/password',
    connected: connected.map(({ id, title, created, lastUsed }) => ({
      ...{ name: title, created, lastUsed },
      disconnect: isOnlyWayIn(id, { hasPassword, connected })
        ? null
        : target(`/sign-in/identities/${id}/disconnect`, disconnectForm(session, id)),
    })),
    providers: o.providers
      .filter((provider) => !connected.some(({ issuer }) => issuer === provider.issuer))
      .map((provider) => ({ name: provider.title, connectHref: `${pathOf(provider.name)}?link=1` })),
    signOut: target('/sign-out', signOutForm(session)),
  }
}

export const signOutForm = ({ sessionId }: Session): ShownForm => ({ purpose: 'sign-out', sessionId })
const disconnectForm = ({ sessionId }: Session, id: string): ShownForm => ({
  ...{ purpose: 'disconnect', sessionId },
  about: [id],
})

async function disconnect(exchange: MountExchange, o: AccountOptions): Promise<void> {
  const { id = '' } = exchange.params
  const session = await findSession(o, exchange.request.headers.cookie)
  if (session === null) return sendRedirect(exchange, '/sign-in')
  await o.forms.read(exchange, disconnectForm(session, id))
  const { userId, sessionId } = session
  const origin = { ...clientOf(exchange), actor: `user:${userId}` }
  await withTransaction(o.pool, { workspaceId: null, userId }, (tx) =>
    disconnectIdentity(tx, { identityId: id, userId, sessionId, providers: o.providers, origin }),
  )
  sendRedirect(exchange, '/sign-in')
}
