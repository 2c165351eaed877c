// The page for a new password: by a signed-in person, who gives the present one, or by a link for a forgotten one.

import { type Html, html } from '@wds/html-pages/html'
import { errorSummary, type FieldError, type FormTarget, field, postForm } from './form.ts'
import { page } from './frame.ts'

/** Fields posted: `current_password` (change only), `new_password`, `new_password_again`, `end_apps` (by a link, where it is ticked). */
export type PasswordModel = {
  kind: 'change' | 'forgotten'
  form: FormTarget
  /** Whose password it is: for the person, and for their password manager. It is not posted. */
  email: string
  /** Providers with whose accounts the person signs in, too. */
  connected: readonly string[]
  /** Apps that act for the person. */
  apps: readonly string[]
  /** How many API keys that the person made are accepted. */
  keys: number
  errors: readonly FieldError<'current_password' | 'new_password' | 'new_password_again'>[]
}

export function passwordPage({ kind, form, email, connected, apps, keys, errors }: PasswordModel): string {
  const change = kind === 'change'
  const title = change ? 'Change your password' : 'Choose a new password'
  const current = { name: 'current_password', label: 'Current password', autocomplete: 'current-password' }
  return page({
    title,
    failed: errors.length > 0,
    main: html`<h1>${title}</h1>
<p class="lead">Afterwards every other device is signed out${!change && ', and what you gave and nobody has used ends: invitations, and links for a new password'}.</p>
${connected.length > 0 && html`<p class="note">${change ? stayConnected(connected) : endConnected(connected)}</p>`}
${change && apps.length > 0 && html`<p class="note">${appsGoOn(apps)}</p>`}
${keys > 0 && html`<p class="note">${keysGoOn(keys)}</p>`}
${errorSummary(errors)}
${postForm(
  form,
  html`<div class="field">
<label for="account">E-mail address</label>
<input id="account" value="${email}" autocomplete="username" readonly>
</div>
${change && field({ ...current, type: 'password' }, errors)}
${newPasswordFields(errors)}
${!change && apps.length > 0 && endApps(apps)}
<button class="primary">Save new password</button>`,
)}`,
  })
}

const stayConnected = (names: readonly string[]) =>
  html`You can sign in with ${names.join(', ')} as before. Whatever you do not know there is disconnected on <a href="/sign-in">your account</a>.`
const endConnected = (names: readonly string[]) =>
  html`Signing in with ${names.join(', ')} ends, whoever connected it. You can connect it again once you are signed in.`

const named = (names: readonly string[]) => names.map((name, at) => html`${at > 0 && ', '}<bdi>${name}</bdi>`)
const appsGoOn = (apps: readonly string[]) =>
  html`Apps that you allowed keep their access: ${named(apps)}. End any that you do not know in your workspace, under Connected apps.`
const keysGoOn = (keys: number) =>
  html`${keys === 1 ? 'An API key that you made stays' : `${keys} API keys that you made stay`} valid, since keys belong to the workspace. Revoke any that you do not know there, under API keys.`

/** Most people have merely forgotten it, and what an app does for their workspace is not to stand still: they choose. */
const endApps = (apps: readonly string[]) => html`<div class="field">
<label for="end_apps"><input type="checkbox" id="end_apps" name="end_apps" value="yes" aria-describedby="end_apps-hint">
End the apps that act for you, too: ${named(apps)}</label>
<p class="hint" id="end_apps-hint">Do so if somebody else may have been in your account. Otherwise they keep their access.</p>
</div>`

/** `new_password` and `new_password_again`: nothing can show what was typed, and no e-mail would help with a slip of the keyboard. */
export function newPasswordFields(errors: readonly FieldError<string>[]): Html {
  const both = { type: 'password', autocomplete: 'new-password' } as const
  const hint = '12 to 128 characters, of any kind. Three or four words are a good start.'
  return html`${field({ name: 'new_password', label: 'New password', hint, ...both }, errors)}
${field({ name: 'new_password_again', label: 'New password again', ...both }, errors)}`
}
