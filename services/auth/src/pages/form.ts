// Parts of forms: hidden fields, fields with label, hint and error, the summary of errors that leads to the fields.
import { type Html, html } from '@wds/html-pages/html'

/** Where a form goes and what it carries unseen, the tokens against forged posts among it. The method is always POST. */
export type FormTarget = {
  /** Path on this origin. */
  action: string
  hidden: Readonly<Record<string, string>>
}

/** A fault of one field; its text is shown at the field and in the summary. */
export type FieldError<Field extends string> = { field: Field; message: string }

/** An upstream provider: its name and the path on this origin that starts a sign-in there. */
export type ProviderLink = { name: string; href: string }

type FieldOptions = {
  name: string
  label: string
  /** `email` is a text field with the keyboard for addresses: the server judges, not the browser. */
  type: 'text' | 'email' | 'password'
  autocomplete: string
  value?: string
  hint?: string
}

/** A form with its hidden fields. */
export function postForm(target: FormTarget, content: Html): Html {
  const hidden = Object.entries(target.hidden)
  return html`<form method="post" action="${target.action}">
${hidden.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
${content}
</form>`
}

/** A labelled input that must be filled in; hint and error are tied to it for screen readers. */
export function field(o: FieldOptions, errors: readonly FieldError<string>[] = []): Html {
  const error = errors.find((one) => one.field === o.name)?.message
  const described = [o.hint !== undefined && `${o.name}-hint`, error !== undefined && `${o.name}-error`]
  const ids = described.filter((id) => id !== false).join(' ')
  return html`<div class="field">
<label for="${o.name}">${o.label}</label>
${o.hint !== undefined && html`<p class="hint" id="${o.name}-hint">${o.hint}</p>`}
${error !== undefined && html`<p class="error" id="${o.name}-error">${error}</p>`}
<input id="${o.name}" name="${o.name}" type="${o.type === 'email' ? 'text' : o.type}" autocomplete="${o.autocomplete}" required
${o.type === 'email' && html`inputmode="email" autocapitalize="none" spellcheck="false"`}
${o.value !== undefined && html`value="${o.value}"`}
${ids !== '' && html`aria-describedby="${ids}"`}
${error !== undefined && html`aria-invalid="true"`}>
</div>`
}

/** Says above the form what went wrong, with a link to each field; it takes the focus when the page loads. */
export function errorSummary(errors: readonly FieldError<string>[]): Html | null {
  if (errors.length === 0) return null
  return html`<div class="alert" role="alert" tabindex="-1" autofocus>
<h2>Please check what you entered</h2>
<ul class="alert-fields">${errors.map(({ field, message }) => html`<li><a href="#${field}">${message}</a></li>`)}</ul>
</div>`
}

/** A failure of the whole form; it takes the focus when the page loads. */
export function alert(text: string): Html {
  return html`<div class="alert" role="alert" tabindex="-1" autofocus><p>${text}</p></div>`
}

/** The other ways to sign in, below a form. */
export function providerLinks(providers: readonly ProviderLink[]): Html | null {
  if (providers.length === 0) return null
  return html`<p class="divider">or</p>
<ul class="providers">
${providers.map(({ name, href }) => html`<li><a class="button" href="${href}">Continue with ${name}</a></li>`)}
</ul>`
}
