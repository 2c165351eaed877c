// Finds where a value ends that stands in a text, such as JSON in a message. In time linear in what it passes; what was cut ends with the text.

/** Stands in the place of what was taken out. */
export const mask = '[redacted]'

/** Text in quotes, also in JSON that became text itself. */
const quoted = /"(?:[^"\\]|\\.)*"?|'[^']*'?|\\+"(?:[^"\\]|\\+[^"\\]|\\{2,}")*(?:\\+")?/y
const plainJson = /[^\s,}\]]+/y

/** Where a value that begins in a text ends; where it begins, if there is none. */
export type EndOf = (text: string, from: number) => number

/** What `value` matches, which is sticky. */
export const matching =
  (value: RegExp): EndOf =>
  (text, from) => {
    value.lastIndex = from
    return value.test(text) ? value.lastIndex : from
  }

const endOfText = matching(quoted)
const endOfPlainJson = matching(plainJson)

/** Of a value of JSON: text, text in JSON that became text, list, object, anything else. */
export function endOfJson(text: string, from: number): number {
  const first = text[from]
  if (first === '[' || first === '{') return endOfNested(text, from)
  const end = endOfText(text, from)
  return end > from ? end : endOfPlainJson(text, from)
}

/** Of a list or an object with all that is in it; the end of the text where it was cut. */
function endOfNested(text: string, from: number): number {
  const signs = /(?<!\\)(\\*)(["'])|[[\]{}]/g
  let depth = 0
  /** The quote that is open, and how often it was made text again. */
  let open: { quote: string; escapes: number } | null = null
  signs.lastIndex = from
  for (let sign = signs.exec(text); sign !== null; sign = signs.exec(text)) {
    const [found, { length: escapes } = '', quote] = sign
    if (quote !== undefined) {
      if (open === null) open = { quote, escapes }
      // More of them stand for a quote within the text, or for a backslash at its end.
      else if (open.quote === quote && (escapes - open.escapes) % (2 * (open.escapes + 1)) === 0) open = null
    } else if (open === null) {
      depth += found === '[' || found === '{' ? 1 : -1
      if (depth === 0) return signs.lastIndex
    }
  }
  return text.length
}

/** Not a count. */
const endOfLongNumber = matching(/\d{4,}/y)

/** A list, an object, a number that is no count, or a text that is no name of a field. */
export function endOfItem(text: string, from: number): number {
  if (text[from] === '[' || text[from] === '{') return endOfNested(text, from)
  const number = endOfLongNumber(text, from)
  if (number > from) return number
  const end = endOfText(text, from)
  return /^\s{0,4}:/.test(text.slice(end, end + 5)) ? from : end
}

/** A value in a text that is no JSON: quoted, quoted in JSON that became text, or up to what ends it. */
const assigned =
  /(?!\[redacted\])(?:"(?:[^"\\\r\n]|\\.)*"?|'(?:[^'\\\r\n]|\\.)*'?|\\+"(?:[^"\\]|\\+[^"\\]|\\{2,}")*(?:\\+")?|[^\s,;&"}]+)/y

const endOfPlainAssigned = matching(assigned)

/** Of such a value, or of a list with all that is in it. */
export function endOfAssigned(text: string, from: number): number {
  return text[from] === '[' && !text.startsWith(mask, from) ? endOfJson(text, from) : endOfPlainAssigned(text, from)
}

const nameBehind =
  /\s{0,4},\s{0,40}\\{0,7}["']?(?:name|key)\\{0,7}["']?\s{0,4}:\s{0,4}\\{0,7}["']([\w .$-]{1,64})\\{0,7}["']/y

/** Of the value of a header that stands before its name, which `isHidden`. */
export const endOfNamedBehind =
  (isHidden: (name: string) => boolean): EndOf =>
  (text, from) => {
    const end = endOfText(text, from)
    nameBehind.lastIndex = end
    return isHidden(nameBehind.exec(text)?.[1] ?? '') ? end : from
  }
