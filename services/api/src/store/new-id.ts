// Makes ids for new records of this service. Randomness and the clock enter here, above the domain.
import { randomBytes } from 'node:crypto'
import { type Id, type IdPrefix, makeId } from '@wds/contracts/ids'

/** A new id of the prefix at this instant. */
export function newId<P extends IdPrefix>(prefix: P, atMs: number): Id<P> {
  return makeId(prefix, atMs, randomBytes(10))
}
