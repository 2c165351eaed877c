// Reads the rates that the service brings along (domain.md M3), once, when it starts.
import { readFileSync } from 'node:fs'
import { parseEcbRates, type RateSet } from './domain/rate-set.ts'

/** Who publishes them, as answers say it. */
export const referenceSource = 'European Central Bank'

/** The sets that the service brings along, the newest first. One that was newest once stays, for the answers that were converted with it. */
export type ReferenceRates = readonly [RateSet, ...RateSet[]]

/** Id of the newest rate set, and name of its file. */
const newest = '2026-10-30.1'

let known: ReferenceRates | undefined

/** The same sets at every call. Throws where the file is not what it should be: the service does not start then. */
export function readReferenceRates(): ReferenceRates {
  known ??= [parseEcbRates(newest, readFileSync(new URL(`./ecb/${newest}.csv`, import.meta.url), 'utf8'))]
  return known
}
