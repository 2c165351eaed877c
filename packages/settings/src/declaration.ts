// The words a service uses to declare its settings, and the types their values have. It never reads the environment.

interface Common {
  /** One sentence for the reference page: what the setting decides. */
  meaning: string
  /** Its value is never printed: 'set' or 'unset' stands in its place. A secret has no default. */
  secret?: true
  /** Without a default: `undefined` when unset. A setting with neither `default` nor `optional` is required. */
  optional?: true
  /** Shown in the reference. */
  unit?: string
}

/** A text; lengths in characters. */
export interface StringSetting extends Common {
  type: 'string'
  default?: string
  lengthMin?: number
  lengthMax?: number
}
/** A whole number from `min` to `max`, both included. */
export interface IntegerSetting extends Common {
  type: 'integer'
  min: number
  max: number
  default?: number
}
/** `true` or `false` (`1` and `0` too). */
export interface BooleanSetting extends Common {
  type: 'boolean'
  default?: boolean
}
/** An absolute URL, given back as text without a slash at the end. `protocols` as in `['https:']`; any when not given. */
export interface UrlSetting extends Common {
  type: 'url'
  default?: string
  protocols?: readonly string[]
}
/** A length of time such as `250ms`, `30s`, `2m`, `1h`, `7d`; the value is in milliseconds, and so are `min` and `max`. */
export interface DurationSetting extends Common {
  type: 'duration'
  default?: string | number
  min?: number
  max?: number
}
/** Lengths of time separated by commas; values, `min` and `max` in milliseconds. */
export interface DurationsSetting extends Common {
  type: 'durations'
  default?: string | readonly number[]
  min?: number
  max?: number
}
/** One of a few words. */
export interface EnumSetting extends Common {
  type: 'enum'
  values: readonly string[]
  default?: string
}
/** Texts separated by commas, without empty items. */
export interface ListSetting extends Common {
  type: 'list'
  default?: readonly string[]
  itemsMax?: number
}
/** The path of a file. Whether it can be read is found out by its reader. */
export interface FileSetting extends Common {
  type: 'file'
  default?: string
}

/** One declared setting. */
export type Setting =
  | StringSetting
  | IntegerSetting
  | BooleanSetting
  | UrlSetting
  | DurationSetting
  | DurationsSetting
  | EnumSetting
  | ListSetting
  | FileSetting

/** Settings by the name of their environment variable. */
export type Declarations = Readonly<Record<string, Setting>>

type ValueOf<S> = S extends { type: 'integer' | 'duration' }
  ? number
  : S extends { type: 'boolean' }
    ? boolean
    : S extends { type: 'durations' }
      ? number[]
      : S extends { type: 'list' }
        ? string[]
        : S extends { type: 'enum'; values: readonly (infer V)[] }
          ? V
          : string

/** The parsed settings, by the same names. */
export type Values<D extends Declarations> = {
  readonly [K in keyof D]: D[K] extends { default: unknown }
    ? ValueOf<D[K]>
    : D[K] extends { optional: true }
      ? ValueOf<D[K]> | undefined
      : ValueOf<D[K]>
}
