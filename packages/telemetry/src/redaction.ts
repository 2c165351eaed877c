// Decides what of a value may stand in a log line: redaction by key name, by pattern and by type (security.md 3).
// It never throws and never looks at more than a bounded part of a value; each pattern takes time linear in the text (XP09).

import { types } from 'node:util'
import { type EndOf, endOfAssigned, endOfItem, endOfJson, endOfNamedBehind, mask, matching } from './value-ends.ts'

export { mask }

const textCharactersMax = 8_192
const stackCharactersMax = 4_096
const depthMax = 8
const itemsMax = 100

/** Names whose values are never shown, in lower case and without `-` and `_`; bodies and headers of deliveries are not logged. */
const sensitiveEnding =
  /(?:password|passwd|passphrase|passcode|pass|pwd|secrets?|tokens?|cookies?|authorization|auth|apikeys?|(?:private|secret|signing|encryption|access)keys?|credentials?|verifier|emails?|mail|signatures?|sig|sessionid|jwt|databaseurl|connectionstring)(?:key|pem|value|text|raw|hash|hex|base64)?$/
const sensitiveNames = new Set(['body', 'rawbody', 'headers', 'rawheaders', 'excerpt', 'payload', 'csrf'])
/** Names that say little elsewhere, but in the query of a URL are those of secrets. */
const sensitiveInQuery = new Set(['code', 'state', 'key', 'codeverifier'])

/** Whether the values under this name are never shown. */
export function isSensitiveName(name: string): boolean {
  const plain = plainName(name)
  return sensitiveNames.has(plain) || sensitiveEnding.test(plain)
}

