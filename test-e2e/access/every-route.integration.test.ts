/** Every route of every service, as their OpenAPI files list them, against every condition of a credential, for API keys and access tokens alike. */

import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { makeApiKey } from '@wds/access/api-key'
import { isScope, type Scope, scopes } from '@wds/contracts/scopes'
import { withoutUndefined } from '@wds/contracts/without-undefined'
import { createPostgresLog } from '@wds/event-log/postgres-log'
import { isInternal } from '@wds/http-service/openapi-document'
import { createPool } from '@wds/postgres/pool'
import type { ServiceProcess } from '../harness/service-processes.ts'
import { type Stack, startStack } from '../harness/stack.ts'
import { eventually } from '../harness/standalone.ts'
import { createUndo } from '../harness/undo.ts'
import { makeKey, newId, openTokenMaker, revokeGrant, revokeKey } from './credentials.ts'
import { makeObjects } from './objects.ts'
import { isPublic, type Listed, nameOf, ofPeople, operations, type Service, scoped, services } from './routes.ts'

type Kind = 'key' | 'token'

/** Credentials of one kind, each the text behind `Bearer`. */
interface Credentials {
  good: string
  /** All scopes but this one. */
  lacking: Record<Scope, string>
  expired: string
  revoked: string
}

const { undo, stop } = createUndo()
const urls = {} as Record<Service, string>
let stack: Stack
let processes: ServiceProcess[] = []
const credentials = {} as Record<Kind, Credentials>
/** Of another workspace: by the folder of the path that they belong to. */
let foreign: Record<string, string> = {}
/** Stands in what is foreign. */
const foreignName = `foreign ${randomBytes(8).toString('hex')}`
/** Opens what is foreign. */
let owner = ''

beforeAll(async () => {
  stack = await startStack()
  undo.push(stack.stop)
  const pool = createPool({ connectionString: stack.urls.auth.worker, applicationName: 'test-log', max: 4 })
  undo.push(() => pool.end())
  const log = createPostgresLog({ pool, partitions: 12 })
  undo.push(() => log.close())
  // An anomaly is found once its day is final.
  const env = { WDS_STATS_BACKFILL_REST: '1s' }
  processes = await Promise.all(services.map((service) => stack.start(service, service === 'api' ? { env } : {})))
  for (const { service, url } of processes) urls[service] = url
  const tokens = await openTokenMaker(log, { issuer: 'http://127.0.0.1', audience: 'http://127.0.0.1' })
  const [workspaceId, otherId] = [newId('wsp'), newId('wsp')]
  const lacking = async (make: (left: Scope[]) => Promise<{ token: string }>) =>
    Object.fromEntries(
      await Promise.all(
        scopes.map(async (scope) => [scope, (await make(scopes.filter((other) => other !== scope))).token] as const),
      ),
    ) as Record<Scope, string>
  const [revokedKey, revokedToken] = [await makeKey(log, { workspaceId }), await tokens.makeToken({ workspaceId })]
  credentials.key = {
    good: (await makeKey(log, { workspaceId })).token,
    lacking: await lacking((left) => makeKey(log, { workspaceId, scopes: left })),
    expired: (await makeKey(log, { workspaceId, expired: true })).token,
    revoked: revokedKey.token,
  }
  credentials.token = {
    good: (await tokens.makeToken({ workspaceId })).token,
    lacking: await lacking((left) => tokens.makeToken({ workspaceId, scopes: left })),
    expired: (await tokens.makeToken({ workspaceId, expired: true })).token,
    revoked: revokedToken.token,
  }
  // Both lived before they were revoked.
  await everywhere([revokedKey.token, revokedToken.token], isKnown)
  await revokeKey(log, workspaceId, revokedKey.keyId)
  await revokeGrant(log, workspaceId, revokedToken.grantId)
  await everywhere([revokedKey.token, revokedToken.token], (status) => status === 401)
  owner = (await tokens.makeToken({ workspaceId: otherId })).token
  await everywhere([owner, credentials.key.good, ...Object.values(credentials.key.lacking)], isKnown)
  foreign = await makeObjects(urls, owner, { name: foreignName })
})
afterAll(stop)

