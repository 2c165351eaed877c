// The page of the account, shown at `/sign-in` to whoever is signed in, and its forms.

import { sendPage, sendRedirect } from '@wds/html-pages/send-page'
import type { Mount, MountExchange } from '@wds/http-service/mount'
import { allInOrder, type Transaction, withTransaction } from '@wds/postgres/transaction'
import type { AuditOrigin } from '../audit/store.ts'
import type { Dependencies } from '../dependencies.ts'
import { isOnlyWayIn, toConnected } from '../identities/connected.ts'
import { disconnectIdentity } from '../identities/disconnect.ts'
import { pathOf } from '../identities/links.ts'
import { identitiesOf } from '../identities/store.ts'
import { type AccountModel, accountPage } from '../pages/account-page.ts'
import { browserName } from '../pages/browser-name.ts'
import { findAccount } from '../people/store.ts'
import { endOtherSessions, endOwnSession } from '../sessions/end-own.ts'
import { findSession, type Session } from '../sessions/session.ts'
import { liveSessionsOf } from '../sessions/store.ts'
import type { ShownForm } from '../web/forms.ts'
import { pageMount } from '../web/page-mount.ts'
import { consolePath } from '../web/return-path.ts'
import { clientOf } from './sign-in.ts'

export type AccountOptions = Pick<Dependencies, 'pool' | 'cookies' | 'forms' | 'providers'>

export function accountMounts(o: AccountOptions): Mount[] {
  const post = (path: string, form: (session: Session, id: string) => ShownForm, deed: Deed) =>
    pageMount({ path, methods: ['POST'], handle: (exchange) => act(exchange, o, { form, deed }) })
  return [
    post('/sign-in/identities/{id}/disconnect', disconnectForm, (tx, { userId, by, id, origin }) =>
      disconnectIdentity(tx, { identityId: id, userId, sessionId: by, providers: o.providers, origin }),
    ),
    post('/sign-in/sessions/{id}/end', endSessionForm, (tx, { id, ...rest }) =>
      endOwnSession(tx, { ...rest, sessionId: id }),
    ),
    post('/sign-in/sessions/end-others', endOthersForm, endOtherSessions),
  ]
}

export async function sendAccount(exchange: MountExchange, session: Session, o: AccountOptions): Promise<void> {
  sendPage(exchange, { status: 200, html: accountPage(await accountModel(exchange, session, o)) })
}

async function accountModel(exchange: MountExchange, session: Session, o: AccountOptions): Promise<AccountModel> {
  const { userId, userName: name, email, workspace } = session
  const [account, identities, sessions] = await withTransaction(o.pool, { workspaceId: null }, (tx) =>
    allInOrder([findAccount(tx, userId), identitiesOf(tx, userId), liveSessionsOf(tx, userId)]),
  )
  const hasPassword = account?.hash != null
  const connected = toConnected(identities, o.providers)
  const target = (action: string, form: ShownForm) => ({ action, hidden: o.forms.hidden(exchange, form) })
  return {
    person: { name, email },
    workspaceName: workspace?.name ?? null,
    consoleHref: consolePath,
    passwordHref: '/password',
    connected: connected.map(({ id, title, issuer, account, created, lastUsed }) => ({
      name: title,
      issuer: issuer.replace(/^https?:\/\//, ''),
      account,
      created,
      lastUsed,
      disconnect: isOnlyWayIn(id, { hasPassword, connected })
        ? null
        : target(`/sign-in/identities/${id}/disconnect`, disconnectForm(session, id)),
    })),
    providers: o.providers
      .filter((provider) => !connected.some(({ issuer }) => issuer === provider.issuer))
      .map((provider) => ({ name: provider.title, connectHref: `${pathOf(provider.name)}?link=1` })),
    sessions: sessions.map(({ session_id: id, address, user_agent, created, last_seen: lastUsed }) => ({
      browser: browserName(user_agent),
      address,
      created,
      lastUsed,
      end: id === session.sessionId ? null : target(`/sign-in/sessions/${id}/end`, endSessionForm(session, id)),
    })),
    endOthers: sessions.length > 1 ? target('/sign-in/sessions/end-others', endOthersForm(session)) : null,
    signOut: target('/sign-out', signOutForm(session)),
  }
}

export const signOutForm = ({ sessionId }: Session): ShownForm => ({ purpose: 'sign-out', sessionId })
const disconnectForm = ({ sessionId }: Session, id: string): ShownForm => ({
  purpose: 'disconnect',
  sessionId,
  about: [id],
})
const endSessionForm = ({ sessionId }: Session, id: string): ShownForm => ({
  purpose: 'end-session',
  sessionId,
  about: [id],
})
const endOthersForm = ({ sessionId }: Session): ShownForm => ({ purpose: 'end-others', sessionId })

/** `by`: the session that asks; `id`: what the path names. */
type Deed = (tx: Transaction, o: { userId: string; by: string; id: string; origin: AuditOrigin }) => Promise<void>

async function act(
  exchange: MountExchange,
  o: AccountOptions,
  { form, deed }: { form: (session: Session, id: string) => ShownForm; deed: Deed },
): Promise<void> {
  const { id = '' } = exchange.params
  const session = await findSession(o, exchange.request.headers.cookie)
  if (session === null) return sendRedirect(exchange, '/sign-in')
  await o.forms.read(exchange, form(session, id))
  const { userId, sessionId: by } = session
  const origin = { ...clientOf(exchange), actor: `user:${userId}` }
  await withTransaction(o.pool, { workspaceId: null, userId }, (tx) => deed(tx, { userId, by, id, origin }))
  sendRedirect(exchange, '/sign-in')
}