function plainName(name: string): string {
  return name.slice(-64).toLowerCase().replaceAll(/[-_]/g, '')
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

/** What to look for. `mark`: stands, in any case of letters, in every text that `apply` finds something in. */
type Rule = readonly [mark: string, apply: (text: string) => string]

const replacing = (pattern: RegExp, replacement: string) => (text: string) => text.replace(pattern, replacement)

/**
 * The look-behinds make each run of characters be tried once only, so that no input costs more than linear time. A secret matches
 * from its beginning on, so that one which was cut off is caught too. Order matters: user information of URLs goes before e-mail
 * addresses, which look alike.
 */
const rules: readonly Rule[] = [
  ['-----BEGIN', replacing(/-----BEGIN [A-Z ]{1,40}-----[\s\S]*?(?:-----END [A-Z ]{1,40}-----|$)/g, mask)],
  ['wd[kr]_|wdcode_|whsec_', replacing(/(wdk_live_|wdk_test_|whsec_|wdr_|wdcode_)[0-9A-Za-z+/=_-]+/g, `$1${mask}`)],
  ['wds_', replacing(/(wds_)[0-9A-Za-z]{46}/g, `$1${mask}`)],
  // Of others: payment providers, GitHub, Slack, AWS.
  [
    '[spr]k_(?:live|test)_|gh[pousr]_|xox|A[KS]IA',
    replacing(
      /\b(?:[spr]k_(?:live|test)_[0-9A-Za-z]+|gh[pousr]_[0-9A-Za-z]+|xox[a-z]-[0-9A-Za-z-]+|A[KS]IA[0-9A-Z]{12,})/g,
      mask,
    ),
  ],
  // The signature of a webhook.
  ['v1[=,]', replacing(/\b(v1[=,])[A-Za-z0-9+/=]{16,}/g, `$1${mask}`)],
  ['bearer|basic', replacing(/\b(bearer|basic)[ \t]{1,8}[\w.~+/=-]+/gi, `$1 ${mask}`)],
  ['eyJ', replacing(/(?<![\w-])eyJ[\w-]{6,}(?:\.[\w-]*){0,2}/g, mask)],
  ['://', (text) => text.replace(/:\/\/[^\s"'<>]+/g, redactUserInformation)],
  [
    '[?&]',
    (text) =>
      redactNamed(text, {
        names: /[?&]([^\s=?&"'#]{1,64})=/g,
        endOf: matching(/[^&\s"'#]+/y),
        isHidden: isHiddenInQuery,
      }),
  ],
  // JSON within text, also where the text was made JSON itself.
  [
    '["\']\\s{0,4}(?::|=>)',
    (text) =>
      redactNamed(text, {
        // A Map is printed with arrows.
        names: /(?:\\{0,7}["'])([\w .$-]{1,64})\\{0,7}["']\s{0,4}(?::|=>)\s{0,4}/g,
        endOf: endOfJson,
        isHidden: isSensitiveName,
      }),
  ],
  // One header as an object.
  [
    '(?:name|key)\\\\{0,7}["\']?\\s{0,4}:',
    (text) =>
      redactNamed(text, {
        names:
          /\b(?:name|key)\\{0,7}["']?\s{0,4}:\s{0,4}\\{0,7}["']([\w .$-]{1,64})\\{0,7}["']\s{0,4},\s{0,40}\\{0,7}["']?value\\{0,7}["']?\s{0,4}:\s{0,4}/g,
        endOf: endOfJson,
        isHidden: isSensitiveName,
      }),
  ],
  [
    'value\\\\{0,7}["\']?\\s{0,4}:',
    (text) =>
      redactNamed(text, {
        names: /\bvalue\\{0,7}["']?\s{0,4}:\s{0,4}/g,
        endOf: endOfNamedBehind(isSensitiveName),
        isHidden: () => true,
      }),
  ],
  // Of such a list, flat or in pairs: what follows a name is its value, in a printed one on a line of its own.
  [
    '["\']\\s{0,4},',
    (text) =>
      redactNamed(text, {
        names: /(?:\\{0,7}["'])([\w .$-]{1,64})\\{0,7}["']\s{0,4},\s{0,40}/g,
        endOf: endOfItem,
        isHidden: isSensitiveName,
      }),
  ],
  [
    'authorization|cookie',
    replacing(/\b((?:set-)?cookie|(?:proxy-)?authorization)(\s{0,4}[:=]\s{0,4})(?!["'])[^\r\n]+/gi, `$1$2${mask}`),
  ],
  // Whatever stands before the word: DB_PASSWORD, authToken. Some words are ordinary ones in prose, where no `=` follows.
  [
    'passw|passphrase|pwd|secret|token|(?:api|private|signing|encryption|access)[-_]?key|session[-_]?id|(?:pass|auth|credentials?|jwt|hmac|sig|signature)=',
    (text) =>
      redactNamed(text, {
        names:
          /(?:password|passwd|passphrase|pwd|secret|token|(?:api|private|signing|encryption|access)[-_]?key|session[-_]?id)(?:[-_]?(?:key|pem|value|text|raw|hash|hex|base64))?["']?\s{0,4}(?:=>|[:=])\s{0,4}|(?:pass|auth|credentials?|jwt|hmac|sig|signature)=/gi,
        endOf: endOfAssigned,
        isHidden: () => true,
      }),
  ],
  // Tokens that are a part of a path; what stands there in a template (`{token}`, `:token`) is its name.
  [
    'postbacks/|invitations/|password/|consent/|authorize/',
    replacing(/(\/(?:postbacks|invitations|password|oauth\/(?:consent|authorize))\/)(?![{:])[^/\s?#"']+/g, `$1${mask}`),
  ],
  ['@', replacing(/(?<![\p{L}\p{N}._%+'-])[\p{L}\p{N}._%+'-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu, mask)],
]

/** A text without any mark, which most are, is looked at once instead of by each rule; ids and words are not even looked at for marks. */
const marks = new RegExp(rules.map(([mark]) => mark).join('|'), 'i')
const mayHoldMark =
  /[:=@,? ]|-----|wd|whsec_|eyJ|_(?:live|test)_|gh[pousr]_|xox|A[KS]IA|\/(?:postbacks|invitations|password|consent|authorize)\//

/** Hides the values that stand behind the names that are `isHidden`; what stands behind others is searched on. */
function redactNamed(
  text: string,
  { names, endOf, isHidden }: { names: RegExp; endOf: EndOf; isHidden(name: string): boolean },
): string {
  let result = ''
  let from = 0
  names.lastIndex = 0
  for (let found = names.exec(text); found !== null; found = names.exec(text)) {
    const begin = names.lastIndex
    const end = isHidden(found[1] ?? '') ? endOf(text, begin) : begin
    if (end === begin) continue
    result += text.slice(from, begin) + mask
    from = end
    names.lastIndex = end
  }
  return result + text.slice(from)
}

/** Of URLs that stand one behind the other without a space: what is between `://` and the last `@`, where a user is named. */
function redactUserInformation(run: string): string {
  // A password may hold a raw `/` or `@`, so only the last one ends it.
  const end = run.lastIndexOf('@')
  if (end < 0) return run
  for (let from = 3; ; from = run.indexOf('://', from) + 3) {
    const at = run.slice(from, end + 1).search(/[:@/?#]/)
    const delimiter = at < 0 ? '' : run[from + at]
    if (delimiter === ':' || delimiter === '@') return `${run.slice(0, from)}${mask}${run.slice(end)}`
    if (run.indexOf('://', from) < 0 || run.indexOf('://', from) > end) return run
  }
}

function isHiddenInQuery(name: string): boolean {
  return isSensitiveName(name) || sensitiveInQuery.has(plainName(name))
}

/** The text without secrets, bearer values, tokens, and e-mail addresses; at most 8,192 characters of it. */
export function redactText(text: string, charactersMax = textCharactersMax): string {
  let result = text.length > charactersMax ? cut(text, charactersMax) : text
  if (!mayHoldMark.test(result) || !marks.test(result)) return result
  for (const [, apply] of rules) result = apply(result)
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
    const items = [...value].slice(0, itemsMax)
    // Lists of headers, flat or in pairs: what follows a name is its value.
    return items.map((item, index) =>
      isHeaderName(items[index - 1]) ? mask : (redact(item, depth + 1, above) ?? null),
    )
  }
  if (types.isNativeError(value)) {
    const error: Record<string, unknown> = {
      type: value.name,
      message: redactText(String(value.message)),
      stack: redactText(String(value.stack ?? ''), stackCharactersMax),
    }
    if (value.cause !== undefined) error.cause = redact(value.cause, depth + 1, above)
    return { ...error, ...redactEntries(ownEntries(value), depth, above) }
  }
  return redactEntries(ownEntries(value), depth, above)
}

function isHeaderName(item: unknown): boolean {
  return typeof item === 'string' && item.length <= knownNameCharactersMax && judgeName(item).isSensitive
}

/** What the server says of a fault without the values of a row or a statement. */
const shownOfDatabaseError = new Set(
  'severity code position schema table column dataType constraint file line routine'.split(' '),
)

function* ownEntries(value: object): Generator<[string, unknown]> {
  const isDatabaseError = types.isNativeError(value) && 'severity' in value && 'routine' in value
  const isInvalidUrl = types.isNativeError(value) && (value as { code?: unknown }).code === 'ERR_INVALID_URL'
  for (const name of Object.keys(value)) {
    if (types.isNativeError(value) && (name === 'message' || name === 'stack' || name === 'cause')) continue
    if (isDatabaseError && !shownOfDatabaseError.has(name)) continue
    // The text that is no URL: an address with a password, likely.
    if (isInvalidUrl && (name === 'input' || name === 'base')) continue
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
    result.push([name, isSensitive && isValue(value) ? mask : redact(value, depth + 1, above)])
  }
  // One header of a list of such objects.
  if (result.some(([, of]) => isHeaderName(of)))
    for (const entry of result) if (entry[0] === 'value' && isValue(entry[1])) entry[1] = mask
  return Object.fromEntries(result)
}

/** What may be a secret. */
/** Of a secret setting these are all that is told (`printSettings` of a service): no secret is one of them. */
const isWhetherSet = (value: unknown) => value === 'set' || value === 'unset'
const isValue = (value: unknown) =>
  typeof value !== 'boolean' && value !== null && value !== undefined && !isWhetherSet(value)
