// Decides how an object is written of which some members may be absent. Each member stands in the literal by its name,
// so that the compiler refuses a misspelt one; in a spread literal (`...(x === undefined ? {} : { x })`) it finds none.

/** The same members, of which the optional ones may also be given as undefined. */
type Given<T> = { [K in keyof T]: Record<never, never> extends Pick<T, K> ? T[K] | undefined : T[K] }

/**
 * The members that have a value: one that is undefined is absent from the result, as `in`, `Object.keys` and JSON see it.
 * The type comes from where the result goes, or is named: `withoutUndefined<Options>({ … })`.
 */
export function withoutUndefined<T extends object = never>(members: NoInfer<Given<T>>): T {
  const present: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(members)) if (value !== undefined) present[name] = value
  return present as T
}
