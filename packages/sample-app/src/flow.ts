// The steps of an authorisation as an app takes them (RFC 6749 4.1, RFC 7636), each with what was sent and what came back.

import { loopbackHosts } from '@wds/loopback-server/loopback-server'
import * as oauth from 'openid-client'
import type { Registration } from './registration.ts'

/** One step that was taken. */
export interface Taken {
  title: string
  /** What it was good for, in a sentence. */
  note: string
  /** As it was sent and answered, secrets shortened. */
  request: string
  answer: string
}

/** `asked`: the person is at the service; `returned`: the code is here; `ended`: the tokens are revoked. */
export type Stage = 'new' | 'asked' | 'returned' | 'authorised' | 'ended'

export interface Walk {
  stage: Stage
  taken: Taken[]
  /** Where the person is sent, while `asked`. */
  address: URL | null
  /** Why the last step did not succeed. */
  refusal: string | null
}

export interface Flow {
  walk: Walk
  /** Discovers the service and begins anew. */
  begin(): Promise<void>
  /** Takes what the browser came back with. */
  takeAnswer(url: URL): void
  exchange(): Promise<void>
  readStats(): Promise<void>
  refresh(): Promise<void>
  revoke(): Promise<void>
}

const scope = 'stats:read integrations:read'

export function openFlow(app: Registration): Flow {
  const walk: Walk = { stage: 'new', taken: [], address: null, refusal: null }
  let last: Omit<Taken, 'title' | 'note'> = { request: '', answer: '' }
  let config: oauth.Configuration | null = null
  let tokens: { access: string; refresh: string } | null = null
  let back: URL | null = null
  let [verifier, state] = ['', '']

  /** `fetch` that remembers, for the page. */
  const recorded: oauth.CustomFetch = async (url, options) => {
    const response = await reach(url, options as RequestInit)
    const answer = await response.clone().text()
    last = { request: requestText(url, options), answer: answerText(response, answer) }
    return response
  }

  function discovered(): oauth.Configuration {
    if (config === null) throw new Error('a step before the first one')
    return config
  }

  /** Runs a step: what was sent and answered is shown, and a refusal is told in words. */
  async function take(step: { title: string; note: string }, work: () => Promise<Stage>): Promise<void> {
    walk.refusal = null
    last = { request: '', answer: '' }
    try {
      walk.stage = await work()
    } catch (error) {
      walk.refusal = inWords(error, app.api)
    }
    if (last.request !== '') walk.taken.push({ ...step, ...last })
  }

  return {
    walk,
    async begin() {
      Object.assign(walk, { stage: 'new', taken: [], address: null, refusal: null })
      tokens = null
      const note = 'The app knows one address; the metadata behind it name the endpoints (RFC 9728, RFC 8414).'
      await take({ title: 'Find the service', note }, async () => {
        const issuer = await issuerOf(app.api)
        config = await oauth.discovery(issuer, app.client_id, undefined, oauth.ClientSecretPost(app.client_secret), {
          ...{ algorithm: 'oauth2', [oauth.customFetch]: recorded },
          // Without TLS on this machine only.
          execute: loopbackHosts.includes(issuer.hostname) ? [oauth.allowInsecureRequests] : [],
        })
        verifier = oauth.randomPKCECodeVerifier()
        state = oauth.randomState()
        walk.address = oauth.buildAuthorizationUrl(config, {
          ...{ redirect_uri: app.redirect_url, scope, state },
          code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
        })
        return 'asked'
      })
    },
    takeAnswer(url) {
      if (walk.stage !== 'asked') {
        walk.refusal = 'The browser came back though the app had asked for nothing: begin again.'
        return
      }
      back = url
      const isGiven = url.searchParams.has('code')
      walk.refusal = isGiven ? null : 'You did not allow it, or it was refused: the app gets nothing.'
      walk.stage = isGiven ? 'returned' : 'new'
      const state = 'the state that the app had sent'
      walk.taken.push({
        title: 'Back from the service',
        note: isGiven
          ? `The browser came back with a code, good once and for 60 seconds, and with ${state}.`
          : `The browser came back with an error instead of a code, and with ${state}.`,
        request: `GET ${url.pathname}`,
        answer: [...url.searchParams]
          .map(([name, value]) => `${name} = ${name === 'code' ? shortened(value) : value}`)
          .join('\n'),
      })
    },
    exchange: () =>
      take(
        { title: 'Exchange the code', note: 'Code, PKCE verifier and client secret together give the tokens.' },
        async () => {
          const checks = { pkceCodeVerifier: verifier, expectedState: state }
          const given = await oauth.authorizationCodeGrant(discovered(), back as URL, checks)
          tokens = { access: given.access_token, refresh: given.refresh_token ?? '' }
          return 'authorised'
        },
      ),
    readStats: () =>
      take({ title: 'Read stats', note: 'The access token opens what its scopes name, for an hour.' }, async () => {
        const url = new URL(`${app.api}/v1/stats?${statsQuery()}`)
        await oauth.fetchProtectedResource(discovered(), tokens?.access ?? '', url, 'GET')
        return walk.stage
      }),
    refresh: () =>
      take({ title: 'Refresh', note: 'A refresh token is good once: each refresh gives a new pair.' }, async () => {
        const given = await oauth.refreshTokenGrant(discovered(), tokens?.refresh ?? '')
        tokens = { access: given.access_token, refresh: given.refresh_token ?? '' }
        return 'authorised'
      }),
    revoke: () =>
      take(
        {
          title: 'Revoke',
          note: 'Revoking the refresh token ends the whole grant; the API refuses the access token within 2 s.',
        },
        async () => {
          await oauth.tokenRevocation(discovered(), tokens?.refresh ?? '', { token_type_hint: 'refresh_token' })
          return 'ended'
        },
      ),
  }
}

