// Answers a stats query: sums by dimensions, with derived metrics computed after summing (domain.md 3.5). Final days are read as they
// were told, all others as they are now; what is final has one answer, with a strong entity tag.
import type { Cursors } from '@wds/http-service/cursor'
import { etagOfContent } from '@wds/http-service/etag'
import { Problem, problemOfFaults } from '@wds/http-service/problem'
import type { ApiRequest } from '@wds/http-service/route'
import type { Transaction } from '@wds/postgres/transaction'
import { isSameZone, toInstant } from '../calendar/domain/calendar.ts'
import { knownRateSets, type RateSetName, readRates } from '../fx/rates-of-workspace.ts'
import type { ReferenceRates } from '../fx/reference-rates.ts'
import type { Stats } from '../openapi.generated.ts'
import { readSettings } from '../settings/read-settings.ts'
import { readCalendar } from '../stats-calendar/store-calendar.ts'
import { type Compared, planCompare } from './compare.ts'
import { compareMetric } from './domain/compare-metric.ts'
import { joinFinality } from './domain/finality.ts'
import { largestValue, type MeasureValues } from './domain/measures.ts'
import { metricOf } from './domain/stats-metrics.ts'
import { findSource, type Source } from './find-source.ts'
import { campaignIdsOf, withPlaces } from './name-campaigns.ts'
import { type GivenByPost, readStatsRequest, type StatsRequest } from './read-request.ts'
import type { Fx } from './store-convert.ts'
import { groupsMax, type StatsGroup, type StatsPosition, sumGroups, sumStats } from './store-query.ts'
import { findDailyIntegrations, type StatsSource, statsDimensions } from './store-source.ts'

type Request = Pick<ApiRequest, 'client' | 'now' | 'read'>

/** What of the database one answer is made of, all of one instant. */
interface Found {
  asked: StatsRequest
  source: Source
  compared: Compared | null
  sums: Awaited<ReturnType<typeof sumStats>>
  /** Of a group's key, null where it names none that is there. */
  campaignIdOf(key: readonly (string | null)[]): string | null
  /** By the text of a group's key. */
  before: Map<string, MeasureValues>
  fx: Converted | null
}

/** How money was converted. */
interface Converted {
  rateSet: string
  /** Who published the rates of the days. */
  sources: string[]
}

export async function answerStats(
  request: Request,
  o: { cursors: Cursors; rates: ReferenceRates; given: GivenByPost; where: 'parameter' | 'pointer' },
): Promise<{ status: 200; body: Stats; headers?: Record<string, string> }> {
  const { workspaceId } = request.client
  // The rate set stands in the cursor: pages are of one, also where a newer one comes between them.
  const { cursor: _cursor, limit: _limit, rate_set: _rateSet, ...filters } = o.given
  const binding = { workspaceId, route: 'stats', filters }
  const nowMs = request.now()
  const found = await request.read((tx) => findStats(tx, { ...o, workspaceId, binding, nowMs }), { snapshot: true })
  const { asked, sums, source, compared, fx } = found
  if (sums.count > groupsMax) throw new Problem('result_too_large')
  const shown = sums.groups.slice(0, asked.limit)
  const last = shown.at(-1)
  const more = sums.groups.length > asked.limit && last !== undefined
  const finality = joinFinality(source.finality, compared?.source.finality ?? null)
  const body: Stats = {
    object: 'stats',
    data: shown.map((group) => toApiRow(group, found)),
    totals: sums.totals.map((total) => Object.assign({ currency: total.currency }, metricsOf(total.sums, asked))),
    meta: {
      from: asked.from,
      to: asked.to,
      time_zone: asked.timeZone,
      currency: asked.currency,
      fx: fx === null ? null : { policy: 'rate_of_day', rate_set: fx.rateSet, sources: fx.sources },
      final_through: finality.finalThrough,
      watermark: finality.watermarkMs === null ? null : toInstant(finality.watermarkMs),
      revision_max: finality.revisionMax,
      is_final: finality.isFinal,
      approximate: sums.approximate,
      incomplete_integrations: finality.incomplete,
      compare_excluded_days: compared?.excluded ?? [],
      // A final answer is as old as the last of its revisions: the same bytes whenever it is asked for.
      generated: toInstant(finality.sinceMs ?? nowMs),
    },
    has_more: more,
    next_cursor: more ? o.cursors.encode({ ...binding, position: [fx?.rateSet ?? null, ...last.position] }) : null,
  }
  if (!finality.isFinal) return { status: 200, body }
  return { status: 200, body, headers: { etag: etagOfContent(JSON.stringify(body)) } }
}

