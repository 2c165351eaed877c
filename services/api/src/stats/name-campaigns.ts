// Puts campaigns of a stats query in the place of how their sources name them, and back: rows know the source's names alone.
import type { Transaction } from '@wds/postgres/transaction'
import { placesOfCampaigns } from '../campaign-places/store-merged.ts'
import { idsOfCampaigns } from '../campaign-places/store-places.ts'
import type { StatsDimension, StatsFilter } from './store-source.ts'

const campaignId = /^cmp_[0-9A-HJKMNP-TV-Z]{26}$/

/**
 * Filters by campaign take ids beside external ids; an id that nobody has stands for no row. Either names all campaigns that were merged
 * into one: it is asked for by the name of any of them.
 */
export function withPlaces(tx: Transaction, workspaceId: string, filters: StatsFilter[]): Promise<StatsFilter[]> {
  return Promise.all(
    filters.map(async (filter) => {
      if (filter.dimension !== 'campaign') return filter
      const ids = filter.values.filter((value) => campaignId.test(value))
      return { ...filter, places: await placesOfCampaigns(tx, { workspaceId, ids, externalIds: filter.values }) }
    }),
  )
}

/** The id of the campaign that a group's key names; null where none is grouped by, or it is not there. */
export async function campaignIdsOf(
  tx: Transaction,
  workspaceId: string,
  { groupBy, keys }: { groupBy: readonly StatsDimension[]; keys: readonly (readonly (string | null)[])[] },
): Promise<(key: readonly (string | null)[]) => string | null> {
  const [at, ofAt] = [groupBy.indexOf('campaign'), groupBy.indexOf('campaign_of')]
  if (at < 0) return () => null
  const placeOf = (key: readonly (string | null)[]) => {
    const [externalId, integrationId] = [key[at], key[ofAt]]
    return externalId == null || integrationId == null ? null : { integrationId, externalId }
  }
  const idOf = await idsOfCampaigns(tx, { workspaceId, places: keys.map(placeOf).filter((place) => place !== null) })
  return (key) => {
    const place = placeOf(key)
    return place && idOf(place)
  }
}
