// A service small enough to test the kit with: widgets in one table, behind every kind of route. It is part of no product.
import { randomBytes } from 'node:crypto'
import type { Authenticator } from '@wds/access/authenticator'
import { makeId } from '@wds/contracts/ids'
import type { Scope } from '@wds/contracts/scopes'
import { createEnvelopeEncryption } from '@wds/envelope-encryption/envelope-encryption'
import { VersionConflict } from '@wds/event-store/event-store'
import { createTestDatabase } from '@wds/local-infra/test-database'
import { migrate } from '@wds/postgres/migrations'
import { createPool, type Pool } from '@wds/postgres/pool'
import type { Transaction } from '@wds/postgres/transaction'
import { createLogger } from '@wds/telemetry/logger'
import { requireMatch } from '../conditional.ts'
import { createCursors, page } from '../cursor.ts'
import { migrationsDirectory } from '../idempotency.ts'
import { Problem } from '../problem.ts'
import { migrationsDirectory as quotaMigrations } from '../quota-store.ts'
import type { ApiRequest, Route } from '../route.ts'
import { createHttpService, type HttpServiceOptions } from '../service.ts'
import type { FoundSession, SessionJudge } from '../session.ts'

export const openapi = new URL('./', import.meta.url)
export const baseUrl = 'https://api.example.test'

const allScopes: Scope[] = ['integrations:read', 'integrations:write', 'stats:read', 'webhooks:manage']
const tokens: Record<string, { workspaceId: string; id: string; scopes: Scope[] }> = {
  a: { workspaceId: 'wsp_A', id: 'key_A', scopes: allScopes },
  a2: { workspaceId: 'wsp_A', id: 'key_A2', scopes: allScopes },
  b: { workspaceId: 'wsp_B', id: 'key_B', scopes: allScopes },
  reader: { workspaceId: 'wsp_A', id: 'key_R', scopes: ['integrations:read'] },
}

/** Knows the tokens a, a2, b and reader; answers as the real one does. */
export const authenticator: Authenticator = {
  authenticate: async (authorization) => {
    if (authorization === undefined) return { ok: false, problem: 'unauthenticated' }
    const [scheme, token, more] = authorization.split(' ')
    if (scheme?.toLowerCase() !== 'bearer') return { ok: false, problem: 'unauthenticated' }
    if (!token || more !== undefined) return { ok: false, problem: 'invalid_request' }
    const known = Object.hasOwn(tokens, token) ? tokens[token] : undefined
    if (!known) return { ok: false, problem: 'invalid_token' }
    const { workspaceId, id, scopes } = known
    return { ok: true, client: { workspaceId, kind: 'api_key', id, scopes: new Set(scopes) } }
  },
}

const ownerOfA = {
  csrfToken: 'csrf of owner',
  roleNow: async () => 'owner' as const,
  isRecentNow: async () => true,
  workspaceId: 'wsp_A',
  kind: 'user',
  id: 'usr_A',
  role: 'owner',
  sessionId: 'ses_A',
} as const
const people: Record<string, FoundSession> = {
  owner: { client: ownerOfA },
  member: { client: { ...ownerOfA, id: 'usr_M', role: 'member', sessionId: 'ses_M', csrfToken: 'csrf of member' } },
  lowered: { client: { ...ownerOfA, roleNow: async () => 'viewer' } },
  removed: { client: { ...ownerOfA, roleNow: async () => null } },
  nobody: { client: null },
}

/** Knows the cookies session=owner, member and nobody, who is in no workspace; lowered and removed are owners no more when they write. */
const sessions: SessionJudge = async (cookies) => people[/session=(\w+)/.exec(cookies ?? '')?.[1] ?? ''] ?? null

export const cursors = createCursors([Buffer.alloc(32, 7)])

interface Widget {
  [column: string]: unknown
  id: string
  name: string
  note: string | null
  metadata: Record<string, string>
  version: number
}

async function load(tx: Transaction, request: ApiRequest, lock = 'for update'): Promise<Widget> {
  const { rows } = await tx.query<Widget>(
    `select id, name, note, metadata, version from widgets where id = $1 ${lock}`,
    [request.params.id],
  )
  const [widget] = rows
  if (!widget) throw new Problem('not_found')
  return widget
}

const answerOf = (widget: Widget, status = 200) => ({
  status,
  body: { object: 'widget', ...widget },
  version: widget.version,
})

