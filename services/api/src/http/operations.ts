// What the operations of this service share: their dependencies, loading or 404, refusals as problems, pages.
// It never decides about business; refusals come from the domain.

import { type Cursors, page, toBeContinued } from '@wds/http-service/cursor'
import { Problem } from '@wds/http-service/problem'
import type { ApiAnswer, ApiRequest } from '@wds/http-service/route'
import type { Pool } from '@wds/postgres/pool'
import type { Transaction } from '@wds/postgres/transaction'
import type { IntegrationState, InvalidState } from '../domain/integration.ts'
import type { AggregateKind, Found, Loaded } from '../store/aggregate.ts'
import { loadAggregate } from '../store/aggregate.ts'
import { integrationKind } from '../store/kinds.ts'
import { type ListQuery, listAggregates } from '../store/list-aggregates.ts'

/** What the operations are built with. */
export interface ApiDependencies {
  pool: Pool
  cursors: Cursors
  /** Attempts of a run (domain.md 4.6). */
  syncAttemptsMax: number
  /** Raised after new work was committed. */
  wakeWorker(): void
}

/** 409 `invalid_state` with what would be allowed (C23). */
export function invalidState(rejection: InvalidState): Problem {
  const { current_status, allowed } = rejection
  return new Problem('invalid_state', { members: { current_status, allowed } })
}

/** The value of an outcome, or its refusal as a problem. */
export function orProblem<S>(outcome: { ok: true; value: Loaded<S> } | { ok: false; error: InvalidState }): Loaded<S> {
  if (!outcome.ok) throw invalidState(outcome.error)
  return outcome.value
}

/** The aggregate, or 404. */
export async function loadOr404<S>(
  tx: Transaction,
  request: ApiRequest,
  kind: Pick<AggregateKind<S, never, never, never>, 'table'>,
  o: { id: string; lock: boolean },
): Promise<Found<S>> {
  const loaded = await loadAggregate<S>(tx, kind, { workspaceId: request.client.workspaceId, ...o })
  if (!loaded || (loaded.state as { status?: string }).status === 'deleted') throw new Problem('not_found')
  return loaded
}

/** The integration with its row locked: whoever changes runs or imports of it takes this lock first. */
export function lockIntegration(tx: Transaction, request: ApiRequest, id: string): Promise<Found<IntegrationState>> {
  return loadOr404<IntegrationState>(tx, request, integrationKind, { id, lock: true })
}

/** A page of aggregates, newest first. */
export async function listPage<S>(
  request: ApiRequest,
  o: {
    cursors: Cursors
    route: string
    query: Pick<ListQuery, 'table' | 'equals' | 'withoutStatus'>
    /** The rows of the page as resources, in the transaction that read them. */
    toApi: (tx: Transaction, request: ApiRequest, rows: Loaded<S>[]) => Promise<object[]> | object[]
  },
): Promise<ApiAnswer> {
  const { cursor, limit: given, ...filters } = request.query
  const limit = Number(given ?? 20)
  const binding = {
    workspaceId: request.client.workspaceId,
    route: o.route,
    filters: { ...filters, ...request.params },
  }
  const position = cursor === undefined ? null : o.cursors.decode(String(cursor), binding)
  const after = position === null ? null : { createdMs: Number(position[0]), id: String(position[1]) }
  const created = createdFilters(request.query)
  const workspaceId = request.client.workspaceId
  return request.read(async (tx) => {
    const { rows, walkedTo } = await listAggregates<S>(tx, { ...o.query, workspaceId, created, after, rows: limit + 1 })
    const encode = (at: { createdMs: number | null; id: string }) =>
      o.cursors.encode({ ...binding, position: [at.createdMs, at.id] })
    const found = page(rows, limit, encode)
    const list = found.has_more || walkedTo === null ? found : toBeContinued(found, encode(walkedTo))
    return { status: 200, body: { ...list, data: await o.toApi(tx, request, list.data) } }
  })
}

const rangeOperators = { gte: '>=', gt: '>', lte: '<=', lt: '<' } as const

function createdFilters(query: Record<string, unknown>): ListQuery['created'] {
  return Object.entries(rangeOperators).flatMap(([name, op]) => {
    const instant = query[`created[${name}]`]
    return instant === undefined ? [] : [{ op, instant: String(instant) }]
  })
}

/** Equality filters of a list: the parameters that were given, by the column they mean. */
export function equalsFilters(query: Record<string, unknown>, columns: Record<string, string>): ListQuery['equals'] {
  return Object.entries(columns).flatMap(([parameter, column]) => {
    const values = query[parameter]
    return Array.isArray(values) ? [{ column, values: values as string[], overlaps: column === 'tags' }] : []
  })
}
