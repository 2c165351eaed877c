// Encrypts secrets at rest (security.md 3): a fresh data key for each value, wrapped by a key-encryption key that `kid` names.
// It never gives back an empty or unauthenticated value: an unknown `kid`, another row or one changed bit throws.

import { createHash, randomBytes } from 'node:crypto'
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs'
import { open, seal } from './aes-gcm.ts'
import { EnvelopeError } from './envelope-error.ts'
import { type Envelope, formatEnvelope, parseEnvelope } from './envelope-format.ts'

/** Where a value stands. It is authenticated with the value, so a ciphertext moved to another row or column does not decrypt. */
export interface EnvelopePlace {
  workspaceId: string
  table: string
  rowId: string
  column: string
}

/** A key-encryption key: 32 bytes, named by `kid` (1 to 64 letters, digits, `_`, `.` and `-`). */
export interface KeyEncryptionKey {
  kid: string
  key: Buffer
}

/** Encryption with the current key, decryption with each of the known ones. */
export interface EnvelopeEncryption {
  /** Self-describing JSON text. Throws `EnvelopeError` `not_text` for text that UTF-8 cannot hold. */
  encrypt(plain: string, aad: EnvelopePlace): string
  /** The value. Throws `EnvelopeError`: `malformed`, `unknown_key`, `not_authentic`. */
  decrypt(text: string, aad: EnvelopePlace): string
  /** The same value with its data key wrapped by the current key: a step of a rotation. Throws as `decrypt` does. */
  rewrap(text: string, aad: EnvelopePlace): string
  /** Whether the envelope is wrapped by another key than the current one. */
  isOutdated(text: string): boolean
}

const keyBytes = 32
const fileBytesMax = 1_024

/** JSON of a list of strings is unambiguous: no two different places give the same bytes. */
function aadBytes(place: EnvelopePlace): Buffer {
  return Buffer.from(JSON.stringify([place.workspaceId, place.table, place.rowId, place.column]))
}

function checkedKeys(keys: readonly KeyEncryptionKey[]): Map<string, Buffer> {
  const byKid = new Map<string, Buffer>()
  for (const { kid, key } of keys) {
    if (!/^[\w.-]{1,64}$/.test(kid)) throw new EnvelopeError('bad_key', 'a kid has 1 to 64 letters, digits, _, . and -')
    if (key.length !== keyBytes) throw new EnvelopeError('bad_key', `key ${kid} must have ${keyBytes} bytes`)
    if (byKid.has(kid)) throw new EnvelopeError('bad_key', `key ${kid} is given twice`)
    byKid.set(kid, Buffer.from(key))
  }
  return byKid
}

/** Builds the encryption. The first key is current; the others only decrypt. Throws `EnvelopeError` `bad_key`. */
export function createEnvelopeEncryption(keys: readonly KeyEncryptionKey[]): EnvelopeEncryption {
  const byKid = checkedKeys(keys)
  const current = keys[0]
  if (current === undefined) throw new EnvelopeError('bad_key', 'at least one key is needed')
  const { kid } = current
  const keyOf = (name: string): Buffer => {
    const key = byKid.get(name)
    if (key === undefined) throw new EnvelopeError('unknown_key', `no key with the kid ${name} is configured`)
    return key
  }
  const openDataKey = (envelope: Envelope, aad: Buffer): Buffer => open(keyOf(envelope.kid), envelope.wrapped, aad)
  return {
    encrypt(plain, aad) {
      if (!plain.isWellFormed()) throw new EnvelopeError('not_text', 'a value to encrypt must be well-formed text')
      const bytes = aadBytes(aad)
      const dataKey = randomBytes(keyBytes)
      const value = seal(dataKey, Buffer.from(plain), bytes)
      return formatEnvelope({ kid, wrapped: seal(keyOf(kid), dataKey, bytes), value })
    },
    decrypt(text, aad) {
      const envelope = parseEnvelope(text)
      const bytes = aadBytes(aad)
      return open(openDataKey(envelope, bytes), envelope.value, bytes).toString()
    },
    rewrap(text, aad) {
      const envelope = parseEnvelope(text)
      const bytes = aadBytes(aad)
      const dataKey = openDataKey(envelope, bytes)
      open(dataKey, envelope.value, bytes)
      return formatEnvelope({ kid, wrapped: seal(keyOf(kid), dataKey, bytes), value: envelope.value })
    },
    isOutdated: (text) => parseEnvelope(text).kid !== kid,
  }
}

function refuse(path: string, reason: string): never {
  throw new EnvelopeError('bad_key_file', `the key file ${path} ${reason}`)
}

/**
 * The 32 bytes whose base64 is the file's only content (white space at the ends is ignored).
 * Throws `EnvelopeError` `bad_key_file` when the file is missing, readable by others or writable by group or others, of another
 * length, not base64, or one byte repeated. Where the system has no such rights (Windows) they are not looked at.
 */
export function readKeyFile(path: string): Buffer {
  const text = readPrivateFile(path)
  const key = Buffer.from(text, 'base64')
  if (key.toString('base64') !== text) refuse(path, 'is not base64')
  if (key.length !== keyBytes) refuse(path, `holds ${key.length} bytes instead of ${keyBytes}`)
  if (key.every((byte) => byte === key[0])) refuse(path, 'holds one byte repeated, which is no random key')
  return key
}

/** Rights and content are read from the same open file, so that it cannot be exchanged in between. */
function readPrivateFile(path: string): string {
  let file: number
  try {
    file = openSync(path, 'r')
  } catch (error) {
    return refuse(path, `cannot be opened (${(error as NodeJS.ErrnoException).code ?? 'unknown error'})`)
  }
  try {
    const stat = fstatSync(file)
    if (!stat.isFile()) refuse(path, 'is not a file')
    // The group may read: a mounted secret belongs to root and is read by the group of the process (kubernetes.md K70).
    if (process.platform !== 'win32' && (stat.mode & 0o037) !== 0) {
      refuse(path, `may be read or written by others (mode ${(stat.mode & 0o777).toString(8)}; 600 or 440 is needed)`)
    }
    if (stat.size > fileBytesMax) refuse(path, 'is too long')
    return readFileSync(file, 'latin1').trim()
  } finally {
    closeSync(file)
  }
}

/** A name for a key that has none: 16 hex digits of a digest, which say nothing about the key. */
export function keyIdOf(key: Uint8Array): string {
  return createHash('sha256').update('wds key id').update(key).digest('hex').slice(0, 16)
}
