// The names of all event types, for a choice.
import { useList } from '../../queries.ts'

export function useTypeNames(): readonly string[] {
  const { rows = [] } = useList('/v1/event-types', { query: { limit: 100 } })
  return rows.map(({ type }) => type)
}
