// Decides whether two JSON values are the same: what a PATCH changes.

/** Equality of JSON values, the order of members left out. */
export function isSameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const [left, right] = [Object.entries(a), Object.entries(b)]
  return (
    left.length === right.length && left.every(([key, value]) => isSameJson(value, (b as Record<string, unknown>)[key]))
  )
}
