// What the patterns of a subscription mean with the types of the catalog (ui.md 2): families, and what a wildcard matches today.

export interface CatalogType {
  type: string
  meaning: string
}

export interface Family<T extends CatalogType = CatalogType> {
  /** Such as `invoice`. */
  prefix: string
  types: readonly T[]
}

const prefixOf = (type: string) => type.slice(0, type.indexOf('.'))

/** The types by their prefix, in the order of the catalog. */
export function familiesOf<T extends CatalogType>(types: readonly T[]): Family<T>[] {
  const families = new Map<string, T[]>()
  for (const type of types) families.set(prefixOf(type.type), [...(families.get(prefixOf(type.type)) ?? []), type])
  return [...families].map(([prefix, own]) => ({ prefix, types: own }))
}

/** `*`, `prefix.*` or the type itself. */
export function isMatch(pattern: string, type: string): boolean {
  if (pattern === '*') return true
  return pattern.endsWith('.*') ? type.startsWith(pattern.slice(0, -1)) : pattern === type
}

/** The types that any of the patterns matches today. */
export function matchedTypes<T extends CatalogType>(patterns: readonly string[], types: readonly T[]): T[] {
  return types.filter(({ type }) => patterns.some((pattern) => isMatch(pattern, type)))
}

/** Adds or takes away a pattern; what a wider one covers is left out, so that the list says what it means. */
export function togglePattern(patterns: readonly string[], pattern: string): string[] {
  if (patterns.includes(pattern)) return patterns.filter((one) => one !== pattern)
  const rest = patterns.filter((one) => one !== '*' && !(pattern.endsWith('*') && isMatch(pattern, one)))
  return pattern === '*' ? ['*'] : [...rest, pattern]
}

/** Families whose name, or of which a type's name or meaning, holds the words; with only those types. */
export function searchFamilies<T extends CatalogType>(families: readonly Family<T>[], text: string): Family<T>[] {
  const words = text.toLowerCase().trim().split(/\s+/)
  return families.flatMap(({ prefix, types }) => {
    const found = types.filter(({ type, meaning }) =>
      words.every((word) => `${type} ${meaning}`.toLowerCase().includes(word)),
    )
    return found.length === 0 ? [] : [{ prefix, types: found }]
  })
}
