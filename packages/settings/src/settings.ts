// Declares, parses and documents a service's configuration (style.md 23): a wrong one stops the start with all faults at once.
// It never prints a value of a secret, and no fault contains a value at all (security.md 7).

import type { Declarations, Setting, Values } from './declaration.ts'
import { formatDuration } from './duration.ts'
import { parseValue } from './parse-value.ts'
import { type GivenText, readSecretText } from './secret-text.ts'

/** Refused configuration. `message` is one line that names every setting at fault and no value; `faults` has one item each. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError'
  readonly faults: readonly string[]

  constructor(faults: readonly string[]) {
    super(`configuration refused: ${faults.join('; ')}`)
    this.faults = faults
  }
}

/** One row of the reference page. `default` is text as one would write it, null when there is none. */
export interface SettingRow {
  name: string
  type: Setting['type']
  unit: string | null
  default: string | null
  required: boolean
  secret: boolean
  /** The allowed values in words, null when the type says all. */
  allowed: string | null
  meaning: string
}

/** Conditions over several settings: a fault as a sentence that names them and no value, or null. */
export type SettingsCheck<D extends Declarations> = (values: Values<D>) => string | null

/** What `parse` may be told beside the environment. */
export interface ParseOptions {
  /** Every variable with this prefix that is not declared is a fault: a misspelling must not pass in silence (security.md 7). */
  refuseUnknownPrefix?: string
  /** Names with that prefix that belong to somebody else. */
  knownElsewhere?: readonly string[]
}

/** The declared settings of a service. */
export interface Settings<D extends Declarations> {
  /**
   * Typed values; throws `SettingsError` with all faults. A variable that is empty counts as unset. A secret is given by its own name, or
   * by a file that `NAME_FILE` names, which is how a platform mounts one (kubernetes.md K70).
   */
  parse(env: Readonly<Record<string, string | undefined>>, options?: ParseOptions): Values<D>
  /** Rows of the reference page, in the order of declaration. */
  describe(): SettingRow[]
  /** For the start log: values as text, 'set' or 'unset' for secrets. */
  printable(values: Values<D>): Record<string, string>
}

/** Declares settings by the names of their environment variables. Throws at once for a declaration that contradicts itself. */
export function defineSettings<const D extends Declarations>(
  declarations: D,
  options: { checks?: readonly SettingsCheck<D>[] } = {},
): Settings<D> {
  const entries = Object.entries(declarations) as [string, Setting][]
  const defaults = new Map(entries.map(([name, setting]) => [name, defaultOf(name, setting)]))
  return {
    parse(env, parseOptions = {}) {
      const faults = unknownNames(env, declarations, parseOptions)
      const values: Record<string, unknown> = {}
      for (const [name, setting] of entries) {
        const given = textOf(name, setting, env)
        if (!given.ok) {
          faults.push(given.fault)
          continue
        }
        const { text } = given
        if (text === '') {
          values[name] = copyOf(defaults.get(name))
          if (values[name] === undefined && setting.optional !== true) faults.push(`${name} is required`)
          continue
        }
        const parsed = parseValue(setting, text)
        if (parsed.ok) values[name] = parsed.value
        else faults.push(`${name} ${parsed.fault}`)
      }
      if (faults.length === 0) {
        for (const check of options.checks ?? []) faults.push(...[check(values as Values<D>)].filter((f) => f !== null))
      }
      if (faults.length > 0) throw new SettingsError(faults)
      return values as Values<D>
    },
    describe: () => entries.map(([name, setting]) => rowOf(name, setting, defaults.get(name))),
    printable: (values) =>
      Object.fromEntries(entries.map(([name, setting]) => [name, printed(setting, values[name as keyof D])])),
  }
}

function copyOf(value: unknown): unknown {
  return Array.isArray(value) ? [...value] : value
}

/** The default as a value. A text goes through the parser, so that a default obeys the same rules as a given value. */
function defaultOf(name: string, setting: Setting): unknown {
  if (setting.default === undefined) return undefined
  if (setting.secret === true) throw new Error(`${name}: a secret has no default`)
  const parsed = parseValue(setting, printed(setting, setting.default))
  if (parsed.ok || (Array.isArray(setting.default) && setting.default.length === 0)) {
    return parsed.ok ? parsed.value : []
  }
  if (setting.default === '') return ''
  throw new Error(`${name}: its default ${parsed.fault}`)
}

/** What the environment says of a setting; an empty text where it says nothing. */
function textOf(name: string, setting: Setting, env: Readonly<Record<string, string | undefined>>): GivenText {
  const { [name]: text = '', [fileName(name)]: path = '' } = env
  if (setting.secret !== true || path === '') return { ok: true, text }
  if (text !== '') return { ok: false, fault: `${name} and ${fileName(name)} are both set` }
  return readSecretText(fileName(name), path)
}

const fileName = (name: string) => `${name}_FILE`

/** The file that a secret is given by; undefined where it is given itself. */
export function fileOfSecret(name: string, env: Readonly<Record<string, string | undefined>>): string | undefined {
  return env[fileName(name)] || undefined
}

function unknownNames(env: object, declarations: Declarations, options: ParseOptions): string[] {
  const { refuseUnknownPrefix: prefix, knownElsewhere = [] } = options
  if (prefix === undefined) return []
  const secrets = Object.entries(declarations).filter(([, { secret }]) => secret === true)
  const known = new Set([...Object.keys(declarations), ...secrets.map(([name]) => fileName(name)), ...knownElsewhere])
  return Object.keys(env)
    .filter((name) => name.startsWith(prefix) && !known.has(name))
    .sort()
    .map((name) => `${name} is not a setting`)
}

/** A value as one would write it in the environment. */
function printed(setting: Setting, value: unknown): string {
  if (setting.secret === true) return value === undefined ? 'unset' : 'set'
  if (value === undefined) return 'unset'
  if (Array.isArray(value))
    return value.map((item) => (typeof item === 'number' ? formatDuration(item) : item)).join(',')
  if (setting.type === 'duration' && typeof value === 'number') return formatDuration(value)
  return String(value)
}

function allowedIn(setting: Setting): string | null {
  if (setting.type === 'enum') return setting.values.join(', ')
  if (setting.type === 'integer') return `${setting.min} to ${setting.max}`
  if (setting.type === 'url') return setting.protocols?.map((protocol) => `${protocol}//`).join(' or ') ?? null
  if (setting.type !== 'duration' && setting.type !== 'durations') return null
  const words = []
  if (setting.min !== undefined) words.push(`at least ${formatDuration(setting.min)}`)
  if (setting.max !== undefined) words.push(`at most ${formatDuration(setting.max)}`)
  return words.length === 0 ? null : words.join(', ')
}

function rowOf(name: string, setting: Setting, fallback: unknown): SettingRow {
  return {
    name,
    type: setting.type,
    unit: setting.unit ?? null,
    default: fallback === undefined ? null : printed(setting, fallback),
    required: fallback === undefined && setting.optional !== true,
    secret: setting.secret === true,
    allowed: allowedIn(setting),
    meaning: setting.meaning,
  }
}
