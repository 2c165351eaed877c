// Makes the short, safe text of an answer that a workspace may see: secrets redacted, no control or direction characters. It never
// throws, never returns more than the asked bytes and undoes no content coding: some of 40 bytes take 30 ms of everybody's time.

const readBytesMax = 4_096
const plainCodings = new Set(['', 'identity'])

// Each pattern is linear in the text and matches from its prefix on, so that a value cut at the end is caught too.
const redactions: readonly [RegExp, string][] = [
  [/-----BEGIN [A-Z ]{1,40}-----[\s\S]*/g, '[redacted]'],
  [/\b(?:wdk|wdc|wda|wdr)_(?:live|test)_[0-9A-Za-z]+/g, '[redacted]'],
  [/\bwhsec_[A-Za-z0-9+/=_-]+/g, '[redacted]'],
  [
    /\b(?:sk|pk|rk)_(?:live|test)_[0-9A-Za-z]+|\bgh[pousr]_[0-9A-Za-z]+|\bxox[a-z]-[0-9A-Za-z-]+|\bA(?:KI|SI)A[0-9A-Z]{12,}/g,
    '[redacted]',
  ],
  [/\b(bearer|basic)\s{1,4}[A-Za-z0-9._~+/=-]{6,}/gi, '$1 [redacted]'],
  [/\beyJ[A-Za-z0-9_-]{6,}(?:\.[A-Za-z0-9_-]*){0,2}/g, '[redacted]'],
  [/\bv1[=,][A-Za-z0-9+/=]{16,}/g, 'v1=[redacted]'],
  [
    /("?(?:password|passwd|secret|client_secret|token|access_token|refresh_token|api_?key|authorization|cookie|session_?id)"?\s{0,4}[:=]\s{0,4})("[^"\r\n]*"?|[^\s,;&"}]+)/gi,
    '$1[redacted]',
  ],
]

// Slow where it finds nothing: each letter might begin one.
const mailAddress = /[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,8}/g

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
  let text = body.toString('utf8', 0, Math.min(body.length, readBytesMax)).replace(unsafe, '')
  for (const [pattern, replacement] of redactions) text = text.replace(pattern, replacement)
  if (text.includes('@')) text = text.replace(mailAddress, '[redacted]')
  return cut(text, bytesMax)
}
