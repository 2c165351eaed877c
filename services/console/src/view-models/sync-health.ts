// How the integrations fare together: those that need somebody first.
import type { components } from '@wds/api-client/schemas'

type Integration = components['schemas']['Integration']
type Status = Integration['status']

const order: readonly Status[] = ['broken', 'pending', 'active', 'paused']

export interface SyncHealth {
  /** Of each state that an integration is in. */
  counts: { status: Status; count: number }[]
  /** By the time since when. */
  broken: Integration[]
  /** RFC 3339; null: nothing has run. */
  lastRun: string | null
}

export function syncHealthOf(integrations: readonly Integration[]): SyncHealth {
  const of = (status: Status) => integrations.filter((one) => one.status === status)
  const since = ({ health }: Integration) => health?.broken_since ?? ''
  const runs = integrations.flatMap(({ last_sync: last }) => (last ? [last.finished] : []))
  return {
    counts: order.flatMap((status) => (of(status).length === 0 ? [] : [{ status, count: of(status).length }])),
    broken: of('broken').toSorted((one, other) => (since(one) < since(other) ? -1 : 1)),
    lastRun: runs.toSorted().at(-1) ?? null,
  }
}
