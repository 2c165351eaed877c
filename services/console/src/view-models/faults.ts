// Finds the fault of a field in an answer, so that it stands at the field (ui.md 6).
import type { Fault } from '@wds/api-client/problem'

const faultsOf = (error: unknown): readonly Fault[] => (error as { errors?: readonly Fault[] } | null)?.errors ?? []

/** Of the field at this JSON pointer or below it, such as `/url`; null: none. */
export function faultOf(error: unknown, pointer: string): string | null {
  const own = faultsOf(error).find((fault) => fault.pointer === pointer || fault.pointer?.startsWith(`${pointer}/`))
  return own?.detail ?? null
}

/** Of a list as a whole, whose rows show their own. */
export function faultOfList(error: unknown, pointer: string): string | null {
  return faultsOf(error).find((fault) => fault.pointer === pointer)?.detail ?? null
}

const isSame = (a: unknown, b: unknown) => a === b || (!(a instanceof Blob) && JSON.stringify(a) === JSON.stringify(b))

const at = (body: unknown, path: readonly string[]): unknown =>
  path.reduce((value, name) => (value as Record<string, unknown> | null | undefined)?.[name], body)

/**
 * What is wrong with what would be sent now, of the refusal of what was sent: a field that was changed since is set right, until it is sent
 * again. Null: all of it is. A fault of what the body does not hold goes with any change.
 */
export function stillWrong<Refusal extends object | null>(error: Refusal, sent: unknown, now: unknown): Refusal | null {
  const faults = faultsOf(error)
  const left = faults.filter(({ pointer }) => {
    if (pointer === undefined) return true
    const path = pointer.split('/').slice(1)
    const isThere = at(sent, path.slice(0, 1)) !== undefined || at(now, path.slice(0, 1)) !== undefined
    return isThere ? isSame(at(sent, path), at(now, path)) : isSame(sent, now)
  })
  if (error === null || left.length === faults.length) return error
  if (left.length === 0) return null
  return Object.assign(Object.create(Object.getPrototypeOf(error)), error, { errors: left }) as Refusal
}

/** The name of a field in words, from its place in a body: `/settings/base_url` is `settings, base url`, `/tags/0` is `tags 1`. */
export const fieldName = (pointer: string) =>
  pointer
    .replace(/^\//, '')
    .replace(/\/(\d+)(?=\/|$)/g, (_, place) => ` ${Number(place) + 1}`)
    .replaceAll('/', ', ')
    .replaceAll('_', ' ')
