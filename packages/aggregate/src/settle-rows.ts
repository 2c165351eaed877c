// Looks once more at rows that differed from the fold of their streams, held or in one snapshot, and writes them anew. It never changes a
// stream, and a row that changed meanwhile is no difference.
import { dbNow } from '@wds/event-store/event-store'
import type { Pool } from '@wds/postgres/pool'
import { isTransient, type Transaction, withTransaction } from '@wds/postgres/transaction'
import type { AnyAggregate } from './aggregate.ts'
import { type Folded, foldEvents } from './fold-streams.ts'
import {
  type Description,
  type Different,
  describeDifferent,
  type EventPlace,
  lockRebuild,
  lockRows,
  readEvents,
  writeRows,
} from './store-row-check.ts'

/** A row that is not the fold of its stream. */
export interface RowDifference {
  workspaceId: string
  streamType: string
  id: string
  /**
   * `no_stream`: there is a row, and nothing that it could be made of; `not_folded`: a stream of which no row can be made; `gap`: the
   * stream lacks an event, whatever its row is.
   */
  kind: 'differs' | 'missing' | 'no_stream' | 'not_folded' | 'gap'
  /** Those that differ, of the state as `state.name`. */
  columns: string[]
  storedVersion: number | null
  foldedVersion: number | null
  /** Null: written anew. Else why not. */
  unmended: string | null
}

/** Events read at once. */
export const pageEvents = 2_000
/** Rows that are looked at once more in one transaction: as long as they are held, their commands wait. */
const batch = { rows: 200, events: 5_000 }

interface SettleOptions {
  pool: Pool
  rebuild: boolean
}

/** Where to read on, and the stream of which a part is read. */
export interface Reader {
  behind: EventPlace
  open: Folded | null
}

/** False of a row that was removed with age. */
export function isFault(aggregate: AnyAggregate, o: { one: Different; folded: Folded; nowMs: number }): boolean {
  const { one, folded, nowMs } = o
  const keptMs = aggregate.keptMs?.(folded.state) ?? null
  return !one.isMissing || keptMs === null || folded.updatedMs + keptMs > nowMs
}

/** What is looked at in one transaction each. */
export function* batches(streams: readonly Folded[]): Generator<Folded[]> {
  let taken: Folded[] = []
  let events = 0
  for (const folded of streams) {
    if (taken.length >= batch.rows || (taken.length > 0 && events + folded.version > batch.events)) {
      yield taken
      taken = []
      events = 0
    }
    taken.push(folded)
    events += folded.version
  }
  if (taken.length > 0) yield taken
}

interface Settling {
  workspaceId: string
  aggregate: AnyAggregate
  candidates: readonly Folded[]
}

/** Looks once more at rows that differed, and writes them anew. One that cannot be written holds up no other. */
export async function settle(o: SettleOptions, settling: Settling): Promise<RowDifference[]> {
  const { candidates } = settling
  try {
    return await lookAgain(o, settling)
  } catch (error) {
    if (!o.rebuild || isTransient(error)) throw error
    if (candidates.length > 1) {
      const found: RowDifference[] = []
      for (const one of candidates) found.push(...(await settle(o, { ...settling, candidates: [one] })))
      return found
    }
    const unmended = error instanceof Error ? error.message : String(error)
    return (await lookAgain({ ...o, rebuild: false }, settling)).map((found) => ({ ...found, unmended }))
  }
}

function lookAgain(o: SettleOptions, { workspaceId, aggregate, candidates }: Settling): Promise<RowDifference[]> {
  const { streamType } = aggregate
  const ids = candidates.map(({ id }) => id)
  // A check holds nobody up: stream and row of one snapshot.
  const alone = { isolation: 'repeatable read', readOnly: true } as const
  return withTransaction(o.pool, { workspaceId, ...(o.rebuild ? {} : alone) }, async (tx) => {
    if (o.rebuild) {
      // A row that is missing cannot be held: the fold of another rebuild, taken before, would be written over what came after.
      await lockRebuild(tx, aggregate)
      await aggregate.beforeRebuild?.(tx, candidates)
      await lockRows(tx, aggregate, ids)
    }
    const streams = (await foldAll(tx, aggregate, ids)).filter(({ fault }) => fault === null)
    const byId = new Map(streams.map((folded) => [folded.id, folded]))
    const nowMs = await dbNow(tx)
    const different = (await describeDifferent(tx, aggregate, streams)).flatMap((one) => {
      const folded = byId.get(one.id)
      return folded !== undefined && isFault(aggregate, { one, folded, nowMs }) ? [{ one, folded }] : []
    })
    if (o.rebuild)
      await writeRows(
        tx,
        aggregate,
        different.map(({ folded }) => folded),
      )
    return different.map(({ one, folded }) => differenceOf(one, { workspaceId, streamType, folded, o }))
  })
}

function differenceOf(
  { id, isMissing, columns, storedVersion }: Description,
  of: { workspaceId: string; streamType: string; folded: Folded; o: SettleOptions },
): RowDifference {
  const { workspaceId, streamType, folded, o } = of
  return {
    workspaceId,
    streamType,
    id,
    kind: isMissing ? 'missing' : 'differs',
    columns,
    storedVersion,
    foldedVersion: folded.version,
    unmended: o.rebuild ? null : 'not asked for',
  }
}

async function foldAll(tx: Transaction, aggregate: AnyAggregate, ids: readonly string[]): Promise<Folded[]> {
  const { streamType } = aggregate
  const streams: Folded[] = []
  let reader: Reader | null = { behind: { streamId: '', version: 0 }, open: null }
  while (reader !== null) {
    const { behind }: Reader = reader
    const rows = await readEvents(tx, { streamType, ids, behind, limit: pageEvents })
    const last = rows.at(-1)
    const isLast = last === undefined || rows.length < pageEvents
    const { complete, open } = foldEvents(aggregate, rows, { open: reader.open, isLast })
    streams.push(...complete)
    reader = isLast ? null : { behind: { streamId: last.stream_id, version: last.version }, open }
  }
  return streams
}
