// The period of events that a list is asked for: `since` and `until` bound their `created`, the instant inside their ids.
import { edgeId } from '@wds/contracts/ids'

/** Least and greatest event id; null where that end is open. */
export interface IdRange {
  from: string | null
  to: string | null
}

/** The event ids that two instants bound, both included. */
export function rangeOf({ since, until }: { since?: string; until?: string }): IdRange {
  return {
    from: since === undefined ? null : edgeId('evt', Date.parse(since), 'first'),
    to: until === undefined ? null : edgeId('evt', Date.parse(until), 'last'),
  }
}
