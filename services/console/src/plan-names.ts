// The commission plans by their ids, for choices and for pages that name them.
import { useList } from './queries.ts'

/** By id, the newest 100; undefined until they are there. */
export function usePlanNames(): ReadonlyMap<string, string> | undefined {
  const { rows } = useList('/v1/commission-plans', { query: { limit: 100 } })
  return rows && new Map(rows.map(({ id, name }) => [id, name]))
}
