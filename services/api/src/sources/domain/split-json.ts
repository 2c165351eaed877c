// Decides where the rows of a JSON document begin and end: the elements of the array at one pointer; and finds the link at another. It reads
// each byte once, holds one row at a time and never more of it than a row may have, so a document of any size costs no more than its rows.
import { rowBytesMax } from './split-csv.ts'

/** The document is no JSON, or was cut off. */
export class JsonFault extends Error {}

/** A row by its place in the document, from 1. Without bytes it is too large. */
export interface JsonRowBytes {
  line: number
  bytes: Buffer | null
}

/** Containers within one another, those of rows included; more has no row of ours. */
const depthMax = 64
/** Of a link to the next page and of a member's name, escapes included. */
const linkBytesMax = 8_192
const keyBytesMax = 512

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a]
const [openObject, closeObject, openArray, closeArray] = [0x7b, 0x7d, 0x5b, 0x5d]
const letterN = 0x6e

interface Frame {
  isArray: boolean
  /** Name of the member, or index of the element, under way. */
  at: string
  index: number
  isRows: boolean
}

/** A value whose bytes are kept. */
interface Kept {
  kind: 'row' | 'link' | 'no rows'
  /** Containers around it. */
  depth: number
  parts: Buffer[]
  length: number
}

type Expect = 'value' | 'value or end' | 'key' | 'key or end' | 'colon' | 'comma or end' | 'nothing'

/** Splits a document that comes in pieces. */
export class JsonSplitter {
  readonly #rowsAt: readonly string[]
  readonly #linkAt: readonly string[] | null
  readonly #stack: Frame[] = []
  #expect: Expect = 'value'
  #within: 'string' | 'scalar' | null = null
  #isEscaped = false
  /** Bytes of a member's name; null where the string under way is a value. */
  #key: Buffer[] | null = null
  #kept: Kept | null = null
  /** Where in the piece the bytes begin that are to be kept. */
  #from = 0
  #rows = 0
  #hasRows = false
  #link: Buffer | null = null

  /** Pointers by their parts; `linkAt` null: no link is looked for. */
  constructor(o: { rowsAt: readonly string[]; linkAt: readonly string[] | null }) {
    this.#rowsAt = o.rowsAt
    this.#linkAt = o.linkAt
  }

  /** Whether an array, or null, stands at the pointer of the rows. */
  get hasRows(): boolean {
    return this.#hasRows
  }

  /** JSON text at the pointer of the link; null without one. */
  get link(): Buffer | null {
    return this.#link
  }

