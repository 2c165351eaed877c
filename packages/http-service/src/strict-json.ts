// Reads a JSON text as RFC 8259 has it and refuses what readers disagree on: duplicate keys, lone surrogates, a byte order mark, deep nesting (C07).
// It builds plain own properties only, so `__proto__` is an ordinary key (C08).

/** Why a text was refused; `at` is the index in the text. */
export class MalformedJson extends Error {
  readonly at: number
  constructor(reason: string, at: number) {
    super(reason)
    this.name = 'MalformedJson'
    this.at = at
  }
}

interface Reader {
  text: string
  at: number
  values: number
  toNumber: (digits: string) => unknown
}

/** Arrays and objects within one another, the outermost counted as 1 (C07). */
export const nestingMax = 32

/** Values of one text, those within others included: many times what any body of ours may hold, and few enough to be judged at once (XT08). */
export const valuesMax = 10_000

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
// Sticky patterns: the engine's own scanning is several times faster than a loop over characters.
const blanks = /[ \t\n\r]*/y
const numbers = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y
// biome-ignore lint/suspicious/noControlCharactersInRegex: exactly the characters RFC 8259 7 forbids unescaped
const plain = /[^"\\\u0000-\u001f]*/y

/** The value of a JSON text in UTF-8. `toNumber` makes a number of its digits, where a float would lose some. Throws MalformedJson. */
export function parseStrictJson(bytes: Uint8Array, toNumber: (digits: string) => unknown = Number): unknown {
  let text: string
  try {
    text = utf8.decode(bytes)
  } catch {
    throw new MalformedJson('The text is not valid UTF-8.', 0)
  }
  if (text.charCodeAt(0) === 0xfeff) throw new MalformedJson('The text begins with a byte order mark.', 0)
  const reader: Reader = { text, at: 0, values: 0, toNumber }
  skipBlanks(reader)
  const value = readValue(reader, 0)
  skipBlanks(reader)
  if (reader.at < text.length) throw new MalformedJson('There is text after the end of the value.', reader.at)
  return value
}

function readValue(reader: Reader, depth: number): unknown {
  reader.values += 1
  if (reader.values > valuesMax) throw new MalformedJson(`There are more than ${valuesMax} values.`, reader.at)
  const first = reader.text[reader.at]
  if (first === '{') return readObject(reader, depth + 1)
  if (first === '[') return readArray(reader, depth + 1)
  if (first === '"') return readString(reader)
  for (const [word, value] of [
    ['true', true],
    ['false', false],
    ['null', null],
  ] as const) {
    if (reader.text.startsWith(word, reader.at)) {
      reader.at += word.length
      return value
    }
  }
  return readNumber(reader)
}

function readObject(reader: Reader, depth: number): Record<string, unknown> {
  enter(reader, depth)
  const object: Record<string, unknown> = {}
  if (takes(reader, '}')) return object
  do {
    skipBlanks(reader)
    const start = reader.at
    if (reader.text[start] !== '"') throw unexpected(reader)
    const key = readString(reader)
    if (Object.hasOwn(object, key)) throw new MalformedJson('A key occurs twice in one object.', start)
    if (!takes(reader, ':')) throw unexpected(reader)
    skipBlanks(reader)
    const value = readValue(reader, depth)
    if (key === '__proto__') {
      Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true })
    } else object[key] = value
  } while (takes(reader, ','))
  if (!takes(reader, '}')) throw unexpected(reader)
  return object
}

function readArray(reader: Reader, depth: number): unknown[] {
  enter(reader, depth)
  const array: unknown[] = []
  if (takes(reader, ']')) return array
  do {
    skipBlanks(reader)
    array.push(readValue(reader, depth))
  } while (takes(reader, ','))
  if (!takes(reader, ']')) throw unexpected(reader)
  return array
}

function enter(reader: Reader, depth: number): void {
  if (depth > nestingMax) throw new MalformedJson(`The nesting is deeper than ${nestingMax}.`, reader.at)
  reader.at += 1
}

function readString(reader: Reader): string {
  const start = reader.at
  reader.at += 1
  const value = match(plain, reader)
  if (reader.text[reader.at] !== '"') return readEscaped(reader, start)
  reader.at += 1
  return value
}

/** The engine's own reader takes a string of escapes far faster than a loop over them. */
function readEscaped(reader: Reader, start: number): string {
  const { text } = reader
  if (text[reader.at] !== '\\') throw unexpected(reader)
  let end = text.indexOf('"', reader.at)
  while (end >= 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  if (end < 0) throw unexpected({ ...reader, at: text.length })
  reader.at = end + 1
  let value: string
  try {
    value = JSON.parse(text.slice(start, reader.at)) as string
  } catch {
    throw new MalformedJson('The text is not JSON.', start)
  }
  // Raw surrogates cannot come out of valid UTF-8, so only escapes can leave one alone.
  if (!value.isWellFormed()) throw new MalformedJson('A string holds half of a surrogate pair.', start)
  return value
}

function isEscaped(text: string, at: number): boolean {
  let from = at
  while (text[from - 1] === '\\') from -= 1
  return (at - from) % 2 === 1
}

function readNumber(reader: Reader): unknown {
  const start = reader.at
  const digits = match(numbers, reader)
  if (digits === '') throw unexpected(reader)
  const value = reader.toNumber(digits)
  if (value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY) {
    throw new MalformedJson('A number is too large.', start)
  }
  return value
}

function takes(reader: Reader, character: string): boolean {
  skipBlanks(reader)
  if (reader.text[reader.at] !== character) return false
  reader.at += 1
  return true
}

function skipBlanks(reader: Reader): void {
  const code = reader.text.charCodeAt(reader.at)
  if (code === 0x20 || (code >= 0x09 && code <= 0x0d)) match(blanks, reader)
}

function match(pattern: RegExp, reader: Reader): string {
  pattern.lastIndex = reader.at
  const found = pattern.exec(reader.text)?.[0] ?? ''
  reader.at += found.length
  return found
}

function unexpected(reader: Reader): MalformedJson {
  const ended = reader.at >= reader.text.length
  return new MalformedJson(ended ? 'The text ends too early.' : 'The text is not JSON.', reader.at)
}
