// Decides which columns of a file feed which canonical fields (domain.md 4.4). Columns that are not mapped are never read.
import { isCount, isMeasure, type Measure, measures } from '../../stats/domain/measures.ts'
import { type DateFormat, dateFormats, hourFormats } from './parse-date.ts'

/** The canonical fields besides the measures. */
export const dimensionFields = ['date', 'hour', 'campaign', 'campaign_name', 'country', 'sub_id', 'currency'] as const
export type DimensionField = (typeof dimensionFields)[number]
export type CanonicalField = DimensionField | Measure

/** Every name that a column may have without a mapping. */
export const canonicalFields: readonly CanonicalField[] = [...dimensionFields, ...measures]

/** One entry of an integration's `mapping`. Exactly one of `from` and `const` is set; `from` names columns, in JSON rows members or pointers. */
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
  const entries = mapping ?? header.map((column): MappingEntry => ({ to: column, from: column }))
  const read = new Set(entries.flatMap((entry) => entry.from ?? []))
  const twice = duplicates(header.filter((column) => read.has(column)))
  const faults: ColumnFault[] = twice.map((column) => ({ column, fault: 'duplicate' }))
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

/** A fault of a mapping. `index`: of the entry, null where the mapping as a whole lacks something. */
export interface MappingFault {
  index: number | null
  code: 'unknown_column' | 'validation_failed'
  detail: string
}

/** Faults of a mapping that can be seen without a file: names, options that do not apply, fields that nothing feeds. */
export function mappingFaults(mapping: readonly MappingEntry[], granularity: 'hour' | 'day'): MappingFault[] {
  const seen = new Set<CanonicalField>()
  const faults = mapping.flatMap((entry, index): MappingFault[] => {
    if (!isCanonicalField(entry.to)) {
      return [{ index, code: 'unknown_column', detail: 'No canonical field has this name.' }]
    }
    const details = entryFaults(entry, entry.to)
    if (seen.has(entry.to)) details.push('Another entry maps to the same field.')
    seen.add(entry.to)
    return details.map((detail) => ({ index, code: 'validation_failed', detail }))
  })
  for (const { column } of lacking(seen, granularity)) {
    const detail = column === 'clicks' ? 'No entry maps to a measure.' : `No entry maps to ${column}.`
    faults.push({ index: null, code: 'validation_failed', detail })
  }
  return faults
}

function entryFaults(entry: MappingEntry, to: CanonicalField): string[] {
  const isMoney = isMeasure(to) && !isCount(to)
  const details: string[] = []
  if ((entry.from === undefined) === (entry.const === undefined))
    details.push('Exactly one of from and const is needed.')
  if (Array.isArray(entry.from) && !isMeasure(to)) details.push('Only a measure can be the sum of several columns.')
  if (!isMoney && (entry.unit !== undefined || entry.negate !== undefined || entry.round !== undefined)) {
    details.push('unit, negate and round are options of amounts of money.')
  }
  if (entry.format !== undefined && !formatsOf(to).includes(entry.format)) {
    details.push('The format is not one of this field.')
  }
  return details
}

function formatsOf(to: CanonicalField): readonly DateFormat[] {
  if (to === 'date') return dateFormats
  return to === 'hour' ? hourFormats : []
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
    format: entry.format ?? (to === 'hour' ? 'iso' : 'YYYY-MM-DD'),
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
  const seen = new Set<string>()
  // In one pass: a header may name ten thousands.
  return [...new Set(names.filter((name) => seen.size === seen.add(name).size))]
}
