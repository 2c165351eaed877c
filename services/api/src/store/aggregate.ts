// Stores what a decider decided: events, announcements and the read row in one transaction (architecture.md, rules 3 and 4).
// The read row is the fold of its stream and serves as its snapshot. It never publishes an event that breaks its schema.

import { isDeepStrictEqual } from 'node:util'
import { serializeEnvelope } from '@wds/contracts/envelope'
import { faultsOfEventData } from '@wds/contracts/event-validation'
import type { Id } from '@wds/contracts/ids'
import { topics } from '@wds/contracts/topics'
import type { Decision } from '@wds/decider/decider'
import type { Beside } from '@wds/event-store/append-statement'
import { type AppendContext, nowMsSql, prepareAppend } from '@wds/event-store/event-store'
import type { Transaction } from '@wds/postgres/transaction'
import type { PublicEvent } from '../domain/public-events.ts'

/** An event that breaks its declaration (domain.md 5), a defect of this service: the transaction ends with nothing stored. */
export class EventBreach extends Error {}

/** A loaded aggregate. version 0: there is none yet. */
export interface Loaded<S> {
  id: string
  state: S
  version: number
  createdMs: number | null
  updatedMs: number | null
}

/** As it was read, at an instant of the database's clock. */
export type Found<S> = Loaded<S> & { nowMs: number }

/** What of an aggregate's kind the store needs. */
export interface AggregateKind<S, C, E extends { type: string; data: object }, R> {
  table: 'integrations' | 'sync_runs' | 'imports'
  streamType: string
  decider: { initialState: S; evolve(state: S, event: E): S; decide(state: S, command: C): Decision<E, R> }
  /**
   * Columns besides id, version, state, created and updated. A change sets those that it changed: who derives one in another way
   * brings a migration that fills it.
   */
  columns(state: S): Record<string, unknown>
  toPublic(id: string, state: S, event: E): PublicEvent | null
}

interface Published {
  event: PublicEvent
  eventId: string
}

interface Row<S> {
  id: string
  version: number
  state: S
  created_ms: string
  updated_ms: string
  [column: string]: unknown
}

const selected = `id, version, state, (extract(epoch from created) * 1000)::bigint::text as created_ms,
  (extract(epoch from updated) * 1000)::bigint::text as updated_ms`

/** The columns that `toLoaded` reads. */
export const aggregateColumns = selected

export function toLoaded<S>(row: Row<S>): Loaded<S> {
  return {
    id: row.id,
    state: row.state,
    version: row.version,
    createdMs: Number(row.created_ms),
    updatedMs: Number(row.updated_ms),
  }
}

/** A new aggregate of this id, not stored yet. */
export function blank<S>(kind: { decider: { initialState: S } }, id: string): Loaded<S> {
  return { id, state: kind.decider.initialState, version: 0, createdMs: null, updatedMs: null }
}

/**
 * The aggregate, or null. `lock` holds its row until the transaction ends; in a shared one nobody waits for it. The primary key
 * serves it.
 */
export async function loadAggregate<S>(
  tx: Transaction,
  kind: { table: string },
  o: { workspaceId: string; id: string; lock: boolean },
): Promise<Found<S> | null> {
  const sharing = o.lock ? tx.sharing : undefined
  sharing?.take(`${kind.table} ${o.workspaceId} ${o.id}`)
  const lock = sharing ? ' for no key update skip locked' : o.lock ? ' for no key update' : ''
  const { rows } = await tx.query<Row<S> & { now_ms: string }>({
    name: `${kind.table}${lock}`,
    text: `select ${selected}, ${nowMsSql} as now_ms from ${kind.table} where workspace_id = $1 and id = $2${lock}`,
    values: [o.workspaceId, o.id],
  })
  const [row] = rows
  if (row === undefined) sharing?.leave()
  return row ? { ...toLoaded(row), nowMs: Number(row.now_ms) } : null
}

/**
 * Decides, appends and stores, with the commit. Gives the aggregate after it, or the refusal. No event: nothing is written. The
 * caller holds the aggregate's row, or the aggregate is new.
 */
