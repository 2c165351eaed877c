// The sign-in page, as it is shown at first and after a failure.

import { withoutUndefined } from '@wds/contracts/without-undefined'
import { sendPage } from '@wds/html-pages/send-page'
import type { MountExchange } from '@wds/http-service/mount'
import type { Dependencies } from '../dependencies.ts'
import { upstreamLinks } from '../identities/links.ts'
import { type SignInModel, signInPage } from '../pages/sign-in-page.ts'
import type { ShownForm } from '../web/forms.ts'

export const signInForm: ShownForm = { purpose: 'sign-in', sessionId: null }

interface Shown extends Pick<SignInModel, 'failure' | 'email'> {
  status: number
  returnTo: string | null
  headers?: Record<string, string>
}

export async function sendForm(
  exchange: MountExchange,
  { forms, appNameOf, providers: upstream }: Pick<Dependencies, 'forms' | 'appNameOf' | 'providers'>,
  shown: Shown,
): Promise<void> {
  const { status, returnTo, failure, email, headers = {} } = shown
  const hidden = withoutUndefined<Record<string, string>>({
    ...forms.hidden(exchange, signInForm),
    return_to: returnTo ?? undefined,
  })
  const providers = upstreamLinks(upstream, returnTo)
  const appName = returnTo === null ? null : await appNameOf(returnTo)
  const html = signInPage({ form: { action: '/sign-in', hidden }, email, failure, appName, providers })
  sendPage(exchange, { status, html, headers })
}
