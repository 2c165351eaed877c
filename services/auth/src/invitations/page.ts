// The address of an invitation: what it shows and what its form does.

import { sendPage, sendRedirect } from '@wds/html-pages/send-page'
import type { Mount, MountExchange } from '@wds/http-service/mount'
import type { Dependencies } from '../dependencies.ts'
import { upstreamLinks } from '../identities/links.ts'
import { type InvitationModel, invitationPage } from '../pages/invitation-page.ts'
import { messagePage } from '../pages/message-page.ts'
import { tooManyFailures } from '../pages/words.ts'
import { emailKeyOf, isEmail } from '../people/email.ts'
import { isPersonName } from '../people/name.ts'
import { faultsOfNewPassword } from '../people/new-password.ts'
import { findSession, type Session } from '../sessions/session.ts'
import { setCookiesOf } from '../sign-in/sign-in.ts'
import { throttled } from '../throttle/throttled.ts'
import { type Form, fieldOf } from '../web/form.ts'
import type { ShownForm } from '../web/forms.ts'
import { pageMount } from '../web/page-mount.ts'
import { consolePath } from '../web/return-path.ts'
import { acceptAsNewPerson, acceptSignedIn, type OpenInvitation, openInvitation } from './accept.ts'

type Options = Omit<Dependencies, 'cursors'>
type Errors = InvitationModel['errors']

export function invitationMounts(o: Options): Mount[] {
  const path = '/invitations/{token}'
  return [pageMount({ path, methods: ['GET', 'HEAD', 'POST'], handle: (exchange) => answer(exchange, o) })]
}

/** What this request is about. */
interface Visit {
  token: string
  open: OpenInvitation
  session: Session | null
}

async function answer(exchange: MountExchange, o: Options): Promise<void> {
  const { token = '' } = exchange.params
  const [open, session] = await Promise.all([
    openInvitation(o.pool, token),
    findSession(o, exchange.request.headers.cookie),
  ])
  if (open === null) return sendGone(exchange)
  const visit = { token, open, session }
  if (exchange.request.method !== 'POST') return sendForm(exchange, o, visit)
  const form = await o.forms.read(exchange, formOf(visit))
  return session === null ? joinAsNewPerson(exchange, o, visit, form) : joinSignedIn(exchange, o, { ...visit, session })
}

/** Whoever is shown on the page is who joins, whatever another tab did meanwhile. */
const formOf = ({ token, session }: Visit): ShownForm => ({
  purpose: 'invitation',
  sessionId: session?.sessionId ?? null,
  about: [token],
})

interface Shown {
  status?: number
  name?: string
  email?: string
  errors?: Errors
  headers?: Record<string, string>
}

function sendForm(exchange: MountExchange, { forms, providers }: Options, visit: Visit, shown: Shown = {}): void {
  const { token, session, open } = visit
  const { invitation, workspace } = open
  const action = `/invitations/${token}`
  const html = invitationPage({
    form: { action, hidden: forms.hidden(exchange, formOf(visit)) },
    ...workspace,
    role: invitation.role,
    person: session && { name: session.userName, email: session.email },
    signInHref: `/sign-in?return_to=${encodeURIComponent(action)}`,
    name: shown.name ?? invitation.name ?? '',
    email: shown.email ?? invitation.email ?? '',
    errors: shown.errors ?? [],
    providers: upstreamLinks(providers, action),
  })
  sendPage(exchange, { status: shown.status ?? 200, html, headers: shown.headers ?? {} })
}

function sendGone(exchange: MountExchange): void {
  const title = 'This invitation is no longer valid'
  const text = ['It was used already, has run out or was taken back. Ask for a new one.']
  sendPage(exchange, { status: 404, html: messagePage({ title, text, requestId: exchange.requestId }) })
}

async function joinSignedIn(exchange: MountExchange, o: Options, visit: Visit & { session: Session }): Promise<void> {
  const workspaceId = visit.open.invitation.workspace_id
  const outcome = await acceptSignedIn(exchange, { pool: o.pool, grants: o.grants, workspaceId, ...visit })
  if (!outcome.ok && outcome.reason === 'gone') return sendGone(exchange)
  if (!outcome.ok && outcome.reason === 'signed_out') return sendRedirect(exchange, `/invitations/${visit.token}`)
  if (outcome.ok) return sendRedirect(exchange, consolePath)
  const title = 'You are a member already'
  const text = ['The invitation was not used: it is still good for somebody else.']
  sendPage(exchange, {
    status: 409,
    html: messagePage({ title, text, link: { text: 'Your account', href: '/sign-in' } }),
  })
}

async function joinAsNewPerson(exchange: MountExchange, o: Options, visit: Visit, form: Form): Promise<void> {
  const [name, email, password] = ['name', 'email', 'new_password'].map((field) => fieldOf(form, field)) as [
    string,
    string,
    string,
  ]
  const shown = { name, email }
  const errors = faultsOf(form, visit.open.workspace.workspaceName)
  if (errors.length > 0) return sendForm(exchange, o, visit, { ...shown, errors, status: 422 })
  const { token, open } = visit
  const workspaceId = open.invitation.workspace_id
  const outcome = await throttled(o.pool, { emailKey: emailKeyOf(email), exchange }, async () => {
    const passwordHash = await o.hasher.hash(password)
    const given = { name: name.trim(), email: email.trim(), passwordHash, token, workspaceId }
    return acceptAsNewPerson(exchange, { ...o, ...given })
  })
  if (outcome.ok) {
    setCookiesOf(exchange, o.cookies, outcome.value)
    return sendRedirect(exchange, consolePath)
  }
  if (outcome.reason === 'gone') return sendGone(exchange)
  const refuse = (message: string, more: Pick<Shown, 'status' | 'headers'>) =>
    sendForm(exchange, o, visit, { ...shown, errors: [{ field: 'email', message }], ...more })
  if (outcome.reason === 'too_many_failures') {
    return refuse(tooManyFailures, { status: 429, headers: { 'retry-after': String(outcome.retryAfterSeconds) } })
  }
  refuse('There is an account with this address. Sign in to join with it.', { status: 422 })
}

function faultsOf(form: Form, workspaceName: string): Errors {
  const errors: { field: Errors[number]['field']; message: string }[] = []
  if (!isPersonName(fieldOf(form, 'name')))
    errors.push({ field: 'name', message: 'Enter your name, at most 100 characters.' })
  if (!isEmail(fieldOf(form, 'email').trim()))
    errors.push({ field: 'email', message: 'Enter a mail address, such as name@example.com.' })
  const names = [fieldOf(form, 'email'), fieldOf(form, 'name'), workspaceName]
  return [...errors, ...faultsOfNewPassword(form, names)]
}