/** Nobody answered. */
class ServiceAway extends Error {}

async function reach(url: string, init: RequestInit = {}): Promise<Response> {
  try {
    return await fetch(url, { signal: AbortSignal.timeout(15_000), ...init })
  } catch (error) {
    throw new ServiceAway('the service does not answer', { cause: error })
  }
}

/** From the API to its issuer (RFC 9728). */
async function issuerOf(api: string): Promise<URL> {
  const response = await reach(`${api}/.well-known/oauth-protected-resource`)
  const { authorization_servers: issuers } = (await response.json()) as { authorization_servers: [string] }
  return new URL(issuers[0])
}

/** Of the last seven days. */
function statsQuery(): string {
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)
  return `from=${day(6)}&to=${day(0)}&metrics=clicks,ftds`
}

/** Enough to tell one from another. */
const shortened = (text: string) => (text.length <= 16 ? text : `${text.slice(0, 12)}…`)
const secretFields = ['client_secret', 'code', 'code_verifier', 'refresh_token', 'access_token', 'token']

function requestText(
  url: string,
  { method, headers, body }: { method: string; headers: unknown; body?: unknown },
): string {
  const bearer = new Headers(headers as Record<string, string>).get('authorization')
  const lines = [`${method} ${url}`]
  if (bearer !== null) lines.push(`Authorization: Bearer ${shortened(bearer.slice('Bearer '.length))}`)
  for (const [name, value] of new URLSearchParams(body === undefined || body === null ? '' : String(body)))
    lines.push(`${name} = ${secretFields.includes(name) ? shortened(value) : value}`)
  return lines.join('\n')
}

function answerText(response: Response, text: string): string {
  const head = `${response.status} ${response.statusText}`
  if (text === '') return head
  try {
    const shown = JSON.stringify(
      JSON.parse(text),
      (name, value) => (secretFields.includes(name) ? shortened(value) : value),
      2,
    )
    return `${head}\n${shown}`
  } catch {
    return `${head}\n${text}`
  }
}

function inWords(error: unknown, api: string): string {
  if (error instanceof oauth.WWWAuthenticateChallengeError) return `The API refused the access token (${error.status}).`
  if (error instanceof oauth.AuthorizationResponseError || error instanceof oauth.ResponseBodyError)
    return `Refused (${error.error}): ${error.error_description ?? 'no reason given'}`
  if ([error, (error as Error).cause].some((one) => one instanceof ServiceAway))
    return `The service does not answer at ${api}: does npm start run?`
  return `It did not succeed: ${(error as Error).message}`
}
