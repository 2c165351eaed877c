// Decides what an id looks like and how ids are ordered: a prefix, an underscore and a 26-character ULID (domain.md 2).
// It must never read a clock or make randomness: both are arguments.

/** Every prefix in use, one per kind of thing (domain.md 2). */
export const idPrefixes = [
  'evt',
  'int',
  'syn',
  'cmp',
  'inv',
  'ili',
  'ipm',
  'sub',
  'pln',
  'led',
  'pyo',
  'rul',
  'fir',
  'ano',
  'imp',
  'exp',
  'whk',
  'dlv',
  'att',
  'rpl',
  'req',
  'wsp',
  'usr',
  'key',
  'app',
  'grt',
  'ivt',
  'ses',
] as const

/** Prefix of an id, for example `evt` for an event. */
export type IdPrefix = (typeof idPrefixes)[number]

/** An id with the prefix `P`: `evt_01JD0000000000000000000000`. Opaque to clients, sorts by time as text. */
export type Id<P extends IdPrefix = IdPrefix> = `${P}_${string}`

/** Source of the pattern that every id matches, for schemas (api-conventions.md 1). */
export const idPattern = '^[a-z]{3}_[0-9A-HJKMNP-TV-Z]{26}$'

/** Bytes of randomness in an id. */
export const idRandomBytes = 10

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const lastDigit = 'Z'
const timeCharacters = 10
const ulidCharacters = 26
/** 9999-12-31T23:59:59.999Z: the last instant whose day is still written YYYY-MM-DD. */
const timeMsMax = 253_402_300_799_999
const pattern = new RegExp(idPattern)

/**
 * Makes an id of the instant `atMs` (epoch milliseconds, a fraction is cut off) and 10 random bytes.
 * Throws a RangeError for an instant before 1970 or after the year 9999 and for another number of bytes.
 */
export function makeId<P extends IdPrefix>(prefix: P, atMs: number, random: Uint8Array): Id<P> {
  if (random.length !== idRandomBytes) throw new RangeError(`an id takes ${idRandomBytes} random bytes`)
  return `${prefix}_${encodeTime(Math.floor(atMs))}${encodeFive(random, 0)}${encodeFive(random, 5)}`
}

/**
 * Makes an id greater than `previous` (of whatever prefix). In a later millisecond it is a fresh one; in the same or an
 * earlier one it has the previous id's time with its random part raised by 1, and where that overflows, the next
 * millisecond with fresh randomness.
 */
export function nextId<P extends IdPrefix>(
  prefix: P,
  previous: string | null,
  atMs: number,
  random: Uint8Array,
): Id<P> {
  if (previous === null) return makeId(prefix, atMs, random)
  const previousMs = idTimeMs(previous)
  if (Math.floor(atMs) > previousMs) return makeId(prefix, atMs, random)
  const ulid = ulidOf(previous)
  const raised = increment(ulid.slice(timeCharacters))
  if (raised === null) return makeId(prefix, previousMs + 1, random)
  return `${prefix}_${ulid.slice(0, timeCharacters)}${raised}`
}

/** Whether the text is an id with this prefix and an instant before the year 10000. Never throws. */
export function isId<P extends IdPrefix>(prefix: P, text: string): text is Id<P> {
  return text.startsWith(`${prefix}_`) && pattern.test(text) && idTimeMs(text) <= timeMsMax
}

/** The instant inside an id, epoch milliseconds. Throws a RangeError for what is not an id. */
export function idTimeMs(id: string): number {
  let ms = 0
  for (const character of ulidOf(id).slice(0, timeCharacters)) {
    const digit = alphabet.indexOf(character)
    if (digit < 0) throw new RangeError('not an id')
    ms = ms * 32 + digit
  }
  return ms
}

/** The UTC day inside an id, `YYYY-MM-DD`: the partition that its row lives in (delivery.md, The log). */
export function idDay(id: string): string {
  const ms = idTimeMs(id)
  if (ms > timeMsMax) throw new RangeError('not an id: its day lies after the year 9999')
  return new Date(ms).toISOString().slice(0, 10)
}

function ulidOf(id: string): string {
  if (id.length !== ulidCharacters + 4 || id[3] !== '_') throw new RangeError('not an id')
  return id.slice(4)
}

function encodeTime(ms: number): string {
  if (!(ms >= 0 && ms <= timeMsMax)) throw new RangeError('an id takes an instant between 1970 and 9999')
  return encode(ms, timeCharacters)
}

/** Five bytes are 40 bits, eight characters, and still exact in a number. */
function encodeFive(bytes: Uint8Array, offset: number): string {
  let value = 0
  for (let index = offset; index < offset + 5; index += 1) value = value * 256 + (bytes[index] ?? 0)
  return encode(value, 8)
}

function encode(value: number, characters: number): string {
  let rest = value
  let text = ''
  for (let index = 0; index < characters; index += 1) {
    text = alphabet.charAt(rest % 32) + text
    rest = Math.floor(rest / 32)
  }
  return text
}

/** The next text in the alphabet's order, or null after the last one. */
function increment(text: string): string | null {
  let index = text.length - 1
  while (index >= 0 && text[index] === lastDigit) index -= 1
  if (index < 0) return null
  const raised = alphabet.charAt(alphabet.indexOf(text.charAt(index)) + 1)
  return text.slice(0, index) + raised + '0'.repeat(text.length - index - 1)
}