/** What every service that knows its callers answers; `but`: one that is not asked. */
function probe(text: string, but?: Service): Promise<Response[]> {
  const paths = { auth: '/v1/workspace', api: '/v1/integrations', delivery: '/v1/webhooks' }
  const asked = Object.entries(paths).filter(([service]) => service !== but) as [keyof typeof paths, string][]
  const headers = { authorization: `Bearer ${text}` }
  return Promise.all(asked.map(([service, path]) => fetch(`${urls[service]}${path}`, { headers })))
}

/** Auth itself does not know the workspaces that are told of here: 404. */
const isKnown = (status: number) => [200, 403, 404].includes(status)

/** Asks until the answers to all of them are as wanted. */
async function everywhere(texts: string[], wanted: (status: number) => boolean): Promise<void> {
  await eventually('every service knows the credentials', async () =>
    (await Promise.all(texts.map((text) => probe(text)))).flat().every(({ status }) => wanted(status)),
  )
}

interface Answer {
  status: number
  code: string
  challenge: string | null
}

/** `id`: in place of every parameter of the path. */
async function ask(operation: Listed, bearer: string | null, id = 'x'): Promise<Answer> {
  const { method, path, service, body } = operation
  const type = Object.keys(body?.content ?? {})[0]
  const response = await fetch(
    urls[service] + path.replaceAll(/\{[^}]+\}/g, id),
    withoutUndefined({
      method,
      headers: withoutUndefined<Record<string, string>>({
        authorization: bearer === null ? undefined : `Bearer ${bearer}`,
        'content-type': type,
        // Those that move money demand one.
        'idempotency-key': method === 'POST' ? randomUUID() : undefined,
      }),
      body: type?.endsWith('json') ? '{}' : undefined,
    }),
  )
  const text = await response.text()
  const { code = '' } = text === '' ? {} : JSON.parse(text)
  return { status: response.status, code, challenge: response.headers.get('www-authenticate') }
}

/** All answers at once, by the name of the route. */
async function answersOf(listed: Listed[], ask: (operation: Listed) => Promise<Answer>): Promise<[string, Answer][]> {
  return Promise.all(listed.map(async (operation) => [nameOf(operation), await ask(operation)] as [string, Answer]))
}

const like = (listed: Listed[], answer: (operation: Listed) => object) =>
  listed.map((operation) => [nameOf(operation), answer(operation)])

test('there are routes of all kinds, and those without a credential are these', () => {
  expect([scoped.length, ofPeople.length].every((count) => count > 20)).toBe(true)
  const open = operations.filter(({ scope }) => scope === null).filter(isPublic)
  expect(open.map(nameOf).sort()).toEqual([
    'GET /.well-known/oauth-protected-resource',
    'GET /v1/event-types',
    'GET /v1/event-types/{type}',
    'GET /v1/event-types/{type}/example',
    'GET /v1/event-types/{type}/schema',
    'GET /v1/openapi.json',
    'POST /v1/sub-affiliate-invitations/{token}/accept',
  ])
})

test('B1: every route of a token refuses a request without one, and tells where the metadata is', async () => {
  const challenge = 'Bearer realm="wds", resource_metadata="http://127.0.0.1/.well-known/oauth-protected-resource"'
  const refused = { status: 401, code: 'unauthenticated', challenge }
  expect(await answersOf(scoped, (operation) => ask(operation, null))).toEqual(like(scoped, () => refused))
})

test.each(['key', 'token'] as const)('B2, XO14: every route refuses an expired and a revoked %s', async (kind) => {
  const refused = { status: 401, code: 'invalid_token', challenge: 'Bearer realm="wds", error="invalid_token"' }
  for (const condition of ['expired', 'revoked'] as const) {
    const answers = await answersOf(scoped, (operation) => ask(operation, credentials[kind][condition]))
    expect([condition, answers]).toEqual([condition, like(scoped, () => refused)])
  }
})

