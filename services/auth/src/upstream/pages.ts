// The addresses of a sign-in at an upstream OpenID provider: the way there and the way back (auth.md 1.1).

import { withoutUndefined } from '@wds/contracts/without-undefined'
import { sendPage, sendRedirect } from '@wds/html-pages/send-page'
import type { Mount, MountExchange } from '@wds/http-service/mount'
import { Problem } from '@wds/http-service/problem'
import {
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type Configuration,
  calculatePKCECodeChallenge,
  fetchUserInfo,
} from 'openid-client'
import { reportRefusal } from '../audit/security-events.ts'
import type { Dependencies } from '../dependencies.ts'
import { pathOf } from '../identities/links.ts'
import type { Provider } from '../identities/providers.ts'
import { isSubject, type VouchedIdentity } from '../identities/store.ts'
import { messagePage } from '../pages/message-page.ts'
import { tooManyFailures } from '../pages/words.ts'
import { isEmail } from '../people/email.ts'
import { findSession } from '../sessions/session.ts'
import { sendForm } from '../sign-in/form.ts'
import { isSameOrigin } from '../web/cookies.ts'
import { pageMount } from '../web/page-mount.ts'
import { consolePath, returnPathOf } from '../web/return-path.ts'
import { type Attempt, startAttempt, takeAttempt } from './attempt.ts'
import { type Joined, joinUpstream, linkIdentity, signInUpstream } from './upstream-sign-in.ts'

type Options = Omit<Dependencies, 'cursors'>

export function upstreamMounts(o: Options): Mount[] {
  const path = '/sign-in/upstream/{name}'
  return [
    pageMount({ path, methods: ['GET'], handle: (exchange) => go(exchange, o, providerOf(exchange, o)) }),
    pageMount({
      path: `${path}/callback`,
      methods: ['GET'],
      handle: (exchange) => comeBack(exchange, o, providerOf(exchange, o)),
    }),
  ]
}

function providerOf({ params }: MountExchange, { providers }: Options): Provider {
  const provider = providers.find(({ name }) => name === params.name)
  if (provider === undefined) throw new Problem('not_found')
  return provider
}

const addressOf = ({ request }: MountExchange, { authUrl }: Options) => new URL(`${authUrl}${request.url ?? ''}`)
const redirectUri = ({ authUrl }: Options, { name }: Provider) => `${authUrl}${pathOf(name)}/callback`

async function go(exchange: MountExchange, o: Options, provider: Provider): Promise<void> {
  const { searchParams } = addressOf(exchange, o)
  const returnTo = returnPathOf(searchParams.get('return_to') ?? '', o.authUrl)
  // Another site must not begin it: with its own account at the provider, it would sign people in or link to theirs.
  if (!isSameOrigin(exchange.request)) {
    return sendRedirect(exchange, returnTo === null ? '/sign-in' : `/sign-in?return_to=${encodeURIComponent(returnTo)}`)
  }
  const isLink = searchParams.has('link')
  const session = isLink ? await findSession(o, exchange.request.headers.cookie) : null
  if (isLink && session === null) return sendRedirect(exchange, '/sign-in')
  // What is connected stays a way in after a new password: a session alone, which may be a stolen one, does not do.
  if (session?.isRecent === false) throw new Problem('recent_sign_in_required')
  const configuration = await provider
    .open()
    .catch((error: unknown) => fail(exchange, o, { provider, returnTo, error }))
  if (configuration === null) return
  const given = { provider: provider.name, returnTo, linkSession: session?.sessionId ?? null }
  const { state, nonce, verifier } = startAttempt(o.cookies, exchange, given)
  const address = buildAuthorizationUrl(
    configuration,
    withoutUndefined<Record<string, string>>({
      redirect_uri: redirectUri(o, provider),
      scope: 'openid profile email',
      state,
      nonce,
      code_challenge: await calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      // Whoever links chooses the account there anew, whoever is signed in there.
      prompt: isLink ? 'login' : undefined,
    }),
  )
  sendRedirect(exchange, address.href)
}

async function comeBack(exchange: MountExchange, o: Options, provider: Provider): Promise<void> {
  const attempt = takeAttempt(o.cookies, exchange)
  if (attempt?.provider !== provider.name) {
    const error = new Error('no attempt of this browser at this provider')
    return void (await fail(exchange, o, { provider, returnTo: null, error, status: 422 }))
  }
  const returnTo = returnPathOf(attempt.returnTo ?? '', o.authUrl)
  const vouched = await redeem(exchange, o, { provider, attempt }).catch((error: unknown) =>
    fail(exchange, o, { provider, returnTo, error }),
  )
  if (vouched === null) return
  const { identity } = vouched
  if (attempt.linkSession !== null) return link(exchange, o, { sessionId: attempt.linkSession, identity })
  const outcome = await signInUpstream(exchange, o, identity)
  if (outcome === 'ok') return sendRedirect(exchange, returnTo ?? consolePath)
  const token = /^\/invitations\/([\w-]+)$/.exec(returnTo ?? '')?.[1]
  if (outcome === 'unknown' && token !== undefined) {
    const joined = await joinUpstream(exchange, o, { ...vouched, token })
    return joined === 'ok' ? sendRedirect(exchange, consolePath) : sendNotJoined(exchange, joined, returnTo ?? '')
  }
  // Of a person the audit log tells it.
  if (outcome === 'unknown') reportRefusal('sign_in_failed', exchange)
  const failure = outcome === 'unknown' ? 'upstream_unknown' : 'upstream'
  await sendForm(exchange, o, { returnTo, status: 422, failure, email: '' })
}