  /** The rows that end in this piece. Throws JsonFault. */
  *push(piece: Buffer): Generator<JsonRowBytes> {
    this.#from = 0
    for (let at = 0; at < piece.length; at++) {
      if (this.#within === 'string') {
        const end = this.#stringEnd(piece, at)
        this.#key?.push(piece.subarray(at, end))
        at = end
        if (end === piece.length) break
        this.#within = null
        if (this.#key !== null) this.#endKey(this.#key)
        else yield* this.#endValue(piece, at + 1)
        continue
      }
      const byte = piece[at] as number
      if (this.#within === 'scalar') {
        if (!isEndOfScalar(byte)) continue
        this.#within = null
        yield* this.#endValue(piece, at)
      }
      if (isBlank(byte)) continue
      if (byte === closeObject || byte === closeArray) {
        this.#close(byte)
        yield* this.#endValue(piece, at + 1)
      } else this.#open(byte, at)
    }
    if (this.#kept !== null) keep(this.#kept, piece.subarray(this.#from))
  }

  /** Throws JsonFault where the document is not at its end. */
  end(): void {
    const isAtEnd = this.#within === 'scalar' ? this.#stack.length === 0 : this.#expect === 'nothing'
    if (!isAtEnd || this.#within === 'string') throw new JsonFault('The document ends too early.')
    if (this.#kept?.kind === 'no rows') this.#takeNull(this.#kept)
  }

  #takeNull({ parts }: Kept): void {
    if (Buffer.concat(parts).toString() !== 'null') throw new JsonFault('The document is no JSON.')
    this.#hasRows = true
  }

  /** The place of the closing quote, or the length of the piece. */
  #stringEnd(piece: Buffer, from: number): number {
    for (let at = from; at < piece.length; at++) {
      if (this.#isEscaped) this.#isEscaped = false
      else if (piece[at] === backslash) this.#isEscaped = true
      else if (piece[at] === quote) return at
    }
    return piece.length
  }

  /** A byte that is neither blank nor a closing bracket, between values. */
  #open(byte: number, at: number): void {
    const frame = this.#stack.at(-1)
    if (byte === comma && this.#expect === 'comma or end' && frame !== undefined) {
      if (frame.isArray) frame.index += 1
      this.#expect = frame.isArray ? 'value' : 'key'
    } else if (byte === colon && this.#expect === 'colon') this.#expect = 'value'
    else if (byte === quote && (this.#expect === 'key' || this.#expect === 'key or end')) {
      this.#within = 'string'
      this.#key = []
    } else if (this.#expect === 'value' || this.#expect === 'value or end') this.#openValue(byte, at)
    else throw new JsonFault('The document is no JSON.')
  }

  #openValue(byte: number, at: number): void {
    const isRows = this.#beginKept(byte, at)
    if (byte === openObject || byte === openArray) {
      if (this.#stack.length >= depthMax) throw new JsonFault('The document is nested too deeply.')
      const isArray = byte === openArray
      this.#stack.push({ isArray, at: '', index: 0, isRows: isRows && isArray })
      this.#expect = isArray ? 'value or end' : 'key or end'
    } else if (byte === quote) {
      this.#within = 'string'
      this.#key = null
    } else if (isStartOfScalar(byte)) this.#within = 'scalar'
    else throw new JsonFault('The document is no JSON.')
  }

  /** Begins to keep a row or the link; true where the value is the one at the pointer of the rows. */
  #beginKept(byte: number, at: number): boolean {
    if (this.#kept !== null) return false
    const depth = this.#stack.length
    if (this.#stack.at(-1)?.isRows) this.#kept = { kind: 'row', depth, parts: [], length: 0 }
    else if (this.#linkAt !== null && this.#isAt(this.#linkAt))
      this.#kept = { kind: 'link', depth, parts: [], length: 0 }
    if (this.#kept !== null) {
      this.#from = at
      return false
    }
    const isRows = this.#isAt(this.#rowsAt)
    if (isRows && byte === openArray) this.#hasRows = true
    if (isRows && byte === letterN) {
      this.#kept = { kind: 'no rows', depth, parts: [], length: 0 }
      this.#from = at
    }
    return isRows
  }

  #isAt(parts: readonly string[]): boolean {
    if (parts.length !== this.#stack.length) return false
    return this.#stack.every((frame, nth) => (frame.isArray ? String(frame.index) : frame.at) === parts[nth])
  }

  #endKey(parts: Buffer[]): void {
    const frame = this.#stack.at(-1)
    // Only on the way to a pointer is a name looked at.
    if (frame !== undefined && this.#kept === null) frame.at = keyOf(Buffer.concat(parts))
    this.#key = null
    this.#expect = 'colon'
  }

  #close(byte: number): void {
    const frame = this.#stack.at(-1)
    const mayEnd = ['value or end', 'key or end', 'comma or end'].includes(this.#expect)
    if (frame === undefined || !mayEnd || frame.isArray !== (byte === closeArray)) {
      throw new JsonFault('The document is no JSON.')
    }
    this.#stack.pop()
  }

  /** A value ended before `to`: the row, where it was one. */
  *#endValue(piece: Buffer, to: number): Generator<JsonRowBytes> {
    this.#expect = this.#stack.length === 0 ? 'nothing' : 'comma or end'
    const kept = this.#kept
    if (kept === null || kept.depth !== this.#stack.length) return
    keep(kept, piece.subarray(this.#from, to))
    this.#kept = null
    if (kept.kind === 'no rows') return this.#takeNull(kept)
    const bytes = kept.length > bytesMaxOf[kept.kind] ? null : Buffer.concat(kept.parts)
    if (kept.kind === 'link') {
      if (bytes === null) throw new JsonFault('The link to the next page is too long.')
      this.#link = bytes
      return
    }
    this.#rows += 1
    yield { line: this.#rows, bytes }
  }
}

const bytesMaxOf = { row: rowBytesMax, link: linkBytesMax, 'no rows': 4 }

/** Copies: a part of a piece keeps all of it in memory. What is too large is counted and dropped. */
function keep(kept: Kept, bytes: Buffer): void {
  kept.length += bytes.length
  if (kept.length > bytesMaxOf[kept.kind]) kept.parts = []
  else kept.parts.push(Buffer.from(bytes))
}

/** The name of a member; one that is too long is none that anybody asks for. */
function keyOf(bytes: Buffer): string {
  if (bytes.length > keyBytesMax) return '\0'
  const text = bytes.toString('utf8')
  if (!text.includes('\\')) return text
  try {
    return JSON.parse(`"${text}"`) as string
  } catch {
    throw new JsonFault('The document is no JSON.')
  }
}

function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
}

/** Of a number, true, false or null. */
function isStartOfScalar(byte: number): boolean {
  return byte === 0x2d || (byte >= 0x30 && byte <= 0x39) || byte === 0x74 || byte === 0x66 || byte === letterN
}

function isEndOfScalar(byte: number): boolean {
  return isBlank(byte) || byte === comma || byte === closeObject || byte === closeArray
}

/** The parts of a JSON pointer (RFC 6901); null where it is none. '' is the whole document. */
export function pointerParts(pointer: string): string[] | null {
  if (pointer === '') return []
  if (!pointer.startsWith('/') || /~(?![01])/.test(pointer)) return null
  return pointer
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
}
