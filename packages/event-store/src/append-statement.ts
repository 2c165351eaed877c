// Builds the one statement of an append: events, their outbox rows, and what the caller writes with them. It raises an error when the
// stream is not at the expected version, so that it may be sent together with the commit (`Transaction.withCommit`).
import { type OutboxRecord, outboxColumns } from './outbox.ts'

/** A caller's writes in the statement of an append: the read row of an aggregate. */
export interface ExtraWrite {
  /** Part of the prepared statement's name, one for each text. */
  name: string
  /** Data-modifying CTEs; their parameters begin with `$first`. */
  ctes(first: number): string[]
  /** SQL condition on the CTEs without which the append is refused as a conflict. It holds only where the stream is at the expected version. */
  expects: string
  values: unknown[]
}

/** The rows of an append; as many ids, types, data and instants as events. */
export interface AppendRows {
  workspaceId: string
  streamType: string
  streamId: string
  expectedVersion: number
  eventIds: string[]
  types: string[]
  data: string[]
  created: string[]
  /** actor, correlation, causation, traceparent, tracestate */
  context: unknown[]
  announcements: OutboxRecord[]
}

const texts = new Map<string, string>()

/** The prepared statement. */
export function appendStatement(
  rows: AppendRows,
  extra?: ExtraWrite,
): { name: string; text: string; values: unknown[] } {
  const isOne = rows.eventIds.length === 1 && rows.announcements.length <= 1
  const shape = !isOne ? 'many' : extra === undefined ? 'alone' : rows.announcements.length === 0 ? 'silent' : 'one'
  const own = valuesOf(rows, shape)
  const name = `append-${shape}${extra === undefined ? '' : `-${extra.name}`}`
  let text = texts.get(name)
  if (text === undefined) {
    const [ctes, expects] = [extra?.ctes(own.length + 1) ?? [], extra?.expects ?? 'true']
    if (shape === 'many') text = textOfMany(ctes, expects)
    else text = shape === 'alone' ? textOfOneAlone(own.length) : textOfOne(ctes, { expects, shape })
    texts.set(name, text)
  }
  return { name, text, values: extra === undefined ? own : [...own, ...extra.values] }
}

/**
 * `alone`: one event, at most one announcement, no extra write. `one`, `silent`: one event with an extra write, and with one announcement or
 * none. `many`: everything else.
 */
type Shape = 'many' | 'alone' | 'one' | 'silent'

/** One event and its announcement as scalars, more of them as arrays. */
function valuesOf(rows: AppendRows, shape: Shape): unknown[] {
  const { eventIds, types, data, created } = rows
  const [, topics = [], keys = [], ids = [], headers = [], payloads = []] = outboxColumns(rows.announcements)
  const first = (columns: unknown[][]) => columns.map((column) => column[0] ?? null)
  const events = [eventIds, types, data, created]
  const isOne = shape !== 'many'
  const announced = isOne ? first([topics, keys, headers, payloads]) : [topics, keys, ids, headers, payloads]
  return [
    ...[rows.workspaceId, rows.streamType, rows.streamId, rows.expectedVersion],
    ...(isOne ? first(events) : events),
    ...rows.context,
    // The only announcement of an event has its id.
    ...(shape === 'silent' ? [] : announced),
  ]
}

function textOfOneAlone(parameterCount: number): string {
  const parameters = Array.from({ length: parameterCount }, (_, index) => `$${index + 1}`).join(', ')
  return `select append_event(${parameters})`
}

// The extra write checks that the stream is at $4; a concurrent append of the same version violates the primary key.
function textOfOne(ctes: string[], o: { expects: string; shape: Shape }): string {
  const fact = `fact as (
    insert into stream_events (workspace_id, stream_type, stream_id, version, event_id, event_type, data, created,
      actor, correlation, causation, traceparent, tracestate)
    values ($1, $2, $3, $4::integer + 1, $5, $6, $7, $8, $9, $10, $11, $12, $13)
  )`
  const announced = `announced as (
    insert into outbox (workspace_id, topic, key, event_id, headers, payload) values ($1, $14, $15, $5, $16, $17)
  )`
  return `with ${[fact, ...(o.shape === 'silent' ? [] : [announced]), ...ctes].join(', ')} select expect_version(${o.expects})`
}

// The primary key serves the look at the version. Rows of the outbox take their ids in the order of the events.
function textOfMany(ctes: string[], expects: string): string {
  const head = `head as materialized (
    select coalesce(max(version), 0) as version from stream_events
    where workspace_id = $1 and stream_type = $2 and stream_id = $3
  )`
  const facts = `facts as (
    insert into stream_events (workspace_id, stream_type, stream_id, version, event_id, event_type, data, created,
      actor, correlation, causation, traceparent, tracestate)
    select $1, $2, $3, $4::integer + e.ord, e.event_id, e.event_type, e.data::json, e.created, $9, $10, $11, $12, $13
    from head, unnest($5::text[], $6::text[], $7::text[], $8::timestamptz[]) with ordinality
      as e(event_id, event_type, data, created, ord)
    where head.version = $4::integer
  )`
  const announced = `announced as (
    insert into outbox (workspace_id, topic, key, event_id, headers, payload)
    select $1, a.topic, a.key, a.event_id, a.headers::json, a.payload
    from head, unnest($14::text[], $15::text[], $16::text[], $17::text[], $18::bytea[]) with ordinality
      as a(topic, key, event_id, headers, payload, ord)
    where head.version = $4::integer
    order by a.ord
  )`
  return `with ${[head, facts, announced, ...ctes].join(', ')}
    select expect_version(head.version = $4::integer and ${expects}) from head`
}
