// Announces events once more, from the streams that hold them: the way back after the log lost records (reliability.md
// F16). Ids and order are those of the first announcement, so consumers that have seen an event ignore it. It must never
// append or change an event.

import { type Id, idTimeMs, isId, makeId, nextId } from '@wds/contracts/ids'
import { withoutUndefined } from '@wds/contracts/without-undefined'
import { wait } from '@wds/pacing/wait'
import type { Pool } from '@wds/postgres/pool'
import { type Transaction, withTransaction } from '@wds/postgres/transaction'
import { type Actor, type Announcement, type AppendContext, announcementRecord } from './event-store.ts'
import { type OutboxRecord, putInOutboxAgain } from './outbox.ts'

/** An event as its stream holds it. */
export interface StoredEvent {
  version: number
  eventId: string
  /** RFC 3339, as in the first announcement's `meta.created`. */
  created: string
  type: string
  data: unknown
}

export interface StoredStream {
  workspaceId: string
  streamType: string
  streamId: string
  /** From version 1 to the last event of the append that the announced one belongs to: what the announcement was made of. */
  events: StoredEvent[]
  /** What came later in the stream: by it an announcement can be left out that it has ended. */
  later: StoredEvent[]
}

export interface RepublishRange {
  /** Of the worker role. */
  pool: Pool
  topic: string
  /** First and last event id, both included; `rangeOf` makes them of instants. */
  from: string
  to: string
  signal?: AbortSignal
  /** Called after each page. */
  onProgress?(done: Republished): void
}

/** How a service announces a range once more. */
export type Republish = (o: RepublishRange) => Promise<Republished>

export interface RepublishOptions extends RepublishRange {
  /** What the service announced of the event when it was appended, in the same order. */
  announce(event: StoredEvent, stream: StoredStream): Announcement[]
}

export interface Republished {
  workspaces: number
  /** Events, or kept announcements, of the range that were looked at. */
  events: number
  /** Records of the topic put into the outbox; those that still waited there are not counted. */
  records: number
}

const pageEvents = 200
/** The relay drains thousands a second; more rows would only stand before what is new. */
const waitingMax = 5_000
const lookAgainMs = 100

/** The range of all events from one instant or event id to another, both included. Instants: RFC 3339. Throws a RangeError. */
export function rangeOf(from: string, to: string): { from: Id<'evt'>; to: Id<'evt'> } {
  return { from: edgeOf(from, 0x00), to: edgeOf(to, 0xff) }
}

/** For a service whose announcements all tell of events in streams. */
export function fromStreams(announce: RepublishOptions['announce']): Republish {
  return (o) => republish({ ...o, announce })
}

/** For a service that announces in several ways: one after the other. A workspace may be counted twice. */
export function inTurn(...ways: Republish[]): Republish {
  return async (o) => {
    const done: Republished = { workspaces: 0, events: 0, records: 0 }
    for (const way of ways) {
      const { workspaces, events, records } = await way(o)
      done.workspaces += workspaces
      done.events += events
      done.records += records
    }
    return done
  }
}

/** Puts the announcements of a range into the outbox, workspace by workspace, each in the order of its event ids. */
export async function republish(o: RepublishOptions): Promise<Republished> {
  const done: Republished = { workspaces: 0, events: 0, records: 0 }
  for (const workspaceId of await workspacesOf(o.pool)) {
    done.workspaces += 1
    for (let above: string | null = null; ; ) {
      o.signal?.throwIfAborted()
      await roomInOutbox(o)
      const from: string | null = above
      const page: Page = await withTransaction(o.pool, { workspaceId }, (tx) => republishPage(tx, o, from))
      done.events += page.events
      done.records += page.records
      o.onProgress?.({ ...done })
      if (page.last === null) break
      above = page.last
    }
  }
  return done
}

interface Page {
  events: number
  records: number
  /** Null: the workspace is done. */
  last: string | null
}

interface Row {
  stream_type: string
  stream_id: string
  version: number
  event_id: string
  event_type: string
  data: unknown
  created: Date
  actor: string
  correlation: string
  causation: string | null
  traceparent: string
  tracestate: string | null
}

const columns = `stream_type, stream_id, version, event_id, event_type, data, created, actor, correlation, causation,
  traceparent, tracestate`

