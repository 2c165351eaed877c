// The sign-in page. Every failure of address and password reads the same, so that nobody learns which accounts exist.

import { html } from '@wds/html-pages/html'
import { alert, type FormTarget, field, type ProviderLink, postForm, providerLinks } from './form.ts'
import { page } from './frame.ts'
import { tooManyFailures } from './words.ts'

/** Fields posted: `email`, `password`. */
export type SignInModel = {
  /** Its hidden fields carry the path to return to. */
  form: FormTarget
  /** As typed before; empty at first. */
  email: string
  failure: keyof typeof failures | null
  /** Name of the app that asked, when an authorisation waits. */
  appName: string | null
  providers: readonly ProviderLink[]
}

const failures = {
  wrong: 'That e-mail address and password do not match an account.',
  too_many_failures: `${tooManyFailures} A browser in which you have signed in before is not kept waiting by the failures of others.`,
  busy: 'Too many people are signing in at this moment. Please try again in a few seconds.',
  upstream_unknown:
    'That account is not connected to an account here. Sign in with your password, then connect it on your account page. Were you invited? Then open the invitation again.',
  upstream: 'Signing in there did not work. Please try again, or use your password.',
}

export function signInPage(model: SignInModel): string {
  const { appName, failure } = model
  const form = postForm(
    model.form,
    html`${field({ name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'username', value: model.email })}
${field({ name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password' })}
<button class="primary">Sign in</button>`,
  )
  return page({
    title: 'Sign in',
    failed: failure !== null,
    main: html`<h1>Sign in</h1>
<p class="lead">${appName === null ? 'to your workspace' : html`to decide what <bdi>${appName}</bdi> may do`}</p>
${failure !== null && alert(failures[failure])}
${form}
${providerLinks(model.providers)}
<p class="aside">Forgotten your password? An owner of your workspace can give you a link to choose a new one.</p>`,
  })
}
