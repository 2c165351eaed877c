// The consent page (auth.md 4.3): who asks, for what in plain words, in whose name, and two buttons of equal weight.

import { consequences, inWords } from '@wds/contracts/scope-words'
import type { Scope } from '@wds/contracts/scopes'
import { type Html, html } from '@wds/html-pages/html'
import { type FormTarget, postForm } from './form.ts'
import { page } from './frame.ts'

/** Field posted: `decision`, `allow` or `cancel`; the hidden fields of the form carry the signed token. */
export type ConsentModel = {
  form: FormTarget
  app: {
    name: string
    /** `/logos/{digest}.png`. */
    logoPath: string | null
    ownerWorkspaceName: string
    development: boolean
  }
  /** Of this request; the page shows its host, in punycode. */
  redirectUrl: string
  person: { name: string; email: string }
  /** Sign-in as somebody else that comes back to this authorisation. */
  notYouHref: string
  /** The one that is granted, and that the form's token names. */
  workspaceName: string
  /** The others that may be chosen, each with the address of this page for it. */
  otherWorkspaces: readonly { name: string; href: string }[]
  /** What Allow grants. */
  scopes: readonly Scope[]
  /** Asked for, but not given, since the person's role does not hold them. */
  leftOut: readonly Scope[]
  /** Null shows Allow; else the reason why there is only Cancel. */
  refusal: keyof typeof refusals | null
}

const refusals = {
  role: 'Only an owner or admin of this workspace can allow an app. You can ask one of them to do it.',
  development: 'This app is in development. Until it is published, it can act only in the workspace of its makers.',
}

export function consentPage(model: ConsentModel): string {
  const { app, refusal } = model
  return page({
    title: 'Allow an app',
    wide: true,
    main: html`${app.logoPath !== null && html`<img class="logo" src="${app.logoPath}" width="64" height="64" alt="">`}
<h1 class="request"><bdi>${app.name}</bdi> wants to act in <bdi>${model.workspaceName}</bdi></h1>
${refusal !== null && html`<p class="note">${refusals[refusal]}</p>`}
${facts(model)}
<h2>It asks to</h2>
${scopeList(model.scopes)}
${
  model.leftOut.length > 0 &&
  html`<h2>Left out</h2>
<p>It asked for this too, but your role in this workspace does not hold it. The app will not get it.</p>
${scopeList(model.leftOut, 'left-out')}`
}
${refusal === null && html`<p>If you allow this, the app can act for you until you end it.</p>`}
${postForm(
  model.form,
  html`<div class="choices">
<button name="decision" value="cancel">Cancel</button>
${refusal === null && html`<button name="decision" value="allow">Allow</button>`}
</div>`,
)}`,
  })
}

function facts({ app, redirectUrl, person, notYouHref, workspaceName, otherWorkspaces }: ConsentModel): Html {
  return html`<dl class="facts">
<div><dt>Made by</dt><dd><bdi>${app.ownerWorkspaceName}</bdi>
${app.development && html`<span class="secondary">The app is in development</span>`}</dd></div>
<div><dt>Sends you to</dt><dd><code>${new URL(redirectUrl).host}</code></dd></div>
<div><dt>Signed in as</dt><dd><bdi>${person.name}</bdi> <bdi class="secondary">${person.email}</bdi>
<a href="${notYouHref}">Not you?</a></dd></div>
${
  otherWorkspaces.length > 0 &&
  html`<div><dt>Workspace</dt><dd><bdi>${workspaceName}</bdi>
<details><summary>Choose another</summary>
<ul class="workspaces">${otherWorkspaces.map(({ name, href }) => html`<li><a href="${href}"><bdi>${name}</bdi></a></li>`)}</ul>
</details></dd></div>`
}
</dl>`
}

function scopeList(scopes: readonly Scope[], kind?: 'left-out'): Html {
  return html`<dl class="scopes ${kind}">
${inWords(scopes).map(({ resource, lines }) => {
  const follows = kind === undefined ? lines.flatMap(({ scope }) => consequences[scope] ?? []) : []
  return html`<div><dt>${resource}</dt>
${lines.map(({ text }) => html`<dd>${text}</dd>`)}
${follows.map((text) => html`<dd class="consequence">${text}</dd>`)}</div>`
})}
</dl>`
}
