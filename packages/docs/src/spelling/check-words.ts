// Judges the words of a page: British spelling, our words, and words that are not ours (docs.md 4). Pure: texts in, faults out.

/** The one list of words, `spelling/words.txt`. */
export interface WordList {
  /** Right as they are written; in lower case alone also with a capital. */
  own: ReadonlySet<string>
  /** What is not said, and what is said instead. */
  notOurs: readonly { pattern: RegExp; words: string; instead: string }[]
}

/** A line is a word, or `! words -> ours`; `#` begins a note. Throws Error for any other. */
export function readWordList(text: string): WordList {
  const own = new Set<string>()
  const notOurs: WordList['notOurs'][number][] = []
  text.split('\n').forEach((written, nth) => {
    const line = written.replace(/#.*/, '').trim()
    if (line === '') return
    const [, words, instead] = /^! (.+) -> (.+)$/.exec(line) ?? []
    if (words !== undefined && instead !== undefined) {
      const pattern = new RegExp(`(?<![\\w-])${words.replaceAll(' ', '\\s+')}(?![\\w-])`, 'gi')
      notOurs.push({ pattern, words, instead })
    } else if (/^[\p{L}'-]+$/u.test(line)) own.add(line)
    else throw new Error(`line ${nth + 1}: ${line}`)
  })
  return { own, notOurs }
}

/** What is no prose, with white space in its place, so that lines keep their numbers. */
export function proseOf(markdown: string): string {
  const other =
    /^ *(?:```|~~~)[\s\S]*?^ *(?:```|~~~)[ \t]*$|<!--[\s\S]*?-->|``[^\n]*?``|`[^`\n]*`|\]\([^)\s]*\)|https?:\S+|<[^>\n]*>|&\w+;/gm
  return markdown.replace(other, (text) => text.replaceAll(/[^\n]/g, ' '))
}

/** A word between what is no word: names in code, paths and addresses are none. */
const word = /(?<![\p{L}\d_./@$#{-])\p{L}[\p{L}'’]*(?<=\p{L})(?![\p{L}\d_@(]|[./]\p{L})/gu

/** Abbreviations, and names that are written together as code writes them, stand in no dictionary. */
const isName = (text: string) => /^\p{Lu}+s?$/u.test(text) || /\p{Ll}\p{Lu}|^\p{Lu}{2,}\p{Ll}/u.test(text)

/** Faults for a person, `line: what`. `isWord`: the dictionary's verdict. */
export function faultsOfPage(
  markdown: string,
  { own, notOurs }: WordList,
  isWord: (text: string) => boolean,
): string[] {
  const prose = proseOf(markdown)
  const lineAt = (place: number) => prose.slice(0, place).split('\n').length
  const faults: { at: number; what: string }[] = []
  for (const hit of prose.matchAll(word)) {
    const text = hit[0].replaceAll('’', "'").replace(/'s?$/, '')
    if (!own.has(text) && !own.has(text.toLowerCase()) && !isName(text) && !isWord(text))
      faults.push({ at: hit.index, what: text })
  }
  for (const { pattern, words, instead } of notOurs)
    for (const hit of prose.matchAll(pattern)) faults.push({ at: hit.index, what: `${words}: we say ${instead}` })
  return faults.sort((one, other) => one.at - other.at).map(({ at, what }) => `${lineAt(at)}: ${what}`)
}
