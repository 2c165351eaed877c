// Rows never move under the pointer (ui.md 4): those that are shown keep their place and change in it, new ones wait until they are asked for.

export interface StableRows<Row> {
  rows: readonly Row[]
  /** How many newer ones wait. */
  waiting: number
}

/**
 * `shown`: what stands there now; `fresh`: the list as it was just read, newest first. What the fresh list has above the first shown row
 * waits; what it has below or between joins; what it no longer has stays.
 */
export function mergeRows<Row>(
  shown: readonly Row[],
  fresh: readonly Row[],
  keyOf: (row: Row) => string,
): StableRows<Row> {
  if (shown.length === 0) return { rows: fresh, waiting: 0 }
  const byKey = new Map(fresh.map((row) => [keyOf(row), row]))
  const known = new Set(shown.map(keyOf))
  const first = fresh.findIndex((row) => known.has(keyOf(row)))
  const waiting = first < 0 ? fresh.length : first
  const kept = shown.map((row) => byKey.get(keyOf(row)) ?? row)
  const joined = fresh.slice(waiting).filter((row) => !known.has(keyOf(row)))
  return { rows: [...kept, ...joined], waiting }
}
