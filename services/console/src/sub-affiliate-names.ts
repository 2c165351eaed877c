// The names of sub-affiliates, which payouts name by their ids.
import { useList } from './queries.ts'

/** By id, the newest 100; another id stands for itself, as all do until the names are there and once one was erased. */
export function useSubAffiliateNames(): ReadonlyMap<string, string> {
  const { rows } = useList('/v1/sub-affiliates', { query: { limit: 100 } })
  return new Map(rows?.flatMap(({ id, name }) => (name === null ? [] : [[id, name]])))
}
