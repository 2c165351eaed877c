// Finds the rows of reliability.md 4 and 5 and the tests that bear them, by the numbers that titles begin with. It runs no test.
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A row of a table of the design: `F01`, and its next cell as it stands there. */
export interface DesignRow {
  id: string
  text: string
}

/** The rows of the faults (F) or the invariants (I), in their order. */
export function designRows(markdown: string, prefix: 'F' | 'I'): DesignRow[] {
  return [...markdown.matchAll(new RegExp(`^\\| (${prefix}\\d+) \\| (.+?) \\|`, 'gm'))].map(
    ([, id = '', text = '']) => ({ id, text }),
  )
}

/** `F01, I15: ` or `regression: F30: ` at the beginning of a title. */
const numbers = /^(?:regression: )?((?:[A-Z]{1,2}\d{1,3}(?:, ?|: ?))+)/
/** A name that a suite gives to `test` where it may have to leave tests out: `const onLinux = isLinux ? test : test.skip`. */
const ownNames = /\bconst (\w+) = [^\n]*\b(?:test|it|describe)(?:\.skip)?$/gm

/** What stands first in the brackets of a test or of a group of tests, or behind those of its cases: `test.each(cases)('…`. */
function titlesOf(source: string): string[] {
  const names = ['test', 'it', 'describe', ...[...source.matchAll(ownNames)].map(([, name = '']) => name)]
  const title = new RegExp(`(?:\\)|(?<![.\\w])(?:${names.join('|')})(?:\\.\\w+)*)\\(\\s*['"\`]([^'"\`\\n]+)`, 'g')
  return [...source.matchAll(title)].map(([, text = '']) => text)
}

/** `['F01', 'I15']` of a title of a test or of a group of tests. */
export function rowsOfTitle(title: string): string[] {
  return numbers.exec(title)?.[1]?.match(/\b[FI]\d{1,2}\b/g) ?? []
}

export function rowsOfSource(source: string): string[] {
  return titlesOf(source).flatMap(rowsOfTitle)
}

/** `auth.md` has rows of its own that begin with I. */
const ofOtherDesigns = /^services\/auth\/src\/oauth/

/** For each row the suites whose titles bear it, their paths in order; cases that several suites share count for each of them. */
export function suitesByRow(root: string): Map<string, string[]> {
  const read = new Map<string, string[]>()
  const rowsIn = (path: string, met: string[] = []): string[] => {
    if (met.includes(path)) return []
    const source = readFileSync(join(root, path), 'utf8')
    const own = read.get(path) ?? rowsOfSource(source)
    read.set(path, own)
    // Cases that several suites run: of both logs, of brokers that lose records.
    const cases = path.endsWith('.test.ts')
      ? /from '(\.\/conformance(?:-losses)?\.ts)'/g
      : /from '(\.\/conformance-[^']*)'/g
    const shared = [...source.matchAll(cases)].map(([, to = '']) => join(dirname(path), to))
    return [...own, ...shared.flatMap((to) => rowsIn(to, [...met, path]))]
  }
  const found = new Map<string, string[]>()
  for (const path of suitePaths(root)) {
    for (const row of new Set(rowsIn(path))) {
      if (row.startsWith('I') && ofOtherDesigns.test(path)) continue
      found.set(row, [...(found.get(row) ?? []), path])
    }
  }
  return found
}

/** Invariants that a checker is shown to judge: each is the verdict on a damaged history. */
export function invariantsWithMutant(root: string): Set<string> {
  const suites = globSync('test-e2e/faults/checkers/*.test.ts', { cwd: root })
  return new Set(suites.flatMap((path) => invariantsOfMutants(readFileSync(join(root, path), 'utf8'))))
}

/** Of a row of a table of damages its first cell, which a text that tells the damage follows; of a whole table the title of its test. */
const mutants = [
  /\[\s*['"]((?:I\d{1,2}(?:, )?)+)['"],\s*['"`]/g,
  /\)\(\s*['"]((?:I\d{1,2}(?:, )?)+): (?:[^'"\n]*\bnames )?%s['"]/g,
]

export function invariantsOfMutants(source: string): string[] {
  return mutants.flatMap((one) => [...source.matchAll(one)]).flatMap(([, ids = '']) => ids.split(', '))
}

/** Has titles in its text that are none of its own. */
const planting = 'test-e2e/faults/rows/rows.test.ts'

function suitePaths(root: string): string[] {
  return ['packages/*/src', 'services/*/src', 'deploy/*/src', 'test-e2e']
    .flatMap((folder) => globSync(`${folder}/**/*.test.ts`, { cwd: root, exclude: (name) => name === 'node_modules' }))
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path !== planting)
    .sort()
}
