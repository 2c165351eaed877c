// Signs the place where a page ended, bound to workspace, route, filters and order (C51). It never reads a position whose signature does not fit.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { canonicalJson } from './canonical-json.ts'
import { Problem } from './problem.ts'

/** What a cursor is bound to. `filters` holds every parameter but `cursor` and `limit`; `workspaceId` is '' on routes without a token. */
export interface CursorBinding {
  workspaceId: string
  route: string
  filters: object
}

export interface Cursors {
  encode(o: CursorBinding & { position: unknown[] }): string
  /** The position. Throws Problem `invalid_cursor`. */
  decode(text: string, o: CursorBinding): unknown[]
}

const macBytes = 32
const charactersMax = 2048

/** The first key signs, all verify: after a rotation the old key stays listed for 7 days. Keys of at least 32 bytes. */
export function createCursors(keys: Buffer[]): Cursors {
  const [current] = keys
  if (!current || keys.some((key) => key.length < 32)) throw new TypeError('a cursor key has at least 32 bytes')
  return {
    encode: ({ position, ...binding }) => {
      const payload = Buffer.from(JSON.stringify(position), 'utf8')
      return Buffer.concat([mac(current, payload, binding), payload]).toString('base64url')
    },
    decode: (text, binding) => {
      const position = verify(keys, text, binding)
      if (!position) throw new Problem('invalid_cursor')
      return position
    },
  }
}

function verify(keys: Buffer[], text: string, binding: CursorBinding): unknown[] | null {
  if (typeof text !== 'string' || text.length > charactersMax) return null
  const bytes = Buffer.from(text, 'base64url')
  // base64url ignores foreign characters and spare bits of the last one: only the one spelling is accepted (C51).
  if (bytes.toString('base64url') !== text || bytes.length <= macBytes) return null
  const payload = bytes.subarray(macBytes)
  const given = bytes.subarray(0, macBytes)
  if (!keys.some((key) => timingSafeEqual(mac(key, payload, binding), given))) return null
  const position: unknown = JSON.parse(payload.toString('utf8'))
  return Array.isArray(position) ? position : null
}

function mac(key: Buffer, payload: Buffer, binding: CursorBinding): Buffer {
  const bound = JSON.stringify(['cursor.1', binding.workspaceId, binding.route, canonicalJson(binding.filters)])
  return createHmac('sha256', key).update(bound).update('\n').update(payload).digest()
}

/** A page of C01. */
export interface Page<T> {
  object: 'list'
  data: T[]
  has_more: boolean
  next_cursor: string | null
}

/** Makes a page of `limit` from the `limit + 1` rows that the query asked for, so `has_more` is exact (C54). `toCursor` encodes the last row shown. */
export function page<T>(rows: T[], limit: number, toCursor: (last: T) => string): Page<T> {
  const data = rows.slice(0, limit)
  const last = data.at(-1)
  const more = rows.length > limit && last !== undefined
  return { object: 'list', data, has_more: more, next_cursor: more ? toCursor(last) : null }
}

/** Most rows that a list reads for one page (decision 26). */
export const walkRowsMax = 10_000

/**
 * What a list found that goes through its rows in order and reads at most `walkRowsMax` of them: those of the page and one more.
 * `walkedTo`: the last row read where that ended before the page was full and before the list's end, else null.
 */
export interface Walk<Row, Place> {
  rows: Row[]
  walkedTo: Place | null
}

/** Its page. One that was not read to the list's end is short, possibly empty, and to be continued behind what was read. */
export function pageOfWalk<Place, Row extends Place>(
  { rows, walkedTo }: Walk<Row, Place>,
  limit: number,
  toCursor: (place: Place) => string,
): Page<Row> {
  const found = page(rows, limit, toCursor)
  return found.has_more || walkedTo === null ? found : { ...found, has_more: true, next_cursor: toCursor(walkedTo) }
}