interface Vouched {
  identity: VouchedIdentity
  name: unknown
  email: unknown
}

/** Throws whatever is wrong with the answer of the provider, or with the provider. */
async function redeem(
  exchange: MountExchange,
  o: Options,
  { provider, attempt }: { provider: Provider; attempt: Attempt },
): Promise<Vouched> {
  const configuration = await provider.open()
  const tokens = await authorizationCodeGrant(configuration, addressOf(exchange, o), {
    expectedState: attempt.state,
    expectedNonce: attempt.nonce,
    pkceCodeVerifier: attempt.verifier,
    idTokenExpected: true,
  })
  const claims = tokens.claims()
  if (claims === undefined) throw new Error('no id_token')
  if (!isSubject(claims.sub)) throw new Error('a subject of no form that is kept')
  const isTold = ['name', 'email', 'email_verified'].every((name) => name in claims)
  const more = isTold ? {} : await userInfo(configuration, tokens.access_token, claims.sub)
  const { name, email, email_verified } = { ...claims, ...more } as Record<string, unknown>
  // What its person typed there, perhaps somebody else's address, is no name of the account.
  const isVerified = email_verified === true && typeof email === 'string' && isEmail(email)
  return { identity: { issuer: provider.issuer, subject: claims.sub, email: isVerified ? email : null }, name, email }
}

async function userInfo(configuration: Configuration, token: string, subject: string) {
  const hasEndpoint = configuration.serverMetadata().userinfo_endpoint !== undefined
  return hasEndpoint ? fetchUserInfo(configuration, token, subject) : {}
}

async function link(
  exchange: MountExchange,
  o: Options,
  given: { sessionId: string; identity: VouchedIdentity },
): Promise<void> {
  const outcome = await linkIdentity(exchange, o, given)
  if (outcome === 'ok') return sendRedirect(exchange, '/sign-in')
  if (outcome === 'gone') return sendForm(exchange, o, { returnTo: null, status: 422, failure: 'upstream', email: '' })
  const title = 'That account belongs to somebody else here'
  const text = ['Nothing was changed. Choose another account there, or sign in with it instead.']
  const html = messagePage({ title, text, link: { text: 'Your account', href: '/sign-in' } })
  sendPage(exchange, { status: 409, html })
}

const notJoined: Record<Exclude<Joined, 'ok'>, { status: number; text: string }> = {
  gone: { status: 404, text: 'The invitation was used already, has run out or was taken back. Ask for a new one.' },
  incomplete: {
    status: 422,
    text: 'We were not told your name and mail address there. Make an account with a password instead.',
  },
  address_taken: {
    status: 422,
    text: 'There is an account with your mail address. Sign in with its password to join, and connect this way to sign in afterwards.',
  },
  too_many_failures: { status: 429, text: tooManyFailures },
}

function sendNotJoined(exchange: MountExchange, reason: Exclude<Joined, 'ok'>, invitation: string): void {
  const { status, text } = notJoined[reason]
  const link = { text: 'Back to the invitation', href: invitation }
  const html = messagePage({ title: 'You have not joined yet', text: [text], link })
  sendPage(exchange, { status, html, headers: status === 429 ? { 'retry-after': '900' } : {} })
}

/** The sign-in page, which says that it did not work; why, only the log says. */
async function fail(
  exchange: MountExchange,
  o: Options,
  given: { provider: Provider; returnTo: string | null; error: unknown; status?: number },
): Promise<null> {
  const { provider, returnTo, error, status = 502 } = given
  o.reportUpstreamFailure({ provider: provider.name, reason: reasonOf(error), request_id: exchange.requestId })
  await sendForm(exchange, o, { returnTo, status, failure: 'upstream', email: '' })
  return null
}

/** Without the answer itself, which may hold codes and claims. */
function reasonOf(error: unknown): string {
  const { message, code, error: answered, cause } = error as Record<string, unknown>
  const parts = [message, code, answered, cause instanceof Error ? cause.message : null]
  return parts.filter((part) => typeof part === 'string').join('; ')
}
