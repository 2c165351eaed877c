// Whether every row of the design is borne by a test or said to be open, and the page that tells it.
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type DesignRow, designRows, invariantsWithMutant, suitesByRow } from './find-rows.ts'
import { faultsInPart, invariantsInPart, openFaults, openInvariants } from './open-rows.ts'

/** A row with the paths of its suites, and what is missing of it: empty, nothing. */
export interface JudgedRow extends DesignRow {
  suites: string[]
  hasMutant: boolean
  open: string
}

export interface JudgedRows {
  faults: JudgedRow[]
  invariants: JudgedRow[]
}

/** @throws Error that names every row which is neither borne nor open, or both. */
export function judgeRows(root: string): JudgedRows {
  const design = readFileSync(join(root, 'packages/docs/design/reliability.md'), 'utf8')
  const suites = suitesByRow(root)
  const mutants = invariantsWithMutant(root)
  const judged = (row: DesignRow, open: string | undefined): JudgedRow => ({
    ...row,
    suites: suites.get(row.id) ?? [],
    hasMutant: mutants.has(row.id),
    open: open ?? '',
  })
  const faults = designRows(design, 'F').map((row) => judged(row, openFaults[row.id] ?? faultsInPart[row.id]))
  const invariants = designRows(design, 'I').map((row) =>
    judged(row, openInvariants[row.id] ?? invariantsInPart[row.id]),
  )
  const wrong = [
    ...faults.map((row) => faultOf(row, row.suites.length > 0, openFaults, faultsInPart)),
    ...invariants.map((row) => faultOf(row, row.hasMutant || row.suites.length > 0, openInvariants, invariantsInPart)),
    ...invariants
      .filter(({ hasMutant, open }) => !hasMutant && open === '')
      .map(({ id }) => `${id} has no mutant, and no reason why not`),
    ...[openFaults, faultsInPart, openInvariants, invariantsInPart].flatMap((list) =>
      Object.keys(list)
        .filter((id) => ![...faults, ...invariants].some((row) => row.id === id))
        .map((id) => `${id} is no row of reliability.md`),
    ),
  ].filter((one) => one !== null)
  if (wrong.length > 0) throw new Error(`test-e2e/faults/rows/open-rows.ts: ${wrong.join('; ')}`)
  return { faults, invariants }
}

function faultOf(
  { id, suites }: JudgedRow,
  isBorne: boolean,
  open: Record<string, string>,
  inPart: Record<string, string>,
): string | null {
  if (isBorne && id in open) return `${id} is borne by ${suites.join(', ')} and listed as open`
  if (!isBorne && id in inPart) return `${id} is borne by no test and listed as borne`
  return isBorne || id in open ? null : `${id} is borne by no test's title and not listed as open`
}

/** A suite's name as people say it, with its folder where the name alone says little. */
export const suiteName = (path: string): string => basename(path).replace(/\.(?:integration\.)?test\.ts$/, '')

/** `packages/docs/reference/faults.md`. */
export function rowsPage(root: string): string {
  const { faults, invariants } = judgeRows(root)
  const linked = ({ suites }: JudgedRow) =>
    suites.map((path) => `[${suiteName(path)}](../../../${path})`).join(', ') || '–'
  const line = (...cells: string[]) => `| ${cells.join(' | ')} |`
  return [
    '# Faults and invariants, and what bears them',
    '',
    'You can look up here which test bears a row of [reliability](../design/reliability.md), and what of it is open. The file is made from the titles of the tests and from `test-e2e/faults/rows/open-rows.ts` by `npm run generate`. `npm run faults:quick` and `npm run faults:full` run these suites and end with a table of the rows: [how](../../../test-e2e/faults/README.md).',
    '',
    '## Faults',
    '',
    '| row | fault | suites | open |',
    '| --- | --- | --- | --- |',
    ...faults.map((row) => line(row.id, row.text, linked(row), row.open)),
    '',
    '## Invariants',
    '',
    'Mutant: one of `test-e2e/faults/checkers` judges it, and reports it for a damaged history.',
    '',
    '| row | invariant | suites | mutant | open |',
    '| --- | --- | --- | --- | --- |',
    ...invariants.map((row) => line(row.id, row.text, linked(row), row.hasMutant ? 'yes' : '–', row.open)),
    '',
  ].join('\n')
}
