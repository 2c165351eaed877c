// Filters live in the address (ui.md 4): read, checked and written here. A value that is wrong falls back to none, and the page says so.

/** Of each filter, whether a text is a value of it. */
export type FilterRules = Readonly<Record<string, (text: string) => boolean>>

export type FilterValues<R extends FilterRules> = { readonly [N in keyof R]?: string }

export interface ReadFilters<R extends FilterRules> {
  values: FilterValues<R>
  /** Names of the filters whose value was wrong. */
  refused: (keyof R & string)[]
}

/** `search`: the parameters of the address. What no rule names is left alone. */
export function readFilters<R extends FilterRules>(
  rules: R,
  search: Readonly<Record<string, unknown>>,
): ReadFilters<R> {
  const values: Record<string, string> = {}
  const refused: string[] = []
  for (const [name, isValue] of Object.entries(rules)) {
    const given = search[name]
    if (given === undefined || given === '') continue
    if (typeof given === 'string' && isValue(given)) values[name] = given
    else refused.push(name)
  }
  return { values: values as FilterValues<R>, refused }
}

/** A rule for one of a few words. */
export const oneOf =
  (words: readonly string[]) =>
  (text: string): boolean =>
    words.includes(text)

/** A rule for an instant, RFC 3339. */
export const isInstant = (text: string): boolean => /^\d{4}-\d\d-\d\dT/.test(text) && !Number.isNaN(Date.parse(text))

/** A rule for a text up to a length. */
export const upTo =
  (lengthMax: number) =>
  (text: string): boolean =>
    text.length <= lengthMax

/** `?a=b&c=d`, or '' without a value: plain texts, in the order of their names, so that one view has one address. */
export function searchText(values: Readonly<Record<string, unknown>>): '' | `?${string}` {
  const pairs = Object.entries(values)
    .filter((pair): pair is [string, string] => typeof pair[1] === 'string' && pair[1] !== '')
    .sort(([one], [other]) => (one < other ? -1 : 1))
  const text = new URLSearchParams(pairs).toString()
  return text === '' ? '' : `?${text}`
}

/** The parameters of an address as texts; of a name that stands there twice the first counts. */
export function readSearch(text: string): Record<string, string> {
  const values: Record<string, string> = {}
  for (const [name, value] of new URLSearchParams(text)) values[name] ??= value
  return values
}
