// Makes the short, safe text of an answer that a workspace may see: secrets redacted, no control or direction characters. It never
// throws, never returns more than the asked bytes and undoes no content coding: some of 40 bytes take 30 ms of everybody's time.

import { redactText } from '@wds/telemetry/redaction'

// As many characters at most, which redactText takes whole.
const readBytesMax = 4_096
const plainCodings = new Set(['', 'identity'])

// Control characters but tab and line feed, format characters (zero width, direction marks), line and paragraph separators.
const unsafe = /[[\p{Cc}\p{Cf}\u2028\u2029]--[\t\n]]/gv

function cut(text: string, bytesMax: number): string {
  if (Buffer.byteLength(text) <= bytesMax) return text
  const bytes = Buffer.from(text)
  let end = bytesMax
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1
  return bytes.toString('utf8', 0, end)
}

/**
 * The excerpt of an answer's body as safe UTF-8 text of at most `bytesMax` bytes; '' for an empty body, null for one in a content
 * coding, which was not asked for.
 */
export function makeExcerpt(body: Buffer, encoding: string | null, bytesMax: number): string | null {
  if (body.length === 0) return ''
  if (!plainCodings.has((encoding ?? '').trim().toLowerCase())) return null
  const text = body.toString('utf8', 0, Math.min(body.length, readBytesMax)).replace(unsafe, '')
  return cut(redactText(text), bytesMax)
}
