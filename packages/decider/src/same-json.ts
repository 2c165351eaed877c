// The one equality of JSON values: domains ask it what a patch changes, stores what to write.
import { isDeepStrictEqual } from 'node:util'

/** Whether two JSON values are the same, the order of members left out. */
export function isSameJson(a: unknown, b: unknown): boolean {
  return isDeepStrictEqual(a, b)
}
