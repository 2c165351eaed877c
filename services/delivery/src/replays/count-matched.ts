// Counts what a bulk replay would open, for a dry run and for its progress. It looks at 100,000 rows, for 3 s, at most and stores nothing.
import { idTimeMs } from '@wds/contracts/ids'
import type { Transaction } from '@wds/postgres/transaction'
import { firstPlace, isExpired, type Place } from './domain/selection.ts'
import { type Page, readPage, type Walked } from './walk.ts'

/** What would be replayed, as the API shows it. */
export interface Matched {
  matched: number
  by_status: Record<string, number>
  by_type: Record<string, number>
  by_webhook: Record<string, number>
  /** By reason. */
  left_out: Record<string, number>
  oldest: string | null
  newest: string | null
  /** False: only the first rows were looked at. */
  complete: boolean
}

const lookedMax = 100_000
const longestMs = 3_000
/** Of one look: some 50 ms of the database, and of this thread less. Those that judge bodies are smaller (walk.ts). */
const size = { look: 5_000, rows: 5_000 }

/** Walks in the transaction's workspace. */
export async function countMatched(tx: Transaction, walked: Walked, nowMs: number): Promise<Matched> {
  const counted: Matched = {
    matched: 0,
    by_status: {},
    by_type: {},
    by_webhook: {},
    left_out: {},
    oldest: null,
    newest: null,
    complete: false,
  }
  let place: Place | null = firstPlace(walked.selection)
  const endMs = performance.now() + longestMs
  for (let looked = 0; place !== null && looked < lookedMax && performance.now() < endMs; ) {
    const page: Page = await readPage(tx, walked, place, size)
    for (const row of page.rows) count(counted, row, nowMs)
    looked += page.looked
    place = page.next
  }
  return { ...counted, complete: place === null }
}

/** Why a selected delivery cannot be replayed, or null. */
export function leftOutBecause(row: Page['rows'][number], nowMs: number): string | null {
  if (row.subscription !== 'enabled') return `subscription_${row.subscription}`
  return isExpired(row.eventId, nowMs) ? 'event_expired' : null
}

function count(counted: Matched, row: Page['rows'][number], nowMs: number): void {
  const reason = leftOutBecause(row, nowMs)
  if (reason !== null) {
    add(counted.left_out, reason)
    return
  }
  counted.matched += 1
  add(counted.by_status, row.status)
  add(counted.by_type, row.type)
  add(counted.by_webhook, row.subscriptionId)
  const created = new Date(idTimeMs(row.eventId)).toISOString()
  if (counted.oldest === null || created < counted.oldest) counted.oldest = created
  if (counted.newest === null || created > counted.newest) counted.newest = created
}

function add(counts: Record<string, number>, key: string): void {
  counts[key] = (counts[key] ?? 0) + 1
}
