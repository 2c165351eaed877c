// The merge patch (RFC 7396) between two versions of what a form holds: only what was changed is sent.

type Json = Record<string, unknown>

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Members that differ; null for one that is gone, and objects by their own members. */
export function mergePatchOf(before: Json, after: Json): Json {
  const patch: Json = {}
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [was, is] = [before[name], after[name]]
    if (JSON.stringify(was) === JSON.stringify(is)) continue
    patch[name] = isObject(was) && isObject(is) ? mergePatchOf(was, is) : (is ?? null)
  }
  return patch
}
