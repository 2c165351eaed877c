// Makes ids for new records of this service. Randomness and the clock enter here, above the domain.
import { type Id, type IdPrefix, makeId } from '@wds/contracts/ids'
import { pooledBytes } from '@wds/telemetry/trace-context'

/** A new id of the prefix at this instant. */
export function newId<P extends IdPrefix>(prefix: P, atMs: number): Id<P> {
  return makeId(prefix, atMs, pooledBytes(10))
}
