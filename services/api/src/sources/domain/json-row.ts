// Decides how the members of a JSON row become cells (domain.md 4.4): pointers of a mapping, or members named as canonical
// fields. It never reads a member that nothing names, and never turns a number into a float.
import { type RejectedRow, rejected } from './check-row.ts'
import { type BoundOnly, bindOnly, type OnlyRule } from './only-rows.ts'
import { type BoundEntry, bindHeader, type ColumnFault, canonicalFields, type MappingEntry } from './row-mapping.ts'

/** A number of a JSON text by its digits: amounts never pass through a float (domain.md M1). */
export class JsonNumber {
  readonly digits: string
  constructor(digits: string) {
    this.digits = digits
  }
}
export type JsonObject = Record<string, unknown>

/** A parsed value as a row, or null where it is no object. */
export function asJsonRow(value: unknown): JsonObject | null {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject && !(value instanceof JsonNumber) ? (value as JsonObject) : null
}

/** How rows of one file become cells. */
export interface JsonBinding {
  entries: BoundEntry[]
  /** Where each cell is found: names of members, or JSON pointers. */
  columns: string[]
  /** Other members are ignored; without a mapping a row may have none. */
  isMapped: boolean
  only: BoundOnly
}

/** The binding of a file by its first row, or every fault of that row. */
export function bindJson(
  first: JsonObject,
  granularity: 'hour' | 'day',
  mapping: readonly MappingEntry[] | null,
  only: readonly OnlyRule[] = [],
): { ok: true; binding: JsonBinding } | { ok: false; faults: ColumnFault[] } {
  const lacking = only.filter(({ from }) => find(first, from) === undefined)
  if (lacking.length > 0) return { ok: false, faults: lacking.map(({ from }) => ({ column: from, fault: 'missing' })) }
  const present =
    mapping === null ? Object.keys(first) : pointersOf(mapping).filter((at) => find(first, at) !== undefined)
  const bound = bindHeader(present, granularity, mapping)
  if (!bound.ok) return bound
  if (mapping !== null) return { ok: true, binding: bindingOf(bound.entries, present, { isMapped: true, only }) }
  // Members may be left out where they are unknown, so the first row does not say which ones there are.
  const all = bindHeader(canonicalFields, granularity, null)
  if (!all.ok) throw new Error('the canonical fields do not bind to themselves')
  return { ok: true, binding: bindingOf(all.entries, canonicalFields, { isMapped: false, only }) }
}

/** What the rules look at stands behind what is mapped. */
function bindingOf(
  entries: BoundEntry[],
  mapped: readonly string[],
  { isMapped, only }: { isMapped: boolean; only: readonly OnlyRule[] },
): JsonBinding {
  const columns = [...mapped, ...only.map(({ from }) => from)]
  return { entries, columns, isMapped, only: bindOnly(columns, only) ?? [] }
}

export type JsonCells = { ok: true; cells: (string | null)[] } | RejectedRow

/** The cells of a row; null for a member that is absent or null. */
export function cellsOfJson(row: JsonObject, binding: JsonBinding): JsonCells {
  if (!binding.isMapped && Object.keys(row).some((name) => !canonicalFields.includes(name as never))) {
    return rejected('unknown_field')
  }
  const cells: (string | null)[] = []
  for (const column of binding.columns) {
    const value = find(row, column) ?? null
    if (value !== null && typeof value !== 'string' && !(value instanceof JsonNumber)) {
      return rejected('malformed_json', column)
    }
    if (typeof value === 'string' && value.includes('\0')) return rejected('bad_encoding', column)
    const text = value instanceof JsonNumber ? wholeDigits(value.digits) : value
    cells.push(text === null && binding.isMapped ? '' : text)
  }
  return { ok: true, cells }
}

/** A whole number is one however it is written: some writers of JSON say 1.0. */
function wholeDigits(digits: string): string {
  return digits.replace(/\.0+$/, '')
}

function pointersOf(mapping: readonly MappingEntry[]): string[] {
  return [...new Set(mapping.flatMap((entry) => entry.from ?? []))]
}

/** The value at a JSON pointer (RFC 6901), or of the member of this name; undefined where there is none. */
function find(row: JsonObject, at: string): unknown {
  if (!at.startsWith('/')) return Object.hasOwn(row, at) ? row[at] : undefined
  let value: unknown = row
  for (const part of at.slice(1).split('/')) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = (value as JsonObject)[name]
  }
  return value
}
