// For tests: the settings API beside the OAuth endpoints, on one database. It never stands in a running service.

import { randomBytes } from 'node:crypto'
import { withoutUndefined } from '@wds/contracts/without-undefined'
import { createCursors } from '@wds/http-service/cursor'
import { createHttpService, type HttpServiceOptions } from '@wds/http-service/service'
import { createLogger } from '@wds/telemetry/logger'
import { createHttpPart } from './http-part.ts'
import type { Member } from './oauth/oauth-people.fixture.ts'
import { cookieOf, formIn, formOf } from './oauth/oauth-requests.fixture.ts'
import { authUrl, type OAuthService, startOAuth } from './oauth/oauth-service.fixture.ts'
import { type RawAnswer, sendRaw } from './raw-request.fixture.ts'
import { findSession } from './sessions/session.ts'
import { createCookies } from './web/cookies.ts'

export interface SettingsCall {
  method?: string
  /** Sent as JSON. */
  body?: object
  headers?: Record<string, string>
}

const serviceToken = 'service-token'

export interface OAuthAndSettings {
  oauth: OAuthService
  /** The internal listener. */
  operator: { url: string; token: string }
  /** Calls the settings API as the person, signed in. */
  callAs(person: Member): Promise<
    // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
    (path: string, o?: SettingsCall) => Promise<{ status: number; json: any }>
  >
  /** The sign-in page as somebody sees it who is to go on at this path. */
  signInPage(returnTo: string): Promise<string>
  /** A page of auth in a browser of its own; with fields, its form is posted with them. */
  visit(path: string, fields?: Record<string, string>): Promise<RawAnswer>
  stop(): Promise<void>
}

export async function startOAuthAndSettings(): Promise<OAuthAndSettings> {
  const oauth = await startOAuth()
  const { pool, envelope } = oauth
  const { signAccessToken: signToken } = oauth.oauth.keys
  const service: HttpServiceOptions = {
    openapi: new URL('./', import.meta.url),
    baseUrl: authUrl,
    pool,
    envelope,
    ...createHttpPart({
      pool,
      cursors: createCursors([randomBytes(32)]),
      authUrl,
      secret: randomBytes(32),
      appNameOf: oauth.oauth.appNameOf,
      signToken,
    }),
    authenticator: { authenticate: async () => ({ ok: false, problem: 'invalid_token' }) },
    logger: createLogger({ service: 'test', level: 'error' }),
  }
  const at = { host: '127.0.0.1', port: 0 }
  const settings = await createHttpService(service).listen(at)
  const internal = await createHttpService({ ...service, internal: { tokens: () => [serviceToken] } }).listen(at)
  const visit: OAuthAndSettings['visit'] = async (path, fields) => {
    const { port } = settings
    const headers = { host: new URL(authUrl).host }
    const page = await sendRaw({ port, method: 'GET', path, headers })
    if (fields === undefined) return page
    const form = formIn(page)
    const posted = {
      ...headers,
      cookie: cookieOf(page),
      'sec-fetch-site': 'same-origin',
      'content-type': 'application/x-www-form-urlencoded',
    }
    const body = formOf({ ...form.fields, ...fields })
    return sendRaw({ port, method: 'POST', path: form.action, headers: posted, body })
  }
  return {
    oauth,
    operator: { url: `http://127.0.0.1:${internal.port}`, token: serviceToken },
    async callAs(person) {
      const cookie = await oauth.signIn(person)
      const session = await findSession({ pool, cookies: createCookies(authUrl) }, cookie)
      return async (path, { method, body, headers } = {}) => {
        const response = await fetch(`http://127.0.0.1:${settings.port}${path}`, {
          method: method ?? (body === undefined ? 'GET' : 'POST'),
          headers: withoutUndefined<Record<string, string>>({
            cookie,
            'sec-fetch-site': 'same-origin',
            'x-csrf-token': session?.csrf ?? '',
            'content-type': body === undefined ? undefined : 'application/json',
            ...headers,
          }),
          body: body === undefined ? null : JSON.stringify(body),
        })
        const text = await response.text()
        return { status: response.status, json: text === '' ? null : JSON.parse(text) }
      }
    },
    signInPage: async (returnTo) => (await visit(`/sign-in?return_to=${encodeURIComponent(returnTo)}`)).text,
    visit,
    async stop() {
      await Promise.all([settings, internal].map((one) => one.close({ graceMs: 0 })))
      await oauth.stop()
    },
  }
}