test.each(['key', 'token'] as const)(
  'B3, B7: every route refuses a %s that has all scopes but its own, and names it',
  async (kind) => {
    const listed = scoped.filter(({ scope }) => scope !== 'any')
    const scopeOf = ({ scope }: Listed) => {
      if (typeof scope !== 'string' || !isScope(scope)) throw new Error(`${scope} is no scope`)
      return scope
    }
    const answers = await answersOf(listed, (operation) =>
      ask(operation, credentials[kind].lacking[scopeOf(operation)]),
    )
    expect(answers).toEqual(
      like(listed, ({ scope }) => ({
        status: 403,
        code: 'insufficient_scope',
        challenge: `Bearer realm="wds", error="insufficient_scope", scope="${scope}"`,
      })),
    )
  },
)

/** Files whose scope is that of their type. */
const byType: [path: string, scope: Scope][] = [
  ['/v1/imports?type=stats', 'integrations:write'],
  ['/v1/imports?type=fx_rates', 'integrations:write'],
  ['/v1/imports?type=invoice_payments', 'invoices:write'],
  ['/v1/imports?type=campaigns', 'campaigns:write'],
]

test.each(['key', 'token'] as const)('B3: a %s without the scope of its type asks for no export', async (kind) => {
  const ask = (bearer: string, type: string, query: object) =>
    fetch(`${urls.api}/v1/exports`, {
      method: 'POST',
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
      body: JSON.stringify({ type, format: 'csv', query }),
    })
  const { lacking } = credentials[kind]
  const answers = await Promise.all([
    ask(lacking['stats:read'], 'stats', { from: '2026-01-01', to: '2026-01-01' }),
    ask(lacking['invoices:read'], 'invoices', {}),
  ])
  expect(answers.map(({ status }) => status)).toEqual([403, 403])
  expect(answers.map(({ headers }) => headers.get('www-authenticate'))).toEqual(
    ['stats:read', 'invoices:read'].map((scope) => `Bearer realm="wds", error="insufficient_scope", scope="${scope}"`),
  )
})

test.each(['key', 'token'] as const)('B3: a %s without the scope of its type takes in no file', async (kind) => {
  const operation = operations.find((one) => nameOf(one) === 'POST /v1/imports')
  if (operation === undefined) throw new Error('imports have a route')
  const answers = await Promise.all(
    byType.map(([path, scope]) => ask({ ...operation, path }, credentials[kind].lacking[scope])),
  )
  expect(answers.map(({ code, challenge }) => [code, challenge])).toEqual(
    byType.map(([, scope]) => [
      'insufficient_scope',
      `Bearer realm="wds", error="insufficient_scope", scope="${scope}"`,
    ]),
  )
})

/** Versions of what is foreign, as its owner sees them. */
function versions(): Promise<(string | null)[]> {
  const paths: [Service, string][] = [
    ['api', `/v1/integrations/${foreign.integrations}`],
    ['delivery', `/v1/webhooks/${foreign.webhooks}`],
  ]
  const headers = { authorization: `Bearer ${owner}` }
  return Promise.all(paths.map(async ([of, path]) => (await fetch(urls[of] + path, { headers })).headers.get('etag')))
}

test.each(['key', 'token'] as const)(
  'B8, I10, XO08, XT01: every route answers 404 to a %s of another workspace, and changes nothing',
  async (kind) => {
    const before = await versions()
    expect(before).toEqual([expect.any(String), expect.any(String)])
    // Names of providers are everybody's.
    const listed = scoped.filter(({ path }) => path.includes('{') && path !== '/v1/providers/{provider}')
    const idOf = ({ path }: Listed) => {
      const id = foreign[path.split('/')[2] ?? '']
      if (id === undefined) throw new Error(`${path}: make one in makeObjects`)
      return id
    }
    expect(listed.length).toBeGreaterThan(15)
    const answers = await answersOf(listed, (operation) => ask(operation, credentials[kind].good, idOf(operation)))
    expect(answers).toEqual(like(listed, () => ({ status: 404, code: 'not_found', challenge: null })))
    expect(await versions()).toEqual(before)
  },
)

