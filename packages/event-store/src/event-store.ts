// Loads and appends streams of events: facts, their announcements and the expected version in one statement, in the
// caller's transaction (architecture.md 3 to 5). It must never change or remove a fact.

import { type Id, makeId, nextId } from '@wds/contracts/ids'
import { withoutUndefined } from '@wds/contracts/without-undefined'
import type { Queryable } from '@wds/postgres/pool'
import type { Transaction } from '@wds/postgres/transaction'
import { startCreate } from '@wds/telemetry/messaging-spans'
import type { Span } from '@wds/telemetry/spans'
import { pooledBytes } from '@wds/telemetry/trace-context'
import { appendStatement, type ExtraWrite } from './append-statement.ts'
import { announceAfterCommit, type OutboxRecord } from './outbox.ts'

/** The folder with this package's migration, for the schema of a service. */
export const migrationsDirectory: URL = new URL('./migrations/', import.meta.url)

/** The stream is not at the expected version: somebody appended meanwhile, or the expectation was never true. */
export class VersionConflict extends Error {
  override name = 'VersionConflict'
}

/** A conflict as thrown by an append, or as the database reports it to a statement that was sent after the append. */
export function isVersionConflict(error: unknown): boolean {
  if (error instanceof VersionConflict) return true
  const { code, constraint } = (error ?? {}) as { code?: unknown; constraint?: unknown }
  return code === 'WD001' || (code === '23505' && constraint === 'stream_events_pkey')
}

export interface StreamEvent<E> {
  /** 1 for the first event of a stream, without gaps. */
  version: number
  eventId: string
  /** Epoch milliseconds; never decreases within a stream. */
  createdMs: number
  event: E
}

export interface Stream<S> {
  state: S
  /** Of the last event; 0 when there is none. */
  version: number
  lastCreatedMs: number | null
  lastEventId: string | null
}

/** What other services are told of an event. */
export interface Announcement {
  topic: string
  key: string
  /** Header `event_type`. */
  type: string
  payload: Uint8Array
  headers?: Record<string, string>
}

export interface Actor {
  type: 'user' | 'client' | 'api_key' | 'system'
  id: string
}

export interface AppendContext {
  workspaceId: string
  actor: Actor
  correlation: string
  causation?: string
  trace: { traceparent: string; tracestate?: string }
  /** From where the actor asked: for an audit log, never in events. */
  origin?: { address: string; userAgent: string | null }
}

export interface AppendOptions<E> {
  context: AppendContext
  streamType: string
  streamId: string
  /** Version that the decision was made on; 0: the stream is new. */
  expectedVersion: number
  /** The instant of the decision, epoch milliseconds (`dbNow`). */
  nowMs: number
  /** `lastCreatedMs` of the loaded stream. */
  lastCreatedMs: number | null
  events: E[]
  /** The announcements of an event; the first takes the event's id, further ones get ids of their own. */
  announce?(event: E, meta: { eventId: string; created: string; version: number }): Announcement[]
}

interface EventRow {
  version: number
  event_id: string
  event_type: string
  data: unknown
  created_ms: string
}

/** The events of a stream in their order. */
export async function readStream<E>(
  tx: Queryable,
  o: { workspaceId: string; streamType: string; streamId: string },
): Promise<StreamEvent<E>[]> {
  // The primary key serves it.
  const { rows } = await tx.query<EventRow>({
    name: 'stream-read',
    text: `select version, event_id, event_type, data, (extract(epoch from created) * 1000)::bigint::text as created_ms
      from stream_events where workspace_id = $1 and stream_type = $2 and stream_id = $3 order by version`,
    values: [o.workspaceId, o.streamType, o.streamId],
  })
  return rows.map((row) => ({
    version: row.version,
    eventId: row.event_id,
    createdMs: Number(row.created_ms),
    event: { type: row.event_type, data: row.data } as E,
  }))
}

/** Folds a stream into its state. */
export async function loadStream<S, E>(
  tx: Queryable,
  decider: { initialState: S; evolve(state: S, event: E): S },
  o: { workspaceId: string; streamType: string; streamId: string },
): Promise<Stream<S>> {
  const events = await readStream<E>(tx, o)
  const last = events.at(-1)
  return {
    state: events.reduce((state, { event }) => decider.evolve(state, event), decider.initialState),
    version: last?.version ?? 0,
    lastCreatedMs: last?.createdMs ?? null,
    lastEventId: last?.eventId ?? null,
  }
}

/** An append that is ready to be written. */
export interface PreparedAppend {
  /** Version after it. */
  version: number
  eventIds: string[]
  created: string[]
  /**
   * Sends the one statement, with `extra` in it; to be called once. A conflict fails in the database, so it may be sent with the commit
   * (`Transaction.withCommit`). @throws VersionConflict
   */
  write(extra?: ExtraWrite): Promise<void>
}

/**
 * Appends events and their outbox rows in one statement. `created` is the later of the stream's last one and now; the event
 * ids of a stream rise. Throws `VersionConflict` when the stream is not at the expected version; the transaction may be
 * aborted then, so the command runs again from its start (`retryOnConflict`).
 */
export async function appendEvents<E extends { type: string; data: object }>(
  tx: Transaction,
  o: AppendOptions<E>,
): Promise<Pick<PreparedAppend, 'version' | 'eventIds' | 'created'>> {
  const { write, ...appended } = await prepareAppend(tx, o)
  await write()
  return appended
}

