// Reads the rates that the service brings along (domain.md M3), once, when it starts.
import { readFileSync } from 'node:fs'
import { parseEcbRates, type RateSet } from './domain/rate-set.ts'

/** Id of the newest rate set, and name of its file. */
const newest = '2026-10-30.1'

/** Throws where the file is not what it should be: the service does not start then. */
export function readReferenceRates(): RateSet {
  return parseEcbRates(newest, readFileSync(new URL(`./ecb/${newest}.csv`, import.meta.url), 'utf8'))
}
