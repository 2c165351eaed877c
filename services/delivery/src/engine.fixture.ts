// For tests: a database with the engine's schema, and subscriptions with lanes in it. It never stands in a running service.
import { randomBytes } from 'node:crypto'
import { blank, executeOrFail, load } from '@wds/aggregate/aggregate'
import { type Id, idDay, makeId } from '@wds/contracts/ids'
import { scopes } from '@wds/contracts/scopes'
import type { LogRecord } from '@wds/event-log/port'
import { dbNow } from '@wds/event-store/event-store'
import { createTestDatabase, type TestDatabase } from '@wds/local-infra/test-database'
import { migrate } from '@wds/postgres/migrations'
import { createPool, type Pool } from '@wds/postgres/pool'
import { type Transaction, withTransaction } from '@wds/postgres/transaction'
import { makeDays } from './days/store.ts'
import { ingest } from './fan-out/store-ingest.ts'
import { migrationDirectories } from './migration-directories.ts'
import type { PayloadFilter } from './subscriptions/domain/payload-filter.ts'
import type { SubscriptionCommand } from './subscriptions/domain/subscription.ts'
import { subscriptions } from './subscriptions/resource.ts'
import { lockWorkspace } from './workspaces/store.ts'

/** A migrated database with both roles' pools and the days around now. */
export interface Engine {
  database: TestDatabase
  http: Pool
  worker: Pool
  admin: Pool
  stop(): Promise<void>
}

function migrateAll({ urls }: TestDatabase): Promise<unknown> {
  const connectionString = urls.services.delivery.owner
  return migrate({ connectionString, schema: 'delivery', directories: migrationDirectories })
}

/** Makes one; `stop` drops it. */
export async function createEngine(): Promise<Engine> {
  const database = await createTestDatabase({ name: 'delivery', make: migrateAll })
  const urls = database.urls.services.delivery
  const http = createPool({ connectionString: urls.http, applicationName: 'test-http', max: 6 })
  const worker = createPool({
    connectionString: urls.worker,
    applicationName: 'test-worker',
    max: 12,
    statementTimeoutMs: 30_000,
  })
  // It makes rows by ten thousands, which takes its time on a busy machine.
  const admin = createPool({
    connectionString: database.adminUrl,
    applicationName: 'test-admin',
    max: 2,
    statementTimeoutMs: 0,
  })
  await makeDays(worker, Date.now())
  const stop = async (): Promise<void> => {
    await Promise.all([http.end(), worker.end(), admin.end()])
    await database.drop()
  }
  return { database, http, worker, admin, stop }
}

/** A fresh id of now. */
export function newId<P extends 'evt' | 'whk' | 'wsp' | 'dlv' | 'att'>(prefix: P, atMs = Date.now()): Id<P> {
  return makeId(prefix, atMs, randomBytes(10))
}

/** Carries a command on a subscription out, as a route or a loop does; without `id` on a new one. Returns its id. */
export async function command(
  pool: Pool,
  o: { workspaceId: string; id?: string },
  what: SubscriptionCommand,
): Promise<string> {
  const { workspaceId, id = newId('whk') } = o
  const context = {
    workspaceId,
    actor: { type: 'api_key' as const, id: 'key_test' },
    correlation: makeId('req', Date.now(), randomBytes(10)),
    trace: { traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01' },
  }
  await withTransaction(pool, { workspaceId }, async (tx) => {
    await lockWorkspace(tx, workspaceId)
    const found = await load(tx, subscriptions, id, { lock: true })
    const loaded = found ?? blank(subscriptions, { nowMs: await dbNow(tx), id })
    await executeOrFail(tx, subscriptions, { context, loaded, command: what })
  })
  return id
}

/** A subscription with its lane, as POST would make it. */
export function seedSubscription(
  engine: Engine,
  o: { workspaceId: string; url?: string; events?: string[]; maxInFlight?: number; filter?: PayloadFilter },
): Promise<string> {
  return command(engine.http, o, {
    type: 'create',
    owner: { type: 'api_key', id: 'key_test' },
    secret: { hint: 'abcd', version: 1 },
    scopes: [...scopes],
    fields: {
      url: o.url ?? 'https://receiver.test/',
      events: o.events ?? ['*'],
      description: null,
      headers: {},
      filter: o.filter ?? null,
      rate_limit: null,
      max_in_flight: o.maxInFlight ?? 8,
    },
  })
}

/** Ingests `count` events of a workspace; returns their ids. `payloadOf` makes the bytes of an event, by default its id alone. */
export async function seedEvents(
  engine: Engine,
  o: {
    workspaceId: string
    count: number
    type?: string
    atMs?: number
    payloadOf?(eventId: string): string
    traceparent?: string
  },
): Promise<string[]> {
  const ids = Array.from({ length: o.count }, () => newId('evt', o.atMs))
  await ingest(
    engine.worker,
    ids.map((eventId) => ({
      eventDay: idDay(eventId),
      eventId,
      workspaceId: o.workspaceId,
      type: o.type ?? 'sync.completed',
      about: null,
      payload: Buffer.from(o.payloadOf?.(eventId) ?? JSON.stringify({ id: eventId })),
      traceparent: o.traceparent ?? null,
      createdMs: Date.now(),
    })),
  )
  return ids
}

/** A new event of a workspace as the log hands it to the consumer. */
export function eventRecord(workspaceId: string, o: Partial<LogRecord> = {}): LogRecord {
  const eventId = newId('evt')
  return {
    topic: 'workspace.events',
    partition: 0,
    offset: 0n,
    key: workspaceId,
    eventId,
    headers: { event_id: eventId, event_type: 'sync.completed', workspace_id: workspaceId },
    payload: Buffer.from(JSON.stringify({ id: eventId })),
    ...o,
  }
}

/** What `fn` gives, and the rows of a table, its partitions included, that it read. */
export async function withRowsRead<T>(
  tx: Transaction,
  table: string,
  fn: () => Promise<T>,
): Promise<{ result: T; read: number }> {
  const readSoFar = async () => {
    const { rows } = await tx.query<{ read: number }>(
      `select coalesce(sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0)), 0)::int as read from pg_stat_xact_user_tables
        where schemaname = 'delivery' and relname ~ ('^' || $1 || '(_[0-9]{8})?$')`,
      [table],
    )
    return rows[0]?.read ?? 0
  }
  const before = await readSoFar()
  const result = await fn()
  return { result, read: (await readSoFar()) - before }
}
