// Decides which columns of a file feed which canonical fields (domain.md 4.4). Columns that are not mapped are never read.
import { isMeasure, type Measure, measures } from './measures.ts'
import { type DateFormat, dateFormats } from './parse-date.ts'

/** The canonical fields besides the measures. */
export const dimensionFields = ['date', 'hour', 'campaign', 'campaign_name', 'country', 'sub_id', 'currency'] as const
export type DimensionField = (typeof dimensionFields)[number]
export type CanonicalField = DimensionField | Measure

/** One entry of an integration's `mapping`. Exactly one of `from` and `const` is set. */
export interface MappingEntry {
  to: string
  from?: string | string[]
  const?: string
  unit?: 'major' | 'minor'
  format?: DateFormat
  values?: Record<string, string>
  negate?: boolean
  default?: string
  round?: 'half_even' | 'reject'
}

/** A mapping bound to the columns of one file: `columns` are indexes into a record. */
export interface BoundEntry {
  to: CanonicalField
  columns: number[]
  constant: string | null
  unit: 'major' | 'minor'
  format: DateFormat
  values: ReadonlyMap<string, string>
  negate: boolean
  default: string | null
  round: 'half_even' | 'reject'
}

/** A column that is not known or lacks; what `unknown_column` names. */
export interface ColumnFault {
  column: string
  fault: 'unknown' | 'missing' | 'duplicate'
}

/** The bound mapping of a header line, or every fault of it. */
export function bindHeader(
  header: readonly string[],
  granularity: 'hour' | 'day',
  mapping: readonly MappingEntry[] | null,
): { ok: true; entries: BoundEntry[] } | { ok: false; faults: ColumnFault[] } {
  const faults: ColumnFault[] = duplicates(header).map((column) => ({ column, fault: 'duplicate' }))
  const entries = mapping ?? header.map((column): MappingEntry => ({ to: column, from: column }))
  const bound: BoundEntry[] = []
  for (const entry of entries) {
    if (!isCanonicalField(entry.to)) {
      faults.push({ column: entry.to, fault: 'unknown' })
      continue
    }
    const columns = [entry.from ?? []].flat().map((name) => ({ name, index: header.indexOf(name) }))
    faults.push(...columns.filter((column) => column.index < 0).map(missing))
    bound.push(
      boundEntry(
        entry.to,
        entry,
        columns.map((column) => column.index),
      ),
    )
  }
  faults.push(...lacking(new Set(bound.map((entry) => entry.to)), granularity))
  return faults.length > 0 ? { ok: false, faults } : { ok: true, entries: bound }
}

/** Faults of a mapping that can be seen without a file: names, options, both or neither of `from` and `const`. */
export function mappingFaults(mapping: readonly MappingEntry[]): { index: number; detail: string }[] {
  const faults: { index: number; detail: string }[] = []
  const seen = new Set<string>()
  mapping.forEach((entry, index) => {
    if (!isCanonicalField(entry.to)) faults.push({ index, detail: 'No canonical field has this name.' })
    if (seen.has(entry.to)) faults.push({ index, detail: 'Another entry maps to the same field.' })
    seen.add(entry.to)
    if ((entry.from === undefined) === (entry.const === undefined)) {
      faults.push({ index, detail: 'Exactly one of from and const is needed.' })
    }
    if (Array.isArray(entry.from) && !isMeasure(entry.to)) {
      faults.push({ index, detail: 'Only a measure can be the sum of several columns.' })
    }
    if (entry.format !== undefined && !dateFormats.includes(entry.format)) {
      faults.push({ index, detail: 'The format is not known.' })
    }
  })
  return faults
}

function missing(column: { name: string }): ColumnFault {
  return { column: column.name, fault: 'missing' }
}

function boundEntry(to: CanonicalField, entry: MappingEntry, columns: number[]): BoundEntry {
  return {
    to,
    columns,
    constant: entry.const ?? null,
    unit: entry.unit ?? 'major',
    format: entry.format ?? 'YYYY-MM-DD',
    values: new Map(Object.entries(entry.values ?? {})),
    negate: entry.negate ?? false,
    default: entry.default ?? null,
    round: entry.round ?? 'half_even',
  }
}

function lacking(present: ReadonlySet<CanonicalField>, granularity: 'hour' | 'day'): ColumnFault[] {
  const faults: ColumnFault[] = []
  if (granularity === 'hour' && !present.has('hour')) faults.push({ column: 'hour', fault: 'missing' })
  if (granularity === 'day' && !present.has('date') && !present.has('hour')) {
    faults.push({ column: 'date', fault: 'missing' })
  }
  if (!measures.some((measure) => present.has(measure))) faults.push({ column: 'clicks', fault: 'missing' })
  return faults
}

function isCanonicalField(name: string): name is CanonicalField {
  return isMeasure(name) || (dimensionFields as readonly string[]).includes(name)
}

function duplicates(names: readonly string[]): string[] {
  return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))]
}
