// Folds events as they are read, in the order of their streams, into what the read rows of an aggregate must be. It reads and writes nothing.
import type { AggregateState, AnyAggregate } from './aggregate.ts'

/** An event as `readEvents` gives it. */
export interface EventRow {
  stream_id: string
  version: number
  event_type: string
  data: object
  created_ms: string
}

/** A stream folded up to an event, as a row has it. Instants: epoch milliseconds. */
export interface Folded {
  id: string
  state: AggregateState
  version: number
  createdMs: number
  updatedMs: number
}

/**
 * Goes on from `open`, the last stream of the events before, whose rest may begin these. `complete`: streams behind which another one
 * begins; `open`: the last one.
 */
export function foldEvents(
  { decider, streamType }: Pick<AnyAggregate, 'decider' | 'streamType'>,
  rows: readonly EventRow[],
  open: Folded | null,
): { complete: Folded[]; open: Folded | null } {
  const complete: Folded[] = []
  let current = open
  for (const { stream_id: id, version, event_type: type, data, created_ms } of rows) {
    if (current !== null && current.id !== id) {
      complete.push(current)
      current = null
    }
    const before = current
    const createdMs = Number(created_ms)
    try {
      const state = decider.evolve(before?.state ?? decider.initialState, { type, data })
      current = { id, state, version, createdMs: before?.createdMs ?? createdMs, updatedMs: createdMs }
    } catch (cause) {
      throw new Error(`${streamType} ${id} cannot be folded at version ${version}`, { cause })
    }
  }
  return { complete, open: current }
}

/** The row as JSON: by column, for `jsonb_populate_recordset`. */
export function rowOf(aggregate: AnyAggregate, workspaceId: string, folded: Folded): Record<string, unknown> {
  const { id, state, version, createdMs, updatedMs } = folded
  return {
    ...aggregate.columns(state),
    ...{ workspace_id: workspaceId, [aggregate.idColumn ?? 'id']: id, version, state },
    ...{ created: new Date(createdMs).toISOString(), updated: new Date(updatedMs).toISOString() },
  }
}
