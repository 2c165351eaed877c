// The consent page and what is posted from it (auth.md 4.3): the workspace that is granted is the one that was shown.
import { roleAllows, scopesOfRole } from '@wds/contracts/roles'
import { isScope, type Scope } from '@wds/contracts/scopes'
import { sendPage, sendRedirect } from '@wds/html-pages/send-page'
import type { MountExchange } from '@wds/http-service/mount'
import { Problem } from '@wds/http-service/problem'
import type { Pool } from '@wds/postgres/pool'
import type { OwnWorkspace } from '../../members/store.ts'
import { type Client, findClient } from '../../oauth-apps/store.ts'
import { consentPage } from '../../pages/consent-page.ts'
import { findSession, type Session } from '../../sessions/session.ts'
import { byPerson } from '../../sign-in/sign-in.ts'
import { type Cookies, isSameOrigin } from '../../web/cookies.ts'
import { type Form, fieldOf } from '../../web/form.ts'
import type { Forms, ShownForm } from '../../web/forms.ts'
import type { Engine, Interaction } from '../engine/engine.ts'
import { allow, cancel, type Outcome } from './decide.ts'
import { sendErrorPage } from './error-page.ts'

export interface ConsentOptions {
  pool: Pool
  engine: Engine
  cookies: Cookies
  forms: Forms
}

export function answerConsent(exchange: MountExchange, o: ConsentOptions): Promise<void> {
  return exchange.request.method === 'POST' ? decide(exchange, o) : show(exchange, o)
}

/** What both need: the authorisation that waits, its app, and who is signed in. */
interface Asked {
  interaction: Interaction
  client: Client
  session: Session
}

/** Null: it was answered already. */
async function asked(exchange: MountExchange, o: ConsentOptions): Promise<Asked | null> {
  const uid = exchange.params.uid ?? ''
  const interaction = await o.engine.findInteraction(exchange, uid)
  if (interaction === null || interaction.isDecided) {
    sendExpired(exchange)
    return null
  }
  const client = await findClient(o.pool, interaction.clientId)
  if (client === null || client.state === 'suspended') {
    const text = ['This app cannot be allowed at the moment.']
    sendErrorPage(exchange, { status: 400, title: 'The app is not available', text })
    return null
  }
  const session = await findSession(o, exchange.request.headers.cookie)
  // What is allowed outlives the session: a found cookie allows nothing (decision 95).
  if (!session?.isRecent) {
    sendRedirect(exchange, signInFor(uid))
    return null
  }
  return { interaction, client, session }
}

const pathOf = (uid: string) => `/oauth/consent/${uid}`
const signInFor = (uid: string) => `/sign-in?return_to=${encodeURIComponent(pathOf(uid))}`

async function show(exchange: MountExchange, o: ConsentOptions): Promise<void> {
  const found = await asked(exchange, o)
  if (found === null) return
  const { interaction, client, session } = found
  const choices = session.workspaces.filter((workspace) => refusalOf(client, workspace) === null)
  const workspace = chosen(exchange, session, choices)
  if (workspace === null) {
    const text = ['You are a member of no workspace yet, so there is nothing that this app could act in.']
    return sendErrorPage(exchange, { status: 403, title: 'You have no workspace', text })
  }
  const { uid, redirectUrl } = interaction
  const wanted = interaction.scopes.filter((scope) => client.scopes.includes(scope))
  const held = scopesOfRole(workspace.role)
  const scopes = wanted.filter((scope) => held.includes(scope))
  const html = consentPage({
    form: {
      action: pathOf(uid),
      hidden: {
        workspace_id: workspace.id,
        scopes: scopes.join(' '),
        ...o.forms.hidden(exchange, formOf(uid, session, { workspaceId: workspace.id, scopes })),
      },
    },
    app: {
      name: client.name,
      logoPath: `/logos/${client.logoDigest}.png`,
      ownerWorkspaceName: client.workspaceName,
      development: client.state === 'development',
    },
    redirectUrl,
    person: { name: session.userName, email: session.email },
    notYouHref: signInFor(uid),
    workspaceName: workspace.name,
    otherWorkspaces: choices
      .filter(({ id }) => id !== workspace.id)
      .map(({ id, name }) => ({ name, href: `${pathOf(uid)}?workspace=${id}` })),
    scopes,
    leftOut: wanted.filter((scope) => !held.includes(scope)),
    refusal: refusalOf(client, workspace),
  })
  // Chromium holds the policy of the page that posts against the redirect that follows (W26).
  sendPage(exchange, { status: 200, html, formTargets: [new URL(redirectUrl).origin] })
}

