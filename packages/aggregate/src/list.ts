// Pages of read rows, newest first, by keyset (C53), with filters and ranges of `created`. Columns come from the declaration, never
// from a request.
import type { Scope } from '@wds/contracts/scopes'
import { hasScope, insufficientScope } from '@wds/http-service/bearer'
import { type Cursors, type Page, pageOfWalk, type Walk, walkRowsMax } from '@wds/http-service/cursor'
import type { ApiRequest, RequestClient } from '@wds/http-service/route'
import type { Transaction } from '@wds/postgres/transaction'
import { type AggregateState, type Loaded, selectedColumns, toLoaded, workspaceOf } from './aggregate.ts'

/**
 * The column that a query parameter filters: equal to one of several values; a column of text[] matches when it shares one; `atLeast` and
 * `atMost` and `below` bound a column of text whose order is that of time, as a day's.
 */
export type Filter = string | { overlaps: string } | { atLeast: string } | { atMost: string } | { below: string }

/** What a list needs of a resource. `A`: how the API shows it, a type of the service's `openapi.generated.ts`. */
export interface Listed<S extends AggregateState, A extends object> {
  path: string
  table: string
  idColumn?: string
  decider: { initialState: S }
  /** By query parameter. Those with one value lead the walk: each column has an index (workspace_id, column, created desc, id desc). */
  filters: Record<string, Filter>
  /** Where each row asks for a scope by what it is: the scope by the value of one of `filters`. Lists show what the client may read. */
  scopeBy?: { filter: string; scopes: Readonly<Record<string, Scope>>; valueOf(state: S): string }
  /** Where it can be deleted, deleted ones are never listed. */
  delete?: unknown
  /** Rows as the API shows them, in the transaction that read them: what stands beside them is read once for a page. */
  toApi(rows: Loaded<S>[], tx: Transaction): A[] | Promise<A[]>
  /** As a list shows it, where that is less than it shows alone: what would name a person is masked. */
  toListed?(shown: A): A
  /** It shows what changes without its version, such as a balance or when it was last used: no client's copy counts as the present one. */
  isLive?: boolean
  /** It shows personal data: answers are kept by nobody (`no-store`), and encrypted where they are kept for an Idempotency-Key. */
  isPersonal?: boolean
}

const limitDefault = 20

type Place = { createdMs: number | null; id: string }
/** Adds a value to those of a statement; gives its place there. */
export type Bind = (value: unknown) => string
type FilterBy = 'equals' | 'overlaps' | 'atLeast' | 'atMost' | 'below'
interface Query {
  filters: { column: string; by: FilterBy; values: readonly string[] }[]
  created: { op: string; instant: string }[]
  after: Place | null
  /** Rows asked for, one more than the page. */
  rows: number
}

/** A page of the resource. `within`: filters that the path gives, as a parent's id, by query parameter. */
export function list<S extends AggregateState, A extends object>(
  request: ApiRequest,
  resource: Listed<S, A>,
  o: { cursors: Cursors; within?: Record<string, string> },
): Promise<{ status: 200; body: Page<A>; holdsSecret?: boolean }> {
  const { cursor, limit: given, ...filters } = request.query
  const limit = Number(given ?? limitDefault)
  const { workspaceId } = request.client
  const binding = { workspaceId, route: resource.path, filters: { ...filters, ...request.params } }
  const position = cursor === undefined ? null : o.cursors.decode(String(cursor), binding)
  const within = Object.entries(o.within ?? {}).map(([name, value]) => [name, [value]])
  const readable = readableOf(request.client, resource, filters)
  const query: Query = {
    filters: filtersOf(resource.filters, { ...filters, ...readable, ...Object.fromEntries(within) }),
    created: createdOf(filters),
    after: position === null ? null : { createdMs: Number(position[0]), id: String(position[1]) },
    rows: limit + 1,
  }
  return request.read(async (tx) => {
    const encode = (at: Place) => o.cursors.encode({ ...binding, position: [at.createdMs, at.id] })
    const body = pageOfWalk(await walk(tx, resource, query), limit, encode)
    const shown = await resource.toApi(body.data, tx)
    const data = resource.toListed === undefined ? shown : shown.map(resource.toListed)
    return { status: 200, body: { ...body, data }, ...heldOf(resource) }
  })
}

/** What an answer that shows the resource is marked with. */
export function heldOf({ isPersonal }: { isPersonal?: boolean }): { holdsSecret?: true } {
  return isPersonal ? { holdsSecret: true } : {}
}

/** The filter that leaves what the client may read; none where that is everything. Throws Problem `insufficient_scope` where it is nothing. */
function readableOf(
  client: RequestClient,
  { scopeBy }: Pick<Listed<never, object>, 'scopeBy'>,
  given: Record<string, unknown>,
): Record<string, string[]> {
  if (scopeBy === undefined) return {}
  const { filter, scopes } = scopeBy
  const readable = Object.keys(scopes).filter((value) => hasScope(client, scopes[value] as Scope))
  if (readable.length === Object.keys(scopes).length) return {}
  if (readable.length === 0) throw insufficientScope([...new Set(Object.values(scopes))])
  const asked = given[filter] as string[] | undefined
  return { [filter]: asked === undefined ? readable : asked.filter((value) => readable.includes(value)) }
}

