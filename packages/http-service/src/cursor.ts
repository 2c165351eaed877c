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

/** The page of a list that was not read to its end: short, and to be continued behind what was read (decision 26). */
export function toBeContinued<T>(short: Page<T>, cursor: string): Page<T> {
  return { ...short, has_more: true, next_cursor: cursor }
}

/** Makes a page of `limit` from the `limit + 1` rows that the query asked for, so `has_more` is exact (C54). `toCursor` encodes the last row shown. */
export function page<T>(rows: T[], limit: number, toCursor: (last: T) => string): Page<T> {
  const data = rows.slice(0, limit)
  const last = data.at(-1)
  const more = rows.length > limit && last !== undefined
  return { object: 'list', data, has_more: more, next_cursor: more ? toCursor(last) : null }
}
