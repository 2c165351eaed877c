// The form that every secret of auth has: a published start, random base62, a checksum. Scanners find it by its start, and a mistyped
// one is told from a real one without a look-up.
import { crc32 } from 'node:zlib'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** 6 characters of base62 hold 32 bits: 62⁶ > 2³². */
const checksumCharacters = 6
/** Bytes from here on would favour some characters: they are drawn again (248 = 4 × 62). */
const fairBelow = 248
const drawsMax = 64

/** A form: `start`, then `randomCharacters` of base62 (5.95 bits each), then 6 of the CRC32 of all before. */
export interface TextForm {
  start: string
  randomCharacters: number
}

function checksumOf(text: string): string {
  let rest = crc32(text)
  let result = ''
  for (let place = 0; place < checksumCharacters; place += 1) {
    result = alphabet.charAt(rest % 62) + result
    rest = Math.floor(rest / 62)
  }
  return result
}

/** A new text. `randomBytes` gives that many bytes of a CSPRNG; one that gives no usable byte in 64 draws throws. */
export function makeCheckedText(
  { start, randomCharacters }: TextForm,
  randomBytes: (length: number) => Uint8Array,
): string {
  const characters = start.length + randomCharacters
  let text = start
  for (let draw = 0; draw < drawsMax; draw += 1) {
    for (const byte of randomBytes(randomCharacters)) {
      if (byte < fairBelow && text.length < characters) text += alphabet.charAt(byte % 62)
    }
    if (text.length === characters) return text + checksumOf(text)
  }
  throw new Error('the source of random bytes gives no usable bytes')
}

const base62 = /^[0-9A-Za-z]+$/

/** Whether the text has the form and its checksum. */
export function isCheckedText({ start, randomCharacters }: TextForm, text: string): boolean {
  return (
    text.length === start.length + randomCharacters + checksumCharacters &&
    text.startsWith(start) &&
    base62.test(text.slice(start.length)) &&
    text.endsWith(checksumOf(text.slice(0, -checksumCharacters)))
  )
}
