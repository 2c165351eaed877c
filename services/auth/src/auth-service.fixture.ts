// For tests: the HTTP side of the auth service on a database of its own, people and workspaces made directly, a clock that tests move, and
// a browser that keeps cookies. It never stands in a running service.

import { randomBytes } from 'node:crypto'
import { createAccessDirectory } from '@wds/access/access-directory'
import { createKeyUses } from '@wds/access/key-uses'
import { keepConfirmed } from '@wds/access/log-end.fixture'
import type { Plan, Role } from '@wds/contracts/roles'
import { withoutUndefined } from '@wds/contracts/without-undefined'
import { createEnvelopeEncryption } from '@wds/envelope-encryption/envelope-encryption'
import { createCursors } from '@wds/http-service/cursor'
import { createHttpService, type HttpServiceOptions, type RunningHttpService } from '@wds/http-service/service'
import type { TestDatabase } from '@wds/local-infra/test-database'
import { createPool, type Pool } from '@wds/postgres/pool'
import { withTransaction } from '@wds/postgres/transaction'
import { createLogger } from '@wds/telemetry/logger'
import { logSecurityEvents } from './audit/security-events.ts'
import { contextOf, createAuthDatabase, moveClock } from './auth-database.fixture.ts'
import { createHttpPart, type HttpPartOptions } from './http-part.ts'
import { addOrRaiseMember } from './members/add-member.ts'
import { openKeyRing } from './oauth/signing-keys/key-ring.ts'
import { createPasswordHasher } from './people/password-hash.ts'
import { registerPerson } from './people/register.ts'
import { sendRaw } from './raw-request.fixture.ts'
import { grantsOf } from './resources.ts'
import { findSession, startSession } from './sessions/session.ts'
import { createCookies } from './web/cookies.ts'
import { createWorkspace } from './workspaces/create-workspace.ts'

/** Milliseconds instead of half a second. */
export const cheapHashes = { memoryKib: 64, passes: 1, lanes: 1 }

const serviceToken = 'service-token'

export interface Person {
  userId: string
  name: string
  email: string
  password: string
}

export interface Call {
  /** GET without a body, else POST. */
  method?: string
  /** An object is sent as JSON, URLSearchParams and FormData as forms. */
  body?: object | URLSearchParams | FormData
  headers?: Record<string, string>
}

export interface Answer {
  status: number
  headers: Headers
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  json: any
}

/** One browser: it keeps cookies and follows no redirect. */
export interface Browser {
  cookies: Map<string, string>
  call(path: string, o?: Call): Promise<Answer>
  /** As a page of ours posts a form. */
  submit(path: string, fields: Record<string, string>): Promise<Answer>
  /** As the console writes: with the CSRF token of the session and its current workspace. */
  write(path: string, o?: Call): Promise<Answer>
}

export interface AuthService {
  url: string
  /** Of the internal listener, and the token that it takes. */
  internalUrl: string
  serviceToken: string
  database: TestDatabase
  pool: Pool
  worker: Pool
  admin: Pool
  /** Lines of the log. */
  log: string[]
  /** Moves the database's clock (`app_now()`) to so much before or after the real one. */
  moveClock(offsetMs: number): Promise<void>
  makePerson(o?: Partial<Omit<Person, 'userId'>>): Promise<Person>
  makeWorkspace(o?: { name?: string; plan?: Plan }): Promise<string>
  join(workspaceId: string, userId: string, role: Role): Promise<void>
  browser(): Browser
  /** As the operator's command line calls the internal listener. */
  operate(path: string, o?: Call): Promise<Answer>
  /** The internal listener. */
  operator: { url: string; token: string }
  /** A browser in which the person is signed in, with this current workspace. */
  signedIn(userId: string, workspaceId?: string): Promise<Browser>
  /** A workspace with its owner, signed in. */
  ownedWorkspace(o?: { name?: string; plan?: Plan }): Promise<{ workspaceId: string; owner: Person; browser: Browser }>
  /** Tells which keys were let in, as a process does every minute. */
  announceKeyUses(): Promise<void>
  stop(): Promise<void>
}

