// GET /v1/deliveries/statistics: attempts by outcome and what they took, for each subscription and for all, by hour or day.
import { dbNow } from '@wds/event-store/event-store'
import { problemOfFaults } from '@wds/http-service/problem'
import type { ApiAnswer, ApiRequest } from '@wds/http-service/route'
import type { operations } from '../openapi.generated.ts'
import { liveSubscriptions, type PeriodNumbers, readNumbers } from './store.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** Of each interval: its length, the longest period that may be asked for, and that of a request which names none. */
const lengths = {
  hour: { ms: hourMs, mostMs: 7 * dayMs, usualMs: dayMs },
  day: { ms: dayMs, mostMs: 90 * dayMs, usualMs: 30 * dayMs },
}

export function readStatistics(
  request: ApiRequest<operations['readStatistics']>,
): Promise<ApiAnswer<operations['readStatistics']>> {
  const { interval, webhook_id: among = null } = request.query
  const { workspaceId } = request.client
  return request.read(async (tx) => {
    const { from, to } = periodOf(request.query, await dbNow(tx))
    const subscriptionIds = await liveSubscriptions(tx, { workspaceId, among })
    const numbers = await readNumbers(tx, { workspaceId, subscriptionIds, from, to, interval })
    const bySubscription = Map.groupBy(numbers, ({ subscriptionId }) => subscriptionId)
    const seriesOfOne = (id: string | null) => seriesOf(bySubscription.get(id) ?? [])
    const webhooks = subscriptionIds.map((id) => ({ webhook_id: id, ...seriesOfOne(id) }))
    const period = { since: from.toISOString(), until: to.toISOString() }
    return {
      status: 200,
      body: { object: 'delivery_statistics', interval, ...period, ...seriesOfOne(null), webhooks },
    }
  })
}

const none = { attempts: 0, succeeded: 0, failed: 0, unknown: 0, errors: {}, p50_ms: null, p95_ms: null }

function seriesOf(rows: PeriodNumbers[]) {
  const series = rows.map(({ subscriptionId: _, startMs, ...numbers }) => ({ startMs, numbers }))
  return {
    total: series.find(({ startMs }) => startMs === null)?.numbers ?? none,
    periods: series.flatMap(({ startMs, numbers }) =>
      startMs === null ? [] : [{ start: new Date(startMs).toISOString(), ...numbers }],
    ),
  }
}

/** Later instants have no name in RFC 3339. */
const endMaxMs = Date.UTC(9999, 11, 31, 23)

/** Whole intervals that cover what was asked for. */
function periodOf(
  { interval, since, until }: { interval: keyof typeof lengths; since?: string; until?: string },
  nowMs: number,
): { from: Date; to: Date } {
  const { ms, mostMs, usualMs } = lengths[interval]
  const toMs = Math.ceil((until === undefined ? nowMs : Date.parse(until)) / ms) * ms
  const fromMs = Math.floor((since === undefined ? toMs - usualMs : Date.parse(since)) / ms) * ms
  if (toMs > endMaxMs) throw refused('until', 'The last interval must end before the year 10000.')
  if (fromMs >= toMs) throw refused('since', 'It must lie before until.')
  if (toMs - fromMs > mostMs) throw refused('since', `It may lie ${mostMs / dayMs} days before until at most.`)
  return { from: new Date(fromMs), to: new Date(toMs) }
}

const refused = (parameter: string, detail: string) =>
  problemOfFaults([{ parameter, code: 'invalid_parameter', detail }])
