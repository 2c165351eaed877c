// Runs commands: load with lock, decide, append, store the read row, announce; all in the caller's transaction (architecture.md 3
// and 4). The read row is the fold of its stream and its snapshot. It never publishes an event that breaks its schema.
import type { IdPrefix } from '@wds/contracts/ids'
import type { Decider } from '@wds/decider/decider'
import { type AppendContext, nowMsSql, prepareAppend } from '@wds/event-store/event-store'
import type { Transaction } from '@wds/postgres/transaction'
import type { EventPlace, KeyedAnnouncement } from './announcement.ts'
import { newId } from './new-id.ts'
import { type Keyed, storeRow } from './store-row.ts'

/** What every state has: `none` before the first event; `deleted` is found by nobody. */
export interface AggregateState {
  status: string
}

/** One event of a stream. */
export interface AggregateEvent {
  type: string
  data: object
}

/** An aggregate, declared once. Its table has workspace_id, id, version, state jsonb, created, updated, and `columns`. */
export interface Aggregate<S extends AggregateState, C, E extends AggregateEvent, R> {
  streamType: string
  idPrefix: IdPrefix
  table: string
  /** Column of the id; default `id`. */
  idColumn?: string
  decider: Decider<S, C, E, R>
  /**
   * Columns derived from the state, for filters and joins; `status` is one. A change sets those that it changed: who derives one in
   * another way brings a migration that fills it.
   */
  columns(state: S): { status: string; [column: string]: unknown }
  /** What the log is told of an event, and on which topic; left out: nothing ever. `publicEvents` makes it for public ones. */
  announce?(event: E, place: EventPlace<S>): KeyedAnnouncement[]
  /** What else is stored with a change, whoever commanded it: rows beside the read row, commands to other aggregates. */
  project?(tx: Transaction, change: Change<S, E>): Promise<void>
  /** How long after its last change the row of such a state is kept at least, milliseconds; null, and where left out: for ever. */
  keptMs?(state: S): number | null
  /**
   * Before rows are written anew from their streams, in that transaction (row-check.ts): takes locks that come before theirs, and puts
   * right what is kept beside them.
   */
  beforeRebuild?(tx: Transaction, rows: readonly { id: string; state: S }[]): Promise<void>
}

/** Any of them, for what treats all the same. */
export type AnyAggregate = Aggregate<AggregateState, unknown, AggregateEvent, unknown>

/** An aggregate as stored, at an instant of the database's clock. Version 0: there is none yet. */
export interface Loaded<S> {
  id: string
  state: S
  version: number
  createdMs: number | null
  updatedMs: number | null
  /** When it was loaded: the instant of what is decided on it. */
  nowMs: number
}

/** A command that was carried out, with at least one event. */
export interface Change<S, E> {
  context: AppendContext
  before: S
  after: Loaded<S>
  events: E[]
}

export type Outcome<S, E, R> = { ok: true; value: Loaded<S>; events: E[] } | { ok: false; error: R }

/** A new aggregate, not stored yet; with an id of its own unless one is given. */
export function blank<S extends AggregateState>(
  aggregate: { idPrefix: IdPrefix; decider: { initialState: S } },
  o: { nowMs: number; id?: string },
): Loaded<S> {
  const id = o.id ?? newId(aggregate.idPrefix, o.nowMs)
  return { id, state: aggregate.decider.initialState, version: 0, createdMs: null, updatedMs: null, nowMs: o.nowMs }
}

/** Of the transaction; a command needs one. */
export function workspaceOf(tx: Transaction): string {
  if (tx.workspaceId === null) throw new Error('aggregates are loaded in the transaction of a workspace')
  return tx.workspaceId
}

interface Row<S> {
  id: string
  version: number
  state: S
  created_ms: string
  updated_ms: string
  now_ms: string
}

/** What `toLoaded` reads. */
export const selectedColumns = (idColumn = 'id') => `${idColumn} as id, version, state,
  (extract(epoch from created) * 1000)::bigint::text as created_ms,
  (extract(epoch from updated) * 1000)::bigint::text as updated_ms, ${nowMsSql} as now_ms`

export function toLoaded<S>(row: Row<S>): Loaded<S> {
  const { id, state, version } = row
  const [createdMs, updatedMs, nowMs] = [Number(row.created_ms), Number(row.updated_ms), Number(row.now_ms)]
  return { id, state, version, createdMs, updatedMs, nowMs }
}

