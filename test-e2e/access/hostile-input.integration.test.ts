/** Every route of a key, as the OpenAPI files list them, against ids, parameters and fields that nobody means well with (security.md XT02 to XT16). */

import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { withoutUndefined } from '@wds/contracts/without-undefined'
import { isFullRun } from '@wds/local-infra/test-size'
import pg from 'pg'
import { type Stack, startStack, whenKeyIsKnown } from '../harness/stack.ts'
import { createUndo } from '../harness/undo.ts'
import { makeObjects } from './objects.ts'
import { isPublic, type Listed, nameOf, operations, type Service, scoped, services } from './routes.ts'

interface Workspace {
  workspaceId: string
  apiKey: string
  /** By the folder of the path that they belong to. */
  objects: Record<string, string>
}

const { undo, stop } = createUndo()
const urls = {} as Record<Service, string>
let stack: Stack
let mine: Workspace
let other: Workspace

// An anomaly is found once its day is final.
const startService = (service: Service) =>
  stack.start(service, service === 'api' ? { env: { WDS_STATS_BACKFILL_REST: '1s' } } : {})

beforeAll(async () => {
  stack = await startStack()
  undo.push(stack.stop)
  for (const { service, url } of await Promise.all(services.map(startService))) urls[service] = url
  const workspaces = await Promise.all(['mine', 'other'].map(makeWorkspace))
  ;[mine, other] = workspaces as [Workspace, Workspace]
})
afterAll(stop)

async function makeWorkspace(name: string): Promise<Workspace> {
  const made = await stack.makeWorkspace(name)
  for (const url of [`${urls.api}/v1/integrations`, `${urls.delivery}/v1/webhooks`])
    await whenKeyIsKnown(url, made.apiKey)
  return { ...made, objects: await makeObjects(urls, made.apiKey, { name }) }
}

interface Call {
  method?: string
  body?: string
  headers?: Record<string, string>
  by?: Workspace
}

async function call(service: Service, path: string, { method = 'GET', body, headers = {}, by = mine }: Call = {}) {
  const response = await fetch(urls[service] + path, {
    method,
    headers: withoutUndefined<Record<string, string>>({
      authorization: `Bearer ${by.apiKey}`,
      'content-type': body === undefined ? undefined : 'application/json',
      ...headers,
    }),
    body: body ?? null,
  })
  const text = await response.text()
  const isJson = /json/.test(response.headers.get('content-type') ?? '')
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the API answered
  const json = (isJson && text !== '' ? JSON.parse(text) : {}) as any
  return { status: response.status, headers: response.headers, json }
}

/** Of the operation, with this in place of every parameter of its path. */
const callFor = ({ service, method, path, body }: Listed, id: string, query = '', o: Call = {}) =>
  call(
    service,
    path.replaceAll(/\{[^}]+\}/g, id) + query,
    withoutUndefined({ body: body?.required ? '{}' : undefined, method, ...o }),
  )

const isRefusal = (status: number) => [400, 404, 405, 413, 414, 415, 422].includes(status)
const withIds = scoped.filter(({ path }) => path.includes('{'))
/** The longest that a target may be is 8 KiB. */
const malformed = ["'", '%22%3B--', 'x', '0', '-1', 'null', 'x'.repeat(300), 'x'.repeat(7_000), '%00', '%ff', '..%2f..']

/**
 * In each run every route meets the first of them, without which a mistake of that route alone would not be seen, and some of the others,
 * not those of the route before; by night it meets all.
 */
let turn = 0
function someOf<T>(all: readonly T[], { first, others }: { first: number; others: number }): readonly T[] {
  if (isFullRun()) return all
  const rest = all.slice(first)
  turn += others
  return [
    ...all.slice(0, first),
    ...Array.from({ length: Math.min(others, rest.length) }, (_, nth) => rest[(turn + nth) % rest.length] as T),
  ]
}

test('XT02: ids of another type, malformed or over-long ones are 404 or 400 at every route', async () => {
  expect(withIds.length).toBeGreaterThan(15)
  for (const operation of withIds) {
    const folder = operation.path.split('/')[2] ?? ''
    const ofOthers = Object.entries(mine.objects).flatMap(([, id]) => (id === mine.objects[folder] ? [] : [id]))
    for (const id of [
      ...someOf(ofOthers, { first: 0, others: 4 }),
      mine.workspaceId,
      ...someOf(malformed, { first: 2, others: 3 }),
    ]) {
      const { status } = await callFor(operation, id)
      expect([nameOf(operation), id.slice(0, 40), [400, 404].includes(status) || status]).toEqual([
        ...[nameOf(operation), id.slice(0, 40), true],
      ])
    }
  }
})

