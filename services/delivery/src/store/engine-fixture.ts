// For tests: a database with the engine's schema, and subscriptions with lanes in it. It never stands in a running service.
import { randomBytes } from 'node:crypto'
import { type Id, idDay, makeId } from '@wds/contracts/ids'
import type { LogRecord } from '@wds/event-log/port'
import { createTestDatabase, type TestDatabase } from '@wds/local-infra/test-database'
import { migrate } from '@wds/postgres/migrations'
import { createPool, type Pool } from '@wds/postgres/pool'
import { withTransaction } from '@wds/postgres/transaction'
import { migrationDirectories } from '../migration-directories.ts'
import { makeDays } from './partitions.ts'
import { insertSubscription } from './subscriptions.ts'
import { takeIn } from './take-in.ts'
import { lockWorkspace, raiseSubscriptionsVersion } from './workspaces.ts'

/** A migrated database with both roles' pools and the days around now. */
export interface Engine {
  database: TestDatabase
  http: Pool
  worker: Pool
  admin: Pool
  stop(): Promise<void>
}

/** Makes one; `stop` drops it. */
export async function createEngine(): Promise<Engine> {
  const database = await createTestDatabase()
  const urls = database.urls.services.delivery
  await migrate({ connectionString: urls.owner, schema: 'delivery', directories: migrationDirectories })
  const http = createPool({ connectionString: urls.http, applicationName: 'test-http', max: 6 })
  const worker = createPool({
    connectionString: urls.worker,
    applicationName: 'test-worker',
    max: 12,
    statementTimeoutMs: 30_000,
  })
  const admin = createPool({ connectionString: database.adminUrl, applicationName: 'test-admin', max: 2 })
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

/** A subscription with its lane, as POST would make it. */
export async function seedSubscription(
  engine: Engine,
  o: { workspaceId: string; events?: string[]; maxInFlight?: number },
): Promise<string> {
  const id = newId('whk')
  await withTransaction(engine.http, { workspaceId: o.workspaceId }, async (tx) => {
    await lockWorkspace(tx, o.workspaceId)
    await insertSubscription(tx, {
      id,
      owner: { type: 'api_key', id: 'key_test' },
      fields: {
        url: 'https://receiver.test/',
        events: o.events ?? ['*'],
        description: null,
        headers: {},
        rate_limit: null,
        max_in_flight: o.maxInFlight ?? 8,
      },
      version: 1,
      created: new Date().toISOString(),
    })
    await raiseSubscriptionsVersion(tx, o.workspaceId)
  })
  return id
}

/** Takes in `count` events of a workspace; returns their ids. `payloadOf` makes the bytes of an event, by default its id alone. */
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
  await takeIn(
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

/** A new event of a workspace as the log hands it to take in. */
export function eventRecord(workspaceId: string, o: Partial<LogRecord> = {}): LogRecord {
  const eventId = newId('evt')
  return {
    ...{ topic: 'workspace.events', partition: 0, offset: 0n, key: workspaceId, eventId },
    headers: { event_id: eventId, event_type: 'sync.completed', workspace_id: workspaceId },
    payload: Buffer.from(JSON.stringify({ id: eventId })),
    ...o,
  }
}
