// Decides whether what the repository cites is there: design files, their numbers, decisions. A fault names place and reason.

import { type DesignNumbers, readDesignNumbers } from './design-numbers.ts'
import { findCitations, lineOf } from './find-citations.ts'

/** What can be cited. */
export interface Designs {
  /** Numbers by the name of the file. */
  readonly files: ReadonlyMap<string, DesignNumbers>
  /** Prefix of rows → the file that it means without a file's name. */
  readonly homes: ReadonlyMap<string, string>
  /** Numbers of the decision records. */
  readonly decisions: ReadonlySet<number>
  /** Names of the other Markdown files of the repository, which may be mentioned, not cited by number. */
  readonly otherNames: ReadonlySet<string>
}

export interface Judgement {
  readonly count: number
  readonly faults: readonly string[]
}

/** `contents`: text by name of the design files. The table of prefixes stands in `README.md` among them. */
export function readDesigns(
  contents: ReadonlyMap<string, string>,
  others: { decisions: ReadonlySet<number>; otherNames: ReadonlySet<string> },
): { designs: Designs; faults: string[] } {
  const files = new Map<string, DesignNumbers>()
  for (const [name, text] of contents) if (name !== 'README.md') files.set(name, readDesignNumbers(text))
  const listed = readPrefixTable(contents.get('README.md') ?? '')
  const homes = new Map(listed.map(({ prefix, home }) => [prefix, home]))
  const faults: string[] = []
  for (const [name, { rows, doubled }] of files) {
    for (const number of doubled) faults.push(`${name}: ${number} stands there twice`)
    for (const prefix of new Set([...rows].map(prefixOf))) {
      const known = listed.find((entry) => entry.prefix === prefix)
      if (known === undefined) faults.push(`${name}: the prefix ${prefix} is missing from the table in README.md`)
      else if (known.home !== name && !known.alsoIn.includes(name))
        faults.push(`${name}: the table in README.md gives the prefix ${prefix} to other files only`)
    }
  }
  for (const { prefix, home, alsoIn } of listed)
    for (const name of [home, ...alsoIn])
      if (![...(files.get(name)?.rows ?? [])].some((row) => prefixOf(row) === prefix))
        faults.push(`README.md: ${name} has no row with the prefix ${prefix}`)
  return { designs: { files, homes, ...others }, faults }
}

/** Judges one file. Within a design file its own rows come first. */
export function judgeCitations(path: string, text: string, designs: Designs, ownName: string | null = null): Judgement {
  const { citations, decisions, unclear } = findCitations(text, formsOf(designs))
  const faults: string[] = []
  const tell = (index: number, cited: string, reason: string): void => {
    faults.push(`${path}:${lineOf(text, index)}: ${cited}: ${reason}`)
  }
  for (const { index, text: cited, file, number } of citations) {
    const reason = file === null ? faultOfRow(number ?? '', designs, ownName) : faultOfFile(file, number, designs)
    if (reason !== null) tell(index, cited, reason)
  }
  for (const { index, text: cited, number } of decisions)
    if (!designs.decisions.has(number)) tell(index, cited, `there is no decision record ${number}`)
  for (const { index, text: cited } of unclear)
    tell(index, cited, 'cite as `domain.md 3.2`, `C41` or `decision 26` (packages/docs/design/README.md)')
  const numbered = citations.filter(({ file, number }) => number !== null || designs.files.has(file ?? ''))
  return { count: numbered.length + decisions.length, faults }
}

function faultOfFile(file: string, number: string | null, { files, otherNames }: Designs): string | null {
  const numbers = files.get(file)
  if (numbers === undefined) return otherNames.has(file) ? null : `there is no file ${file}`
  if (number === null || numbers.points.has(number) || numbers.rows.has(number)) return null
  return `${file} has no ${number}`
}

function faultOfRow(row: string, { files, homes }: Designs, ownName: string | null): string | null {
  if (ownName !== null && files.get(ownName)?.rows.has(row)) return null
  const home = homes.get(prefixOf(row))
  if (home === undefined) return 'the table in packages/docs/design/README.md has no such prefix'
  return files.get(home)?.rows.has(row) ? null : `${home} has no row ${row}`
}

function prefixOf(row: string): string {
  return row.replace(/\d+$/, '')
}

/** Rows of a prefix have two digits where all rows of its home have. */
function formsOf({ files, homes }: Designs): Map<string, { twoDigits: boolean }> {
  const forms = new Map<string, { twoDigits: boolean }>()
  for (const [prefix, home] of homes) {
    const own = [...(files.get(home)?.rows ?? [])].filter((row) => prefixOf(row) === prefix)
    forms.set(prefix, { twoDigits: own.every((row) => /\d\d$/.test(row)) })
  }
  return forms
}

/** Rows `| C | api-conventions.md | auth.md | … |`: prefix, the file it means, files whose rows are cited with their name. */
function readPrefixTable(readme: string): { prefix: string; home: string; alsoIn: string[] }[] {
  const found = readme.matchAll(/^\| ([A-Z]{1,2}) \| `?([\w-]+\.md)`? \| ([^|]*)\|/gm)
  return [...found].map(([, prefix = '', home = '', also = '']) => {
    return { prefix, home, alsoIn: also.match(/[\w-]+\.md/g) ?? [] }
  })
}