test('XT03: an id of another workspace in a filter is as one that does not exist', async () => {
  const filters = scoped.flatMap((operation) =>
    // An external id is the source's, no id of ours.
    operation.query
      .filter(({ name }) => name.endsWith('_id') && name !== 'external_id')
      .map(({ name }) => ({ operation, name })),
  )
  expect(filters.length).toBeGreaterThan(2)
  for (const { operation, name } of filters) {
    // A subject is of several kinds, a campaign among them.
    const kind = name === 'subject_id' ? 'campaigns' : `${name.slice(0, -3).replaceAll('_', '-')}s`
    const foreign = other.objects[kind]
    if (foreign === undefined) throw new Error(`${nameOf(operation)}: make one for ${name}`)
    const folder = operation.path.split('/')[2] ?? ''
    const answerTo = async (id: string) => {
      const o = operation.method === 'POST' ? { headers: { 'content-type': 'text/csv' }, body: 'date,clicks\n' } : {}
      const type = operation.query.some((parameter) => parameter.name === 'type') ? 'type=stats&' : ''
      const { status, json } = await callFor(operation, mine.objects[folder] ?? 'x', `?${type}${name}=${id}`, o)
      return [status, json.code, json.data]
    }
    const missing = foreign.slice(0, -4) + (foreign.endsWith('0000') ? '1111' : '0000')
    expect([nameOf(operation), await answerTo(foreign)]).toEqual([nameOf(operation), await answerTo(missing)])
  }
})

test('XT04: a field that a client must not set is refused by every route that takes JSON, and nothing is made', async () => {
  const creating = scoped.filter(({ method, path, body }) => {
    return method === 'POST' && !path.includes('{') && body?.content['application/json'] !== undefined
  })
  expect(creating.length).toBeGreaterThan(1)
  for (const operation of creating) {
    for (const field of ['id', 'workspace_id', 'created', 'version', 'object', '__proto__', 'constructor']) {
      const body = `{${JSON.stringify(field)}:${JSON.stringify(other.workspaceId)}}`
      // Where money is made a key is needed before the body is judged.
      const headers = { 'idempotency-key': `with ${field}` }
      const { status, json } = await callFor(operation, 'x', '', { body, headers })
      const faults = json.errors as { pointer: string; code: string }[] | undefined
      expect([nameOf(operation), status, faults]).toEqual([
        ...[nameOf(operation), 422],
        expect.arrayContaining([expect.objectContaining({ pointer: `/${field}`, code: 'unknown_field' })]),
      ])
    }
  }
})

/** Any of them that ran would be a fault of the database, or its statement would take longer than it may, which is 503. */
const sql = [
  // Where a text, or a name, is written into a statement, these are a fault of its grammar: no row has to be there.
  "'; select pg_sleep(60)--",
  '"',
  "' or '1'='1",
  "'||pg_sleep(60)||'",
  "%' and pg_sleep(60) is null--",
  '\\',
  '$1',
]

test('XT05: SQL in every parameter, its name and every id is bound or refused: no fault, no other statement', async () => {
  for (const operation of scoped.filter(({ method }) => method === 'GET')) {
    const names = [...operation.query.map(({ name }) => name), 'filter[x]', 'sort', 'order_by']
    const folder = operation.path.split('/')[2] ?? ''
    for (const text of someOf(sql, { first: 2, others: 1 }).map(encodeURIComponent)) {
      const queries = [...names.map((name) => `?${encodeURIComponent(name)}=${text}`), `?${text}=1`]
      const answers = await Promise.all(queries.map((query) => callFor(operation, mine.objects[folder] ?? 'x', query)))
      const faults = answers.flatMap(({ status }, at) =>
        status === 200 || isRefusal(status) ? [] : [[queries[at], status]],
      )
      expect([nameOf(operation), faults]).toEqual([nameOf(operation), []])
    }
  }
  for (const text of sql) {
    const named = {
      name: text,
      brand_slug: `b${sql.indexOf(text)}`,
      provider: 'csv_upload',
      metadata: { [text]: text },
    }
    const { status, json } = await call('api', '/v1/integrations', { method: 'POST', body: JSON.stringify(named) })
    expect([status, json.name, json.metadata]).toEqual([201, text, { [text]: text }])
  }
})

