// Decides how a refusal is returned instead of thrown. It must never hold an infrastructure error: those are thrown.

/** Either a value, or the closed union of what can be refused. */
export type Result<T, E> = { ok: true; value: T } | { ok: false; error: E }

/** A result that holds a value. */
export function ok<T>(value: T): { ok: true; value: T } {
  return { ok: true, value }
}

/** A result that holds a refusal. */
export function refused<E>(error: E): { ok: false; error: E } {
  return { ok: false, error }
}
