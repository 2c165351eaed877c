// A database with this service's schema, its HTTP service with two workspaces behind fixed tokens, and a worker that is
// driven by hand. For integration tests only.

import { randomBytes } from 'node:crypto'
import type { Client } from '@wds/access/authenticator'
import { routesOf } from '@wds/aggregate/concept'
import { newId } from '@wds/aggregate/new-id'
import { type Role, roles, scopesOfRole } from '@wds/contracts/roles'
import { type Scope, scopes } from '@wds/contracts/scopes'
import { withoutUndefined } from '@wds/contracts/without-undefined'
import { createEnvelopeEncryption } from '@wds/envelope-encryption/envelope-encryption'
import { createCursors } from '@wds/http-service/cursor'
import { createHttpService } from '@wds/http-service/service'
import { strictPolicy } from '@wds/outbound/address-rule'
import { createFeedClient } from '@wds/outbound/feed-client'
import { createPool, type Pool, type PoolOptions } from '@wds/postgres/pool'
import { createLogger } from '@wds/telemetry/logger'
import { lookForAnomaliesOnce } from './anomalies/look-for-anomalies.ts'
import { createApiDatabase } from './api-database.fixture.ts'
import { automateOnce } from './automation-rules/automation-loop.ts'
import { publicDocuments } from './documents/public-documents.ts'
import { exportOnce } from './exports/export-loop.ts'
import type { MakerOptions } from './exports/make-export.ts'
import { importFileOnce } from './file-imports/file-loop.ts'
import { readReferenceRates } from './fx/reference-rates.ts'
import { postbackMounts } from './postbacks/postback-part.ts'
import { checkAnswer } from './recorded-answers.fixture.ts'
import { concepts } from './resources.ts'
import { feedLimits } from './sources/domain/ingest-limits.ts'
import { dayTurn } from './stats-days/day-loop.ts'
import { workOnSubAffiliates } from './sub-affiliate-work/sub-affiliate-loop.ts'
import { invitationMounts } from './sub-affiliates/invitation-page.ts'
import type { WorkerOptions } from './sync-work/attempt.ts'
import { workOnce } from './sync-work/worker.ts'

/** The answer of a call: status, body, headers. */
export interface Answer {
  status: number
  body: Record<string, unknown>
  headers: Headers
  text: string
}

export type Fixture = Awaited<ReturnType<typeof startFixture>>

interface FixtureOptions {
  /** Postbacks of an integration. */
  perSecond?: number
  /** Records of a run. */
  recordsMax?: number
  /** Gets the lines of warnings and errors, which else are seen where the tests run, errors alone. */
  onLine?: (line: string) => void
}

export async function startFixture(o: FixtureOptions = {}) {
  const opened: (() => Promise<unknown>)[] = []
  try {
    return await openFixture(opened, o)
  } catch (error) {
    await closeAll(opened)
    throw error
  }
}

/** Closes in reverse order, each one whatever became of the others: what stays open keeps the test run alive. */
async function closeAll(opened: (() => Promise<unknown>)[]): Promise<void> {
  const faults: unknown[] = []
  for (const close of opened.splice(0).reverse()) await close().catch((error: unknown) => faults.push(error))
  if (faults.length > 0) throw new AggregateError(faults, 'the fixture did not close in order')
}