/** As `appendEvents`, with the writing left to the caller. */
export async function prepareAppend<E extends { type: string; data: object }>(
  tx: Transaction,
  o: AppendOptions<E>,
): Promise<PreparedAppend> {
  const version = o.expectedVersion + o.events.length
  if (o.events.length === 0) return { version, eventIds: [], created: [], write: async () => undefined }
  const { eventIds, created, announcements, spans } = prepare(o, await lastIdOfTheSameInstant(tx, o))
  const { context } = o
  const rows = {
    workspaceId: context.workspaceId,
    streamType: o.streamType,
    streamId: o.streamId,
    expectedVersion: o.expectedVersion,
    eventIds,
    types: o.events.map((event) => event.type),
    data: o.events.map((event) => JSON.stringify(event.data)),
    created,
    context: [
      actorText(context.actor),
      context.correlation,
      context.causation ?? null,
      context.trace.traceparent,
      context.trace.tracestate ?? null,
    ],
    announcements,
  }
  const write = async (extra?: ExtraWrite) => {
    if (announcements.length > 0) announceAfterCommit(tx, announcements)
    // A span that does not end is not exported: what was rolled back was never created.
    for (const span of spans) tx.afterCommit(() => span.end())
    await tx.query(appendStatement(rows, extra)).catch((error: unknown) => {
      // Two appends at once: the loser waits for the winner's commit and meets its row.
      if (!isVersionConflict(error)) throw error
      const message = `${o.streamType} ${o.streamId} is not at version ${o.expectedVersion}`
      throw new VersionConflict(message, { cause: error })
    })
  }
  return { version, eventIds, created, write }
}

/** SQL of {@link dbNow}, as text: for a statement that reads something else. */
export const nowMsSql = 'floor(extract(epoch from app_now()) * 1000)::text'

/** The database's time (`app_now()`), epoch milliseconds: the clock of `created` and of everything that falls due. */
export async function dbNow(tx: Queryable): Promise<number> {
  const { rows } = await tx.query<{ ms: string }>({ name: 'now', text: `select ${nowMsSql} as ms` })
  return Number(rows[0]?.ms)
}

/** The stream's last event id where time alone does not put the next ones behind it; else null. The primary key serves it. */
async function lastIdOfTheSameInstant<E>(tx: Queryable, o: AppendOptions<E>): Promise<string | null> {
  if (o.lastCreatedMs === null || createdMsOf(o) > o.lastCreatedMs) return null
  const { rows } = await tx.query<{ event_id: string }>({
    name: 'stream-last-id',
    text: `select event_id from stream_events where workspace_id = $1 and stream_type = $2 and stream_id = $3
      order by version desc limit 1`,
    values: [o.context.workspaceId, o.streamType, o.streamId],
  })
  return rows[0]?.event_id ?? null
}

function createdMsOf(o: Pick<AppendOptions<unknown>, 'lastCreatedMs' | 'nowMs'>): number {
  return Math.max(o.lastCreatedMs ?? 0, Math.floor(o.nowMs))
}

/** The first id of an append, above the stream's last one. */
function firstId(lastId: string | null, createdMs: number): Id<'evt'> {
  const fresh = makeId('evt', createdMs, pooledBytes(10))
  if (lastId === null || fresh > lastId) return fresh
  // The last append's further announcements have ids right behind its events': the lower half of the randomness, 2^40 ids,
  // is left to them and drawn anew.
  const behind = nextId('evt', `${lastId.slice(0, -8)}${'Z'.repeat(8)}`, createdMs, pooledBytes(10))
  return `evt_${behind.slice(4, -8)}${fresh.slice(-8)}`
}

function prepare<E extends { type: string; data: object }>(o: AppendOptions<E>, lastId: string | null) {
  const createdMs = createdMsOf(o)
  const createdText = new Date(createdMs).toISOString()
  const eventIds: string[] = []
  const announcements: OutboxRecord[] = []
  const spans: Span[] = []
  let last: Id<'evt'> | null = null
  const next = (): Id<'evt'> => {
    last = last === null ? firstId(lastId, createdMs) : nextId('evt', last, createdMs, pooledBytes(10))
    return last
  }
  o.events.forEach((event, index) => {
    const eventId = next()
    eventIds.push(eventId)
    const meta = { eventId, created: createdText, version: o.expectedVersion + index + 1 }
    const announced = o.announce?.(event, meta) ?? []
    announced.forEach((announcement, place) => {
      const id = place === 0 ? eventId : next()
      const { topic, type: eventType } = announcement
      const span = startCreate({ topic, eventId: id, eventType, parent: o.context.trace.traceparent })
      if (span.isRecorded) spans.push(span)
      announcements.push(announcementRecord(o.context, announcement, { eventId: id, traceparent: span.traceparent }))
    })
  })
  return { eventIds, created: eventIds.map(() => createdText), announcements, spans }
}

/** The record that tells of an announcement. `traceparent`: the creation context, which nobody rewrites on the way (stack.md 8.3). */
export function announcementRecord(
  context: AppendContext,
  announcement: Announcement,
  { eventId, traceparent }: { eventId: string; traceparent: string },
): OutboxRecord {
  const { topic, key, payload, type } = announcement
  const { workspaceId, trace } = context
  const headers: Record<string, string> = withoutUndefined({
    ...announcement.headers,
    event_id: eventId,
    event_type: type,
    schema_version: announcement.headers?.schema_version ?? '1',
    workspace_id: workspaceId,
    actor: actorText(context.actor),
    correlation: context.correlation,
    causation: context.causation,
    traceparent,
    tracestate: trace.tracestate,
  })
  return { workspaceId, topic, key, eventId, headers, payload }
}

function actorText(actor: Actor): string {
  return `${actor.type}:${actor.id}`
}
