// What a run of the suites says of each row: a row is red where one of its tests failed, green where all that ran passed.

import { rowsOfTitle } from './find-rows.ts'
import type { JudgedRow } from './judge-rows.ts'

/** A suite of the test runner's report. */
export interface SuiteReport {
  /** Absolute path. */
  name: string
  status: string
  assertionResults: { ancestorTitles: string[]; title: string; status: string }[]
}

export interface RowVerdict {
  row: JudgedRow
  verdict: 'green' | 'red' | 'skipped' | 'not run' | 'open'
  /** Tests that bear it and ran. */
  tests: number
  /** Suites of the row that ran: the rest is of the other size. */
  suites: number
}

/** `not run`: its suites are of the other size. A suite that ended without a result of any test is red for all its rows. */
export function verdictsOf(rows: readonly JudgedRow[], reports: readonly SuiteReport[]): RowVerdict[] {
  const results = reports.flatMap(({ name, status, assertionResults }) =>
    assertionResults.length === 0
      ? [{ suite: name, rows: [] as string[], status }]
      : assertionResults.map((one) => ({
          suite: name,
          rows: [...one.ancestorTitles, one.title].flatMap(rowsOfTitle),
          status: one.status,
        })),
  )
  return rows.map((row) => {
    if (row.suites.length === 0 && !row.hasMutant) return { row, verdict: 'open', tests: 0, suites: 0 }
    const broken = results.some(
      ({ suite, rows, status }) =>
        rows.length === 0 && status === 'failed' && row.suites.some((path) => suite.endsWith(`/${path}`)),
    )
    const mine = results.filter(({ rows }) => rows.includes(row.id))
    const ran = mine.filter(({ status }) => status === 'passed' || status === 'failed')
    const isRed = broken || mine.some(({ status }) => status === 'failed')
    // One that was left out is not made up for by another one that passed: its fault was not made.
    const isLeftOut = mine.some(({ status }) => status === 'pending' || status === 'skipped')
    const rest = isLeftOut ? 'skipped' : ran.length > 0 ? 'green' : 'not run'
    const suites = row.suites.filter((path) => reports.some(({ name }) => name.endsWith(`/${path}`))).length
    return { row, verdict: isRed ? 'red' : rest, tests: ran.length, suites }
  })
}

export function tableOfRows(verdicts: readonly RowVerdict[]): string {
  const line = ({ row, verdict, tests, suites }: RowVerdict) => {
    const of = suites < row.suites.length ? `, ${suites} of ${row.suites.length} suites` : ''
    const cells = [row.id.padEnd(4), verdict.padEnd(8), (tests > 0 ? `${tests} tests${of}` : '').padEnd(24), row.open]
    return cells.join(' ').trimEnd()
  }
  return `${verdicts.map(line).join('\n')}\n`
}
