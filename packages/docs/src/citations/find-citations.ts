// Finds what a text cites: `domain.md 3.2`, `settled-points.md 1, 2 and 6`, `C41`, `auth.md I2`, `decision 26`. It judges nothing.

/** One number that is cited, or a mention of a Markdown file without one. */
export interface Citation {
  /** Where it begins in the text. */
  readonly index: number
  /** As it stands there, for people. */
  readonly text: string
  /** Name of the cited file; null for a row by its name alone. */
  readonly file: string | null
  /** Null where the whole file is meant. */
  readonly number: string | null
}

export interface FoundCitations {
  readonly citations: readonly Citation[]
  readonly decisions: readonly { index: number; text: string; number: number }[]
  /** Citations in another form than the one that is checked. */
  readonly unclear: readonly { index: number; text: string }[]
}

const separator = '(?:,| to| and|, and) +'
const points = `\\d+(?:\\.\\d+)*[a-z]?(?!\\w)(?:${separator}\\d+(?:\\.\\d+)*[a-z]?(?!\\w))*`
const rows = `(?<prefix>[A-Z]{1,2})\\d{1,2}(?!\\w)(?:${separator}\\k<prefix>\\d{1,2}(?!\\w))*`
/** A mention of a file by its bare name; one with a folder before it is a path or a link. */
const mention = /(?<![\w/.-])([A-Za-z][\w-]*)\.md\b`?/g
const numbersBehind = new RegExp(`^ +(${points}|${rows})`)
const wordsBehind = /^,? +(?:rules?|rows?|steps?|points?|sections?|parts?) +\d/
const nameBehind = /^, +(?:\d|[A-Z]{1,2}\d|'?[A-Z][a-z])/
const ofDecisions = /(?<![\w-])decisions? +(\d{1,4}(?:(?:,| to| and|, and) +\d{1,4})*)(?![\w.]\d)/gi
/** What a test's title begins with can only be a row. */
const inTitle = /(?<=\b(?:test|describe)\(['"`])([A-Z]{1,2})\d{1,2}(?=[:,])/g
const otherNamesOfDecisions = /(?<![\w-])(?:ADR|decision record) +\d+/g

/** `prefixes`: of rows that may be cited by their name alone, with whether their numbers have always two digits. */
export function findCitations(source: string, prefixes: ReadonlyMap<string, { twoDigits: boolean }>): FoundCitations {
  const text = onOneLine(source)
  const citations: Citation[] = []
  const unclear: { index: number; text: string }[] = []
  const taken: [number, number][] = []
  for (const match of text.matchAll(mention)) {
    const { index } = match
    const behind = text.slice(index + match[0].length, index + match[0].length + 200)
    const file = `${match[1]}.md`
    const list = numbersBehind.exec(behind)
    const rest = behind.slice(list?.[0].length ?? 0)
    const otherForm = wordsBehind.exec(rest) ?? (list === null ? nameBehind.exec(rest) : null)
    const shown = short(match[0] + (list?.[0] ?? '') + (otherForm?.[0] ?? ''))
    if (otherForm !== null) unclear.push({ index, text: shown })
    const numbers = list === null ? [null] : numbersIn(list[1] ?? '')
    for (const cited of numbers) citations.push({ index, text: shown, file, number: cited })
    taken.push([index, index + match[0].length + (list?.[0].length ?? 0)])
  }
  for (const { index, 0: row } of text.matchAll(barePattern(prefixes))) {
    const isTaken = taken.some(([from, to]) => from <= index && index < to)
    if (!isTaken) citations.push({ index, text: row, file: null, number: row })
  }
  const decisions = [...text.matchAll(ofDecisions)].flatMap(({ index, 0: all, 1: list = '' }) =>
    numbersIn(list).map((each) => ({ index, text: short(all), number: Number(each) })),
  )
  for (const { index, 0: all } of text.matchAll(otherNamesOfDecisions)) unclear.push({ index, text: short(all) })
  for (const { index, 0: row, 1: prefix = '' } of text.matchAll(inTitle))
    if (!prefixes.has(prefix)) citations.push({ index, text: row, file: null, number: row })
  return { citations, decisions, unclear }
}

/** Line of an index, from 1. */
export function lineOf(text: string, index: number): number {
  return text.slice(0, index).split('\n').length
}

/** A comment's line ends and leaders become spaces, so that a citation may run over them; nothing moves. */
function onOneLine(text: string): string {
  return text.replace(/\n[ \t]*(?:\/\/|\*(?!\/)|--)?[ \t]*/g, (lineEnd) => ' '.repeat(lineEnd.length))
}

/** First and last of a range stand for it: both must be there. */
function numbersIn(list: string): string[] {
  return list.split(new RegExp(separator))
}

/** Not part of a word, a path, an instant, an address or a longer number. */
function barePattern(prefixes: ReadonlyMap<string, { twoDigits: boolean }>): RegExp {
  const names = [...prefixes].map(([prefix, { twoDigits }]) => prefix + (twoDigits ? '\\d\\d' : '[1-9]\\d?'))
  return new RegExp(`(?<![\\w/.:$#&%=+}-])(?:${names.join('|')})(?![\\w]|[-:.]\\w)`, 'g')
}

function short(text: string): string {
  return text.replace(/\s+/g, ' ').slice(0, 80)
}
