// The account: who is signed in, their workspace and the way into it, the ways to sign in, and the way out.

import { type Html, html } from '@wds/html-pages/html'
import { type FormTarget, postForm } from './form.ts'
import { page } from './frame.ts'

export type AccountModel = {
  person: { name: string; email: string }
  /** The current workspace; null for a person without one. */
  workspaceName: string | null
  /** Where the workspace is worked in. */
  consoleHref: string
  passwordHref: string
  /** Accounts at upstream providers with which the person signs in. `disconnect` null: there is no other way in. */
  connected: readonly ConnectedAccount[]
  /** Providers at which the person has none yet. */
  providers: readonly { name: string; connectHref: string }[]
  /** Where the person is signed in, this browser among them. */
  sessions: readonly ShownSession[]
  /** Null: the person is signed in nowhere else. */
  endOthers: FormTarget | null
  signOut: FormTarget
}

export type ShownSession = {
  browser: string
  address: string | null
  created: Date
  lastUsed: Date
  /** Null: this browser, which has a button of its own. */
  end: FormTarget | null
}

export type ConnectedAccount = {
  /** Of the provider. */
  name: string
  /** Of the provider, without the scheme: two may be called the same. */
  issuer: string
  /** What the provider calls the account. */
  account: string
  created: Date
  /** Null: never yet. */
  lastUsed: Date | null
  disconnect: FormTarget | null
}

export function accountPage(model: AccountModel): string {
  const { person, workspaceName, consoleHref, passwordHref, connected, providers, signOut, sessions, endOthers } = model
  return page({
    title: 'Your account',
    main: html`<h1>You are signed in</h1>
<dl class="facts">
<div><dt>Name</dt><dd><bdi>${person.name}</bdi></dd></div>
<div><dt>E-mail</dt><dd><bdi>${person.email}</bdi></dd></div>
${workspaceName !== null && html`<div><dt>Workspace</dt><dd><bdi>${workspaceName}</bdi></dd></div>`}
<div><dt>Password</dt><dd><a href="${passwordHref}">Change your password</a></dd></div>
${connected.map(connectedAccount)}
${providers.map(
  ({ name, connectHref }) =>
    html`<div><dt>${name}</dt><dd><a href="${connectHref}">Sign in with ${name} too</a></dd></div>`,
)}
</dl>
${workspaceName !== null && html`<p class="next"><a class="button primary" href="${consoleHref}">Go to your workspace</a></p>`}
<h2>Where you are signed in</h2>
<ul class="sessions">
${sessions.map(shownSession)}
</ul>
${endOthers !== null && postForm(endOthers, html`<button>Sign out everywhere else</button>`)}
${postForm(signOut, html`<button>Sign out</button>`)}`,
  })
}

function shownSession({ browser, address, created, lastUsed, end }: ShownSession): Html {
  return html`<li>
<p><strong>${browser}</strong>${end === null && ', this browser'}</p>
<p class="hint">Signed in ${minute(created)}${address !== null && html` from <bdi>${address}</bdi>`}<br>Last used ${minute(lastUsed)}</p>
${end !== null && postForm(end, html`<button aria-label="Sign out there: ${browser}">Sign out there</button>`)}
</li>`
}

function connectedAccount({ name, issuer, account, created, lastUsed, disconnect }: ConnectedAccount): Html {
  return html`<div><dt>${name}</dt><dd>
<p><bdi>${account}</bdi> <span class="secondary">at ${issuer}</span></p>
<p>Connected since ${day(created)}<br>${lastUsed === null ? 'Never used yet' : html`Last used ${day(lastUsed)}`}</p>
${disconnect === null ? html`<p class="hint">Your only way to sign in</p>` : postForm(disconnect, html`<button aria-label="Disconnect ${name}: ${account}">Disconnect ${name}</button>`)}
</dd></div>`
}

const days = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })

const minutes = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })

function minute(at: Date): Html {
  return html`<time datetime="${at.toISOString()}">${minutes.format(at)} UTC</time>`
}

function day(at: Date): Html {
  return html`<time datetime="${at.toISOString()}">${days.format(at)}</time>`
}
