// Plans a stats query: what is asked for, and where its sums and those it is compared with come from (domain.md 3.5). It sums nothing.
import { Problem } from '@wds/http-service/problem'
import type { Transaction } from '@wds/postgres/transaction'
import { isSameZone } from '../calendar/domain/calendar.ts'
import { isAnyMerged } from '../campaign-places/store-merged.ts'
import { knownRateSets, type RateSetName, readRates } from '../fx/rates-of-workspace.ts'
import type { ReferenceRates } from '../fx/reference-rates.ts'
import { readSettings } from '../settings/read-settings.ts'
import { readCalendar } from '../stats-calendar/store-calendar.ts'
import { type Compared, planCompare } from './compare.ts'
import { type Finality, joinFinality, withPostingState } from './domain/finality.ts'
import { findSource, type Source } from './find-source.ts'
import { withPlaces } from './name-campaigns.ts'
import { type GivenByPost, readStatsRequest, type StatsRequest, type Where } from './read-request.ts'
import type { Fx } from './store-convert.ts'
import { readPostingState } from './store-costs.ts'
import type { Grouping } from './store-groups.ts'
import { findDailyIntegrations, type StatsSource } from './store-source.ts'

export interface StatsPlan {
  asked: StatsRequest & Pick<Grouping, 'hasMerged'>
  source: Source
  compared: Compared | null
  /** How money is converted; null leaves it in the currency of its row. */
  fx: Converted | null
  /** Of the days asked for and those they are compared with. */
  finality: Finality
}

export interface Converted {
  rateSet: string
  /** Who published the rates of the days. */
  sources: string[]
  now: Fx
  /** Of the days that are compared with; null where nothing is. */
  earlier: Fx | null
}

/** `rateSetOf`: by which rates, null for the newest; those that are asked for unless told. Throws a Problem for what cannot be asked for. */
export async function planStats(
  tx: Transaction,
  o: { given: GivenByPost; workspaceId: string; nowMs: number; referenceRates: ReferenceRates; where: Where },
  rateSetOf: (asked: StatsRequest) => string | null = ({ rateSet }) => rateSet,
): Promise<StatsPlan> {
  const { workspaceId, nowMs } = o
  // By which the workspace's rows are cut; before its first integration by which they would be.
  const workspaceZone = (await readCalendar(tx, workspaceId))?.timeZone ?? (await readSettings(tx)).time_zone
  const sets = await knownRateSets(tx, { workspaceId, referenceRates: o.referenceRates })
  const isRateSet = (id: string) => sets.named(id) !== null
  const read = readStatsRequest(o.given, { workspaceZone, nowMs, isRateSet, where: o.where })
  const hasMerged = read.groupBy.includes('campaign') && (await isAnyMerged(tx, workspaceId))
  const asked = { ...read, hasMerged, filters: await withPlaces(tx, workspaceId, read.filters) }
  const rateSet = rateSetOf(asked)
  const set = rateSet === null ? sets.newest : sets.named(rateSet)
  // Signed by this service, and not known to it any more.
  if (set === null) throw new Problem('invalid_cursor')
  const place = { workspaceId, workspaceZone, ...asked }
  const range = { from: asked.from, to: asked.to }
  if (!isSameZone(asked.timeZone, workspaceZone)) await refuseDaily(tx, place)
  const compared = asked.compare === null ? null : await planCompare(tx, { ...place, mode: asked.compare, nowMs })
  const side = { summed: compared?.summed ?? range, cut: compared?.cut ?? null }
  const source = await findSource(tx, { ...place, range, ...side })
  const joined = joinFinality(source.finality, compared?.source.finality ?? null)
  const ranges = compared === null ? [range] : [range, compared.source.days]
  const finality = asked.usesLedger
    ? withPostingState(joined, await readPostingState(tx, { workspaceId, ranges }))
    : joined
  return {
    asked,
    source,
    compared,
    fx: await convertedBy(tx, { currency: asked.currency, set, source, compared }),
    finality,
  }
}

/** By which rates the days that are summed are converted, if they are. */
async function convertedBy(
  tx: Transaction,
  o: { currency: string | null; set: RateSetName; source: StatsSource; compared: Compared | null },
): Promise<Converted | null> {
  const { currency, set } = o
  if (currency === null) return null
  const ratesOf = ({ workspaceId, days }: StatsSource) => readRates(tx, set, { workspaceId, ...days })
  const now = await ratesOf(o.source)
  const earlier = o.compared && (await ratesOf(o.compared.source))
  return {
    rateSet: set.id,
    sources: [...new Set([...now.sources, ...(earlier?.sources ?? [])])].sort(),
    now: { currency, rates: now.rates },
    earlier: earlier && { currency, rates: earlier.rates },
  }
}

async function refuseDaily(tx: Transaction, o: Parameters<typeof findDailyIntegrations>[1]): Promise<void> {
  const daily = await findDailyIntegrations(tx, o)
  if (daily.length === 0) return
  throw new Problem('time_zone_not_supported', {
    errors: daily.map((id) => ({
      parameter: 'time_zone',
      code: 'time_zone_not_supported' as const,
      detail: `${id} reports whole days.`,
    })),
  })
}