test('B10: no answer of a route of a token may be kept by a cache that others use', async () => {
  const read = scoped.filter(({ method, path }) => method === 'GET' && !path.includes('{'))
  expect(read.length).toBeGreaterThan(5)
  for (const [bearer, wanted] of [
    [credentials.token.good, /^(private, no-cache|no-store)$/],
    [credentials.token.revoked, /^no-store$/],
    [null, /^no-store$/],
  ] as const) {
    for (const { service, path } of read) {
      const headers = bearer === null ? {} : { authorization: `Bearer ${bearer}` }
      const answer = await fetch(urls[service] + path, { headers })
      expect([path, answer.headers.get('cache-control')]).toEqual([path, expect.stringMatching(wanted)])
    }
  }
})

test.each(['key', 'token'] as const)('B9: every route of a signed-in person refuses a %s', async (kind) => {
  const answers = await answersOf(ofPeople, (operation) => ask(operation, credentials[kind].good))
  expect(answers).toEqual(like(ofPeople, () => ({ status: 403, code: 'session_required', challenge: null })))
  const nobody = await answersOf(ofPeople, (operation) => ask(operation, null))
  const refused = { status: 401, code: 'unauthenticated', challenge: 'Cookie realm="wds"' }
  expect(nobody).toEqual(like(ofPeople, () => refused))
})

test.each(['key', 'token'] as const)(
  'B4, B5, XO09: every route refuses a %s in the query, also beside the header',
  async (kind) => {
    const { good } = credentials[kind]
    const inQuery = scoped.map((operation) => ({ ...operation, path: `${operation.path}?access_token=${good}` }))
    const refused = { status: 400, code: 'invalid_request', challenge: 'Bearer realm="wds", error="invalid_request"' }
    for (const bearer of [null, good]) {
      const answers = await answersOf(inQuery, (operation) => ask(operation, bearer))
      expect(answers.map(([, answer]) => answer)).toEqual(inQuery.map(() => refused))
    }
  },
)

test('B5, I10, XO09, XT01: what was asked above is in the logs, and neither a credential of it nor what is foreign', () => {
  const texts = Object.values(credentials).flatMap(({ lacking, ...rest }) => [
    ...Object.values(rest),
    ...Object.values(lacking),
  ])
  const output = processes.map(({ output }) => output()).join('')
  expect(output).toContain('"route":"/v1/integrations"')
  expect([...texts, foreignName].filter((text) => output.includes(text))).toEqual([])
})

test('routes of operators are on no public listener', async () => {
  const internal = operations.filter(({ path }) => isInternal(path))
  expect(internal.length).toBeGreaterThan(3)
  const answers = await answersOf(internal, (operation) => ask(operation, credentials.key.good))
  expect(answers).toEqual(like(internal, () => ({ status: 404, code: 'not_found', challenge: null })))
})

test('a fresh key serves at its first call, at every service', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { apiKey } = await stack.makeWorkspace(`fresh ${round}`)
    expect((await probe(apiKey)).map(({ status }) => status)).toEqual([200, 200, 200])
  }
})

test('XO14: while auth is stopped, known credentials serve, also after a restart, and an unknown key is 503, not refused', async () => {
  const { apiKey } = await stack.makeWorkspace('known')
  // By then every projection has it: what was asked of auth is forgotten after a second.
  await everywhere([apiKey], (status) => status === 200)
  const stopOf = (name: Service) => processes.find(({ service }) => service === name)?.stop()
  const waited = performance.now()
  await eventually('a second has passed', async () => performance.now() - waited > 1_100)
  await stopOf('auth')
  // The old process goes on looking at the log meanwhile: had nobody looked for 10 s, auth's word would be missing, and every answer 503.
  urls.api = (await stack.start('api', { name: 'api-next' })).url
  await stopOf('api')
  const statuses = async (text: string) => (await probe(text, 'auth')).map(({ status }) => status)
  expect(await statuses(apiKey)).toEqual([200, 200])
  expect(await statuses(credentials.token.good)).toEqual([200, 200])
  expect(await statuses(credentials.token.revoked)).toEqual([401, 401])
  expect(await statuses(credentials.key.revoked)).toEqual([401, 401])
  const unknown = await probe(makeApiKey(randomBytes), 'auth')
  expect(unknown.map(({ status, headers }) => [status, headers.get('retry-after')])).toEqual([
    [503, '1'],
    [503, '1'],
  ])
})
