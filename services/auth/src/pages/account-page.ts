// Where a person lands who signs in without going anywhere: who they are, their workspace, and the ways out.
import { type FormTarget, postForm } from './form.ts'
import { html } from './html.ts'
import { page } from './layout.ts'

export type AccountModel = {
  person: { name: string; email: string }
  /** The current workspace; null for a person without one. */
  workspaceName: string | null
  passwordHref: string
  /** Upstream providers; `connectHref` null: this person signs in there already. */
  providers: readonly { name: string; connectHref: string | null }[]
  signOut: FormTarget
}

export function accountPage({ person, workspaceName, passwordHref, providers, signOut }: AccountModel): string {
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
${postForm(signOut, html`<button>Sign out</button>`)}`,
  })
}
