// Announces the event types on the compacted topic `catalog.event-types`: at each start what differs from the last
// announcement, in one transaction with its memory; all of them where an operator asks for it. By itself it never announces a
// type twice with the same words.
import { createHash } from 'node:crypto'
import { topics } from '@wds/contracts/topics'
import { dbNow } from '@wds/event-store/event-store'
import { putInOutbox } from '@wds/event-store/outbox'
import type { Republish } from '@wds/event-store/republish'
import { unstreamedRecords } from '@wds/event-store/unstreamed'
import type { Pool } from '@wds/postgres/pool'
import { withTransaction } from '@wds/postgres/transaction'
import type { CatalogEntry } from './domain/catalog-entry.ts'
import { takeChangedTypes } from './store.ts'

/** Each record carries the entry as `data`. */
const announcement = { topic: topics.catalogEventTypes, type: 'EventTypeAnnounced' }
const catalog = { workspaceId: '', actor: { type: 'system', id: 'catalog' } } as const

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
    if (announced.length > 0) {
      const announcements = announced.map((entry) => ({ ...announcement, key: entry.type, data: entry }))
      await putInOutbox(tx, unstreamedRecords(tx, catalog, { nowMs: await dbNow(tx), announcements }))
    }
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
