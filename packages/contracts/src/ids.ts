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
  'sec',
  'grt',
  'ivt',
  'ses',
  'mbr',
  'aud',
  'idn',
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
/** By the value of ten bits: their two characters. */
const pairs = Array.from({ length: 1_024 }, (_, n) => alphabet.charAt(n >> 5) + alphabet.charAt(n & 31))
/** By the code of a character: its value, -1 for those that are no digit. */
const digits = Int8Array.from({ length: 128 }, (_, code) => alphabet.indexOf(String.fromCharCode(code)))
const timeCharacters = 10
const ulidCharacters = 26
/** The prefix and its underscore. */
const prefixCharacters = 4
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

/** The least (`first`) or greatest (`last`) id of an instant, for ranges. One before 1970 or after the year 9999 counts as the nearer end. */
export function edgeId<P extends IdPrefix>(prefix: P, atMs: number, edge: 'first' | 'last'): Id<P> {
  const random = new Uint8Array(idRandomBytes).fill(edge === 'first' ? 0x00 : 0xff)
  return makeId(prefix, Math.min(Math.max(atMs, 0), timeMsMax), random)
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
  assertForm(id)
  let ms = 0
  for (let index = prefixCharacters; index < prefixCharacters + timeCharacters; index += 1) {
    const digit = digits[id.charCodeAt(index)] ?? -1
    if (digit < 0) throw new RangeError('not an id')
    ms = ms * 32 + digit
  }
  return ms
}

const dayMs = 86_400_000
/** The day asked for last: most ids are of one. */
let known = { day: -1, text: '' }

/** The UTC day inside an id, `YYYY-MM-DD`: the partition that its row lives in (delivery.md 3). */
export function idDay(id: string): string {
  const ms = idTimeMs(id)
  if (ms > timeMsMax) throw new RangeError('not an id: its day lies after the year 9999')
  const day = Math.floor(ms / dayMs)
  if (day !== known.day) known = { day, text: new Date(ms).toISOString().slice(0, 10) }
  return known.text
}

function assertForm(id: string): void {
  if (id.length !== prefixCharacters + ulidCharacters || id[3] !== '_') throw new RangeError('not an id')
}

function ulidOf(id: string): string {
  assertForm(id)
  return id.slice(prefixCharacters)
}

const pair = (bits: number): string => pairs[bits & 1_023] ?? ''

/** The instant is more than the 32 bits that a shift takes: it is cut at bit 20. */
function encodeTime(ms: number): string {
  if (!(ms >= 0 && ms <= timeMsMax)) throw new RangeError('an id takes an instant between 1970 and 9999')
  const [high, low] = [Math.floor(ms / 2 ** 20), ms % 2 ** 20]
  return pair(high >> 20) + pair(high >> 10) + pair(high) + pair(low >> 10) + pair(low)
}

/** Five bytes are 40 bits, eight characters. */
function encodeFive(bytes: Uint8Array, offset: number): string {
  const [a = 0, b = 0, c = 0] = [bytes[offset], bytes[offset + 1], bytes[offset + 2]]
  const [d = 0, e = 0] = [bytes[offset + 3], bytes[offset + 4]]
  return pair((a << 2) | (b >> 6)) + pair((b << 4) | (c >> 4)) + pair((c << 6) | (d >> 2)) + pair((d << 8) | e)
}

/** The next text in the alphabet's order, or null after the last one. */
function increment(text: string): string | null {
  let index = text.length - 1
  while (index >= 0 && text[index] === lastDigit) index -= 1
  if (index < 0) return null
  const raised = alphabet.charAt(alphabet.indexOf(text.charAt(index)) + 1)
  return text.slice(0, index) + raised + '0'.repeat(text.length - index - 1)
}