function filtersOf(declared: Record<string, Filter>, query: Record<string, unknown>): Query['filters'] {
  return Object.entries(declared).flatMap(([parameter, filter]) => {
    const given = query[parameter]
    if (given === undefined) return []
    const values = Array.isArray(given) ? given : [given]
    if (typeof filter === 'string') return [{ column: filter, by: 'equals', values }]
    return Object.entries(filter).map(([by, column]) => ({ column, by: by as FilterBy, values }))
  })
}

function conditionOf({ column, by, values }: Query['filters'][number], bind: Bind): string {
  if (by === 'atLeast') return `${column} >= ${bind(values[0])}`
  if (by === 'atMost') return `${column} <= ${bind(values[0])}`
  if (by === 'below') return `${column} < ${bind(values[0])}`
  const wanted = `${bind(values)}::text[]`
  return by === 'overlaps' ? `${column} && ${wanted}` : `${column} = any(${wanted})`
}

function createdConditions(created: Query['created'], bind: Bind): string[] {
  return created.map(({ op, instant }) => `created ${op} ${bind(instant)}::timestamptz`)
}

/** What `created[…]` asks of the column `created`, for lists that read their rows themselves. `given`: by query parameter. */
export function createdConditionsOf(given: Record<string, unknown>, bind: Bind): string[] {
  return createdConditions(createdOf(given), bind)
}

const rangeOperators = { gte: '>=', gt: '>', lte: '<=', lt: '<' } as const

function createdOf(query: Record<string, unknown>): Query['created'] {
  return Object.entries(rangeOperators).flatMap(([name, op]) => {
    const instant = query[`created[${name}]`]
    return instant === undefined ? [] : [{ op, instant: String(instant) }]
  })
}

/**
 * All rows that a list with these filters shows, in its order: `place` from 1, and `listed`, which `toLoaded` reads. `given`: by query
 * parameter, as in a list.
 */
export function allListedSql<S extends AggregateState>(
  resource: Listed<S, object>,
  o: { workspaceId: string; given: Record<string, unknown> },
  bind: Bind,
): string {
  const { idColumn = 'id', table } = resource
  const filters = filtersOf(resource.filters, o.given).map((filter) => conditionOf(filter, bind))
  if (resource.delete) filters.push(`status <> ${bind('deleted')}`)
  const conditions = [`workspace_id = ${bind(o.workspaceId)}`, ...createdConditionsOf(o.given, bind), ...filters]
  const order = `order by created desc, ${idColumn} desc`
  return `select place, to_jsonb(found) - 'place' as listed from (
     select row_number() over (${order})::integer as place, ${selectedColumns(idColumn)} from ${table}
     where ${conditions.join(' and ')}) found order by place`
}

/**
 * The rows of a page and one more. The walk goes through the `…_list` index, or that of one filter with a single value, in its order;
 * what else is asked for is looked at row by row.
 */
async function walk<S extends AggregateState>(
  tx: Transaction,
  resource: Listed<S, object>,
  o: Query,
): Promise<Walk<Loaded<S>, Place>> {
  const { idColumn = 'id' } = resource
  const order = `order by created desc, ${idColumn} desc`
  const values: unknown[] = [workspaceOf(tx)]
  const bind: Bind = (value) => `$${values.push(value)}`
  const leading = o.filters.find(({ by, values: wanted }) => by === 'equals' && wanted.length === 1)
  const walked = `from ${resource.table} where ${walkConditions(o, { leading, idColumn, bind })} ${order}`
  const walkValues = [...values]
  const filters = o.filters.filter((filter) => filter !== leading).map((filter) => conditionOf(filter, bind))
  if (resource.delete) filters.push(`status <> ${bind('deleted')}`)
  const where = filters.length === 0 ? '' : `where ${filters.join(' and ')}`
  const { rows } = await tx.query<Parameters<typeof toLoaded<S>>[0] & { [column: string]: unknown }>(
    `select ${selectedColumns(idColumn)} from (select * ${walked} limit ${bind(walkRowsMax)}) walked ${where} ${order}
     limit ${bind(o.rows)}`,
    values,
  )
  const found = rows.map((row) => toLoaded<S>(row))
  if (found.length === o.rows || filters.length === 0) return { rows: found, walkedTo: null }
  const { rows: last } = await tx.query<{ id: string; created: Date }>(
    `select ${idColumn} as id, created ${walked} offset $${walkValues.length + 1} limit 1`,
    [...walkValues, walkRowsMax - 1],
  )
  const [end] = last
  return { rows: found, walkedTo: end ? { createdMs: end.created.getTime(), id: end.id } : null }
}

function walkConditions(
  o: Query,
  { leading, idColumn, bind }: { leading: Query['filters'][number] | undefined; idColumn: string; bind: Bind },
): string {
  const conditions = ['workspace_id = $1']
  if (leading) conditions.push(`${leading.column} = ${bind(leading.values[0])}`)
  conditions.push(...createdConditions(o.created, bind))
  if (o.after) {
    const created = `to_timestamp(${bind(o.after.createdMs)}::float8 / 1000)::timestamptz(3)`
    conditions.push(`(created, ${idColumn}) < (${created}, ${bind(o.after.id)})`)
  }
  return conditions.join(' and ')
}
