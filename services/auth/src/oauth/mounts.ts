// The OAuth endpoints in the HTTP kit, with the layers in front of the engine (auth.md 2.1).

import type { IncomingMessage } from 'node:http'
import querystring, { parse } from 'node:querystring'
import { callerAt } from '@wds/http-service/caller'
import { FairTurns } from '@wds/http-service/fair-turns'
import type { Mount, MountExchange } from '@wds/http-service/mount'
import { Problem } from '@wds/http-service/problem'
import { send } from '@wds/http-service/respond'
import type { Pool } from '@wds/postgres/pool'
import { reportRefusal } from '../audit/security-events.ts'
import { recordOAuthError } from '../oauth-apps/store-errors.ts'
import { atHost } from '../web/at-host.ts'
import type { Cookies } from '../web/cookies.ts'
import { formBytesMax, isForm } from '../web/form.ts'
import type { Forms } from '../web/forms.ts'
import { pageMount } from '../web/page-mount.ts'
import { answerConsent } from './consent/pages.ts'
import { cookieNames } from './engine/configuration.ts'
import type { Engine } from './engine/engine.ts'
import { metadataOf } from './engine/metadata.ts'
import { prepareQuery, withoutCookies } from './engine/query.ts'
import { type Attempt, countFailure, refusedFor } from './engine/store-failures.ts'
import type { KeyRing } from './signing-keys/key-ring.ts'

export interface MountOptions {
  pool: Pool
  engine: Engine
  keys: KeyRing
  /** The issuer, `{auth_url}`, without a slash at the end. */
  issuer: string
  /** `{base_url}` without a slash at the end. */
  baseUrl: string
  cookies: Cookies
  forms: Forms
}

export function oauthMounts(given: MountOptions): Mount[] {
  // A good client has no quota here: it waits its turn for a connection instead.
  const o = { ...given, turns: new FairTurns(given.pool.options.max ?? 10, { waitMs: 10_000 }) }
  const { issuer, baseUrl, keys } = o
  const authorize = async (request: IncomingMessage, _response: unknown, exchange: MountExchange) => {
    request.url = prepareQuery(request.url ?? '')
    // The application's session is the truth: the engine's own would bring another person's into play (W6).
    const cookies = withoutCookies(request.headers.cookie, [cookieNames.session])
    if (cookies === undefined) delete request.headers.cookie
    else request.headers.cookie = cookies
    await o.engine.answer(request, exchange.response, exchange)
  }
  const form = (path: string): Mount => ({
    path,
    methods: ['POST'],
    quota: 'own',
    handle: (request, _response, exchange) => answerForm(request, exchange, o),
  })
  const document = (path: string, body: () => object): Mount => ({
    path,
    methods: ['GET', 'HEAD'],
    handle: async (_request, response, exchange) => {
      response.setHeader('Cache-Control', 'public, max-age=300')
      sendJson(exchange, 200, body())
    },
  })
  const atIssuer: Mount[] = [
    { path: '/oauth/authorize', methods: ['GET'], handle: authorize },
    { path: '/oauth/authorize/{uid}', methods: ['GET'], handle: authorize },
    pageMount({
      path: '/oauth/consent/{uid}',
      methods: ['GET', 'POST'],
      handle: (exchange) => answerConsent(exchange, o),
    }),
    document('/.well-known/oauth-authorization-server', () => metadataOf({ issuer, baseUrl })),
  ]
  const atApi: Mount[] = [
    ...['/oauth/token', '/oauth/revoke', '/oauth/introspect'].map(form),
    document('/oauth/jwks', () => ({ keys: keys.keys().published })),
  ]
  return [...atIssuer.map((mount) => atHost(issuer, mount)), ...atApi.map((mount) => atHost(baseUrl, mount))]
}

type FormOptions = MountOptions & { turns: FairTurns }