/** `authUrl`: where the service believes to be; it listens on a loopback port in any case. */
export async function startAuth(
  o: { authUrl?: string } & Pick<HttpPartOptions, 'providers' | 'reportUpstreamFailure'> &
    Partial<HttpServiceOptions> = {},
): Promise<AuthService> {
  const database = await createAuthDatabase()
  const urls = database.urls.services.auth
  const [pool, worker, admin] = [urls.http, urls.worker, database.adminUrl].map((connectionString) => {
    // What prepares a test has no limit.
    const limit = connectionString === database.adminUrl ? { statementTimeoutMs: 0 } : {}
    return createPool({ connectionString, applicationName: 'test', max: 6, ...limit })
  }) as [Pool, Pool, Pool]
  const log: string[] = []
  const logger = createLogger({ service: 'auth', destination: { write: (line) => log.push(line) } })
  const { authUrl = 'http://localhost', providers = [], reportUpstreamFailure = () => {}, ...options } = o
  const confirming = keepConfirmed(worker)
  const confirmedForMs = Number.POSITIVE_INFINITY
  const uses = createKeyUses(pool)
  const at = { issuer: authUrl, audience: authUrl }
  const access = createAccessDirectory({ pool, logger, ...at, confirmedForMs, onKeyUsed: uses.note })
  await access.start()
  await access.whenLoaded()
  const cursors = createCursors([randomBytes(32)])
  const envelope = o.envelope ?? createEnvelopeEncryption([{ kid: 'test', key: randomBytes(32) }])
  const stopLogging = logSecurityEvents(logger)
  const stopping = new AbortController()
  const ring = await openKeyRing({
    pool,
    envelope,
    logger,
    signal: stopping.signal,
    issuer: authUrl,
    audience: authUrl,
  })
  const upstream = { providers, reportUpstreamFailure }
  const service = {
    openapi: new URL('./', import.meta.url),
    baseUrl: authUrl,
    pool,
    authenticator: access,
    logger,
    envelope,
    ...createHttpPart({
      pool,
      cursors,
      authUrl,
      secret: randomBytes(32),
      hashParameters: cheapHashes,
      signToken: ring.signAccessToken,
      ...upstream,
    }),
    ...options,
  }
  const [running, internal] = await Promise.all(
    [service, { ...service, internal: { tokens: () => [serviceToken] } }].map((one) =>
      createHttpService(one).listen({ host: '127.0.0.1', port: 0 }),
    ) as [Promise<RunningHttpService>, Promise<RunningHttpService>],
  )
  const [url, internalUrl] = [`http://127.0.0.1:${running.port}`, `http://127.0.0.1:${internal.port}`]
  const cookies = createCookies(authUrl)
  const hasher = createPasswordHasher({ parameters: cheapHashes })
  const host = new URL(authUrl).host
  const browser = () => openBrowser({ url, host }, (header) => findSession({ pool, cookies }, header))

  async function makePerson(given: Partial<Omit<Person, 'userId'>> = {}): Promise<Person> {
    const mark = randomBytes(6).toString('hex')
    const person = { name: `Person ${mark}`, email: `${mark}@example.test`, password: `password of ${mark}`, ...given }
    const passwordHash = await hasher.hash(person.password)
    const userId = await withTransaction(pool, { workspaceId: null }, (tx) =>
      registerPerson(tx, { ...person, passwordHash }, { requestId: 'req_test' }),
    )
    if (userId === null) throw new Error('somebody has this address')
    return { ...person, userId }
  }

  async function makeWorkspace({ name = 'Acme', plan = 'business' }: { name?: string; plan?: Plan } = {}) {
    return (await createWorkspace(pool, { name, plan, keyName: 'first', scopes: null })).workspaceId
  }

  async function join(workspaceId: string, userId: string, role: Role): Promise<void> {
    const context = contextOf(workspaceId)
    const isNew = await withTransaction(pool, { workspaceId }, (tx) =>
      addOrRaiseMember(tx, { context, userId, role, grants: grantsOf }),
    )
    if (!isNew) throw new Error('a member already')
  }

  async function signedIn(userId: string, workspaceId?: string): Promise<Browser> {
    const from = { address: null, userAgent: null }
    const start = { userId, workspaceId: workspaceId ?? null, requestId: 'req_test', ...from }
    const { secret } = await withTransaction(pool, { workspaceId: null }, (tx) => startSession(tx, start))
    const opened = browser()
    opened.cookies.set(authUrl.startsWith('https:') ? '__Host-wds_session' : 'wds_session', secret)
    return opened
  }

  return {
    url,
    internalUrl: `http://127.0.0.1:${internal.port}`,
    serviceToken,
    database,
    pool,
    worker,
    admin,
    log,
    makePerson,
    makeWorkspace,
    join,
    browser,
    signedIn,
    operator: { url: internalUrl, token: serviceToken },
    operate: (path, call = {}) =>
      openBrowser({ url: internalUrl }, async () => null).call(path, {
        ...call,
        headers: { authorization: `Bearer ${serviceToken}` },
      }),
    moveClock: (offsetMs) => moveClock(admin, offsetMs),
    announceKeyUses: uses.announce,
    ownedWorkspace: async (given) => {
      const [workspaceId, owner] = await Promise.all([makeWorkspace(given), makePerson()])
      await join(workspaceId, owner.userId, 'owner')
      return { workspaceId, owner, browser: await signedIn(owner.userId, workspaceId) }
    },
    stop: async () => {
      stopLogging()
      stopping.abort()
      await ring.ended
      await Promise.all([running, internal].map((one) => one.close({ graceMs: 0 })))
      await access.stop()
      await confirming.stop()
      await Promise.all([pool, worker, admin].map((one) => one.end()))
      await database.drop()
    },
  }
}

