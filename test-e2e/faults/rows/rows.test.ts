// The rows of reliability.md 4 and 5 against the tests that bear them.
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { invariantsOfMutants, rowsOfSource, rowsOfTitle } from './find-rows.ts'
import { type JudgedRow, judgeRows } from './judge-rows.ts'
import { type SuiteReport, tableOfRows, verdictsOf } from './row-verdicts.ts'
import { longEvenIfShort, nightly } from './slow-suites.ts'

const root = join(import.meta.dirname, '../../..')

test('every row is borne by the title of a test, or is open with its reason', () => {
  const { faults, invariants } = judgeRows(root)
  expect([faults.length, invariants.length]).toEqual([43, 24])
  expect(faults.filter(({ suites, open }) => suites.length === 0 && open === '')).toEqual([])
})

test('each suite that is not run each time is there', () => {
  const suites = globSync('{packages/*/src,services/*/src,test-e2e}/**/*.test.ts', { cwd: root })
  const missing = [...nightly, ...longEvenIfShort].filter((part) => !suites.some((path) => path.includes(part)))
  expect(missing).toEqual([])
})

test('the numbers of a title are those that it begins with', () => {
  expect(rowsOfTitle('F01, I15, 3 kills: all')).toEqual(['F01', 'I15'])
  expect(rowsOfTitle('regression: F30: slow')).toEqual(['F30'])
  expect(rowsOfTitle('XA34, F36: both')).toEqual(['F36'])
  expect(rowsOfTitle('what F30 is')).toEqual([])
  expect(rowsOfTitle('F3 of a hundred')).toEqual([])
})

test.each([
  ["test.each(cases)(\n  'F10: %s', () => undefined)", ['F10']],
  ['describe("F11: a group", () => undefined)', ['F11']],
  ['it.only(`F12: one`, () => undefined)', ['F12']],
  ["const asRoot = isRoot ? test : test.skip\nasRoot('F24: of root', () => undefined)", ['F24']],
  ["const suite = own ? describe.skip : describe\nsuite('F16: a group', () => undefined)", ['F16']],
  ['report(`F05: a line`)', []],
  ["filter((one) => one.is('I13'))", []],
  ["expect(judge).toThrow('I14: rows in the outbox')", []],
  ["edit('F12: no test', latest('F13: nor this one'))", []],
])('the title of a test or of a group of tests counts, whatever else begins so does not: %j', (source, rows) => {
  expect(rowsOfSource(source)).toEqual(rows)
})

test('a mutant is a row of a table of damages, or a table whose title names them; no other text counts', () => {
  const named = `["I1, I2", "two", {}], [\n  'I3',\n  'one over lines', damage], test.each(damages)('I15: %s', judge), ])('I18: names %s', judge)`
  expect(invariantsOfMutants(named)).toEqual(['I1', 'I2', 'I3', 'I15', 'I18'])
  const others = `const wanted = 'I4'; expect(breaches).toEqual(['I5']); ['a damage', 'I6: it is told']; test('I7: finds nothing', judge)`
  expect(invariantsOfMutants(others)).toEqual([])
})

describe('the verdict', () => {
  const row = (id: string, o: Partial<JudgedRow> = {}): JudgedRow => ({
    id,
    text: '',
    suites: [`x/${id}.test.ts`],
    hasMutant: false,
    open: '',
    ...o,
  })
  const suite = (name: string, ...results: [title: string, status: string][]): SuiteReport => ({
    name: `/root/x/${name}.test.ts`,
    status: results.some(([, status]) => status === 'failed') ? 'failed' : 'passed',
    assertionResults: results.map(([title, status]) => ({ ancestorTitles: ['F04: a group'], title, status })),
  })
  const verdictOf = (reports: SuiteReport[], one: JudgedRow) => verdictsOf([one], reports)[0]?.verdict

  test('is green where all passed, red where one failed, also in another suite or by its group', () => {
    const reports = [suite('a', ['F01, F02: one', 'passed'], ['F02: two', 'failed']), suite('b', ['F01: x', 'passed'])]
    expect(['F01', 'F02', 'F04'].map((id) => verdictOf(reports, row(id)))).toEqual(['green', 'red', 'red'])
    const told = { suites: ['x/a.test.ts', 'x/b.test.ts', 'x/c.test.ts'], open: 'and more' }
    expect(tableOfRows(verdictsOf([row('F01', told)], reports))).toBe(
      'F01  green    2 tests, 2 of 3 suites   and more\n',
    )
  })

  test('is red where the suite ended without a result, and nothing else where it is of no concern', () => {
    const broken = { ...suite('F01'), status: 'failed' }
    expect([verdictOf([broken], row('F01')), verdictOf([broken], row('F02'))]).toEqual(['red', 'not run'])
  })

  test('is skipped where a test of it was left out, and open where there is none', () => {
    expect(verdictOf([suite('a', ['F01: one', 'pending'])], row('F01'))).toBe('skipped')
    expect(verdictOf([suite('a', ['F01: one', 'pending'], ['F01: two', 'passed'])], row('F01'))).toBe('skipped')
    expect(verdictOf([], row('F21', { suites: [], open: 'not built' }))).toBe('open')
  })
})
