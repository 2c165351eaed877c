// Decides where the records and cells of a CSV file end (RFC 4180: comma, double quotes, LF or CRLF, unless told otherwise). It reads each byte once,
// holds one record at a time and never more of it than a row may have.

/** Bounds of a row (`row_too_large`): bytes of its cells, and cells. */
export const rowBytesMax = 65_536
export const columnsMax = 200

/** A record. `line`: where it begins, from 1. Without cells it is too large, or not UTF-8 text. */
export type CsvRecord =
  | { line: number; cells: string[] }
  | { line: number; cells: null; fault: 'row_too_large' | 'bad_encoding' }

/** The file is no CSV: what follows cannot be told apart. `line`: where the record at fault begins. */
export class CsvFault extends Error {
  readonly line: number
  constructor(message: string, line: number) {
    super(message)
    this.line = line
  }
}

/** How a file is written: what separates and quotes cells (null: nothing quotes), and whether a header line begins it. */
export interface CsvForm {
  delimiter: ',' | ';' | '\t' | '|'
  quote: '"' | "'" | null
  header: boolean
}

/** RFC 4180 with a header line. */
export const commonForm: CsvForm = { delimiter: ',', quote: '"', header: true }

const [lf, cr] = [0x0a, 0x0d]
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf])
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Where the next byte stands. The last: behind the carriage return that follows a quoted cell. */
const [plain, inQuotes, behindQuote, behindReturn] = [0, 1, 2, 3]

/** Splits a file that comes in pieces; empty lines are no records. */
export class CsvSplitter {
  readonly #delimiter: number
  /** No byte where nothing quotes. */
  readonly #quote: number
  /** Until it is known whether a byte order mark begins it. */
  #start: Buffer | null = Buffer.alloc(0)
  #place = plain
  #line = 1
  /** Of the record under way: its first line, its bytes (one more than it may have: a carriage return), the ends of its cells. */
  #began = 1
  #bytes = Buffer.allocUnsafe(rowBytesMax + 1)
  #length = 0
  #ends: number[] = []
  #isCellStart = true
  #hasQuotes = false
  #isTooLarge = false

  /** `isStart`: whether the first piece begins the file; else it begins with a record. */
  constructor({ delimiter, quote }: Pick<CsvForm, 'delimiter' | 'quote'> = commonForm, { isStart = true } = {}) {
    if (!isStart) this.#start = null
    this.#delimiter = delimiter.charCodeAt(0)
    this.#quote = quote === null ? -1 : quote.charCodeAt(0)
  }

  #fault(message: string): CsvFault {
    return new CsvFault(message, this.#began)
  }

