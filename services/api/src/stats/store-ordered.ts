// All groups of a stats query in their order, as SQL, for whoever holds them (domain.md 3.5). Names of columns come from tables, never
// from a request.
import { campaignsSql } from '../campaign-places/store-places.ts'
import type { SummedMeasure, SumValues } from './domain/measures.ts'
import { measuresOf } from './domain/stats-metrics.ts'
import { type Grouping, groupsSql, keyNames } from './store-groups.ts'
import { placeOf, type StatsQuery } from './store-query.ts'
import type { Param } from './store-source.ts'

/** One group: values of the grouping in its order, its sums, and those of the earlier days, null where there are none. */
export interface SummedGroup {
  key: (string | null)[]
  sums: SumValues
  earlier: SumValues | null
}

/** What is asked for, at most `limit` groups of it, and where the sums of the earlier days come from, null where nothing is compared. */
export type OrderedQuery = Grouping &
  Pick<StatsQuery, 'orderBy'> & { earlier: Pick<Grouping, 'source' | 'fx'> | null; limit: number }

/**
 * The groups: place from 1, key as it is shown, the sums of `measures` as texts and those of the earlier days (null where there are none),
 * whether a row is only nearly of its day, and what rate is missing: the sums hold only where none is.
 */
export function orderedGroupsSql(o: OrderedQuery, param: Param): { sql: string; measures: SummedMeasure[] } {
  const measures = measuresOf([...o.metrics, o.orderBy.name])
  const names = keyNames(o.groupBy)
  const campaigns = joinCampaigns(o, param)
  const earlier = joinEarlier(o, { names, measures }, param)
  const sql = `with ${groupsSql({ ...o, hasTotal: false }, measures, param)}
    select row_number() over (order by ${placeOf(o).join(', ')}) as place, ${arrayOf(campaigns.shown(names))} as key,
      ${arrayOf(measures)} as sums, ${earlier.sums} as earlier, approximate, ${earlier.missing} as missing
    from groups ${campaigns.join} ${earlier.join}`
  return { sql, measures }
}

const arrayOf = (columns: readonly string[]) =>
  `array[${columns.map((column) => `${column}::text`).join(', ')}]::text[]`

/** The ids of campaigns, where they are grouped by. */
function joinCampaigns({ groupBy, source }: OrderedQuery, param: Param) {
  const [at, ofAt] = [groupBy.indexOf('campaign'), groupBy.indexOf('campaign_of')]
  if (at < 0) return { join: '', shown: (names: readonly string[]) => names }
  return {
    join: `left join (${campaignsSql(param(source.workspaceId))}) campaigns on c_integration = k${ofAt} and c_external = k${at}`,
    shown: (names: readonly string[]) => names.map((name, index) => (index === ofAt ? 'c_id' : name)),
  }
}

/** The same groups of the earlier days, where they are compared. Under other names: those of the groups stand by themselves in what they are ordered by. */
function joinEarlier(
  o: OrderedQuery,
  { names, measures }: { names: string[]; measures: SummedMeasure[] },
  param: Param,
) {
  if (o.earlier === null) return { join: '', sums: 'null::text[]', missing: 'missing' }
  const renamed = [...names, ...measures].map((name) => `${name} as e_${name}`).join(', ')
  const groups = groupsSql({ ...o, ...o.earlier, limit: null, hasTotal: false }, measures, param)
  const same = names.map((name) => `coalesce(${name}, '') = coalesce(e_${name}, '')`).join(' and ')
  return {
    join: `left join (with ${groups} select ${renamed}, missing as e_missing, true as e_found from groups) earlier on ${same}`,
    sums: `case when e_found then ${arrayOf(measures.map((name) => `e_${name}`))} end`,
    missing: 'coalesce(missing, e_missing)',
  }
}