/** The one asked for by `?workspace=`, else the current one if it may be granted, else the first that may. Null: a member of none. */
function chosen(exchange: MountExchange, session: Session, choices: readonly OwnWorkspace[]): OwnWorkspace | null {
  const wanted = new URL(exchange.request.url ?? '', 'http://host').searchParams.get('workspace')
  const asked = session.workspaces.find(({ id }) => id === wanted)
  return asked ?? choices.find(({ id }) => id === session.workspace?.id) ?? choices[0] ?? session.workspace
}

function refusalOf(client: Client, { id, role }: OwnWorkspace): 'role' | 'development' | null {
  if (client.state === 'development' && id !== client.workspaceId) return 'development'
  return roleAllows(role, 'authorize_apps') ? null : 'role'
}

async function decide(exchange: MountExchange, o: ConsentOptions): Promise<void> {
  // Another site learns nothing of what waits here.
  if (!isSameOrigin(exchange.request)) throw new Problem('csrf_failed')
  const found = await asked(exchange, o)
  if (found === null) return
  const { interaction, client, session } = found
  const { uid } = interaction
  const { userId, sessionId } = session
  const form = await o.forms.read(exchange, (fields) => formOf(uid, session, grantedBy(fields)))
  const decision = fieldOf(form, 'decision')
  if (decision !== 'allow' && decision !== 'cancel') throw new Problem('csrf_failed')
  const by = byPerson(exchange, userId)
  const outcome =
    decision === 'cancel'
      ? await cancel(o, uid)
      : await allow(o, {
          client,
          decision: { uid, userId, sessionId, ...grantedBy(form), asked: interaction.scopes },
          by,
        })
  answerOutcome(exchange, uid, outcome)
}

function answerOutcome(exchange: MountExchange, uid: string, outcome: Outcome): void {
  if (outcome === 'decided') sendRedirect(exchange, `/oauth/authorize/${uid}`)
  else if (outcome === 'expired') sendExpired(exchange)
  else if (outcome === 'signed_out') sendRedirect(exchange, signInFor(uid))
  else sendForbidden(exchange)
}

/** What Allow grants. */
interface Granted {
  workspaceId: string
  scopes: readonly Scope[]
}

const grantedBy = (fields: Form): Granted => ({
  workspaceId: fieldOf(fields, 'workspace_id'),
  scopes: fieldOf(fields, 'scopes').split(' ').filter(isScope),
})

/** Nothing that a page, another tab or another person changes goes through as if it had been shown. */
const formOf = (uid: string, { sessionId }: Session, { workspaceId, scopes }: Granted): ShownForm => ({
  purpose: 'consent',
  sessionId,
  about: [uid, workspaceId, ...scopes],
})

function sendExpired(exchange: MountExchange): void {
  const text = ['It is older than ten minutes, or was answered already. Go back to the app and begin again.']
  sendErrorPage(exchange, { status: 400, title: 'This request has expired', text })
}

function sendForbidden(exchange: MountExchange): void {
  const text = ['Your role in this workspace does not allow it any more, or the app may not act there.']
  sendErrorPage(exchange, { status: 403, title: 'This cannot be allowed', text })
}
