// All event types of the catalog, which is small enough for one page of the list; for the pages of dead letters as well.
import { useList } from '../../queries.ts'

const none: readonly never[] = []

export function useCatalogTypes() {
  const list = useList('/v1/event-types', { query: { limit: 100 } })
  return list.rows ?? none
}
