// Compares the problems that a whole test run produced with the published table, both ways (C14).

import { problems } from '@wds/contracts/problems'
import { isProblemCode } from './problem.ts'

/** Codes of the table whose routes are not there yet, with what they wait for. One that is produced leaves this list. */
export const awaited: Readonly<Record<string, string>> = {}

/** Faults of a whole run, each a sentence; none when table and tests agree. */
export function judgeCoverage(
  produced: ReadonlySet<string>,
  waiting: Readonly<Record<string, string>> = awaited,
): string[] {
  const unknown = [...produced]
    .filter((code) => !isProblemCode(code))
    .map((code) => `${code} was produced and is not in the table`)
  const missing = Object.keys(problems)
    .filter((code) => !produced.has(code) && !Object.hasOwn(waiting, code))
    .map((code) => `${code} was produced by no test`)
  const stale = Object.keys(waiting)
    .filter((code) => produced.has(code) || !isProblemCode(code))
    .map((code) => `${code} need not be awaited any longer (packages/http-service/src/problem-coverage.ts)`)
  return [...unknown, ...missing, ...stale].sort()
}
