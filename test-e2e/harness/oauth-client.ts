/** An app, and a person who allows it, at the services as they run: each step of a code flow is a plain request, so that any answer may be lost. */

import { createHash, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { withoutUndefined } from '@wds/contracts/without-undefined'
import { request } from 'undici'
import { makeWorkspace, type Stack } from './stack.ts'
import { root } from './standalone.ts'

const redirectUrl = 'https://app.example.test/callback'

/** Consent asks for a sign-in of the last 10 minutes (decision 95), and a suite may go on for longer. */
const recentMs = 5 * 60_000

/** Of an endpoint that takes forms; `body` is what it said in JSON, or null. */
export interface OAuthAnswer {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the endpoint answered
  body: any
}

export interface Code {
  code: string
  verifier: string
}

export interface OAuthClient {
  workspaceId: string
  /** Of the same workspace, with every scope. */
  apiKey: string
  /** Cookie of the signed-in owner. */
  session: string
  /** A new grant, allowed by the person. @throws Error when a step is not answered as it should be, or not at all. */
  authorize(): Promise<Code>
  /** These three reject when no answer comes. */
  redeem(code: Code): Promise<OAuthAnswer>
  refresh(refreshToken: string): Promise<OAuthAnswer>
  revoke(token: string): Promise<OAuthAnswer>
}

export interface OAuthClientOptions {
  /** Where requests go. */
  url: string
  /** Of WDS_AUTH_URL and WDS_BASE_URL, which are one here. */
  host: string
  /** Hears of everything that nobody else may know: what is shown once, and what the flow carries. */
  onSecret?(name: string, value: string): void
}

export interface Page {
  status: number
  location: string
  cookies: string[]
  text: string
}

/** Makes the workspace, its owner, who signs in, and a live app with every scope. */
export async function openOAuthClient(
  { operator }: Pick<Stack, 'operator'>,
  o: OAuthClientOptions,
): Promise<OAuthClient> {
  const person = {
    email: `ada-${randomBytes(6).toString('hex')}@example.test`,
    password: randomBytes(16).toString('hex'),
  }
  const owner = { ...person, name: 'Ada Lovelace' }
  const { workspaceId, apiKey } = await makeWorkspace(operator, { name: 'Acme Media', plan: 'business', owner })
  const app = await registerApp(operator, workspaceId)
  const session = await signIn(o, person)
  let recent = { session, sinceMs: performance.now() }
  const recentSession = async () => {
    if (performance.now() - recent.sinceMs > recentMs)
      recent = { session: await signIn(o, person), sinceMs: performance.now() }
    return recent.session
  }
  const { onSecret = () => {} } = o
  onSecret('password', person.password)
  onSecret('API key', apiKey)
  onSecret('client secret', app.secret)
  const credentials = { client_id: app.clientId, client_secret: app.secret }
  const post = async (path: string, fields: Record<string, string>): Promise<OAuthAnswer> => {
    const { status, text } = await ask(o, path, { form: { ...fields, ...credentials } })
    const body = text.startsWith('{') ? JSON.parse(text) : null
    for (const name of ['access_token', 'refresh_token']) if (body?.[name]) onSecret(name, body[name])
    return { status, body }
  }
  return {
    workspaceId,
    apiKey,
    session,
    authorize: async () => authorize(o, { clientId: app.clientId, session: await recentSession() }),
    redeem: ({ code, verifier }) =>
      post('/oauth/token', {
        grant_type: 'authorization_code',
        code,
        code_verifier: verifier,
        redirect_uri: redirectUrl,
      }),
    refresh: (refreshToken) => post('/oauth/token', { grant_type: 'refresh_token', refresh_token: refreshToken }),
    revoke: (token) => post('/oauth/revoke', { token }),
  }
}

async function registerApp(operator: Stack['operator'], workspaceId: string) {
  const scopes = ['integrations:read', 'stats:read', 'webhooks:manage']
  const fields = { name: 'Ledgerline', redirect_urls: [redirectUrl], scopes }
  const parts = new FormData()
  parts.set('workspace_id', JSON.stringify(workspaceId))
  parts.set('app', JSON.stringify(fields))
  parts.set('logo', new Blob([readFileSync(join(root, 'packages/cli/sample-logo.png'))]), 'logo.png')
  const authorization = `Bearer ${readFileSync(operator.tokenFile, 'utf8')}`
  const response = await fetch(`${operator.url}/internal/oauth-apps`, {
    method: 'POST',
    headers: { authorization },
    body: parts,
  })
  const made = (await response.json()) as { client_id: string; client_secret: string }
  if (response.status !== 201) throw new Error(`the app was refused: ${JSON.stringify(made)}`)
  return { clientId: made.client_id, secret: made.client_secret }
}

/** The cookie of a session. */
async function signIn(o: OAuthClientOptions, person: { email: string; password: string }): Promise<string> {
  const page = await ask(o, '/sign-in')
  const done = await ask(o, '/sign-in', { form: { ...hiddenIn(page), ...person }, cookie: page.cookies.join('; ') })
  const cookie = done.cookies.find((line) => line.includes('wds_session='))
  if (cookie === undefined) throw new Error(`signing in was answered with ${done.status}: ${done.text}`)
  return cookie
}

async function authorize(o: OAuthClientOptions, by: { clientId: string; session: string }): Promise<Code> {
  const verifier = randomBytes(32).toString('base64url')
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: by.clientId,
    redirect_uri: redirectUrl,
    state: 'xyz',
    scope: 'integrations:read stats:read webhooks:manage',
    code_challenge_method: 'S256',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
  })
  const begun = await ask(o, `/oauth/authorize?${query}`)
  const cookie = [...begun.cookies, by.session].join('; ')
  const consent = wayOn(begun, 'the authorization')
  const page = await ask(o, consent, { cookie })
  const decided = await ask(o, consent, { form: { ...hiddenIn(page), decision: 'allow' }, cookie })
  const back = await ask(o, wayOn(decided, `the decision on a page of status ${page.status}`), { cookie })
  const code = back.location.startsWith(redirectUrl) ? new URL(back.location).searchParams.get('code') : null
  if (code === null) throw new Error(`no code: the way back was answered with ${described(back)}`)
  o.onSecret?.('code', code)
  o.onSecret?.('verifier', verifier)
  return { code, verifier }
}

