// Writes rows of an export as the text of its format. The same rows make the same bytes, whoever writes them.
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { Problem } from '@wds/http-service/problem'
import { type RowShape, toApiRow } from '../stats/stats-answer.ts'
import type { SummedGroup } from '../stats/store-ordered.ts'
import { type StatsDimension, statsDimensions } from '../stats/store-source.ts'
import { csvRecord } from './domain/csv.ts'
import type { ExportOrder, HeldResult } from './domain/export.ts'

type Form = Pick<ExportOrder, 'format' | 'compression'>

const packed = promisify(gzip)

/** A piece of the file; the first one begins with the header line. Throws Problem `amount_overflow`. */
export async function pieceOf(
  groups: readonly SummedGroup[],
  o: Form & { result: HeldResult; isFirst: boolean },
): Promise<Buffer> {
  const shape = shapeOf(o.result)
  const lines = groups.map((group) => lineOf(group, shape, o))
  const header = o.isFirst && o.format === 'csv' ? csvRecord(columnsOf(shape)) : ''
  const text = Buffer.from(header + lines.join(''), 'utf8')
  // A member of its own each, one behind the other: a gzip file may consist of many (RFC 1952 2.2).
  return o.compression === 'gzip' ? packed(text) : text
}

function shapeOf({ group_by, metrics, compares }: HeldResult): RowShape {
  return { groupBy: group_by as readonly StatsDimension[], metrics, compares, beyondRange }
}

function beyondRange(): never {
  throw new Problem('amount_overflow')
}

const compareParts = [
  ['compare', 'value'],
  ['delta', 'delta'],
  ['delta_pct', 'delta_pct'],
] as const

function columnsOf({ groupBy, metrics, compares }: RowShape): string[] {
  const own = [...groupBy.map((dimension) => statsDimensions[dimension].field), ...metrics]
  if (!compares) return own
  return [...own, ...metrics.flatMap((name) => compareParts.map(([suffix]) => `${name}_${suffix}`))]
}

function lineOf(group: SummedGroup, shape: RowShape, { format }: Form): string {
  const row = toApiRow(group, shape)
  if (format === 'ndjson') return `${JSON.stringify(row)}\n`
  const { compare, ...own } = row
  const compared = shape.metrics.flatMap((name) => compareParts.map(([, part]) => compare?.[name]?.[part] ?? null))
  return csvRecord([...Object.values(own), ...(shape.compares ? compared : [])] as (string | number | null)[])
}
