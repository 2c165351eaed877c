// The page of an invitation: a new person makes an account, a signed-in one joins with the account they have.
import type { Role } from '@wds/contracts/roles'
import { type Html, html } from '@wds/html-pages/html'
import {
  errorSummary,
  type FieldError,
  type FormTarget,
  field,
  type ProviderLink,
  postForm,
  providerLinks,
} from './form.ts'
import { page } from './frame.ts'
import { newPasswordFields } from './password-page.ts'

/** Fields posted by a new person: `name`, `email`, `new_password`, `new_password_again`; by a signed-in one: none. */
export type InvitationModel = {
  form: FormTarget
  workspaceName: string
  inviterName: string | null
  role: Role
  /** Who is signed in; null shows the form for a new account. */
  person: { name: string; email: string } | null
  /** Sign-in that comes back here: for people who have an account, or another one. */
  signInHref: string
  /** As typed before. */
  name: string
  email: string
  errors: readonly FieldError<'name' | 'email' | 'new_password' | 'new_password_again'>[]
  providers: readonly ProviderLink[]
}

const roleWords: Record<Role, string> = {
  owner: 'As an owner you can do everything there, also manage its members and delete it.',
  admin: 'As an admin you can do almost everything there, also allow apps and manage members.',
  member: 'As a member you can read and change its data.',
  viewer: 'As a viewer you can read its data.',
}

export function invitationPage(model: InvitationModel): string {
  const { inviterName, person, errors } = model
  return page({
    title: 'Invitation',
    failed: errors.length > 0,
    main: html`<h1>Join <bdi>${model.workspaceName}</bdi></h1>
<p class="lead">${inviterName === null ? 'You are invited.' : html`<bdi>${inviterName}</bdi> invites you.`}
${roleWords[model.role]}</p>
${errorSummary(errors)}
${person === null ? newAccount(model) : join(model, person)}`,
  })
}

function join(model: InvitationModel, person: { name: string; email: string }): Html {
  return html`<dl class="facts">
<div><dt>Signed in as</dt><dd><bdi>${person.name}</bdi> <bdi class="secondary">${person.email}</bdi>
<a href="${model.signInHref}">Not you?</a></dd></div>
</dl>
${postForm(model.form, html`<button class="primary">Join this workspace</button>`)}`
}

function newAccount(model: InvitationModel): Html {
  const { errors } = model
  const form = postForm(
    model.form,
    html`${field({ name: 'name', label: 'Your name', type: 'text', autocomplete: 'name', value: model.name }, errors)}
${field({ name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'username', value: model.email }, errors)}
${newPasswordFields(errors)}
<button class="primary">Create account and join</button>`,
  )
  return html`${form}
${providerLinks(model.providers)}
<p class="aside">Do you have an account already? <a href="${model.signInHref}">Sign in to join</a></p>`
}
