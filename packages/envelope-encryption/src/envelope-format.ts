// How an encrypted value is written: one JSON text that names its version and key.
// It accepts exactly what it writes: another spelling of the same bytes is malformed.

import { EnvelopeError } from './envelope-error.ts'

/** The output of one AES-256-GCM operation: 12-byte nonce, ciphertext, 16-byte tag. */
export interface Sealed {
  nonce: Buffer
  body: Buffer
  tag: Buffer
}

/** A wrapped data key and the value encrypted with it. */
export interface Envelope {
  kid: string
  wrapped: Sealed
  value: Sealed
}

const version = 1
const nonceBytes = 12
const tagBytes = 16

const malformed = () => new EnvelopeError('malformed', 'an encrypted value is malformed')

function formatSealed({ nonce, body, tag }: Sealed): string {
  return Buffer.concat([nonce, body, tag]).toString('base64')
}

function parseSealed(text: unknown): Sealed {
  if (typeof text !== 'string') throw malformed()
  const bytes = Buffer.from(text, 'base64')
  if (bytes.toString('base64') !== text || bytes.length < nonceBytes + tagBytes) throw malformed()
  return {
    nonce: bytes.subarray(0, nonceBytes),
    body: bytes.subarray(nonceBytes, -tagBytes),
    tag: bytes.subarray(-tagBytes),
  }
}

/** `{"v":1,"kid":…,"key":…,"value":…}`, the two last ones base64 of nonce, ciphertext and tag. */
export function formatEnvelope(envelope: Envelope): string {
  const { kid, wrapped, value } = envelope
  return JSON.stringify({ v: version, kid, key: formatSealed(wrapped), value: formatSealed(value) })
}

/** The parts of an envelope. Throws `EnvelopeError` `malformed`. */
export function parseEnvelope(text: string): Envelope {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    throw malformed()
  }
  if (typeof parsed !== 'object' || parsed === null) throw malformed()
  const { v, kid, key, value } = parsed as Record<string, unknown>
  if (v !== version || typeof kid !== 'string' || !/^[\w.-]{1,64}$/.test(kid)) throw malformed()
  const envelope = { kid, wrapped: parseSealed(key), value: parseSealed(value) }
  if (formatEnvelope(envelope) !== text) throw malformed()
  return envelope
}