/** `host`: as the browser names it; that of the URL unless told. */
function openBrowser(
  { url, host = new URL(url).host }: { url: string; host?: string },
  find: (header: string) => Promise<{ csrf: string } | null>,
): Browser {
  const cookies = new Map<string, string>()
  const header = () => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const call: Browser['call'] = async (path, o = {}) => {
    const { body, method = body === undefined ? 'GET' : 'POST' } = o
    const isForm = body instanceof URLSearchParams || body instanceof FormData
    const encoded = body === undefined ? null : new Response(isForm ? body : JSON.stringify(body))
    const type = isForm ? encoded?.headers.get('content-type') : encoded && 'application/json'
    const answer = await sendRaw({
      port: Number(new URL(url).port),
      method,
      path,
      headers: withoutUndefined({
        host,
        'user-agent': 'node',
        cookie: cookies.size === 0 ? undefined : header(),
        'content-type': type ? type : undefined,
        ...o.headers,
      }),
      body: encoded === null ? undefined : await encoded.bytes(),
    })
    const headers = new Headers()
    for (const [name, value = ''] of Object.entries(answer.headers)) {
      for (const line of [value].flat()) headers.append(name, line)
    }
    for (const line of headers.getSetCookie()) keep(cookies, line)
    return { ...answer, headers }
  }
  return {
    cookies,
    call,
    submit: (path, fields) =>
      call(path, { body: new URLSearchParams(fields), headers: { 'sec-fetch-site': 'same-origin' } }),
    write: async (path, o = {}) => {
      const csrf = (await find(header()))?.csrf ?? ''
      const headers = { 'sec-fetch-site': 'same-origin', 'x-csrf-token': csrf, ...o.headers }
      return call(path, { method: 'POST', ...o, headers })
    },
  }
}

function keep(cookies: Map<string, string>, line: string): void {
  const [pair = '', ...attributes] = line.split('; ')
  const at = pair.indexOf('=')
  if (attributes.includes('Max-Age=0')) cookies.delete(pair.slice(0, at))
  else cookies.set(pair.slice(0, at), pair.slice(at + 1))
}

/** The hidden fields of the page's form. */
export function hiddenOf({ text }: Answer): Record<string, string> {
  const fields = [...text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)]
  return Object.fromEntries(fields.map(([, name, value]) => [name, value?.replaceAll('&amp;', '&')]))
}
