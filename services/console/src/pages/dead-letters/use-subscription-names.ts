// The addresses of the subscriptions by their ids, for lists that name only those.
import { useList } from '../../queries.ts'

export function useSubscriptions() {
  return useList('/v1/webhooks', { query: { limit: 100 } }).rows ?? []
}

/** A subscription that is gone is named by its id. */
export function useSubscriptionNames(): (id: string) => string {
  const rows = useSubscriptions()
  return (id) => rows.find((one) => one.id === id)?.url ?? id
}
