// Applies a merge patch (RFC 7396) to the fields of a resource.
import { problemOfFaults } from '@wds/http-service/problem'

/** A patch of `F`: null removes a member, objects are merged, everything else is replaced. */
export type MergePatch<F> = F extends readonly unknown[]
  ? F
  : F extends object
    ? { [K in keyof F]?: MergePatch<F[K]> | null }
    : F

/** The patched members, each with the value it has then. One that is removed goes back to its default; without a default it cannot be: 422. */
export function mergePatch<F extends object>(
  fields: F,
  patch: NoInfer<MergePatch<F>>,
  defaults: NoInfer<Partial<F>>,
): Partial<F> {
  const faults = Object.entries(patch)
    .filter(([key, value]) => value === null && !Object.hasOwn(defaults, key))
    .map(
      ([key]) => ({ pointer: `/${key}`, code: 'validation_failed', detail: 'This field cannot be removed.' }) as const,
    )
  if (faults.length > 0) throw problemOfFaults(faults)
  const merged = Object.entries(patch).map(([key, value]) => {
    const name = key as keyof F
    return [key, value === null ? defaults[name] : merge(fields[name], value)]
  })
  return Object.fromEntries(merged)
}

function merge(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch
  const result = new Map<string, unknown>(isObject(target) ? Object.entries(target) : [])
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) result.delete(key)
    else result.set(key, merge(result.get(key), value))
  }
  return Object.fromEntries(result)
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