  /** The records that end in this piece. Throws CsvFault. */
  *push(piece: Uint8Array): Generator<CsvRecord> {
    if (this.#start === null) {
      yield* this.#split(piece)
      return
    }
    this.#start = Buffer.concat([this.#start, piece])
    if (this.#start.length >= byteOrderMark.length) yield* this.#begin(this.#start)
  }

  /** The last record, where the file does not end with a line end. Throws CsvFault where it ends inside quotes. */
  *end(): Generator<CsvRecord> {
    if (this.#start !== null) yield* this.#begin(this.#start)
    if (this.#place === inQuotes) throw this.#fault('A quoted cell does not end.')
    this.#endCell()
    if (!this.#isEmpty()) yield this.#record()
  }

  /** A byte order mark is no part of the first cell. */
  #begin(start: Buffer): Generator<CsvRecord> {
    this.#start = null
    return this.#split(start.indexOf(byteOrderMark) === 0 ? start.subarray(byteOrderMark.length) : start)
  }

  *#split(bytes: Uint8Array): Generator<CsvRecord> {
    for (let at = this.#readOn(bytes, 0); at >= 0; at = this.#readOn(bytes, at)) {
      if (!this.#isEmpty()) yield this.#record()
      this.#startRecord()
    }
  }

  /** Reads until a record ends; gives the place behind its line end, or -1 where the bytes end first. */
  #readOn(bytes: Uint8Array, from: number): number {
    for (let at = this.#keepRun(bytes, from); at < bytes.length; at = this.#keepRun(bytes, at + 1)) {
      const byte = bytes[at]
      if (this.#place === inQuotes) this.#place = behindQuote
      else if (byte === lf) {
        this.#endLine()
        return at + 1
      } else if (byte === this.#delimiter && this.#place !== behindReturn) this.#endCell()
      else this.#takeOther(byte)
    }
    return -1
  }

  /** Keeps the bytes up to one that may mean something; gives its place. */
  #keepRun(bytes: Uint8Array, from: number): number {
    let to = from
    const [comma, quote] = [this.#delimiter, this.#quote]
    if (this.#place === plain) {
      for (; to < bytes.length; to++) {
        const byte = bytes[to]
        if (byte === comma || byte === lf || byte === quote) break
      }
    } else if (this.#place === inQuotes) {
      for (; to < bytes.length && bytes[to] !== quote; to++) if (bytes[to] === lf) this.#line += 1
    }
    if (to > from) this.#keep(bytes, from, to)
    return to
  }

  #keep(bytes: ArrayLike<number>, from: number, to: number): void {
    this.#isCellStart = false
    const room = this.#bytes.length - this.#length
    if (to - from > room) this.#isTooLarge = true
    const end = Math.min(to, from + room)
    for (let at = from; at < end; at++) this.#bytes[this.#length++] = bytes[at] as number
  }

  /** A quote, or what follows the quotes of a cell. */
  #takeOther(byte: number | undefined): void {
    if (this.#place === plain && this.#isCellStart) {
      this.#place = inQuotes
      this.#hasQuotes = true
    } else if (this.#place === plain) {
      throw this.#fault('A quote stands inside a cell that is not quoted.')
    } else if (this.#place === behindQuote && byte === this.#quote) {
      this.#keep([byte], 0, 1)
      this.#place = inQuotes
    } else if (this.#place === behindQuote && byte === cr) {
      this.#place = behindReturn
    } else {
      throw this.#fault('Something follows the closing quote of a cell.')
    }
  }

  #endLine(): void {
    const endsInReturn = this.#place === plain && !this.#isCellStart && this.#bytes[this.#length - 1] === cr
    if (endsInReturn) this.#length -= 1
    this.#endCell()
    this.#line += 1
  }

  #endCell(): void {
    this.#place = plain
    this.#isCellStart = true
    if (this.#ends.length < columnsMax) this.#ends.push(this.#length)
    else this.#isTooLarge = true
  }

  #isEmpty(): boolean {
    return this.#length === 0 && this.#ends.length === 1 && !this.#hasQuotes
  }

  #startRecord(): void {
    this.#began = this.#line
    this.#length = 0
    this.#ends.length = 0
    this.#hasQuotes = this.#isTooLarge = false
  }

  #record(): CsvRecord {
    const line = this.#began
    if (this.#isTooLarge || this.#length > rowBytesMax) return { line, cells: null, fault: 'row_too_large' }
    const isAscii = this.#isAscii()
    const cells: string[] = []
    let start = 0
    for (const end of this.#ends) {
      const cell = isAscii ? this.#bytes.toString('latin1', start, end) : decode(this.#bytes.subarray(start, end))
      if (cell === null) return { line, cells: null, fault: 'bad_encoding' }
      cells.push(cell)
      start = end
    }
    return { line, cells }
  }

  #isAscii(): boolean {
    for (let at = 0; at < this.#length; at++) {
      const byte = this.#bytes[at] as number
      if (byte >= 0x80 || byte === 0) return false
    }
    return true
  }
}

/** The text of UTF-8 bytes, or null where they are none or hold U+0000. */
function decode(bytes: Uint8Array): string | null {
  if (bytes.includes(0)) return null
  try {
    return utf8.decode(bytes)
  } catch {
    return null
  }
}
