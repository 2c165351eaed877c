// Turns the text of one environment variable into its value, or says what is wrong with it. A fault never contains the text.

import type { DurationSetting, DurationsSetting, Setting, UrlSetting } from './declaration.ts'
import { formatDuration, parseDuration } from './duration.ts'

/** The value, or the fault as the end of a sentence that begins with the setting's name. */
export type ParsedValue = { ok: true; value: unknown } | { ok: false; fault: string }

const good = (value: unknown): ParsedValue => ({ ok: true, value })
const bad = (fault: string): ParsedValue => ({ ok: false, fault })

function parseInteger(text: string, min: number, max: number): ParsedValue {
  const value = /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN
  return value >= min && value <= max ? good(value) : bad(`must be a whole number from ${min} to ${max}`)
}

function parseUrl(setting: UrlSetting, text: string): ParsedValue {
  const url = URL.canParse(text) ? new URL(text) : null
  const inPassword = setting.secret === true ? '; in a password / is written %2F, @ %40 and % %25' : ''
  if (url === null || !isDecodable(url)) return bad(`must be an absolute URL${inPassword}`)
  if (setting.protocols !== undefined && !setting.protocols.includes(url.protocol)) {
    return bad(`must begin with ${setting.protocols.map((protocol) => `${protocol}//`).join(' or ')}`)
  }
  let end = text.length
  while (text[end - 1] === '/') end -= 1
  return good(text.slice(0, end))
}

/** Whoever connects undoes the escapes. */
function isDecodable({ username, password, pathname }: URL): boolean {
  try {
    for (const part of [username, password, pathname]) decodeURIComponent(part)
    return true
  } catch {
    return false
  }
}

function parseOneDuration(setting: DurationSetting | DurationsSetting, text: string): number | string {
  const ms = parseDuration(text)
  if (ms === null) return 'must be a length of time such as 250ms, 30s, 2m, 1h or 7d'
  if (setting.min !== undefined && ms < setting.min) return `must be at least ${formatDuration(setting.min)}`
  if (setting.max !== undefined && ms > setting.max) return `must be at most ${formatDuration(setting.max)}`
  return ms
}

function parseDurations(setting: DurationsSetting, text: string): ParsedValue {
  const items = text.split(',').map((item) => parseOneDuration(setting, item.trim()))
  const fault = items.find((item) => typeof item === 'string')
  return fault === undefined ? good(items) : bad(`${fault}, each item separated by a comma`)
}

function parseList(text: string, itemsMax: number): ParsedValue {
  const items = text.split(',').map((item) => item.trim())
  if (items.includes('')) return bad('must not have an empty item between its commas')
  return items.length <= itemsMax ? good(items) : bad(`must have at most ${itemsMax} items`)
}

/** Judges `text`, which is not empty, by its declaration. */
export function parseValue(setting: Setting, text: string): ParsedValue {
  if (text.includes('\0')) return bad('must not contain a zero byte')
  switch (setting.type) {
    case 'string': {
      const { lengthMin = 1, lengthMax = 65_536 } = setting
      return text.length >= lengthMin && text.length <= lengthMax
        ? good(text)
        : bad(`must have ${lengthMin} to ${lengthMax} characters`)
    }
    case 'integer':
      return parseInteger(text, setting.min, setting.max)
    case 'boolean':
      if (text === 'true' || text === '1') return good(true)
      return text === 'false' || text === '0' ? good(false) : bad('must be true or false')
    case 'url':
      return parseUrl(setting, text)
    case 'duration': {
      const ms = parseOneDuration(setting, text)
      return typeof ms === 'number' ? good(ms) : bad(ms)
    }
    case 'durations':
      return parseDurations(setting, text)
    case 'enum':
      return setting.values.includes(text) ? good(text) : bad(`must be one of ${setting.values.join(', ')}`)
    case 'list':
      return parseList(text, setting.itemsMax ?? 1_000)
    case 'file':
      return good(text)
  }
}
