// The page for a new password: by a signed-in person, who gives the present one, or by a link for a forgotten one.

import { type Html, html } from '@wds/html-pages/html'
import { errorSummary, type FieldError, type FormTarget, field, postForm } from './form.ts'
import { page } from './frame.ts'

/** Fields posted: `current_password` (change only), `new_password`, `new_password_again`. */
export type PasswordModel = {
  kind: 'change' | 'forgotten'
  form: FormTarget
  /** Whose password it is: for the person, and for their password manager. It is not posted. */
  email: string
  /** Providers with whose accounts the person signs in, too. */
  connected: readonly string[]
  errors: readonly FieldError<'current_password' | 'new_password' | 'new_password_again'>[]
}

export function passwordPage({ kind, form, email, connected, errors }: PasswordModel): string {
  const change = kind === 'change'
  const title = change ? 'Change your password' : 'Choose a new password'
  const current = { name: 'current_password', label: 'Current password', autocomplete: 'current-password' }
  return page({
    title,
    failed: errors.length > 0,
    main: html`<h1>${title}</h1>
<p class="lead">Afterwards every other device is signed out.</p>
${connected.length > 0 && html`<p class="note">${change ? stayConnected(connected) : endConnected(connected)}</p>`}
${errorSummary(errors)}
${postForm(
  form,
  html`<div class="field">
<label for="account">E-mail address</label>
<input id="account" value="${email}" autocomplete="username" readonly>
</div>
${change && field({ ...current, type: 'password' }, errors)}
${newPasswordFields(errors)}
<button class="primary">Save new password</button>`,
)}`,
  })
}

const stayConnected = (names: readonly string[]) =>
  html`You can sign in with ${names.join(', ')} as before. Whatever you do not know there is disconnected on <a href="/sign-in">your account</a>.`
const endConnected = (names: readonly string[]) =>
  html`Signing in with ${names.join(', ')} ends, whoever connected it. You can connect it again once you are signed in.`

/** `new_password` and `new_password_again`: nothing can show what was typed, and no e-mail would help with a slip of the keyboard. */
export function newPasswordFields(errors: readonly FieldError<string>[]): Html {
  const both = { type: 'password', autocomplete: 'new-password' } as const
  const hint = '12 to 128 characters, of any kind. Three or four words are a good start.'
  return html`${field({ name: 'new_password', label: 'New password', hint, ...both }, errors)}
${field({ name: 'new_password_again', label: 'New password again', ...both }, errors)}`
}
