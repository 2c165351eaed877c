// Finds the fault of a field in an answer, so that it stands at the field (ui.md 6).

interface Fault {
  pointer?: string
  parameter?: string
  detail: string
}

/** Of the field at this JSON pointer or below it, such as `/url`; null: none. */
export function faultOf(error: unknown, pointer: string): string | null {
  const faults = (error as { errors?: readonly Fault[] } | null)?.errors ?? []
  const own = faults.find((fault) => fault.pointer === pointer || fault.pointer?.startsWith(`${pointer}/`))
  return own?.detail ?? null
}

/** The name of a field in words, from its place in a body: `/settings/base_url` is `settings, base url`. */
export const fieldName = (pointer: string) => pointer.replace(/^\//, '').replaceAll('/', ', ').replaceAll('_', ' ')