async function openFixture(opened: (() => Promise<unknown>)[], o: FixtureOptions) {
  const database = await createApiDatabase()
  opened.push(() => database.drop())
  const urls = database.urls.services.api
  const open = (connectionString: string, applicationName: string, options: Partial<PoolOptions> = {}) => {
    const made = createPool({ connectionString, applicationName, max: 10, ...options })
    opened.push(() => made.end())
    return made
  }
  const pool = open(urls.http, 'test-http')
  const workerPool = open(urls.worker, 'test-worker')
  const ownerPool = open(urls.owner, 'test-owner', { max: 2 })
  // It makes rows by ten thousands, which takes its time on a busy machine.
  const adminPool = open(database.adminUrl, 'test-admin', { max: 2, statementTimeoutMs: 0 })
  // A 500 says nothing to the client: its cause is in the log.
  const logger =
    o.onLine === undefined
      ? createLogger({ service: 'api', level: 'error' })
      : createLogger({ service: 'api', level: 'warn', destination: { write: o.onLine } })
  const workspaces = { a: newId('wsp', Date.now()), b: newId('wsp', Date.now()) }
  const keys = { a: newId('key', 0), b: newId('key', 0) }
  // A source on loopback may be read, as on a developer's machine.
  const policy = { ...strictPolicy, allow: 'loopback' as const }
  const feeds = createFeedClient({ policy, answerBytesMax: feedLimits.pageBytesMax + 1_048_576 })
  opened.push(() => feeds.close())
  const encryptionKey = { kid: 'k', key: randomBytes(32) }
  const envelope = createEnvelopeEncryption([encryptionKey])
  /** The HTTP service on this pool, and its port. */
  const serve = async (pool: Pool) => {
    const service = createHttpService({
      openapi: new URL('./', import.meta.url),
      mounts: [...postbackMounts({ pool, logger, ...o }), ...invitationMounts({ pool })],
      trustedProxies: ['127.0.0.0/8'],
      routes: [
        ...routesOf(concepts, {
          cursors: createCursors([randomBytes(32)]),
          referenceRates: readReferenceRates(),
          envelope,
          logger,
          feeds,
          checkUrl: (url: string) => feeds.checkAtSave(url),
          syncAttemptsMax: 4,
          wakeWorker: () => undefined,
          baseUrl: 'http://127.0.0.1',
        }),
        ...publicDocuments({ baseUrl: 'http://127.0.0.1', authUrl: 'http://127.0.0.1' }),
      ],
      baseUrl: 'http://127.0.0.1',
      pool,
      authenticator: { authenticate: (authorization) => authenticate(authorization, { workspaces, keys }) },
      envelope,
      logger,
    })
    const running = await service.listen({ host: '127.0.0.1', port: 0 })
    opened.push(() => running.close({ graceMs: 0 }))
    return running
  }
  const running = await serve(pool)
  const worker: WorkerOptions = withoutUndefined({
    pool: workerPool,
    logger,
    leaseMs: 60_000,
    retryDelaysMs: [1],
    attemptsMax: 4,
    perWorkspace: 2,
    feeds,
    feedLimits,
    envelope,
    recordsMax: o.recordsMax,
  })
  return {
    pool,
    workerPool,
    workerUrl: urls.worker,
    ownerPool,
    adminPool,
    worker,
    encryptionKey,
    workspaces,
    keys,
    url: (path: string) => `http://127.0.0.1:${running.port}${path}`,
    async call(method: string, path: string, o: CallOptions = {}): Promise<Answer> {
      return call(`http://127.0.0.1:${running.port}${path}`, method, o)
    },
    /** Calls a second service of the same database, whose clock is moved by so much. */
    async callerAt(offsetMs: number) {
      const moved = `${urls.http}?options=-c%20app.clock_offset_ms%3D${Math.round(offsetMs)}`
      const { port } = await serve(open(moved, 'test-http-moved', { max: 4 }))
      return (method: string, path: string, o: CallOptions = {}) => call(`http://127.0.0.1:${port}${path}`, method, o)
    },
    /** A new integration's id: of an upload unless `fields` say otherwise. */
    async createIntegration(fields: object): Promise<string> {
      const json = { brand_slug: 'acme', provider: 'csv_upload', ...fields }
      const { status, text, body } = await call(`http://127.0.0.1:${running.port}/v1/integrations`, 'POST', { json })
      if (status !== 201) throw new Error(`an integration was refused: ${text}`)
      return String(body.id)
    },
    /** Carries out what is due until nothing is; `pool` where the clock of another one counts. */
    work: (pool = workerPool) => work({ ...worker, pool }),
    /** Follows the calendars and looks at the days of stats that are due until none is; `pool` where the clock of another one counts. */
    async days(pool = workerPool, turnsMax = Number.POSITIVE_INFINITY): Promise<void> {
      const waits = { restMs: 6 * 3_600_000, restateMs: 600_000 }
      const o = { pool, logger, waits, referenceRates: readReferenceRates(), turns: { last: '' } }
      for (let turn = 0; turn < turnsMax && (await dayTurn(o)); turn += 1);
    },
    /** Searches the days that are due for anomalies until none is; `pool` where the clock of another one counts. */
    async anomalies(pool = workerPool): Promise<void> {
      const referenceRates = readReferenceRates()
      const turns = { last: '' }
      while (await lookForAnomaliesOnce({ pool, logger, referenceRates, turns }));
    },
    /** Does what is due about sub-affiliates until nothing is; `pool` where the clock of another one counts. */
    async subAffiliates(pool = workerPool): Promise<void> {
      const turns = { last: '' }
      while (await workOnSubAffiliates({ pool, logger, referenceRates: readReferenceRates(), turns }));
    },
    /** Carries out ticks and evaluations of rules that are due until none is; `pool` where the clock of another one counts. */
    async automate(pool = workerPool, turnsMax = Number.POSITIVE_INFINITY): Promise<void> {
      const turns = { ticks: { last: '' }, evaluations: { last: '' } }
      const wake = { raise: () => undefined }
      const o = { pool, logger, referenceRates: readReferenceRates(), attemptsMax: 4, wake, turns }
      for (let turn = 0; turn < turnsMax && (await automateOnce(o)); turn += 1);
    },
    /** Makes the exports that are due until none is. */
    async makeExports(o: Partial<MakerOptions> = {}): Promise<void> {
      const { signal = new AbortController().signal } = o
      const maker = { pool: workerPool, logger, referenceRates: readReferenceRates(), leaseMs: 60_000, ...o, signal }
      while (!signal.aborted && (await exportOnce(maker)));
    },
    /** Carries out what is due until the condition holds. */
    async workUntil(holds: () => Promise<boolean>): Promise<void> {
      const deadline = Date.now() + 60_000
      while (!(await holds())) {
        if (Date.now() > deadline) throw new Error('not in time')
        await work(worker)
      }
    },
    stop: () => closeAll(opened),
  }
}