test('XT07: 50 of the dearest queries of a workspace end by themselves, and others are answered meanwhile', async () => {
  const [from, to] = [365, 1].map((days) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10))
  const query = `/v1/stats?from=${from}&to=${to}&metrics=clicks&group_by=day,brand,campaign,country`
  const admin = new pg.Client({ connectionString: stack.adminUrls.api })
  await admin.connect()
  undo.push(() => admin.end())
  expect((await call('api', query)).status).toBe(200)
  await admin.query('begin')
  // Dearer than any real one: what it reads is not to be had.
  await admin.query('lock table api.stats_rows in access exclusive mode')
  let ended = 0
  const dear = Array.from({ length: 50 }, () => call('api', query).finally(() => (ended += 1)))
  const during = []
  for (let nth = 0; nth < 20; nth += 1) during.push((await call('api', '/v1/integrations', { by: other })).status)
  const endedMeanwhile = ended
  const answers = await Promise.all(dear)
  await admin.query('rollback')
  expect([new Set(during), endedMeanwhile]).toEqual([new Set([200]), 0])
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]))
  for (const { headers } of answers) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await call('api', query)).status).toBe(200)
})

test('XT15: neither an entity tag nor an idempotency key tells what another workspace has', async () => {
  const path = `/v1/integrations/${other.objects.integrations}`
  const etag = (await call('api', path, { by: other })).headers.get('etag') ?? ''
  expect(etag).toMatch(/^"/)
  for (const headers of [{ 'if-none-match': etag }, { 'if-none-match': '*' }])
    expect((await call('api', path, { headers })).status).toBe(404)
  const missing = path.slice(0, -4) + (path.endsWith('0000') ? '1111' : '0000')
  for (const match of [etag, '*', '"v9"']) {
    const patch = { method: 'PATCH', body: '{"name":"x"}', headers: { 'if-match': match } }
    const [foreign, none] = [await call('api', path, patch), await call('api', missing, patch)]
    expect([foreign.status, foreign.json.code]).toEqual([none.status, none.json.code])
  }
  const headers = { 'idempotency-key': 'shared' }
  const body = JSON.stringify({ name: 'same', brand_slug: 'same', provider: 'csv_upload' })
  const make = (by: Workspace) => call('api', '/v1/integrations', { method: 'POST', body, headers, by })
  const made = [await make(mine), await make(other), await make(mine)]
  expect(made.map(({ status }) => status)).toEqual([201, 201, 201])
  const [first, second, again] = made.map(({ json }) => json.id)
  expect([first === second, first === again]).toEqual([false, true])
})

test('XT16: no public listener serves metrics, probes, debugging, sources, maps, dot files or routes of operators', async () => {
  const internal = operations.filter((operation) => !isPublic(operation)).map(({ path }) => path)
  const paths = [
    ...['/metrics', '/livez', '/readyz', '/debug', '/debug/pprof', '/server-status', '/actuator', '/admin'],
    ...[
      '/.env',
      '/.git/config',
      '/.git/HEAD',
      '/.npmrc',
      '/package.json',
      '/pnpm-lock.yaml',
      '/node_modules/pg/package.json',
    ],
    ...[
      '/src/main.ts',
      '/main.ts',
      '/main.js',
      '/main.js.map',
      '/pages.css.map',
      '/openapi.yaml',
      '/..%2f..%2fpackage.json',
    ],
    ...['/%2e%2e/%2e%2e/etc/passwd', '//etc/passwd', '/logos/..%2f..%2fpackage.json', '/internal', '/internal/metrics'],
    ...internal,
  ]
  for (const service of services) {
    for (const path of paths) {
      const { status } = await call(service, path)
      expect([service, path, status]).toEqual([service, path, 404])
    }
    for (const path of internal) {
      const { status } = await call(service, path, { method: 'POST' })
      expect([service, path, status]).toEqual([service, path, 404])
    }
  }
})
