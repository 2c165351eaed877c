// Announces the event types on the compacted topic `catalog.event-types`: at each start what differs from the last
// announcement, in one transaction with its memory; all of them where an operator asks for it. By itself it never announces a
// type twice with the same words.
import { createHash, randomBytes } from 'node:crypto'
import { type Id, nextId } from '@wds/contracts/ids'
import { topics } from '@wds/contracts/topics'
import { dbNow } from '@wds/event-store/event-store'
import { type OutboxRecord, putInOutbox } from '@wds/event-store/outbox'
import type { Republish } from '@wds/event-store/republish'
import type { Pool } from '@wds/postgres/pool'
import { type Transaction, withTransaction } from '@wds/postgres/transaction'
import { startCreate } from '@wds/telemetry/messaging-spans'
import type { CatalogEntry } from './domain/catalog-entry.ts'
import { takeChangedTypes } from './store.ts'

/** Name of the internal event that a record carries: `{ id, type, created, data }` with the entry as `data`. */
const announcedType = 'EventTypeAnnounced'

/**
 * Announces the entries that are new or changed, or `all`, and returns their types, in the order of the catalog. `pool`: worker
 * role.
 */
export async function announceEventTypes(
  pool: Pool,
  entries: readonly CatalogEntry[],
  o: { all?: boolean } = {},
): Promise<string[]> {
  const digests = entries.map((entry) => ({ type: entry.type, digest: digestOf(entry) }))
  return withTransaction(pool, { workspaceId: null }, async (tx) => {
    const changed = new Set(await takeChangedTypes(tx, digests))
    const announced = entries.filter(({ type }) => o.all === true || changed.has(type))
    if (announced.length > 0) await putInOutbox(tx, recordsOf(tx, announced, await dbNow(tx)))
    return announced.map(({ type }) => type)
  })
}

/**
 * The command `republish`: every type as it is now, under a new event id, whatever the range: who follows the topic takes the
 * last record of each type.
 */
export function republishEventTypes(entries: readonly CatalogEntry[]): Republish {
  return async ({ pool, topic }) => {
    const all = topic === topics.catalogEventTypes ? await announceEventTypes(pool, entries, { all: true }) : []
    return { workspaces: 0, events: all.length, records: all.length }
  }
}

function digestOf(entry: CatalogEntry): string {
  return `sha256:${createHash('sha256').update(JSON.stringify(entry)).digest('hex')}`
}

function recordsOf(tx: Transaction, entries: readonly CatalogEntry[], nowMs: number): OutboxRecord[] {
  const created = new Date(nowMs).toISOString()
  let id: Id<'evt'> | null = null
  let correlation: string | undefined
  return entries.map((entry) => {
    id = nextId('evt', id, nowMs, randomBytes(10))
    correlation ??= id
    const span = startCreate({ topic: topics.catalogEventTypes, eventId: id, eventType: announcedType })
    tx.afterCommit(() => span.end())
    const headers = {
      event_id: id,
      event_type: announcedType,
      schema_version: '1',
      workspace_id: '',
      actor: 'system:catalog',
      correlation,
      traceparent: span.traceparent,
    }
    const payload = Buffer.from(JSON.stringify({ id, type: announcedType, created, data: entry }), 'utf8')
    return { workspaceId: '', topic: topics.catalogEventTypes, key: entry.type, eventId: id, headers, payload }
  })
}
