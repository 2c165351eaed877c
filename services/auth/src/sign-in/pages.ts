// The addresses `/sign-in` and `/sign-out`: what they show and what their forms do.

import { sendRedirect } from '@wds/html-pages/send-page'
import type { Mount, MountExchange } from '@wds/http-service/mount'
import { Problem } from '@wds/http-service/problem'
import type { Dependencies } from '../dependencies.ts'
import type { Provider } from '../identities/providers.ts'
import { findSession } from '../sessions/session.ts'
import { isSameOrigin } from '../web/cookies.ts'
import { fieldOf } from '../web/form.ts'
import type { Forms } from '../web/forms.ts'
import { pageMount } from '../web/page-mount.ts'
import { consolePath, returnPathOf } from '../web/return-path.ts'
import { sendAccount, signOutForm } from './account.ts'
import { sendForm, signInForm } from './form.ts'
import { type SignIn, signInWithPassword, signOut } from './sign-in.ts'

interface Options extends SignIn {
  authUrl: string
  forms: Forms
  providers: readonly Provider[]
  appNameOf: Dependencies['appNameOf']
}

export function signInMounts(o: Options): Mount[] {
  return [
    pageMount({
      path: '/sign-in',
      methods: ['GET', 'HEAD', 'POST'],
      handle: (exchange) => (exchange.request.method === 'POST' ? submit(exchange, o) : show(exchange, o)),
    }),
    pageMount({ path: '/sign-out', methods: ['POST'], handle: (exchange) => leave(exchange, o) }),
  ]
}

async function show(exchange: MountExchange, o: Options): Promise<void> {
  const { searchParams } = new URL(exchange.request.url ?? '', o.authUrl)
  const returnTo = returnPathOf(searchParams.get('return_to') ?? '', o.authUrl)
  const session = returnTo === null ? await findSession(o, exchange.request.headers.cookie) : null
  if (session === null) return sendForm(exchange, o, { returnTo, status: 200, failure: null, email: '' })
  await sendAccount(exchange, session, o)
}

async function submit(exchange: MountExchange, o: Options): Promise<void> {
  const form = await o.forms.read(exchange, signInForm)
  const email = fieldOf(form, 'email').slice(0, 254)
  const shown = { email, returnTo: returnPathOf(fieldOf(form, 'return_to'), o.authUrl) }
  const outcome = await signInWithPassword(exchange, { email, password: fieldOf(form, 'password') }, o).catch(
    (error: unknown) => {
      if (error instanceof Problem && error.code === 'unavailable') return { ok: false, reason: 'busy', error } as const
      throw error
    },
  )
  if (outcome.ok) return sendRedirect(exchange, shown.returnTo ?? consolePath)
  if (outcome.reason === 'wrong') return sendForm(exchange, o, { ...shown, status: 422, failure: 'wrong' })
  const [status, headers] =
    outcome.reason === 'busy'
      ? [503, outcome.error.headers]
      : [429, { 'retry-after': String(outcome.retryAfterSeconds) }]
  await sendForm(exchange, o, { ...shown, status, headers, failure: outcome.reason })
}

async function leave(exchange: MountExchange, o: Options): Promise<void> {
  const { request } = exchange
  const session = await findSession(o, request.headers.cookie)
  // The page may be older than the session's end.
  if (session !== null) await o.forms.read(exchange, signOutForm(session))
  else if (!isSameOrigin(request)) throw new Problem('csrf_failed')
  await signOut(exchange, o)
  sendRedirect(exchange, '/sign-in')
}
