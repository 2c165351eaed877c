// The names of brands, which answers name by their slugs.
import { useList } from './queries.ts'

/** By slug, the newest 100; another slug stands for itself, as all do until the names are there. */
export function useBrandNames(): ReadonlyMap<string, string> {
  const { rows } = useList('/v1/brands', { query: { limit: 100 } })
  return new Map(rows?.map(({ slug, name }) => [slug, name]))
}