/** The aggregate of the transaction's workspace, or null. `lock` holds its row until the transaction ends. The primary key serves it. */
export async function load<S extends AggregateState>(
  tx: Transaction,
  aggregate: { table: string; idColumn?: string; decider: { initialState: S } },
  id: string,
  o: { lock: boolean },
): Promise<Loaded<S> | null> {
  const { table, idColumn = 'id' } = aggregate
  const lock = o.lock ? ' for no key update' : ''
  const { rows } = await tx.query<Row<S> & { [column: string]: unknown }>({
    name: `${table}${lock}`,
    text: `select ${selectedColumns(idColumn)} from ${table} where workspace_id = $1 and ${idColumn} = $2${lock}`,
    values: [workspaceOf(tx), id],
  })
  return rows[0] ? toLoaded(rows[0]) : null
}

/**
 * Runs a command: decides, appends, writes the read row. Returns the changed aggregate or the refusal; without events nothing is written.
 * The caller holds the lock of the aggregate's row (`load` with lock), or the aggregate is new (`blank`). The write is sent with the
 * commit, so a version conflict may be thrown by the commit.
 */
export async function execute<S extends AggregateState, C, E extends AggregateEvent, R>(
  tx: Transaction,
  aggregate: Aggregate<S, C, E, R>,
  o: { context: AppendContext; loaded: Loaded<S>; command: C },
): Promise<Outcome<S, E, R>> {
  const outcome = decideNext(aggregate, undecided(o.loaded), o.command)
  if (!outcome.ok) return outcome
  const { events } = outcome.value
  return { ok: true, value: await storeDecided(tx, aggregate, { context: o.context, decided: outcome.value }), events }
}

/** Commands to one aggregate, decided one after the other and not stored yet. */
export interface Decided<S, E> {
  loaded: Loaded<S>
  /** After all events. */
  state: S
  events: E[]
}

export function undecided<S, E>(loaded: Loaded<S>): Decided<S, E> {
  return { loaded, state: loaded.state, events: [] }
}

/** Decides one more; a refused one changes nothing. */
export function decideNext<S extends AggregateState, C, E extends AggregateEvent, R>(
  { decider }: Pick<Aggregate<S, C, E, R>, 'decider'>,
  before: Decided<S, E>,
  command: C,
): { ok: true; value: Decided<S, E> } | { ok: false; error: R } {
  const decision = decider.decide(before.state, command)
  if (!decision.accepted) return { ok: false, error: decision.rejection }
  const state = decision.events.reduce((folded, event) => decider.evolve(folded, event), before.state)
  return { ok: true, value: { ...before, state, events: [...before.events, ...decision.events] } }
}

/**
 * Stores what was decided: one append and one write of the read row, however many commands it was; nothing without events. What announces
 * an event is given the state after all of them.
 */
export async function storeDecided<S extends AggregateState, C, E extends AggregateEvent, R>(
  tx: Transaction,
  aggregate: Aggregate<S, C, E, R>,
  { context, decided: { loaded, state, events } }: { context: AppendContext; decided: Decided<S, E> },
): Promise<Loaded<S>> {
  if (events.length === 0) return loaded
  const keyed: Keyed[] = []
  const append = await prepareAppend(tx, {
    context,
    streamType: aggregate.streamType,
    streamId: loaded.id,
    expectedVersion: loaded.version,
    nowMs: loaded.nowMs,
    lastCreatedMs: loaded.updatedMs,
    events,
    announce: (event, { eventId, created }) => {
      const place = { workspaceId: context.workspaceId, id: loaded.id, state, eventId, created, later: [] }
      const announced = aggregate.announce?.(event, place) ?? []
      for (const { type, onceKey = null } of announced) if (onceKey !== null) keyed.push({ type, onceKey, eventId })
      return announced
    },
  })
  const updatedMs = Date.parse(append.created.at(-1) ?? '')
  const value = { ...loaded, state, version: append.version, createdMs: loaded.createdMs ?? updatedMs, updatedMs }
  const before = loaded.version === 0 ? null : loaded.state
  tx.withCommit(() => append.write(storeRow(aggregate, { value, before, keyed })))
  await aggregate.project?.(tx, { context, before: loaded.state, after: value, events })
  return value
}

/** Like `execute`, for a command that cannot be refused: a refusal is a defect and is thrown. */
export async function executeOrFail<S extends AggregateState, C, E extends AggregateEvent, R>(
  tx: Transaction,
  aggregate: Aggregate<S, C, E, R>,
  o: { context: AppendContext; loaded: Loaded<S>; command: C },
): Promise<Loaded<S>> {
  const outcome = await execute(tx, aggregate, o)
  if (!outcome.ok) throw new Error(`${aggregate.streamType} refused ${JSON.stringify(outcome.error)}`)
  return outcome.value
}
