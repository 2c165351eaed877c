// Decides what of a value may stand in a log line: redaction by key name, by pattern and by type (security.md 3).
// It never throws and never looks at more than a bounded part of a value; each pattern takes time linear in the text (XP09).

import { Secret } from './secret.ts'

/** Stands in the place of what was taken out. */
export const mask = '[redacted]'

const textCharactersMax = 8_192
const stackCharactersMax = 4_096
const depthMax = 8
const itemsMax = 100

/** Names whose values are never shown, in lower case and without `-` and `_`; bodies and headers of deliveries are not logged. */
const sensitiveEnding =
  /(?:password|passphrase|secrets?|tokens?|cookies?|authorization|apikeys?|privatekey|encryptionkey|credentials?|verifier|emails?|mail|signature|databaseurl|connectionstring)$/
const sensitiveNames = new Set([
  'body',
  'rawbody',
  'headers',
  'rawheaders',
  'excerpt',
  'jwt',
  'payload',
  'password',
  'csrf',
])

/** Whether the values under this name are never shown. */
export function isSensitiveName(name: string): boolean {
  const plain = name.slice(-64).toLowerCase().replaceAll(/[-_]/g, '')
  return sensitiveNames.has(plain) || sensitiveEnding.test(plain)
}

/** Of a field: how its name is shown, and whether its value is not. */
interface FieldName {
  shown: string
  isSensitive: boolean
}

// The fields of log lines are few and come again with every line; a name that somebody else chose is judged each time once there are so many.
const knownNames = new Map<string, FieldName>()
const knownNamesMax = 1_000
const knownNameCharactersMax = 64

function judgeName(name: string): FieldName {
  const known = knownNames.get(name)
  if (known !== undefined) return known
  const shown = redactText(name)
  const judged = { shown, isSensitive: isSensitiveName(shown) }
  // What has to be taken out of a name is kept nowhere.
  const isPlain = shown === name && name.length <= knownNameCharactersMax
  if (isPlain && knownNames.size < knownNamesMax) knownNames.set(name, judged)
  return judged
}

/**
 * The look-behinds make each run of characters be tried once only, so that no input costs more than linear time.
 * Order matters: user information of URLs goes before e-mail addresses, which look alike. `mark`: what stands in every text that
 * the pattern finds something in.
 */
const patterns: readonly (readonly [mark: string, pattern: RegExp, replacement: string])[] = [
  ['wd[kr]_|wdcode_|whsec_', /(wdk_live_|wdk_test_|whsec_|wdr_|wdcode_)[0-9A-Za-z+/=_-]{16,}/g, `$1${mask}`],
  ['wds_', /(wds_)[0-9A-Za-z]{46}/g, `$1${mask}`],
  ['bearer|basic', /\b(bearer|basic)[ \t]{1,8}[\w.~+/=-]+/gi, `$1 ${mask}`],
  ['eyJ', /(?<![\w-])eyJ[\w-]*\.[\w-]+\.[\w-]*/g, mask],
  ['://', /(:\/\/)[^\s/@:]*:[^\s/@]*@/g, `$1${mask}@`],
  [
    '[?&]',
    /([?&](?:access_token|refresh_token|client_secret|code|code_verifier|token|state)=)[^&\s"'#]+/gi,
    `$1${mask}`,
  ],
  ['postbacks|invitations', /(\/(?:postbacks|invitations)\/)[^/\s?#"']+/g, `$1${mask}`],
  ['@', /(?<![\p{L}\p{N}._%+'-])[\p{L}\p{N}._%+'-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu, mask],
]

/** A text without any mark, which most are, is looked at once instead of eight times. */
const marks = new RegExp(patterns.map(([mark]) => mark).join('|'), 'i')

/** The text without secrets, bearer values, tokens, and e-mail addresses; at most 8,192 characters of it. */
export function redactText(text: string, charactersMax = textCharactersMax): string {
  let result = text.length > charactersMax ? cut(text, charactersMax) : text
  if (!marks.test(result)) return result
  for (const [, pattern, replacement] of patterns) result = result.replace(pattern, replacement)
  return result
}

/** Cuts before a word that the limit would split, so that half a secret is not taken for an ordinary word. */
function cut(text: string, charactersMax: number): string {
  let end = charactersMax
  while (end > 0 && /[^\s"',;]/.test(text[end - 1] ?? '')) end -= 1
  return `${text.slice(0, end)}[cut, ${text.length} characters]`
}

/** A copy of `value`, made of plain JSON values, in which nothing secret is left. */
export function redactValue(value: unknown): unknown {
  return redact(value, 0, new Set())
}

function redact(value: unknown, depth: number, above: Set<object>): unknown {
  if (typeof value === 'string') return redactText(value)
  if (typeof value === 'bigint') return value.toString()
  if (typeof value === 'function' || typeof value === 'symbol') return undefined
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Secret) return '[secret]'
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `[${value.byteLength} bytes]`
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'invalid date' : value.toISOString()
  if (value instanceof URL) return redactText(value.href)
  if (above.has(value)) return '[circular]'
  if (depth >= depthMax) return '[too deep]'
  above.add(value)
  try {
    return redactObject(value, depth, above)
  } catch {
    return '[unreadable]'
  } finally {
    above.delete(value)
  }
}

function redactObject(value: object, depth: number, above: Set<object>): unknown {
  if (value instanceof Map) return redactEntries(value.entries(), depth, above)
  if (Array.isArray(value) || value instanceof Set) {
    const items = [...value].slice(0, itemsMax).map((item) => redact(item, depth + 1, above) ?? null)
    return items
  }
  if (value instanceof Error) {
    return {
      type: value.name,
      message: redactText(String(value.message)),
      stack: redactText(String(value.stack ?? ''), stackCharactersMax),
      ...(value.cause === undefined ? {} : { cause: redact(value.cause, depth + 1, above) }),
      ...redactEntries(ownEntries(value), depth, above),
    }
  }
  return redactEntries(ownEntries(value), depth, above)
}

function* ownEntries(value: object): Generator<[string, unknown]> {
  for (const name of Object.keys(value)) {
    if (value instanceof Error && (name === 'message' || name === 'stack' || name === 'cause')) continue
    yield [name, (value as Record<string, unknown>)[name]]
  }
}

function redactEntries(
  entries: Iterable<[unknown, unknown]>,
  depth: number,
  above: Set<object>,
): Record<string, unknown> {
  const result: [string, unknown][] = []
  for (const [key, value] of entries) {
    if (result.length >= itemsMax) break
    const { shown: name, isSensitive } = judgeName(String(key))
    const isShown = typeof value === 'boolean' || value === null || value === undefined || !isSensitive
    result.push([name, isShown ? redact(value, depth + 1, above) : mask])
  }
  return Object.fromEntries(result)
}
