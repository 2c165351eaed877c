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
  /** Why it has no state: an event that cannot be folded, or a state that makes no row. Null: it has one. */
  fault: string | null
  /** Versions that no event has. */
  gaps: number[]
}

/**
 * Goes on from `open`, the last stream of the events before, whose rest may begin these. `complete`: streams behind which another one
 * begins, and with `isLast` also the last one, which is `open` otherwise.
 */
export function foldEvents(
  aggregate: Pick<AnyAggregate, 'decider' | 'columns' | 'keptMs'>,
  rows: readonly EventRow[],
  o: { open: Folded | null; isLast: boolean },
): { complete: Folded[]; open: Folded | null } {
  const complete: Folded[] = []
  let current = o.open
  for (const row of rows) {
    if (current !== null && current.id !== row.stream_id) {
      complete.push(asRow(aggregate, current))
      current = null
    }
    current = withEvent(aggregate, current ?? blankOf(aggregate, row), row)
  }
  if (!o.isLast || current === null) return { complete, open: current }
  return { complete: [...complete, asRow(aggregate, current)], open: null }
}

function blankOf({ decider }: Pick<AnyAggregate, 'decider'>, { stream_id: id, created_ms }: EventRow): Folded {
  const createdMs = Number(created_ms)
  return { id, state: decider.initialState, version: 0, createdMs, updatedMs: createdMs, fault: null, gaps: [] }
}

/** One event that cannot be folded ends the state of its stream, and of no other. */
function withEvent(
  { decider }: Pick<AnyAggregate, 'decider'>,
  before: Folded,
  { version, event_type: type, data, created_ms }: EventRow,
): Folded {
  const gaps = version === before.version + 1 ? before.gaps : [...before.gaps, before.version + 1]
  const after = { ...before, version, updatedMs: Number(created_ms), gaps }
  if (before.fault !== null) return after
  try {
    const state: AggregateState | undefined = decider.evolve(before.state, { type, data })
    // Undefined: the type is that of a later release, and a row that is made without it would be wrong.
    if (state === undefined) throw new Error('this type is not known here')
    return { ...after, state }
  } catch (error) {
    return { ...after, fault: `cannot be folded at version ${version} (${type}): ${messageOf(error)}` }
  }
}

/** A state that makes no row would end the comparison of all the others. */
function asRow({ columns, keptMs }: Pick<AnyAggregate, 'columns' | 'keptMs'>, folded: Folded): Folded {
  if (folded.fault !== null) return folded
  try {
    columns(folded.state)
    keptMs?.(folded.state)
    return folded
  } catch (error) {
    return { ...folded, fault: `makes no row: ${messageOf(error)}` }
  }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

/** The row as JSON: by column, for `jsonb_populate_recordset`. */
export function rowOf(aggregate: AnyAggregate, workspaceId: string, folded: Folded): Record<string, unknown> {
  const { id, state, version, createdMs, updatedMs } = folded
  return {
    ...aggregate.columns(state),
    workspace_id: workspaceId,
    [aggregate.idColumn ?? 'id']: id,
    version,
    state,
    created: new Date(createdMs).toISOString(),
    updated: new Date(updatedMs).toISOString(),
  }
}
