// The addresses `/password` (change, by whoever is signed in) and `/password/{token}` (a forgotten one).

import { withoutUndefined } from '@wds/contracts/without-undefined'
import { sendPage, sendRedirect } from '@wds/html-pages/send-page'
import type { Mount, MountExchange } from '@wds/http-service/mount'
import { withTransaction } from '@wds/postgres/transaction'
import type { Dependencies } from '../dependencies.ts'
import { messagePage } from '../pages/message-page.ts'
import { type PasswordModel, passwordPage } from '../pages/password-page.ts'
import { tooManyFailures } from '../pages/words.ts'
import { faultsOfNewPassword } from '../people/new-password.ts'
import { findAccount } from '../people/store.ts'
import { verifyPassword } from '../people/verify-password.ts'
import { findSession, type Session } from '../sessions/session.ts'
import { clientOf, type OpenedSession, openSession, setCookiesOf } from '../sign-in/sign-in.ts'
import { browserOf, setBrowserCookie } from '../throttle/known-browsers.ts'
import { type Form, fieldOf } from '../web/form.ts'
import type { ShownForm } from '../web/forms.ts'
import { pageMount } from '../web/page-mount.ts'
import { type AccessWithoutPassword, readAccessWithoutPassword } from './access-without-password.ts'
import { findPersonOfLink, useLink } from './forgotten.ts'
import { giveNewPassword } from './new-password.ts'

type Options = Omit<Dependencies, 'cursors'>
type Errors = PasswordModel['errors']

export function passwordMounts(o: Options): Mount[] {
  const methods = ['GET', 'HEAD', 'POST']
  return [
    pageMount({ path: '/password', methods, handle: (exchange) => change(exchange, o) }),
    pageMount({ path: '/password/{token}', methods, handle: (exchange) => forgotten(exchange, o) }),
  ]
}

async function change(exchange: MountExchange, o: Options): Promise<void> {
  const { request } = exchange
  const session = await findSession(o, request.headers.cookie)
  if (session === null) return sendRedirect(exchange, '/sign-in?return_to=%2Fpassword')
  const access = await readAccessWithoutPassword(o, session.userId)
  const show = (errors: Errors, retryAfterSeconds: number | null = null) =>
    sendChange(exchange, o, { session, access, errors, retryAfterSeconds })
  if (request.method !== 'POST') return show([])
  const form = await o.forms.read(exchange, changeForm(session))
  const faults = faultsOfNewPassword(form, [session.email, session.userName, ...access.workspaces])
  if (faults.length > 0) return show(faults)
  const changed = await changePassword(exchange, { form, session }, o)
  if (!changed.ok) {
    const { message, retryAfterSeconds } = changed
    return show([{ field: 'current_password', message }], retryAfterSeconds)
  }
  setCookiesOf(exchange, o.cookies, changed.opened)
  sendRedirect(exchange, '/sign-in')
}

const changeForm = ({ sessionId }: Session): ShownForm => ({ purpose: 'password', sessionId })

function sendChange(
  exchange: MountExchange,
  { forms }: Options,
  shown: { session: Session; access: AccessWithoutPassword; errors: Errors; retryAfterSeconds: number | null },
): void {
  const { session, access, errors, retryAfterSeconds } = shown
  const form = { action: '/password', hidden: forms.hidden(exchange, changeForm(session)) }
  const html = passwordPage({ kind: 'change', form, email: session.email, ...access, errors })
  const refused = retryAfterSeconds === null ? null : { 'retry-after': String(retryAfterSeconds) }
  if (refused !== null) sendPage(exchange, { status: 429, html, headers: refused })
  else sendPage(exchange, { status: errors.length > 0 ? 422 : 200, html })
}

type Changed = { ok: true; opened: OpenedSession } | { ok: false; message: string; retryAfterSeconds: number | null }

/** The new session, or why the present password was not taken. It is guessed at no faster than at the sign-in. */
async function changePassword(
  exchange: MountExchange,
  { form, session }: { form: Form; session: Session },
  { pool, hasher, cookies }: Options,
): Promise<Changed> {
  const wrong = { ok: false, message: 'This is not your current password.', retryAfterSeconds: null } as const
  const given = { email: session.email, password: fieldOf(form, 'current_password') }
  const browser = browserOf(cookies, exchange.request)
  const verified = await verifyPassword({ pool, hasher }, { ...given, ...clientOf(exchange), browser })
  if (!verified.ok) {
    if (verified.reason === 'wrong') return wrong
    return { ok: false, message: tooManyFailures, retryAfterSeconds: verified.retryAfterSeconds }
  }
  const hash = await hasher.hash(fieldOf(form, 'new_password'))
  const { userId, workspace } = session
  const opened = await withTransaction(pool, { workspaceId: null, userId }, async (tx) => {
    const now = await findAccount(tx, userId, { lock: true })
    if (now?.status !== 'active' || now.hash !== verified.account.hash) return null
    const origin = { ...clientOf(exchange), actor: `user:${userId}` }
    await giveNewPassword(tx, { userId, hash, origin })
    return openSession(tx, exchange, withoutUndefined({ userId, cookies, workspaceId: workspace?.id }))
  })
  return opened === null ? wrong : { ok: true, opened }
}

async function forgotten(exchange: MountExchange, o: Options): Promise<void> {
  const { token = '' } = exchange.params
  const person = await findPersonOfLink(o.pool, token)
  if (person === null) return sendGone(exchange)
  const access = await readAccessWithoutPassword(o, person.user_id)
  const shown: ShownForm = { purpose: 'forgotten-password', sessionId: null, about: [token] }
  const show = (errors: Errors): void => {
    const form = { action: `/password/${token}`, hidden: o.forms.hidden(exchange, shown) }
    const html = passwordPage({ kind: 'forgotten', form, email: person.email, ...access, errors })
    sendPage(exchange, { status: errors.length > 0 ? 422 : 200, html })
  }
  if (exchange.request.method !== 'POST') return show([])
  const form = await o.forms.read(exchange, shown)
  const faults = faultsOfNewPassword(form, [person.email, person.name, ...access.workspaces])
  if (faults.length > 0) return show(faults)
  const hash = await o.hasher.hash(fieldOf(form, 'new_password'))
  const browser = await useLink(exchange, o, { token, hash, endsApps: fieldOf(form, 'end_apps') !== '' })
  if (browser === null) return sendGone(exchange)
  setBrowserCookie(o.cookies, exchange.response, browser)
  // The browser may be another person's: whoever chose the password signs in with it.
  sendRedirect(exchange, '/sign-in')
}

function sendGone(exchange: MountExchange): void {
  const title = 'This link is no longer valid'
  const text = ['It was used already or has run out. Ask for a new one.']
  sendPage(exchange, { status: 404, html: messagePage({ title, text, requestId: exchange.requestId }) })
}
