// The SQL by which read rows are compared with the fold of their streams, and written anew. All of it in the transaction of a workspace.
import { isSameJson } from '@wds/decider/same-json'
import { allInOrder, type Transaction } from '@wds/postgres/transaction'
import type { AnyAggregate } from './aggregate.ts'
import { type EventRow, type Folded, rowOf } from './fold-streams.ts'

/** Behind this event of this stream. */
export interface EventPlace {
  streamId: string
  version: number
}

const eventColumns = `stream_id, version, event_type, data, (extract(epoch from created) * 1000)::bigint::text as created_ms`

/** Events of the type behind a place, in the order of their streams; of the streams `ids` alone where given. The primary key serves it. */
export async function readEvents(
  tx: Transaction,
  o: { streamType: string; ids?: readonly string[]; behind: EventPlace; limit: number },
): Promise<EventRow[]> {
  const { streamType, ids, behind, limit } = o
  const { rows } = await tx.query<EventRow>({
    name: ids === undefined ? 'rows-events' : 'rows-events-of',
    text: `select ${eventColumns} from stream_events where workspace_id = $1 and stream_type = $2 and (stream_id, version) > ($3, $4)
      ${ids === undefined ? '' : 'and stream_id = any($6)'} order by stream_id, version limit $5`,
    values: [tx.workspaceId, streamType, behind.streamId, behind.version, limit, ...(ids === undefined ? [] : [ids])],
  })
  return rows
}

/** Those of the aggregates of which the workspace has a stream or a row. Primary keys. */
export async function findPresent(
  tx: Transaction,
  aggregates: readonly AnyAggregate[],
): Promise<ReadonlySet<AnyAggregate>> {
  const answers = await allInOrder(
    aggregates.map(({ table, streamType }) =>
      tx.query<{ present: boolean }>({
        name: `rows-present-${table}`,
        text: `select exists (select from stream_events where workspace_id = $1 and stream_type = $2)
          or exists (select from ${table} where workspace_id = $1) as present`,
        values: [tx.workspaceId, streamType],
      }),
    ),
  )
  return new Set(aggregates.filter((_, place) => answers[place]?.rows[0]?.present === true))
}

/** A row that is not what its stream folds to; `isMissing`: there is none. */
export interface Different {
  id: string
  isMissing: boolean
}

/** Which of the streams have another row, or none. The primary key of the table serves it. */
export async function findDifferent(
  tx: Transaction,
  aggregate: AnyAggregate,
  streams: readonly Folded[],
): Promise<Different[]> {
  if (streams.length === 0) return []
  const { id, from, isDifferent, values } = comparison(tx, aggregate, streams)
  const { rows } = await tx.query<Different>(
    `select p.${id} as id, t.${id} is null as "isMissing" ${from} where ${isDifferent}`,
    values,
  )
  return rows
}

/** A different row: its columns that differ, those of the state as `state.name`; none where it is missing. */
export interface Description extends Different {
  columns: string[]
  storedVersion: number | null
}

/** As `findDifferent`, with what differs. For few streams: it reads rows as a whole. */
export async function describeDifferent(
  tx: Transaction,
  aggregate: AnyAggregate,
  streams: readonly Folded[],
): Promise<Description[]> {
  if (streams.length === 0) return []
  const { id, from, isDifferent, values, owned } = comparison(tx, aggregate, streams)
  type Row = Different & Record<'stored' | 'folded', Record<string, unknown> | null>
  const { rows } = await tx.query<Row>(
    `select p.${id} as id, t.${id} is null as "isMissing", to_jsonb(t) as stored, to_jsonb(p) as folded ${from}
      where ${isDifferent} order by p.${id}`,
    values,
  )
  return rows.map(({ id: rowId, isMissing, stored, folded }) => {
    const columns = isMissing ? [] : owned.flatMap((name) => differing(name, stored?.[name], folded?.[name]))
    return { id: rowId, isMissing, columns, storedVersion: isMissing ? null : Number(stored?.version) }
  })
}

