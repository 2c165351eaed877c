// Answers a stats query: sums by dimensions, with derived metrics computed after summing (domain.md 3.5). Final days are read as they
// were told, all others as they are now; what is final has one answer, with a strong entity tag.
import type { Cursors } from '@wds/http-service/cursor'
import { etagOfContent } from '@wds/http-service/etag'
import { Problem } from '@wds/http-service/problem'
import type { ApiRequest } from '@wds/http-service/route'
import type { Transaction } from '@wds/postgres/transaction'
import type { ReferenceRates } from '../fx/reference-rates.ts'
import type { Stats } from '../openapi.generated.ts'
import type { SumValues } from './domain/measures.ts'
import { campaignIdsOf } from './name-campaigns.ts'
import { planStats, type StatsPlan } from './plan-stats.ts'
import type { GivenByPost, StatsRequest, Where } from './read-request.ts'
import { metaOf, metricsOf, toApiRow } from './stats-answer.ts'
import { groupsMax, type StatsPosition, sumGroups, sumStats } from './store-query.ts'

type Request = Pick<ApiRequest, 'client' | 'now' | 'read'>

/** What of the database one answer is made of, all of one instant. */
interface Found {
  plan: StatsPlan
  sums: Awaited<ReturnType<typeof sumStats>>
  /** Of a group's key, null where it names none that is there. */
  campaignIdOf(key: readonly (string | null)[]): string | null
  /** By the text of a group's key; null where nothing is compared. */
  before: Map<string, SumValues> | null
}

export async function answerStats(
  request: Request,
  o: { cursors: Cursors; referenceRates: ReferenceRates; given: GivenByPost; where: Where },
): Promise<{ status: 200; body: Stats; headers?: Record<string, string> }> {
  const { workspaceId } = request.client
  // The rate set stands in the cursor: pages are of one, also where a newer one comes between them.
  const { cursor: _cursor, limit: _limit, rate_set: _rateSet, ...filters } = o.given
  const binding = { workspaceId, route: 'stats', filters }
  const nowMs = request.now()
  const find = (isWide: boolean) =>
    request.read((tx) => findStats(tx, { ...o, workspaceId, binding, nowMs, isWide }), { snapshot: true })
  const found = await find(false).catch((error: unknown) => {
    if (!(error instanceof Problem && error.code === 'amount_overflow')) throw error
    return find(true)
  })
  const { plan, sums, before, campaignIdOf } = found
  if (sums.count > groupsMax) throw new Problem('result_too_large')
  const { asked, finality } = plan
  const shown = sums.groups.slice(0, asked.limit)
  const last = shown.at(-1)
  const more = sums.groups.length > asked.limit && last !== undefined
  const shownKey = (key: readonly (string | null)[]) =>
    key.map((value, index) => (asked.groupBy[index] === 'campaign_of' ? campaignIdOf(key) : value))
  const beyond = new Set<string>()
  const beyondRange = (metric: string) => {
    beyond.add(metric)
    return null
  }
  const shape = { ...asked, compares: before !== null, beyondRange }
  const earlierOf = (key: (string | null)[]) => before?.get(JSON.stringify(key)) ?? null
  const body: Stats = {
    object: 'stats',
    data: shown.map(({ key, sums }) => toApiRow({ key: shownKey(key), sums, earlier: earlierOf(key) }, shape)),
    totals: sums.totals.map((total) => Object.assign({ currency: total.currency }, metricsOf(total.sums, shape))),
    meta: metaOf(plan, { approximate: sums.approximate, nowMs }),
    has_more: more,
    next_cursor: more ? o.cursors.encode({ ...binding, position: [plan.fx?.rateSet ?? null, ...last.position] }) : null,
  }
  body.meta.beyond_range = [...beyond].sort()
  if (!finality.isFinal) return { status: 200, body }
  return { status: 200, body, headers: { etag: etagOfContent(JSON.stringify(body)) } }
}

async function findStats(
  tx: Transaction,
  o: Parameters<typeof planStats>[1] & {
    cursors: Cursors
    binding: Parameters<Cursors['decode']>[1]
    isWide: boolean
  },
): Promise<Found> {
  let after: StatsPosition | null = null
  const plan = await planStats(tx, o, (asked) => {
    const place = placeOf(asked, o)
    after = place.after
    return place.rateSet
  })
  const { asked, source, compared, fx } = plan
  const sums = await sumStats(tx, {
    ...asked,
    isWide: o.isWide,
    source,
    fx: fx?.now ?? null,
    after,
    rows: asked.limit + 1,
  })
  const keys = sums.groups.slice(0, asked.limit).map(({ key }) => key)
  const campaignIdOf = await campaignIdsOf(tx, o.workspaceId, { groupBy: asked.groupBy, keys })
  const found = { plan, sums, campaignIdOf }
  if (compared === null) return { ...found, before: null }
  const before = await sumGroups(tx, {
    ...asked,
    isWide: o.isWide,
    source: compared.source,
    fx: fx?.earlier ?? null,
    keys,
  })
  return { ...found, before }
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
