// Plants citations that resolve and citations that do not, and sees each of the latter named.
import { describe, expect, test } from '@jest/globals'
import { judgeCitations, readDesigns } from './judge-citations.ts'

const readme = `| prefix | file | also in | rows |
| --- | --- | --- | --- |
| C | api.md | | conventions |
| T | auth.md | domain.md | tokens |
`
const contents = new Map([
  ['README.md', readme],
  ['api.md', '## 1. Values\n\n| C01 | a |\n| C41 | b |\n'],
  ['auth.md', '## 3. Contract\n\n| T1 | a |\n| T36 | b |\n'],
  ['domain.md', '## 3. Resources\n\n### 3.2 Integration\n\n### 3.3 Run\n\n1. one\n2. two\n\n- T2. a day\n'],
  ['points.md', '## Delivery\n\n1. one\n2. two\n6. six\n'],
])
const { designs } = readDesigns(contents, { decisions: new Set([1, 26]), otherNames: new Set(['README.md']) })
const faultsOf = (text: string, ownName: string | null = null) => judgeCitations('x.ts', text, designs, ownName).faults
const countOf = (text: string) => judgeCitations('x.ts', text, designs).count

describe('resolves', () => {
  test.each([
    ['// (domain.md 3.2).', 1],
    ['// `domain.md` 3.3.1 to 3.3.2, C41', 3],
    ['// points.md 1, 2 and 6: how', 3],
    ['// follows domain.md 3.2,\n// 3.3 and points.md\n// 6', 3],
    ['/** domain.md\n * 3.2 */', 1],
    ['-- domain.md\n-- 3.2', 1],
    ["test('C01, C41: a body', () => {})", 2],
    ['// a day (domain.md T2), a token (T36)', 2],
    ['// the whole of api.md', 1],
    ['// decision 26, decisions 1 and 26', 3],
    ['See README.md and docs/how-to/anything.md.', 0],
  ])('%j', (text, count) => {
    expect(faultsOf(text)).toEqual([])
    expect(countOf(text)).toBe(count)
  })

  test('a row of the file itself, which elsewhere needs its name', () => {
    expect(faultsOf('T2 again', 'domain.md')).toEqual([])
    expect(faultsOf('T2 again')).toEqual(['x.ts:1: T2: auth.md has no row T2'])
  })
})

describe('is named', () => {
  test.each([
    ['a section that is not there', '\n// domain.md 3.9', 'x.ts:2: domain.md 3.9: domain.md has no 3.9'],
    ['one of a list', '// points.md 1, 3 and 6', 'x.ts:1: points.md 1, 3 and 6: points.md has no 3'],
    ['a point that is not there', '// domain.md 3.3.7', 'x.ts:1: domain.md 3.3.7: domain.md has no 3.3.7'],
    ['a row that is not there', "test('C42: x')", 'x.ts:1: C42: api.md has no row C42'],
    [
      'an unknown prefix',
      "test('Q12: x')",
      'x.ts:1: Q12: the table in packages/docs/design/README.md has no such prefix',
    ],
    ['a row of another file', '// api.md T1', 'x.ts:1: api.md T1: api.md has no T1'],
    ['a file that is not there', '// decisions.md 7', 'x.ts:1: decisions.md 7: there is no file decisions.md'],
    ['a file that is not there, without a number', '// see claim.md', 'x.ts:1: claim.md: there is no file claim.md'],
    ['a decision that is not there', '// decision 21', 'x.ts:1: decision 21: there is no decision record 21'],
  ])('%s', (_what, text, fault) => {
    expect(faultsOf(text)).toEqual([fault])
  })

  test.each([
    'domain.md, rule 3',
    'domain.md 3.3, step 1',
    'domain.md rules 1 to 2',
    'domain.md, Lanes',
    "domain.md, 'Log'",
    'api.md, C01',
    'ADR 26',
    'decision record 0026',
  ])('another form: %s', (cited) => {
    expect(faultsOf(`// (${cited})`).join()).toContain('cite as')
  })
})

test.each([
  '2001:DB8::1',
  '2026-W02',
  "'T1x'",
  'T10:00',
  '`x}T12:00Z`',
  'AC41',
  'C411',
  'x.C41',
  'C41-b',
  '#C41',
  'P0|C',
])('is no citation: %s', (text) => {
  expect(countOf(text)).toBe(0)
  expect(faultsOf(text)).toEqual([])
})

describe('the table of prefixes', () => {
  const judged = (changed: [string, string][]) =>
    readDesigns(new Map([...contents, ...changed]), { decisions: new Set(), otherNames: new Set() }).faults

  test('names every prefix, and no other', () => {
    expect(judged([])).toEqual([])
    expect(judged([['points.md', '- Q1. a row']])).toEqual([
      'points.md: the prefix Q is missing from the table in README.md',
    ])
    expect(judged([['points.md', '| C77 | a |']])).toEqual([
      'points.md: the table in README.md gives the prefix C to other files only',
    ])
    expect(judged([['domain.md', 'nothing']])).toEqual(['README.md: domain.md has no row with the prefix T'])
  })

  test('a number that stands twice in a file is told', () => {
    expect(judged([['points.md', '1. one\n1. one']])).toEqual(['points.md: 1 stands there twice'])
  })
})
