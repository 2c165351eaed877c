// Decides which event types a page of the list shows. The order is that of the catalog and never changes for old types.
import { type CatalogSummary, catalogSummaries } from './catalog-entry.ts'

/** What the list is filtered by; absent means any. */
export interface CatalogFilters {
  stability?: readonly string[]
}

/** Up to `count` summaries after the type `after` (null: from the beginning). An unknown `after` is null: no such page. */
export function catalogPage(filters: CatalogFilters, after: string | null, count: number): CatalogSummary[] | null {
  const begin = after === null ? 0 : catalogSummaries.findIndex(({ type }) => type === after) + 1
  if (after !== null && begin === 0) return null
  const wanted = ({ stability }: CatalogSummary) => filters.stability?.includes(stability) ?? true
  return catalogSummaries.slice(begin).filter(wanted).slice(0, count)
}