/** Where a page of ours leads, on our host. */
function wayOn(answer: Page, what: string): string {
  if (answer.location.startsWith('/')) return answer.location
  throw new Error(`the flow ended before its code: ${what} was answered with ${described(answer)}`)
}

/** Status, and what stands on it: the problem's or OAuth's code, or the heading and words of a page. */
function described({ status, location, text }: Page): string {
  const [, code] = /"(?:code|error)":"([^"]+)"/.exec(text) ?? []
  const words = text.replace(/^.*?<main/s, '<main').replaceAll(/<[^>]*>|\s+/g, ' ')
  return [status, location, code ?? words.slice(0, 500)].filter((part) => part !== '').join(' ')
}

/** As a browser sends it; a form is posted. @throws when no answer comes. */
export async function ask(
  o: OAuthClientOptions,
  path: string,
  { form, cookie }: { form?: Record<string, string>; cookie?: string } = {},
): Promise<Page> {
  const { statusCode, headers, body } = await request(`${o.url}${path}`, {
    method: form === undefined ? 'GET' : 'POST',
    headers: withoutUndefined<Record<string, string>>({
      host: o.host,
      'sec-fetch-site': 'same-origin',
      cookie,
      'content-type': form === undefined ? undefined : 'application/x-www-form-urlencoded',
    }),
    body: form === undefined ? null : new URLSearchParams(form).toString(),
    signal: AbortSignal.timeout(60_000),
  })
  const cookies = [headers['set-cookie'] ?? []].flat().map((line) => line.split(';', 1)[0] as string)
  for (const pair of cookies) o.onSecret?.('cookie', pair.slice(pair.indexOf('=') + 1))
  return { status: statusCode, location: String(headers.location ?? ''), cookies, text: await body.text() }
}

/** The hidden fields of the page's form. */
export function hiddenIn({ text }: Page): Record<string, string> {
  const fields = [...text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)]
  return Object.fromEntries(fields.map(([, name = '', value = '']) => [name, value.replaceAll('&amp;', '&')]))
}