export async function carryOut<S, C, E extends { type: string; data: object }, R>(
  tx: Transaction,
  kind: AggregateKind<S, C, E, R>,
  o: { context: AppendContext; loaded: Loaded<S>; command: C; nowMs: number },
): Promise<{ ok: true; value: Loaded<S>; events: E[] } | { ok: false; error: R }> {
  const { loaded } = o
  const decision = kind.decider.decide(loaded.state, o.command)
  if (!decision.accepted) return { ok: false, error: decision.rejection }
  const { events } = decision
  if (events.length === 0) return { ok: true, value: loaded, events }
  const state = events.reduce((folded, event) => kind.decider.evolve(folded, event), loaded.state)
  const published: Published[] = []
  const append = await prepareAppend(tx, {
    context: o.context,
    streamType: kind.streamType,
    streamId: loaded.id,
    expectedVersion: loaded.version,
    nowMs: o.nowMs,
    lastCreatedMs: loaded.updatedMs,
    events,
    announce: (event, meta) => {
      const found = kind.toPublic(loaded.id, state, event)
      if (found === null) return []
      published.push({ event: found, eventId: meta.eventId })
      return [announcement(o.context.workspaceId, found, meta)]
    },
  })
  const updatedMs = Date.parse(append.created.at(-1) ?? '')
  const createdMs = loaded.createdMs ?? updatedMs
  const value = { id: loaded.id, state, version: append.version, createdMs, updatedMs }
  const before = loaded.version === 0 ? null : loaded.state
  tx.withCommit(() => append.write(besideAppend(kind, { value, before, published })))
  return { ok: true, value, events }
}

/** What the log is told of a public event. */
export function announcement(workspaceId: string, event: PublicEvent, meta: { eventId: string; created: string }) {
  const faults = faultsOfEventData(event.type, event.data)
  if (faults.length > 0) throw new EventBreach(`the event ${event.type} breaks its declaration: ${faults.join(', ')}`)
  const envelope = { id: meta.eventId as Id<'evt'>, type: event.type, created: meta.created, data: event.data }
  const payload = serializeEnvelope(envelope as Parameters<typeof serializeEnvelope>[0])
  return { topic: topics.workspaceEvents, key: workspaceId, type: event.type, payload }
}

/**
 * What an append writes beside it: the read row, as far as it changed, and the "once per" keys, of which a second one meets the primary key and ends the
 * transaction (domain.md 5). Of the append's own parameters $1 is the workspace, $3 the stream's id, $4 the version it was at.
 */
function besideAppend<S>(
  kind: { table: string; columns(state: S): Record<string, unknown> },
  { value, before, published }: { value: Loaded<S>; before: S | null; published: Published[] },
): Beside {
  const isNew = before === null
  const was = isNew ? {} : kind.columns(before)
  const now = Object.entries(kind.columns(value.state))
  const isChanged = now.map(([name, column]) => !isDeepStrictEqual(column, was[name]))
  const changed = now.filter((_, place) => isChanged[place])
  const columns = { version: value.version, state: JSON.stringify(value.state), ...Object.fromEntries(changed) }
  const keyed = published.filter(({ event }) => event.onceKey !== null)
  const instants = isNew ? { created: value.createdMs, updated: value.updatedMs } : { updated: value.updatedMs }
  return {
    // A name has at most 63 bytes.
    name: `${kind.table}-${isNew ? 'new' : isChanged.map(Number).join('')}-${keyed.length}`,
    ctes(first) {
      let next = first
      const assigned = [
        ...Object.keys(columns).map((name) => [name, `$${next++}`]),
        ...Object.keys(instants).map((name) => [name, `to_timestamp($${next++}::float8 / 1000)`]),
      ]
      const saved = isNew
        ? `insert into ${kind.table} (workspace_id, id, ${assigned.map(([name]) => name).join(', ')})
             values ($1, $3, ${assigned.map(([, given]) => given).join(', ')}) on conflict do nothing returning 1`
        : `update ${kind.table} set ${assigned.map((pair) => pair.join(' = ')).join(', ')}
             where workspace_id = $1 and id = $3 and version = $4 returning 1`
      if (keyed.length === 0) return [`saved as (${saved})`]
      const keys = keyed.map(() => `($1, $${next++}, $${next++}, $${next++})`).join(', ')
      const once = `insert into announced_events (workspace_id, event_type, once_key, event_id) values ${keys}`
      return [`saved as (${saved})`, `once as (${once})`]
    },
    expects: 'exists (select from saved)',
    values: [
      ...Object.values(columns),
      ...Object.values(instants),
      ...keyed.flatMap(({ event, eventId }) => [event.type, event.onceKey, eventId]),
    ],
  }
}
