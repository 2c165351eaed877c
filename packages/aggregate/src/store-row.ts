// Writes the read row of an aggregate in the statement of the append: as a whole when it is new, later what changed of it.
import { isSameJson } from '@wds/decider/same-json'
import type { ExtraWrite } from '@wds/event-store/append-statement'

/** An announcement of the append that may be made only once. */
export interface Keyed {
  type: string
  onceKey: string
  eventId: string
}

interface StoredValue<S> {
  state: S
  version: number
  createdMs: number
  updatedMs: number
}

/**
 * The read row, and the "once per" keys in `announced_events`, of which a second one meets the primary key and ends the transaction
 * (domain.md 5). Of the append's own parameters $1 is the workspace, $3 the stream's id, $4 the version it was at.
 */
export function storeRow<S>(
  aggregate: { table: string; idColumn?: string; columns(state: S): Record<string, unknown> },
  { value, before, keyed }: { value: StoredValue<S>; before: S | null; keyed: Keyed[] },
): ExtraWrite {
  const { table, idColumn = 'id' } = aggregate
  const isNew = before === null
  const was = isNew ? {} : aggregate.columns(before)
  const now = Object.entries(aggregate.columns(value.state))
  const isChanged = now.map(([name, column]) => !isSameJson(column, was[name]))
  const changed = now.filter((_, place) => isChanged[place])
  const columns = { version: value.version, state: JSON.stringify(value.state), ...Object.fromEntries(changed) }
  const instants = isNew ? { created: value.createdMs, updated: value.updatedMs } : { updated: value.updatedMs }
  return {
    // A name has at most 63 bytes.
    name: `${table}-${isNew ? 'new' : isChanged.map(Number).join('')}-${keyed.length}`,
    ctes(first) {
      let next = first
      const assigned = [
        ...Object.keys(columns).map((name) => [name, `$${next++}`]),
        ...Object.keys(instants).map((name) => [name, `to_timestamp($${next++}::float8 / 1000)`]),
      ]
      const saved = isNew
        ? `insert into ${table} (workspace_id, ${idColumn}, ${assigned.map(([name]) => name).join(', ')})
             values ($1, $3, ${assigned.map(([, given]) => given).join(', ')}) on conflict do nothing returning 1`
        : `update ${table} set ${assigned.map((pair) => pair.join(' = ')).join(', ')}
             where workspace_id = $1 and ${idColumn} = $3 and version = $4 returning 1`
      if (keyed.length === 0) return [`saved as (${saved})`]
      const keys = keyed.map(() => `($1, $${next++}, $${next++}, $${next++})`).join(', ')
      const once = `insert into announced_events (workspace_id, event_type, once_key, event_id) values ${keys}`
      return [`saved as (${saved})`, `once as (${once})`]
    },
    expects: 'exists (select from saved)',
    values: [
      ...Object.values(columns),
      ...Object.values(instants),
      ...keyed.flatMap(({ type, onceKey, eventId }) => [type, onceKey, eventId]),
    ],
  }
}
