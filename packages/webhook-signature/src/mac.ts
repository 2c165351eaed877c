// HMAC-SHA-256 (RFC 2104) as two hashes of the runtime, since its own object for it costs as much as both. It never hands out
// the memory that keys were in.

import { hash } from 'node:crypto'

const blockBytes = 64
const digestBytes = 32

/** A key, as the two hashes begin with it. */
export interface MacKey {
  readonly inner: Buffer
  /** With room for the digest of the inner hash behind it. */
  readonly outer: Buffer
}

/** Throws `RangeError` for a key that is longer than a block: it would have to be hashed first. */
export function createMacKey(key: Uint8Array): MacKey {
  if (key.length > blockBytes) throw new RangeError(`a key has at most ${blockBytes} bytes`)
  const inner = Buffer.alloc(blockBytes, 0x36)
  const outer = Buffer.alloc(blockBytes + digestBytes, 0x5c)
  for (const [at, byte] of key.entries()) {
    inner[at] = byte ^ 0x36
    outer[at] = byte ^ 0x5c
  }
  return { inner, outer }
}

/** For what is hashed; a longer text gets memory of its own. */
const room = Buffer.alloc(65_536)

/** The code of `head` and `body` behind it. `head` is ASCII. */
export function macOf(key: MacKey, { head, body }: { head: string; body: Uint8Array }, form: 'hex' | 'base64'): string {
  const bodyAt = blockBytes + head.length
  const bytes = bodyAt + body.length
  const text = bytes <= room.length ? room : Buffer.allocUnsafeSlow(bytes)
  text.set(key.inner)
  text.write(head, blockBytes, 'latin1')
  text.set(body, bodyAt)
  // As text, a character for each byte: a buffer of its own costs more than the hash.
  key.outer.write(hash('sha256', text.subarray(0, bytes), 'binary'), blockBytes, 'binary')
  return hash('sha256', key.outer, form)
}
