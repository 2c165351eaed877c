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
  toNumber: (digits: string) => unknown
}

/** Arrays and objects within one another, the outermost counted as 1 (C07). */
export const nestingMax = 32

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
// Sticky patterns: the engine's own scanning is several times faster than a loop over characters.
const blanks = /[ \t\n\r]*/y
const numbers = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y
// biome-ignore lint/suspicious/noControlCharactersInRegex: exactly the characters RFC 8259 7 forbids unescaped
const plain = /[^"\\\u0000-\u001f]*/y
const escapes: Record<string, string> = { '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }

/** The value of a JSON text in UTF-8. `toNumber` makes a number of its digits, where a float would lose some. Throws MalformedJson. */
export function parseStrictJson(bytes: Uint8Array, toNumber: (digits: string) => unknown = Number): unknown {
  let text: string
  try {
    text = utf8.decode(bytes)
  } catch {
    throw new MalformedJson('The text is not valid UTF-8.', 0)
  }
  if (text.charCodeAt(0) === 0xfeff) throw new MalformedJson('The text begins with a byte order mark.', 0)
  const reader: Reader = { text, at: 0, toNumber }
  skipBlanks(reader)
  const value = readValue(reader, 0)
  skipBlanks(reader)
  if (reader.at < text.length) throw new MalformedJson('There is text after the end of the value.', reader.at)
  return value
}

function readValue(reader: Reader, depth: number): unknown {
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
  let value = ''
  for (;;) {
    value += match(plain, reader)
    const character = reader.text[reader.at]
    if (character === '"') break
    if (character !== '\\') throw unexpected(reader)
    value += readEscape(reader)
  }
  reader.at += 1
  // Raw surrogates cannot come out of valid UTF-8, so only escapes can leave one alone.
  if (!value.isWellFormed()) throw new MalformedJson('A string holds half of a surrogate pair.', start)
  return value
}

function readEscape(reader: Reader): string {
  const letter = reader.text[reader.at + 1] ?? ''
  if (letter === 'u') {
    const digits = reader.text.slice(reader.at + 2, reader.at + 6)
    if (!/^[0-9a-fA-F]{4}$/.test(digits)) throw unexpected(reader)
    reader.at += 6
    return String.fromCharCode(Number.parseInt(digits, 16))
  }
  const character = Object.hasOwn(escapes, letter) ? escapes[letter] : undefined
  if (character === undefined) throw unexpected(reader)
  reader.at += 2
  return character
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