/** Token, revocation and introspection: the form is read and judged for what the engine would find too late. */
async function answerForm(request: IncomingMessage, exchange: MountExchange, o: FormOptions): Promise<void> {
  const { response } = exchange
  response.setHeader('Cache-Control', 'no-store')
  // With a browser's Accept the engine would answer with a page (T2).
  request.headers.accept = 'application/json'
  const bytes = await readBody(exchange)
  if (bytes === null) {
    return refuse(exchange, { status: 400, error: 'invalid_request', description: 'the request body is too large' })
  }
  const form = isForm(request) ? parse(bytes.toString('utf8')) : {}
  const attempt: Attempt = { address: callerAt(exchange.origin.address), clientId: clientIdOf(request, form) }
  replay(request, bytes)
  // By the address alone: whoever invents clients is one caller all the same.
  await o.turns.run(attempt.address, () => answerAttempt(exchange, o, { attempt, form }))
}

/** `attempt`: who says to ask. */
async function answerAttempt(
  exchange: MountExchange,
  o: FormOptions,
  { attempt, form }: { attempt: Attempt; form: ReturnType<typeof parse> },
): Promise<void> {
  const { request, response } = exchange
  const waitSeconds = await refusedFor(o.pool, attempt)
  if (waitSeconds !== null) {
    reportRefusal('client_authentication_throttled', exchange)
    response.setHeader('Retry-After', waitSeconds)
    const description = 'too many failed client authentications, please wait'
    return refuse(exchange, { status: 429, error: 'too_many_requests', description })
  }
  if (!isForApi(form, o.baseUrl)) {
    // Nobody has proven to be the client yet: each of these writes a row.
    await countFailure(o.pool, attempt)
    const reason = 'the resource is another than the API of this server'
    await recordOAuthError(o.pool, {
      clientId: attempt.clientId,
      endpoint: 'token',
      requestId: exchange.requestId,
      error: 'invalid_target',
      reason,
    })
    return refuse(exchange, {
      status: 400,
      error: 'invalid_target',
      description: 'resource indicator is missing, or unknown',
    })
  }
  const isProven = await o.engine.answer(request, response, exchange)
  if (isProven || response.statusCode >= 500) return
  reportRefusal('client_authentication_failed', { object: knownIdOf(attempt), requestId: exchange.requestId })
  await countFailure(o.pool, attempt)
}

/** Null: too large. The engine's own limit is the same. */
async function readBody(exchange: MountExchange): Promise<Buffer | null> {
  try {
    return await exchange.readBody({ bytesMax: formBytesMax })
  } catch (error) {
    if (error instanceof Problem && error.code === 'payload_too_large') return null
    throw error
  }
}

/** The engine reads the body once more (W15). */
function replay(request: IncomingMessage, bytes: Buffer): void {
  const iterator = async function* () {
    yield bytes
  }
  Object.defineProperties(request, { readable: { value: true }, iterator: { value: iterator } })
}

/** What is no client id may be anything, a secret in the wrong field among it. */
const knownIdOf = ({ clientId }: Attempt) => (/^cli_[0-9A-Z]{26}$/.test(clientId) ? clientId : 'unknown')

/** As the engine reads it, so that one client is not counted as many: it need not be one. */
function clientIdOf(request: IncomingMessage, form: ReturnType<typeof parse>): string {
  if (typeof form.client_id === 'string') return form.client_id
  const [, credentials = ''] = /^basic +(\S+)$/i.exec(request.headers.authorization ?? '') ?? []
  const id = Buffer.from(credentials, 'base64').toString('utf8').split(':', 1)[0] ?? ''
  // Form-encoded in Basic (RFC 6749 2.3.1).
  return querystring.unescape(id.replaceAll('+', ' '))
}

/** The engine looks at the resource after it has consumed the code or refresh token (T35). */
function isForApi({ resource }: ReturnType<typeof parse>, baseUrl: string): boolean {
  return resource === undefined || resource === '' || resource === baseUrl
}

function refuse(exchange: MountExchange, o: { status: number; error: string; description: string }): void {
  exchange.code = o.error
  sendJson(exchange, o.status, { error: o.error, error_description: o.description })
}

function sendJson(exchange: MountExchange, status: number, body: object): void {
  exchange.response.setHeader('Content-Type', 'application/json; charset=utf-8')
  send(exchange, status, JSON.stringify(body))
}
