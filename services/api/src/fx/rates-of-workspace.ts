// Which rates a workspace converts by (domain.md M3): those that the service brings along, and in their place those that it has imported.
// The id of a set names both parts, so a newer file of the service or another import never changes what an older id says.
import type { Transaction } from '@wds/postgres/transaction'
import { addDays } from '../calendar/domain/calendar.ts'
import { daysBack, overlaid, type RateSet } from './domain/rate-set.ts'
import { type ReferenceRates, referenceSource } from './reference-rates.ts'
import { newestSetNumber, readOwnRates } from './store-rates.ts'

/** A rate set by its parts. */
export interface RateSetName {
  id: string
  reference: RateSet
  /** Number of the workspace's own set, 0 without one. */
  own: number
}

export interface KnownRateSets {
  newest: RateSetName
  /** Null where no set has the id. */
  named(id: string): RateSetName | null
}

/** Such an id: the service's file, then the workspace's number where it has imported rates. */
const idForm = /^(\d{4}-\d{2}-\d{2}\.\d{1,4})(?:\.([1-9]\d{0,8}))?$/

export async function knownRateSets(
  tx: Transaction,
  o: { workspaceId: string; referenceRates: ReferenceRates },
): Promise<KnownRateSets> {
  const newestOwn = await newestSetNumber(tx, o.workspaceId)
  return {
    newest: nameOf(o.referenceRates[0], newestOwn),
    named(id) {
      const [, referenceId, number = '0'] = idForm.exec(id) ?? []
      const reference = o.referenceRates.find((set) => set.id === referenceId)
      const own = Number(number)
      return reference === undefined || own > newestOwn ? null : nameOf(reference, own)
    },
  }
}

/** The name of the set that a workspace's own set makes with the newest reference rates. */
export function nameOf(reference: RateSet, own: number): RateSetName {
  return { id: own === 0 ? reference.id : `${reference.id}.${own}`, reference, own }
}

/** The rates of a set by which the days are converted, and who published them. */
export async function readRates(
  tx: Transaction,
  { id, reference, own: number }: RateSetName,
  o: { workspaceId: string; from: string; to: string },
): Promise<{ rates: RateSet; sources: string[] }> {
  const days = { from: addDays(o.from, -daysBack), to: o.to }
  const own = number === 0 ? [] : await readOwnRates(tx, { workspaceId: o.workspaceId, number, ...days })
  const sources = new Set(own.map(({ source }) => source))
  for (const day of reference.days.keys()) if (day >= days.from && day <= days.to) sources.add(referenceSource)
  return { rates: overlaid(reference, id, own), sources: [...sources].sort() }
}
