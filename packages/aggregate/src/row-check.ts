// Compares the read rows of a service with the fold of their streams, and writes those anew that differ (I12 of reliability.md), page by
// page and beside the running service: a row that changes meanwhile is looked at once more, held or in one snapshot. It never changes
// a stream.
import { dbNow } from '@wds/event-store/event-store'
import { workspacesOf } from '@wds/event-store/republish'
import type { Pool } from '@wds/postgres/pool'
import { allInOrder, type Transaction, withTransaction } from '@wds/postgres/transaction'
import type { AnyAggregate } from './aggregate.ts'
import { type Folded, foldEvents } from './fold-streams.ts'
import { batches, isFault, pageEvents, type Reader, type RowDifference, settle } from './settle-rows.ts'
import { findDifferent, findPresent, findStreamless, readEvents } from './store-row-check.ts'

export type { RowDifference } from './settle-rows.ts'

/** How far it has come: everything before it was compared. Without a stream type or id: from the first one on. */
export interface RowPlace {
  workspaceId: string
  streamType: string | null
  streamId: string | null
}

export interface RowCount {
  workspaces: number
  events: number
  /** Streams whose row was compared. */
  rows: number
  differences: number
  mended: number
}

export interface RowCheckOptions {
  /** Of the worker role. */
  pool: Pool
  /** Rows are compared, and written, in this order: before those that refer to them. */
  aggregates: readonly AnyAggregate[]
  rebuild: boolean
  /** Goes on behind it. */
  from?: RowPlace
  /** Only this one. */
  workspaceId?: string
  report(difference: RowDifference): void
  /** After each page. */
  progress?(count: RowCount, place: RowPlace): void
  /** Events read at once; default 2,000. */
  pageEvents?: number
}

const streamlessMax = 1_000

/** Goes over all workspaces that have events. */
export async function checkRows(o: RowCheckOptions): Promise<RowCount> {
  const count: RowCount = { workspaces: 0, events: 0, rows: 0, differences: 0, mended: 0 }
  const all = o.workspaceId === undefined ? await workspacesOf(o.pool) : [o.workspaceId]
  const from = o.from
  for (const workspaceId of all.filter((id) => from === undefined || id >= from.workspaceId)) {
    await checkWorkspace(o, { workspaceId, count, from: from?.workspaceId === workspaceId ? from : null })
    count.workspaces += 1
  }
  return count
}

interface Walk {
  workspaceId: string
  count: RowCount
  from: RowPlace | null
}

async function checkWorkspace(o: RowCheckOptions, { from, ...walk }: Walk): Promise<void> {
  const { workspaceId, count } = walk
  const first = o.aggregates.findIndex(({ streamType }) => streamType === from?.streamType)
  const left = o.aggregates.slice(Math.max(0, first))
  const present = await withTransaction(o.pool, { workspaceId, readOnly: true }, (tx) => findPresent(tx, left))
  for (const aggregate of left.filter((one) => present.has(one))) {
    const { streamType } = aggregate
    let after = (streamType === from?.streamType && from.streamId) || ''
    let reader: Reader | null = { behind: { streamId: after, version: maxVersion }, open: null }
    while (reader !== null) {
      const page: Page = await readPage(o, { ...walk, aggregate, reader, after })
      count.events += page.events
      count.rows += page.rows
      for (const found of page.beyondMending) tell(o, count, { ...found, workspaceId, streamType })
      for (const candidates of batches(page.different))
        for (const found of await settle(o, { workspaceId, aggregate, candidates })) tell(o, count, found)
      after = page.upTo
      reader = page.next
      o.progress?.({ ...count }, { workspaceId, streamType, streamId: after === '' ? null : after })
    }
  }
}

/** Behind every version of a stream. */
const maxVersion = 2_147_483_647

interface Page {
  events: number
  rows: number
  different: Folded[]
  beyondMending: Omit<RowDifference, 'workspaceId' | 'streamType'>[]
  /** Every stream up to it was compared. */
  upTo: string
  /** Null: the last page of the workspace's streams of this type. */
  next: Reader | null
}

interface PageOf {
  workspaceId: string
  aggregate: AnyAggregate
  reader: Reader
  after: string
}

function readPage(o: RowCheckOptions, { workspaceId, aggregate, reader, after }: PageOf): Promise<Page> {
  const limit = o.pageEvents ?? pageEvents
  return withTransaction(o.pool, { workspaceId, readOnly: true }, async (tx) => {
    const { streamType } = aggregate
    const rows = await readEvents(tx, { streamType, behind: reader.behind, limit })
    const last = rows.length < limit ? null : rows.at(-1)
    const isLast = last === null || last === undefined
    const { complete, open } = foldEvents(aggregate, rows, { open: reader.open, isLast })
    const upTo = complete.at(-1)?.id ?? after
    const [different, streamless, nowMs] = await allInOrder([
      findDifferent(
        tx,
        aggregate,
        complete.filter(({ fault }) => fault === null),
      ),
      isLast || upTo !== after ? allStreamless(tx, aggregate, { above: after, upTo: isLast ? null : upTo }) : [],
      dbNow(tx),
    ] as const)
    const byId = new Map(complete.map((folded) => [folded.id, folded]))
    return {
      events: rows.length,
      rows: complete.length,
      upTo,
      beyondMending: [...streamless.map(withoutStream), ...complete.flatMap(faultsOfStream)],
      different: different.flatMap((one) => {
        const folded = byId.get(one.id)
        return folded !== undefined && isFault(aggregate, { one, folded, nowMs }) ? [folded] : []
      }),
      next: isLast ? null : { behind: { streamId: last.stream_id, version: last.version }, open },
    }
  })
}

async function allStreamless(
  tx: Transaction,
  aggregate: AnyAggregate,
  { above, upTo }: { above: string; upTo: string | null },
): Promise<string[]> {
  const found: string[] = []
  for (let last: string | undefined = above; last !== undefined; ) {
    const ids = await findStreamless(tx, aggregate, { above: last, upTo, limit: streamlessMax })
    found.push(...ids)
    last = ids.length < streamlessMax ? undefined : ids.at(-1)
  }
  return found
}

const nothing = { columns: [], storedVersion: null }

function withoutStream(id: string): Page['beyondMending'][number] {
  return { ...nothing, id, kind: 'no_stream', foldedVersion: null, unmended: 'there is no stream to make it of' }
}

function faultsOfStream({ id, version, fault, gaps }: Folded): Page['beyondMending'] {
  const found: Page['beyondMending'] = []
  if (fault !== null) found.push({ ...nothing, id, kind: 'not_folded', foldedVersion: version, unmended: fault })
  const [first] = gaps
  if (first !== undefined) {
    const unmended = `the stream has no event of version ${gaps.length === 1 ? first : gaps.join(', ')}`
    found.push({ ...nothing, id, kind: 'gap', foldedVersion: version, unmended })
  }
  return found
}

function tell(o: RowCheckOptions, count: RowCount, difference: RowDifference): void {
  count.differences += 1
  if (difference.unmended === null) count.mended += 1
  o.report(difference)
}
