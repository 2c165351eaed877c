// Removes conversions that have been kept for long enough (domain.md 4.3): by whole days of the source's calendar, and only what is in the
// stats. From when on they are kept is committed first, so that no run folds a day of which some are gone.
import { load } from '@wds/aggregate/aggregate'
import { dbNow } from '@wds/event-store/event-store'
import type { Pool } from '@wds/postgres/pool'
import { type Transaction, withTransaction } from '@wds/postgres/transaction'
import { localDate, startOfDayMs } from '../calendar/domain/calendar.ts'
import { deleteConversions } from '../conversions/store-conversions.ts'
import { type FoldPlace, foldPlaces, writeKeptFrom } from '../conversions/store-folds.ts'
import { lackingFrom } from '../integrations/fold-window.ts'
import { integrations } from '../integrations/resource.ts'

const placesAtATime = 100
const conversionsAtATime = 10_000

/** Of all integrations, deleted ones included, each once a day; `pool` is the worker role's. `keepMs`: from when they occurred. Throws the first fault once all were tried. */
export async function sweepConversions(pool: Pool, keepMs: number): Promise<void> {
  let after: FoldPlace | null = null
  const faults: unknown[] = []
  for (;;) {
    const places: FoldPlace[] = await foldPlaces(pool, { keepMs, after, limit: placesAtATime })
    for (const place of places) await sweepOf(pool, place, keepMs).catch((fault: unknown) => faults.push(fault))
    if (places.length < placesAtATime) break
    after = places.at(-1) ?? null
  }
  if (faults.length > 0) throw faults[0]
}

async function sweepOf(pool: Pool, { workspaceId, integrationId }: FoldPlace, keepMs: number): Promise<void> {
  const inPlace = <T>(fn: (tx: Transaction) => Promise<T>) => withTransaction(pool, { workspaceId }, fn)
  const keptFromMs = await inPlace((tx) => moveKeptFrom(tx, integrationId, keepMs))
  if (keptFromMs === null) return
  const old = { integrationId, beforeMs: keptFromMs, limit: conversionsAtATime }
  while ((await inPlace((tx) => deleteConversions(tx, old))) === conversionsAtATime);
}

/** From when on those of the integration are kept; null: nothing is to be removed. */
async function moveKeptFrom(tx: Transaction, integrationId: string, keepMs: number): Promise<number | null> {
  const found = await load(tx, integrations, integrationId, { lock: false })
  const { fields, status } = found?.state ?? { fields: null, status: null }
  if (!fields) return null
  const { source_time_zone: zone } = fields
  const nowMs = await dbNow(tx)
  const oldest = localDate(nowMs - keepMs, zone)
  // Of a deleted one nothing is folded any more.
  const lacking = status === 'deleted' ? null : await lackingFrom(tx, integrationId, { zone, receivedBeforeMs: nowMs })
  const day = lacking !== null && lacking < oldest ? lacking : oldest
  const ms = startOfDayMs(day, zone)
  await writeKeptFrom(tx, integrationId, { ms, day })
  return ms
}