const create: Route['handle'] = (request) =>
  request.write(async (tx) => {
    const { name, metadata = {} } = request.body as { name: string; metadata?: Record<string, string> }
    const id = makeId('int', request.now(), randomBytes(10))
    const widget = { id, name, note: null, metadata, version: 1 }
    await tx.query('insert into widgets values ($1, $2, $3, $4, $5, 1)', [
      ...[request.client.workspaceId, id, name, null, JSON.stringify(metadata)],
    ])
    return { ...answerOf(widget, 201), location: `/v1/widgets/${id}` }
  })

const patch: Route['handle'] = (request) =>
  request.write(async (tx) => {
    const widget = await load(tx, request)
    requireMatch(request, widget.version)
    const changed = { ...widget, ...(request.body as Partial<Widget>), version: widget.version + 1 }
    await tx.query('update widgets set name = $2, note = $3, version = $4 where id = $1', [
      ...[changed.id, changed.name, changed.note, changed.version],
    ])
    return answerOf(changed)
  })

const remove: Route['handle'] = (request) =>
  request.write(async (tx) => {
    const widget = await load(tx, request)
    requireMatch(request, widget.version)
    await tx.query('delete from widgets where id = $1', [widget.id])
    return { status: 204 }
  })

const list: Route['handle'] = (request) =>
  request.read(async (tx) => {
    const { limit, cursor, ...filters } = request.query as { limit: number; cursor?: string }
    const binding = { workspaceId: request.client.workspaceId, route: 'GET /v1/widgets', filters }
    const [before] = cursor === undefined ? ['~'] : cursors.decode(cursor, binding)
    const { rows } = await tx.query<Widget>(
      'select id, name, note, metadata, version from widgets where id < $1 order by id desc limit $2',
      [before, limit + 1],
    )
    return {
      status: 200,
      body: {
        ...page(rows, limit, (last) => cursors.encode({ ...binding, position: [last.id] })),
        query: request.query,
      },
    }
  })

const upload: Route['handle'] = async (request) => {
  const chunks: Buffer[] = []
  for await (const chunk of request.stream ?? []) chunks.push(chunk as Buffer)
  request.body
  const bytes = Buffer.concat(chunks).length
  return request.write(async () => ({ status: 202, body: { bytes }, location: '/v1/uploads/1' }))
}

/** A thousand parts of 64 KiB; of the kind `torn` the third cannot be read, `gone` has none, and nobody knows the length of `unmeasured`, nor of `unmeasured-torn`. `partsRead` counts those that were. */
export const download = { parts: 1_000, partBytes: 65_536, partsRead: 0 }

const sendDownload: Route['handle'] = async ({ params }) => {
  download.partsRead = 0
  async function* read() {
    for (let part = 0; part < download.parts; part++) {
      if (params.kind === 'gone') throw new Problem('not_found')
      if (params.kind?.endsWith('torn') && part === 2) throw new Error('the third part is gone')
      download.partsRead += 1
      yield Buffer.alloc(download.partBytes, part % 10)
    }
  }
  const parts = { length: params.kind?.startsWith('unmeasured') ? null : download.parts * download.partBytes, read }
  return { status: 200, parts, headers: { 'content-type': 'text/csv', etag: '"one"' } }
}

const takeForm: Route['handle'] = (request) =>
  request.write(async () => {
    const { widget, picture } = request.body as { widget: object; picture: Uint8Array }
    return { status: 201, body: { widget, picture: Buffer.from(picture).toString('hex') }, location: '/v1/widgets/1' }
  })

const fault: Route['handle'] = async (request) => {
  if (request.params.kind === 'slow') await request.read((tx) => tx.query('select pg_sleep(30)'))
  const [, sqlState] = /^server-(\w{5})$/.exec(request.params.kind ?? '') ?? []
  const raising = `do $$ begin raise exception using errcode = '${sqlState}'; end $$`
  if (sqlState !== undefined) await request.read((tx) => tx.query(raising))
  if (request.params.kind === 'hold') {
    await request.read((tx) => tx.query('select'))
    const untilMs = performance.now() + 600
    while (performance.now() < untilMs);
  }
  if (request.params.kind === 'conflict') throw new VersionConflict()
  if (request.params.kind === 'sql') await request.read((tx) => tx.query('select * from no_such_table'))
  if (request.params.kind === 'plain') throw new Error('the secret place is /etc/passwd')
  return { status: 200, body: {} }
}

