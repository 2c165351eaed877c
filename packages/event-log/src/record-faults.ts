// Judges what a failed effect says of its record: nothing, where the database or another member is the reason, or that it may never
// take effect.
import { isTransient, sqlStateOf } from '@wds/postgres/transaction'
import { PositionBusy } from './consumer-store.ts'

/** Thrown by a handler for a record that can never take effect: it goes to the dead letters at once, with this message. */
export class PoisonRecord extends Error {
  override name = 'PoisonRecord'
}

/** True when the fault lies in the database or with another member, and trying again is all there is to do. */
export function passes(error: unknown): boolean {
  return error instanceof PositionBusy || isTransient(error)
}

/** Tries of a record on its own before it is put aside. */
export function triesMax(error: unknown): number {
  if (error instanceof PoisonRecord) return 1
  return isDoubtful(error) ? 10 : 3
}

export function reasonOf(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  return text.slice(0, 1000)
}

/** Statement or lock time-out (57014, 55P03), internal error of the server (XX): seldom the record's fault, and yet it may be. */
function isDoubtful(error: unknown): boolean {
  return /^(57014|55P03|XX)/.test(sqlStateOf(error) ?? '')
}
