// The account: who is signed in, their workspace and the way into it, the ways to sign in, and the way out.
import { type FormTarget, postForm } from './form.ts'
import { html } from './html.ts'
import { page } from './layout.ts'

export type AccountModel = {
  person: { name: string; email: string }
  /** The current workspace; null for a person without one. */
  workspaceName: string | null
  /** Where the workspace is worked in. */
  consoleHref: string
  passwordHref: string
  /** Upstream providers; `connectHref` null: this person signs in there already. */
  providers: readonly { name: string; connectHref: string | null }[]
  signOut: FormTarget
}

export function accountPage(model: AccountModel): string {
  const { person, workspaceName, consoleHref, passwordHref, providers, signOut } = model
  return page({
    title: 'Your account',
    main: html`<h1>You are signed in</h1>
<dl class="facts">
<div><dt>Name</dt><dd><bdi>${person.name}</bdi></dd></div>
<div><dt>E-mail</dt><dd><bdi>${person.email}</bdi></dd></div>
${workspaceName !== null && html`<div><dt>Workspace</dt><dd><bdi>${workspaceName}</bdi></dd></div>`}
<div><dt>Password</dt><dd><a href="${passwordHref}">Change your password</a></dd></div>
${providers.map(
  ({ name, connectHref }) =>
    html`<div><dt>${name}</dt><dd>${connectHref === null ? 'Connected' : html`<a href="${connectHref}">Sign in with ${name} too</a>`}</dd></div>`,
)}
</dl>
${workspaceName !== null && html`<p class="next"><a class="button primary" href="${consoleHref}">Go to your workspace</a></p>`}
${postForm(signOut, html`<button>Sign out</button>`)}`,
  })
}
