// The authorisation code flow as an app runs it (RFC 6749 4.1, RFC 7636), with the request and answer of each step.

import { loopbackHosts } from '@wds/loopback-server/loopback-server'
import * as oauth from 'openid-client'
import type { Registration } from './registration.ts'

/** A step that was run. */
export interface Step {
  title: string
  /** What it is for, in a sentence. */
  note: string
  /** As it was sent and answered, secrets shortened. */
  request: string
  answer: string
}

/** `consent`: the person decides at the service; `code`: the app has the code. */
export type Stage = 'new' | 'consent' | 'code' | 'authorised' | 'revoked'

export interface FlowState {
  stage: Stage
  steps: Step[]
  /** Where the person is sent, while in `consent`. */
  authorizationUrl: URL | null
  /** Why the last step failed, in a sentence. */
  failure: string | null
}

export interface Flow {
  state: FlowState
  /** Discovers the service and starts over. */
  begin(): Promise<void>
  /** Handles the redirect of the browser. One without the `state` that was sent changes nothing (RFC 6749 10.12). */
  receiveRedirect(url: URL): void
  exchange(): Promise<void>
  readStats(): Promise<void>
  refresh(): Promise<void>
  revoke(): Promise<void>
}

const scope = 'stats:read integrations:read'

export function openFlow(app: Registration): Flow {
  const flow: FlowState = { stage: 'new', steps: [], authorizationUrl: null, failure: null }
  let last: Omit<Step, 'title' | 'note'> = { request: '', answer: '' }
  let config: oauth.Configuration | null = null
  let tokens: { access: string; refresh: string } | null = null
  let redirect: URL | null = null
  let [verifier, state] = ['', '']

  /** `fetch` that records the last exchange for the page. */
  const recorded: oauth.CustomFetch = async (url, options) => {
    const response = await reach(url, options as RequestInit)
    const answer = await response.clone().text()
    last = { request: requestText(url, options), answer: answerText(response, answer) }
    return response
  }

  function discovered(): oauth.Configuration {
    if (config === null) throw new Error('the service has not been discovered yet')
    return config
  }

  /** Runs a step, and records its exchange and why it failed. */
  async function run(step: { title: string; note: string }, work: () => Promise<Stage>): Promise<void> {
    flow.failure = null
    last = { request: '', answer: '' }
    try {
      flow.stage = await work()
    } catch (error) {
      flow.failure = inWords(error, app.api)
    }
    if (last.request !== '') flow.steps.push({ ...step, ...last })
  }

  return {
    state: flow,
    async begin() {
      Object.assign(flow, { stage: 'new', steps: [], authorizationUrl: null, failure: null })
      tokens = null
      const note = 'The app knows one address; the metadata behind it name the endpoints (RFC 9728, RFC 8414).'
      await run({ title: 'Find the service', note }, async () => {
        const issuer = await issuerOf(app.api)
        config = await oauth.discovery(issuer, app.client_id, undefined, oauth.ClientSecretPost(app.client_secret), {
          algorithm: 'oauth2',
          [oauth.customFetch]: recorded,
          // Without TLS on this machine only.
          execute: loopbackHosts.includes(issuer.hostname) ? [oauth.allowInsecureRequests] : [],
        })
        verifier = oauth.randomPKCECodeVerifier()
        state = oauth.randomState()
        flow.authorizationUrl = oauth.buildAuthorizationUrl(config, {
          redirect_uri: app.redirect_url,
          scope,
          state,
          code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
        })
        return 'consent'
      })
    },
    receiveRedirect(url) {
      if (flow.stage !== 'consent') {
        flow.failure = 'The browser came back, but the app had sent no authorisation request: begin again.'
        return
      }
      // Another site can send the browser here as well.
      if (url.searchParams.get('state') !== state) {
        flow.failure = 'The browser came back without the state that the app had sent: ignored.'
        return
      }
      redirect = url
      const hasCode = url.searchParams.has('code')
      flow.failure = hasCode ? null : 'You did not allow it, or it was refused: the app gets nothing.'
      flow.stage = hasCode ? 'code' : 'new'
      const sameState = 'the state that the app had sent'
      flow.steps.push({
        title: 'Back from the service',
        note: hasCode
          ? `The browser came back with a code, valid once and for 60 seconds, and with ${sameState}.`
          : `The browser came back with an error instead of a code, and with ${sameState}.`,
        request: `GET ${url.pathname}`,
        answer: [...url.searchParams]
          .map(([name, value]) => `${name} = ${name === 'code' ? shortened(value) : value}`)
          .join('\n'),
      })
    },
    exchange: () =>
      run(
        { title: 'Exchange the code', note: 'Code, PKCE verifier and client secret together give the tokens.' },
        async () => {
          const checks = { pkceCodeVerifier: verifier, expectedState: state }
          const granted = await oauth.authorizationCodeGrant(discovered(), redirect as URL, checks)
          tokens = { access: granted.access_token, refresh: granted.refresh_token ?? '' }
          return 'authorised'
        },
      ),
    readStats: () =>
      run({ title: 'Read stats', note: 'The access token allows what its scopes name, for an hour.' }, async () => {
        const url = new URL(`${app.api}/v1/stats?${statsQuery()}`)
        await oauth.fetchProtectedResource(discovered(), tokens?.access ?? '', url, 'GET')
        return flow.stage
      }),
    refresh: () =>
      run({ title: 'Refresh', note: 'A refresh token is valid once: each refresh gives a new pair.' }, async () => {
        const granted = await oauth.refreshTokenGrant(discovered(), tokens?.refresh ?? '')
        tokens = { access: granted.access_token, refresh: granted.refresh_token ?? '' }
        return 'authorised'
      }),
    revoke: () =>
      run(
        {
          title: 'Revoke',
          note: 'Revoking the refresh token ends the whole grant; the API refuses the access token within 2 s.',
        },
        async () => {
          await oauth.tokenRevocation(discovered(), tokens?.refresh ?? '', { token_type_hint: 'refresh_token' })
          return 'revoked'
        },
      ),
  }
}

/** No answer came. */
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