async function findStats(
  tx: Transaction,
  o: {
    cursors: Cursors
    rates: ReferenceRates
    given: GivenByPost
    where: 'parameter' | 'pointer'
    workspaceId: string
    binding: Parameters<Cursors['decode']>[1]
    nowMs: number
  },
): Promise<Found> {
  const { workspaceId, nowMs } = o
  // By which the workspace's rows are cut; before its first integration by which they would be.
  const workspaceZone = (await readCalendar(tx, workspaceId))?.timeZone ?? (await readSettings(tx)).time_zone
  const sets = await knownRateSets(tx, { workspaceId, references: o.rates })
  const isRateSet = (id: string) => sets.named(id) !== null
  const read = readStatsRequest(o.given, { workspaceZone, nowMs, isRateSet, where: o.where })
  const asked = { ...read, filters: await withPlaces(tx, workspaceId, read.filters) }
  const { rateSet, after } = placeOf(asked, o)
  const named = rateSet === null ? sets.newest : sets.named(rateSet)
  // Signed by this service, and not known to it any more.
  if (named === null) throw new Problem('invalid_cursor')
  const place = { workspaceId, workspaceZone, ...asked }
  const range = { from: asked.from, to: asked.to }
  if (!isSameZone(asked.timeZone, workspaceZone)) await refuseDaily(tx, place)
  const compared = asked.compare === null ? null : await planCompare(tx, { ...place, mode: asked.compare, nowMs })
  const side = { summed: compared?.summed ?? range, cut: compared?.cut ?? null }
  const source = await findSource(tx, { ...place, range, ...side })
  const by = { currency: asked.currency, set: named }
  const { fx, sources } = await ratesFor(tx, source, by)
  const sums = await sumStats(tx, { ...asked, source, fx, after, rows: asked.limit + 1 })
  const keys = sums.groups.slice(0, asked.limit).map(({ key }) => key)
  const campaignIdOf = await campaignIdsOf(tx, workspaceId, { groupBy: asked.groupBy, keys })
  const found = { asked, source, compared, sums, campaignIdOf }
  if (compared === null) return { ...found, before: new Map(), fx: fx && { rateSet: named.id, sources } }
  const earlier = await ratesFor(tx, compared.source, by)
  const before = await sumGroups(tx, { ...asked, source: compared.source, fx: earlier.fx, keys })
  const both = [...new Set([...sources, ...earlier.sources])].sort()
  return { ...found, before, fx: fx && { rateSet: named.id, sources: both } }
}

/** Where the page begins, and by which rates: those of the pages before it, else those that are asked for; null for the newest. */
function placeOf(
  { cursor, rateSet }: StatsRequest,
  { cursors, binding }: { cursors: Cursors; binding: Parameters<Cursors['decode']>[1] },
): { rateSet: string | null; after: StatsPosition | null } {
  if (cursor === null) return { rateSet, after: null }
  const [ofCursor, ...after] = cursors.decode(cursor, binding) as [string | null, ...StatsPosition]
  if (rateSet !== null && rateSet !== ofCursor) throw new Problem('invalid_cursor')
  return { rateSet: ofCursor, after }
}

/** By which rates the days that a source is summed over are converted, if they are. */
async function ratesFor(
  tx: Transaction,
  { workspaceId, days }: StatsSource,
  { currency, set }: { currency: string | null; set: RateSetName },
): Promise<{ fx: Fx | null; sources: string[] }> {
  if (currency === null) return { fx: null, sources: [] }
  const { rates, sources } = await readRates(tx, set, { workspaceId, ...days })
  return { fx: { currency, rates }, sources }
}

async function refuseDaily(tx: Transaction, o: Parameters<typeof findDailyIntegrations>[1]): Promise<void> {
  const daily = await findDailyIntegrations(tx, o)
  if (daily.length === 0) return
  throw new Problem('time_zone_not_supported', {
    errors: daily.map((id) => ({
      ...{ parameter: 'time_zone', code: 'time_zone_not_supported' as const },
      detail: `${id} reports whole days.`,
    })),
  })
}

function toApiRow(group: StatsGroup, { asked, compared, before, campaignIdOf }: Found): Stats['data'][number] {
  const keys = asked.groupBy.map((dimension, index) => {
    const value = dimension === 'campaign_of' ? campaignIdOf(group.key) : (group.key[index] ?? null)
    return [statsDimensions[dimension].field, value]
  })
  const row = { ...Object.fromEntries(keys), ...metricsOf(group.sums, asked) }
  if (compared === null) return row
  const earlier = before.get(JSON.stringify(group.key))
  const compare = asked.metrics.map((name) => {
    const was = earlier === undefined ? null : metricOf(name, earlier)
    return [name, compareMetric(metricOf(name, group.sums), was, (value) => exactNumber(name, value))]
  })
  return { ...row, compare: Object.fromEntries(compare) }
}

function metricsOf(sums: MeasureValues, asked: StatsRequest): Record<string, number | null> {
  return Object.fromEntries(
    asked.metrics.map((name) => {
      const value = metricOf(name, sums)
      return [name, typeof value === 'bigint' ? exactNumber(name, value) : value]
    }),
  )
}

/** JSON numbers are exact up to here only; a sum beyond is refused rather than rounded (domain.md M1). */
function exactNumber(metric: string, sum: bigint): number {
  if (sum <= largestValue && sum >= -largestValue) return Number(sum)
  const detail = `A sum of ${metric} lies beyond ±9,007,199,254,740,991.`
  throw problemOfFaults([{ parameter: 'metrics', code: 'amount_overflow', detail }])
}
