// GET /v1/dead-letters: dead deliveries of all subscriptions, newest event first; and /v1/dead-letters/causes: how many there are of each cause.
import { idTimeMs } from '@wds/contracts/ids'
import { pageOfWalk } from '@wds/http-service/cursor'
import type { ApiAnswer, ApiRequest } from '@wds/http-service/route'
import { rangeOf } from '../events/domain/period.ts'
import type { DeadLetterCause, operations } from '../openapi.generated.ts'
import { answerOf, type ListOptions } from './list-deliveries.ts'
import { requireEventType } from './require-event-type.ts'
import { type CauseRow, countCauses, countedMax, type DeadLetterFilter, listDeadLetters } from './store-dead-letters.ts'

type Filters = Omit<ApiRequest<operations['listDeadLetters']>['query'], 'cursor' | 'limit'>

function filterOf(workspaceId: string, filters: Filters): DeadLetterFilter {
  const { from, to } = rangeOf(filters)
  requireEventType(filters.type, { parameter: 'type' })
  // A delivery's id carries the instant of its event's.
  const toDelivery = (id: string | null) => (id === null ? null : id.replace('evt', 'dlv'))
  return {
    workspaceId,
    subscriptionId: filters.webhook_id ?? null,
    type: filters.type ?? null,
    reason: filters.reason ?? null,
    errorCode: filters.error_code ?? null,
    statusClass: filters.status_class === undefined ? null : Number(filters.status_class[0]),
    from: toDelivery(from),
    to: toDelivery(to),
  }
}

export async function listDead(
  request: ApiRequest<operations['listDeadLetters']>,
  o: ListOptions,
): Promise<ApiAnswer<operations['listDeadLetters']>> {
  const { cursor, limit, ...filters } = request.query
  const { workspaceId } = request.client
  const binding = { workspaceId, route: 'GET /v1/dead-letters', filters }
  const [after] = cursor === undefined ? [] : o.cursors.decode(cursor, binding)
  const walk = await request.read((tx) =>
    listDeadLetters(tx, {
      ...filterOf(workspaceId, filters),
      after: after === undefined ? null : String(after),
      limit: limit + 1,
    }),
  )
  const toCursor = (at: { delivery_id: string }) => o.cursors.encode({ ...binding, position: [at.delivery_id] })
  return answerOf(pageOfWalk(walk, limit, toCursor), o)
}

export async function listCauses(
  request: ApiRequest<operations['listDeadLetterCauses']>,
  most = countedMax,
): Promise<ApiAnswer<operations['listDeadLetterCauses']>> {
  const filter = filterOf(request.client.workspaceId, request.query)
  const { causes, lookedTo } = await request.read((tx) => countCauses(tx, filter, most))
  const key = ({ reason, error_code: code, status_class: status }: CauseRow) => JSON.stringify([reason, code, status])
  const data = [...Map.groupBy(causes, key).values()].map(toApiCause).sort((a, b) => b.count - a.count)
  const countedSince = lookedTo === null ? null : instant(idTimeMs(lookedTo))
  return { status: 200, body: { object: 'dead_letter_causes', data, counted_since: countedSince } }
}

const instant = (ms: number): string => new Date(ms).toISOString()

/** `rows`: of one cause, one for each subscription. */
function toApiCause(rows: CauseRow[]): DeadLetterCause {
  const [first] = rows
  if (first === undefined) throw new Error('a cause has rows')
  const { reason, error_code, status_class: status } = first
  return {
    object: 'dead_letter_cause',
    reason,
    error_code,
    status_class: status === null ? null : `${status}xx`,
    count: rows.reduce((sum, { count }) => sum + count, 0),
    oldest: instant(Math.min(...rows.map((row) => idTimeMs(row.oldest)))),
    newest: instant(Math.max(...rows.map((row) => idTimeMs(row.newest)))),
    webhooks: rows
      .map(({ subscription_id: webhook_id, count }) => ({ webhook_id, count }))
      .sort((a, b) => b.count - a.count || (a.webhook_id < b.webhook_id ? -1 : 1)),
  }
}