const showPerson: Route['handle'] = (request) =>
  request.write(async () => ({
    status: 200,
    body: { ...request.session, actor: request.context.actor, user_agent: request.userAgent },
  }))

/** Counts how often handlers ran; tests read it. */
export const calls = { pause: 0 }

export const routes: Route[] = [
  { method: 'GET', path: '/v1/widgets', scope: 'stats:read', handle: list },
  { method: 'POST', path: '/v1/widgets', scope: 'integrations:write', handle: create },
  {
    method: 'GET',
    path: '/v1/widgets/{id}',
    scope: 'integrations:read',
    handle: (request) => request.read(async (tx) => answerOf(await load(tx, request, ''))),
  },
  { method: 'PATCH', path: '/v1/widgets/{id}', scope: 'integrations:write', handle: patch },
  { method: 'DELETE', path: '/v1/widgets/{id}', scope: 'integrations:write', handle: remove },
  {
    method: 'POST',
    path: '/v1/widgets/{id}/pause',
    scope: 'integrations:write',
    handle: (request) =>
      request.write(async (tx) => {
        calls.pause += 1
        if (calls.pause < 3) throw new VersionConflict()
        return answerOf(await load(tx, request))
      }),
  },
  {
    method: 'GET',
    path: '/v1/widgets/mine',
    scope: 'any',
    session: 'be_member',
    handle: async (request) => ({ status: 200, body: { mine: true, of: request.client.id } }),
  },
  { method: 'POST', path: '/v1/widget-forms', scope: 'integrations:write', bodyBytesMax: 4_096, handle: takeForm },
  { method: 'GET', path: '/v1/widget-settings', session: 'be_member', handle: showPerson },
  { method: 'POST', path: '/v1/widget-settings', session: 'manage_workspace', handle: showPerson },
  { method: 'GET', path: '/v1/downloads/{kind}', scope: 'integrations:read', handle: sendDownload },
  { method: 'POST', path: '/v1/uploads', scope: 'integrations:write', bodyKind: 'stream', handle: upload },
  {
    method: 'POST',
    path: '/v1/secrets',
    scope: 'webhooks:manage',
    idempotencyKeyRequired: true,
    handle: (request) =>
      request.write(async () => ({ status: 201, holdsSecret: true, body: { secret: randomBytes(8).toString('hex') } })),
  },
  { method: 'GET', path: '/v1/faults/{kind}', scope: null, handle: fault },
]

/** The kit with the widgets, on a database of its own. `log` holds the lines written. */
export async function startWidgets(o: Partial<HttpServiceOptions> = {}) {
  const database = await createTestDatabase()
  const { owner, http, worker } = database.urls.services.api
  const own = new URL('./migrations/', import.meta.url)
  const directories = [migrationsDirectory, quotaMigrations, own]
  await migrate({ connectionString: owner, schema: 'api', directories })
  const pool = createPool({ connectionString: http, applicationName: 'widgets', max: 20, statementTimeoutMs: 1000 })
  const log: string[] = []
  const options: HttpServiceOptions = {
    openapi,
    routes,
    baseUrl,
    pool,
    authenticator,
    sessions,
    envelope: createEnvelopeEncryption([{ kid: 'k1', key: Buffer.alloc(32, 1) }]),
    logger: createLogger({ service: 'widgets', destination: { write: (line) => log.push(line) } }),
    ...o,
  }
  const running = await createHttpService(options).listen({ host: '127.0.0.1', port: 0 })
  const stop = async () => {
    await running.close({ graceMs: 0 })
    await pool.end()
    await database.drop()
  }
  return {
    ...running,
    url: `http://127.0.0.1:${running.port}`,
    log,
    pool,
    options,
    http,
    worker,
    adminUrl: database.adminUrl,
    stop,
  }
}

export type Widgets = Awaited<ReturnType<typeof startWidgets>>

/** All rows of a table, seen past row-level security. */
export async function countRows(widgets: Widgets, table: 'widgets' | 'idempotency_keys'): Promise<number> {
  const admin: Pool = createPool({
    connectionString: widgets.adminUrl,
    applicationName: 'test',
    max: 1,
    statementTimeoutMs: 0,
  })
  try {
    const { rows } = await admin.query<{ count: string }>(`select count(*) from api.${table}`)
    return Number(rows[0]?.count)
  } finally {
    await admin.end()
  }
}