async function republishPage(tx: Transaction, o: RepublishOptions, above: string | null): Promise<Page> {
  const workspaceId = tx.workspaceId ?? ''
  // The unique key (workspace_id, event_id) serves it.
  const { rows } = await tx.query<Row>(
    `select ${columns} from stream_events where workspace_id = $1 and event_id >= $2 and event_id <= $3
      and ($4::text is null or event_id > $4) order by event_id limit $5`,
    [workspaceId, o.from, o.to, above, pageEvents],
  )
  const streams = new Map<string, Row[]>()
  const records: OutboxRecord[] = []
  for (const row of rows) {
    const name = `${row.stream_type} ${row.stream_id}`
    const stream = streams.get(name) ?? (await readRows(tx, workspaceId, row))
    streams.set(name, stream)
    records.push(...recordsOf(o, workspaceId, row, stream))
  }
  const put = await putInOutboxAgain(tx, records)
  return { events: rows.length, records: put, last: rows.length < pageEvents ? null : (rows.at(-1)?.event_id ?? null) }
}

async function readRows(tx: Transaction, workspaceId: string, of: Row): Promise<Row[]> {
  // The primary key serves it.
  const { rows } = await tx.query<Row>(
    `select ${columns} from stream_events where workspace_id = $1 and stream_type = $2 and stream_id = $3 order by version`,
    [workspaceId, of.stream_type, of.stream_id],
  )
  return rows
}

function recordsOf(o: RepublishOptions, workspaceId: string, row: Row, stream: Row[]): OutboxRecord[] {
  const end = endOfAppend(row, stream)
  const [events, later] = [stream.slice(0, end).map(toStored), stream.slice(end).map(toStored)]
  const place = { workspaceId, streamType: row.stream_type, streamId: row.stream_id, events, later }
  const context = contextOf(workspaceId, row)
  let eventId = row.event_id
  return o.announce(toStored(row), place).flatMap((announcement, index) => {
    // As at the append: the first has the event's id, further ones the next.
    if (index > 0) eventId = nextId('evt', eventId, idTimeMs(eventId), new Uint8Array(10))
    return announcement.topic === o.topic
      ? [announcementRecord(context, announcement, { eventId, traceparent: row.traceparent })]
      : []
  })
}

/** Index after the last event that was appended together with `row`. */
function endOfAppend(row: Row, stream: Row[]): number {
  let end = row.version
  const same = (next: Row | undefined): boolean =>
    next !== undefined &&
    next.created.getTime() === row.created.getTime() &&
    next.correlation === row.correlation &&
    next.traceparent === row.traceparent
  while (same(stream[end])) end += 1
  return end
}

function toStored(row: Row): StoredEvent {
  const { version, event_id, event_type, data, created } = row
  return { version, eventId: event_id, created: created.toISOString(), type: event_type, data }
}

function contextOf(workspaceId: string, row: Row): AppendContext {
  const colon = row.actor.indexOf(':')
  return withoutUndefined({
    workspaceId,
    actor: { type: row.actor.slice(0, colon) as Actor['type'], id: row.actor.slice(colon + 1) },
    correlation: row.correlation,
    causation: row.causation ?? undefined,
    trace: withoutUndefined({ traceparent: row.traceparent, tracestate: row.tracestate ?? undefined }),
  })
}

/** Workspaces that have events, by jumps through the primary key. */
export async function workspacesOf(pool: Pool): Promise<string[]> {
  return withTransaction(pool, { workspaceId: null }, async (tx) => {
    await tx.query(`select set_config('app.republish', 'on', true)`)
    const { rows } = await tx.query<{ id: string }>(
      `with recursive w(id) as (
        (select workspace_id from stream_events order by workspace_id limit 1)
        union all
        select (select e.workspace_id from stream_events e where e.workspace_id > w.id order by e.workspace_id limit 1)
        from w where w.id is not null)
      select id from w where id is not null`,
    )
    return rows.map((row) => row.id)
  })
}

/** Waits while the outbox is full; a relay must run meanwhile. */
export async function roomInOutbox(o: Pick<RepublishRange, 'pool' | 'signal'>): Promise<void> {
  for (;;) {
    const { rows } = await o.pool.query<{ n: number }>(
      'select count(*)::integer as n from (select from outbox order by id limit $1) f',
      [waitingMax],
    )
    if ((rows[0]?.n ?? 0) < waitingMax) return
    await wait(lookAgainMs, o.signal)
    o.signal?.throwIfAborted()
  }
}

function edgeOf(text: string, fill: number): Id<'evt'> {
  if (isId('evt', text)) return text
  const ms = /^\d{4}-\d{2}-\d{2}T/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(ms))
    throw new RangeError('an edge of the range is an event id or an instant as 2026-01-31T12:00:00Z')
  return makeId('evt', ms, new Uint8Array(10).fill(fill))
}