async function work(worker: WorkerOptions): Promise<void> {
  while (await workOnce({ ...worker, signal: new AbortController().signal }));
  const files = { ...worker, referenceRates: readReferenceRates(), turns: { last: '' } }
  while (await importFileOnce(files));
}

interface CallOptions {
  /** Key of a workspace (`a` unless told), a person's console token in `a` (`owner_b`: in `b`), or an app's token there, of one scope or all. */
  as?: 'a' | 'b' | Role | 'app' | 'owner_b' | Scope
  json?: object
  csv?: string | Buffer
  headers?: Record<string, string>
}

async function call(url: string, method: string, o: CallOptions): Promise<Answer> {
  const type = o.csv === undefined ? 'application/json' : 'text/csv'
  const payload = o.csv === undefined ? o.json && JSON.stringify(o.json) : o.csv
  const body = payload === undefined ? {} : { body: payload }
  const headers = withoutUndefined<Record<string, string>>({
    authorization: `Bearer ${o.as ?? 'a'}`,
    'content-type': payload === undefined ? undefined : type,
    ...o.headers,
  })
  const response = await fetch(url, { method, headers, ...body } as RequestInit)
  const text = await response.text()
  const isJson =
    response.headers.get('content-type')?.includes('json') && !response.headers.get('content-type')?.includes('ndjson')
  const answer = { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : {} }
  const media = response.headers.get('content-type')
  checkAnswer(method, new URL(url).pathname, { status: answer.status, media, body: answer.body })
  return answer
}

type Pair = { a: string; b: string }

async function authenticate(authorization: string | undefined, known: { workspaces: Pair; keys: Pair }) {
  const name = authorization?.slice('Bearer '.length)
  if (name === 'owner_b') return { ok: true, client: tokenClient(known.workspaces.b, 'owner') } as const
  if (name === 'app' || isRole(name) || isScope(name))
    return { ok: true, client: tokenClient(known.workspaces.a, name) } as const
  if (name !== 'a' && name !== 'b') return { ok: false, problem: 'invalid_token' } as const
  const client: Client = {
    workspaceId: known.workspaces[name],
    kind: 'api_key',
    id: known.keys[name],
    scopes: new Set(scopes),
  }
  return { ok: true, client } as const
}

const isRole = (name: string | undefined): name is Role => (roles as readonly unknown[]).includes(name)

const isScope = (name: string | undefined): name is Scope => (scopes as readonly unknown[]).includes(name)

function tokenClient(workspaceId: string, who: Role | 'app' | Scope): Client {
  const by = { workspaceId, kind: 'client', userId: `usr_${who}`, grantId: 'grt_1' } as const
  if (who === 'app') return { ...by, id: 'cli_1', scopes: new Set(scopes) }
  if (isScope(who)) return { ...by, id: 'cli_1', scopes: new Set([who]) }
  return { ...by, id: 'console', scopes: new Set(scopesOfRole(who)) }
}
