// For tests: the OAuth endpoints in one or more processes' worth of listeners on one database, and what a browser and an app do with them.
// It never stands in a running service.

import { randomBytes } from 'node:crypto'
import type { Scope } from '@wds/contracts/scopes'
import { withoutUndefined } from '@wds/contracts/without-undefined'
import { createPool } from '@wds/postgres/pool'
import { createAuthDatabase, moveClock } from '../auth-database.fixture.ts'
import { sendRaw } from '../raw-request.fixture.ts'
import type { RecordKind } from './engine/store.ts'
import { type App, type Member, peopleOn } from './oauth-people.fixture.ts'
import { forkOAuth, serveOAuth } from './oauth-process.fixture.ts'
import { type Answer, cookieOf, type Fields, formIn, formOf, queryOf, redirectUrl } from './oauth-requests.fixture.ts'

export const authUrl = 'https://auth.example.test'
export const baseUrl = 'https://api.example.test'

export interface Raw {
  /** Which of the processes. */
  process?: number
  method?: string
  path: string
  host?: string
  headers?: Record<string, string | string[]>
  body?: string
  /** Of the client, as a listed proxy tells it. */
  address?: string
}

export type OAuthService = Awaited<ReturnType<typeof startOAuth>>

/** `processes`: how many answer; requests go to the first unless told. `isForked`: they are processes of their own, beside this one. */
export async function startOAuth(o: { processes?: number; isForked?: boolean; isPlain?: boolean } = {}) {
  const { processes = 1, isForked = false, isPlain = false } = o
  const database = await createAuthDatabase()
  const urls = database.urls.services.auth
  const open = (connectionString: string, max: number) => createPool({ connectionString, applicationName: 'test', max })
  const [worker, admin] = [open(urls.worker, 4), open(database.adminUrl, 4)]
  const log: string[] = []
  const [key, secret] = [randomBytes(32).toString('hex'), randomBytes(32).toString('hex')]
  const how = { connectionString: urls.http, authUrl, baseUrl, key, secret, isPlain }
  const servers = [await serveOAuth(how, (line) => log.push(line))]
  while (!isForked && servers.length < processes) servers.push(await serveOAuth(how, (line) => log.push(line)))
  const children = isForked ? await Promise.all(Array.from({ length: processes }, () => forkOAuth(how))) : []
  const ports = (isForked ? children : servers).map(({ port }) => port)
  const [first] = servers
  if (first === undefined) throw new Error('at least one process')
  const { pool, oauth, envelope } = first
  const people = peopleOn(pool)

  function raw(o: Raw): Promise<Answer> {
    const { method = 'GET', path, host = new URL(authUrl).host, body } = o
    const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-for': o.address ?? '203.0.113.1' }
    const headers = { host, ...forwarded, ...o.headers }
    return sendRaw({ port: ports[o.process ?? 0] ?? 0, method, path, headers, body })
  }

  /** A form at an endpoint of the API's host; several values of a name are sent several times. */
  const post = (path: string, fields: Fields, o: Partial<Raw> = {}) =>
    raw({
      method: 'POST',
      path,
      host: new URL(baseUrl).host,
      body: formOf(fields),
      ...o,
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...o.headers },
    })

  let addresses = 0
  /** As `post`, each time from another address: failed authentications are counted by it. */
  const postFromNewAddress = (path: string, fields: Fields, o: Partial<Raw> = {}) => {
    addresses += 1
    return post(path, fields, { address: `198.51.${addresses >> 8}.${addresses & 255}`, ...o })
  }

  /** Asks for an authorisation: where the browser is sent, and its cookies. */
  async function ask(query: Record<string, string>, o: Partial<Raw> = {}) {
    const answer = await raw({ path: `/oauth/authorize?${new URLSearchParams(query)}`, ...o })
    const uid = /^\/oauth\/consent\/([\w-]+)$/.exec(answer.headers.location ?? '')?.[1] ?? null
    return { answer, uid, cookie: cookieOf(answer) }
  }

  /** Posts the form of a consent page as a browser does. */
  const decide = (
    page: Answer,
    cookie: string,
    o: { decision?: string; fields?: Fields; headers?: Record<string, string> } = {},
  ) => {
    const { action, fields } = formIn(page)
    return post(
      action,
      { ...fields, decision: o.decision ?? 'allow', ...o.fields },
      {
        host: new URL(authUrl).host,
        headers: { cookie, 'sec-fetch-site': 'same-origin', origin: 'null', ...o.headers },
      },
    )
  }

  /** From the authorisation request to the redirect, as a browser does it in which the person allows what is asked. */
  async function authorize(
    app: App,
    person: Member,
    o: { scopes?: Scope[]; query?: Record<string, string>; decision?: string } = {},
  ): Promise<Authorization> {
    const verifier = randomBytes(32).toString('base64url')
    const query = {
      ...queryOf(app, withoutUndefined({ verifier, scopes: o.scopes })),
      ...o.query,
    }
    const { answer, uid, cookie: own } = await ask(query)
    if (uid === null) throw new Error(`no interaction: ${answer.status} ${answer.text} ${answer.headers.location}`)
    const cookie = `${own}; ${await people.signIn(person)}`
    const page = await raw({ path: `/oauth/consent/${uid}`, headers: { cookie } })
    const decided = await decide(page, cookie, o)
    const back = await raw({ path: decided.headers.location ?? '/none', headers: { cookie } })
    const location = back.headers.location ?? null
    const code = location === null ? null : new URL(location).searchParams.get('code')
    return { uid, cookie, verifier, page, decided, back, location, code: code ?? '' }
  }

  /** Fields of a code's redemption, right unless told otherwise. */
  const redemption = (
    app: App,
    { code, verifier }: Pick<Authorization, 'code' | 'verifier'>,
  ): Record<string, string> => ({
    grant_type: 'authorization_code',
    code,
    code_verifier: verifier,
    redirect_uri: redirectUrl,
    client_id: app.clientId,
    client_secret: app.secret,
  })
  const refreshing = (app: App, refreshToken: string): Record<string, string> => ({
    grant_type: 'refresh_token',
    refresh_token: refreshToken,
    client_id: app.clientId,
    client_secret: app.secret,
  })

  /** Tokens of a new grant. */
  async function tokens(app: App, person: Member, o: { scopes?: Scope[] } = {}) {
    const answer = await post('/oauth/token', redemption(app, await authorize(app, person, o)))
    if (answer.status !== 200) throw new Error(`no tokens: ${answer.text}`)
    return answer.json as { access_token: string; refresh_token: string; scope: string; user_context: object }
  }

  /** Types and data of what was announced of a workspace, in order. */
  async function announced(workspaceId: string): Promise<{ type: string; data: Record<string, unknown> }[]> {
    const { rows } = await admin.query<{ event_type: string; data: Record<string, unknown> }>(
      `select event_type, data from auth.stream_events where workspace_id = $1 and stream_type = 'grant' order by event_id`,
      [workspaceId],
    )
    return rows.map(({ event_type: type, data }) => ({ type, data }))
  }

  /** From now on no new row of this kind is stored: the disk is full. Returns what mends it. */
  async function breakWrites(kind: RecordKind): Promise<() => Promise<void>> {
    await admin.query(`create function auth.refuse_for_test() returns trigger language plpgsql as
      $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$;
      create trigger refuse_for_test before insert on auth.engine_records for each row
        when (new.kind = '${kind}') execute function auth.refuse_for_test()`)
    return async () => {
      await admin.query('drop function auth.refuse_for_test cascade')
    }
  }

  async function stop(): Promise<void> {
    await Promise.all([...servers, ...children].map((one) => one.stop()))
    await Promise.all([worker.end(), admin.end()])
    await database.drop()
  }

  return {
    pool,
    worker,
    admin,
    log,
    servers,
    envelope,
    key: { kid: 'test', key: Buffer.from(key, 'hex') },
    oauth,
    raw,
    post,
    postFromNewAddress,
    ...people,
    ask,
    decide,
    authorize,
    redemption,
    refreshing,
    tokens,
    announced,
    breakWrites,
    stop,
    moveClock: (offsetMs: number) => moveClock(admin, offsetMs),
  }
}

export interface Authorization {
  uid: string
  cookie: string
  verifier: string
  page: Answer
  decided: Answer
  back: Answer
  location: string | null
  code: string
}
