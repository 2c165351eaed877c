// Reads which numbers a design file has: sections (`3.2`), points of a list or table within a section (`4.5.6`), and rows that
// bear a name (`C41`). What is not numbered cannot be cited.

/** The numbers of one design file. */
export interface DesignNumbers {
  /** Sections and points. */
  readonly points: ReadonlySet<string>
  readonly rows: ReadonlySet<string>
  /** Numbers that stand there twice, so that a citation of them would say nothing. */
  readonly doubled: readonly string[]
}

const rowName = '[A-Z]{1,2}\\d{1,2}'
const heading = /^#{2,4} (?:(\d+(?:\.\d+)*)\.? )?/
const listPoint = /^(\d+[a-z]?)\. /
const listRow = new RegExp(`^- (${rowName})[.:] `)
const cellOfRows = new RegExp(`^${rowName}(?:(?:, | to )${rowName})*(?: \\(later\\))?$`)

export function readDesignNumbers(markdown: string): DesignNumbers {
  const points = new Set<string>()
  const rows = new Set<string>()
  const doubled: string[] = []
  const add = (to: Set<string>, number: string): void => {
    if (to.has(number)) doubled.push(number)
    to.add(number)
  }
  const addPoint = (section: string, number: string): void =>
    add(points, section === '' ? number : `${section}.${number}`)
  let section = ''
  for (const line of withoutCodeBlocks(markdown).split('\n')) {
    const number = heading.exec(line)?.[1]
    if (number !== undefined) {
      section = number
      add(points, section)
    }
    const listed = listPoint.exec(line)?.[1]
    if (listed !== undefined) addPoint(section, listed)
    const row = listRow.exec(line)?.[1]
    if (row !== undefined) add(rows, row)
    const cell = firstCell(line)
    if (/^\d+$/.test(cell)) addPoint(section, cell)
    if (cellOfRows.test(cell)) for (const named of rowsOf(cell)) add(rows, named)
  }
  return { points, rows, doubled }
}

/** `XA01 to XA03, XA08` is four rows. */
export function rowsOf(list: string): string[] {
  return list.split(', ').flatMap((part) => {
    const [first = '', last = first] = part.replace(' (later)', '').split(' to ')
    const [prefix, digits] = [first.replace(/\d+$/, ''), first.replace(/^\D+/, '')]
    const count = Number(last.replace(/^\D+/, '')) - Number(digits) + 1
    return Array.from(
      { length: count },
      (_, index) => prefix + String(Number(digits) + index).padStart(digits.length, '0'),
    )
  })
}

/** The same text with the lines of code blocks left empty. */
export function withoutCodeBlocks(markdown: string): string {
  return markdown.replace(/^ *```[\s\S]*?^ *```/gm, (block) => block.replace(/[^\n]/g, ' '))
}

function firstCell(line: string): string {
  return /^\| ([^|]*?) *\|/.exec(line)?.[1]?.replaceAll('*', '') ?? ''
}