function differing(name: string, stored: unknown, folded: unknown): string[] {
  if (isSameJson(stored, folded)) return []
  if (name !== 'state') return [name]
  const [before, after] = [(stored ?? {}) as Record<string, unknown>, (folded ?? {}) as Record<string, unknown>]
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return keys.filter((key) => !isSameJson(before[key], after[key])).map((key) => `state.${key}`)
}

/** The streams' rows beside the stored ones, each column of its own type. */
function comparison(tx: Transaction, aggregate: AnyAggregate, streams: readonly Folded[]) {
  const { table, idColumn: id = 'id' } = aggregate
  const rows = streams.map((folded) => rowOf(aggregate, tx.workspaceId ?? '', folded))
  const columns = new Set(rows.flatMap((row) => Object.keys(row)))
  const owned = [...columns].filter((name) => name !== 'workspace_id' && name !== id)
  const of = (alias: string) => `(${owned.map((name) => `${alias}.${name}`).join(', ')})`
  return {
    id,
    owned,
    table,
    rows: `jsonb_populate_recordset(null::${table}, $2::jsonb) p`,
    from: `from jsonb_populate_recordset(null::${table}, $2::jsonb) p left join ${table} t on t.workspace_id = $1 and t.${id} = p.${id}`,
    isDifferent: `t.${id} is null or ${of('t')} is distinct from ${of('p')}`,
    values: [tx.workspaceId, JSON.stringify(rows)],
  }
}

/** Writes the rows of the streams anew; what the fold does not give stays as it is. The caller holds the rows that are there. */
export async function writeRows(tx: Transaction, aggregate: AnyAggregate, streams: readonly Folded[]): Promise<void> {
  if (streams.length === 0) return
  const { id, owned, rows, table, values } = comparison(tx, aggregate, streams)
  await tx.query(
    `insert into ${table} (workspace_id, ${id}, ${owned.join(', ')})
      select $1, p.${id}, ${owned.map((name) => `p.${name}`).join(', ')} from ${rows}
      on conflict (workspace_id, ${id}) do update set ${owned.map((name) => `${name} = excluded.${name}`).join(', ')}`,
    values,
  )
}

/** Keeps rebuilds of a workspace's rows one after the other, until the transaction ends. */
export async function lockRebuild(tx: Transaction, { streamType }: AnyAggregate): Promise<void> {
  const key = `rebuild:${streamType}:${tx.workspaceId}`
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [key])
}

/** Holds the rows until the transaction ends: nobody appends to their streams meanwhile. The primary key serves it. */
export async function lockRows(tx: Transaction, aggregate: AnyAggregate, ids: readonly string[]): Promise<void> {
  const { table, idColumn: id = 'id' } = aggregate
  await tx.query(`select from ${table} where workspace_id = $1 and ${id} = any($2) order by ${id} for no key update`, [
    tx.workspaceId,
    ids,
  ])
}

/** Rows behind `above`, up to `upTo`, that have no stream: ids in order, at most `limit`. Primary keys. */
export async function findStreamless(
  tx: Transaction,
  aggregate: AnyAggregate,
  o: { above: string; upTo: string | null; limit: number },
): Promise<string[]> {
  const { table, streamType, idColumn: id = 'id' } = aggregate
  const { rows } = await tx.query<{ id: string }>({
    name: `rows-streamless-${table}`,
    text: `select t.${id} as id from ${table} t
      where t.workspace_id = $1 and t.${id} > $3 and ($4::text is null or t.${id} <= $4) and not exists (
        select from stream_events e
         where e.workspace_id = $1 and e.stream_type = $2 and e.stream_id = t.${id} and e.version = 1)
      order by t.${id} limit $5`,
    values: [tx.workspaceId, streamType, o.above, o.upTo, o.limit],
  })
  return rows.map((row) => row.id)
}
