// What is shown of an export that is made: how far it is, and what its file is called (ui.md 2).
import { exportStatuses } from '@wds/contracts/states'
import { exportTexts as words } from '../texts/exports.ts'
import { countText } from './numbers.ts'

export { exportStatuses }
export const exportFormats = ['csv', 'ndjson'] as const
/** Lists whose rows a file may have. */
export const listTypes = ['campaigns', 'invoices', 'sub_affiliates', 'ledger_entries', 'payouts'] as const
export const exportTypes = ['stats', ...listTypes] as const

/** What these functions need of an export. */
export interface ExportProgress {
  status: 'queued' | 'running' | 'completed' | 'failed' | 'canceled'
  format: 'csv' | 'ndjson'
  compression: 'none' | 'gzip'
  /** What kind of file it is, such as `stats`. */
  type: string
  /** By its type. */
  query: object
  rows: number
  rows_total: number | null
  bytes: number
  created: string
  expires: string
  error: { message: string } | null
}

/** Per cent of its rows; null where they are not counted yet. */
export function percentOfExport({ status, rows, rows_total: total }: ExportProgress): number | null {
  if (status === 'completed') return 100
  if (total === null || total === 0) return null
  return Math.min(99, Math.floor((rows / total) * 100))
}

/** A sentence on where it stands. */
export function stateWords(o: ExportProgress): string {
  switch (o.status) {
    case 'queued':
      return words.waiting
    case 'running':
      return o.rows_total === null ? words.summing : words.written(countText(o.rows), countText(o.rows_total))
    case 'completed':
      return words.ready(o.rows, sizeText(o.bytes))
    case 'failed':
      return words.failed(o.error?.message ?? '')
    case 'canceled':
      return words.canceled
  }
}

export const isUnderWay = ({ status }: ExportProgress): boolean => status === 'queued' || status === 'running'

/** `0 B`, `12.3 kB`, `80 MB`. */
export function sizeText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`
  const [size, unit] = bytes < 1_000_000 ? [bytes / 1_000, 'kB'] : [bytes / 1_000_000, 'MB']
  return `${new Intl.NumberFormat('en', { maximumFractionDigits: size < 100 ? 1 : 0 }).format(size)} ${unit}`
}

interface StatsQuery {
  from?: string
  to?: string
  group_by?: readonly string[]
}

/** `stats-2026-11-01-2026-11-30.csv`; of what has no days, with that on which it was asked for. */
export function fileNameOf({ type, query, format, compression, created }: ExportProgress): string {
  const { from, to } = query as StatsQuery
  const days = from !== undefined && to !== undefined ? `${from}-${to}` : dayOf(created)
  return `${type}-${days}.${format}${compression === 'gzip' ? '.gz' : ''}`
}

/** What the rows of stats are: `by brand, day`. Other files are what their type says. */
export function contentOf({ type, query }: Pick<ExportProgress, 'type' | 'query'>): string {
  const { group_by: groups = [] } = query as StatsQuery
  if (type !== 'stats') return words.list.types[type] ?? type
  return groups.length === 0 ? words.list.summed : words.list.by(groups.join(', ').replaceAll('_', '-'))
}

/** The calendar date of an instant, in UTC. */
export const dayOf = (instant: string): string => instant.slice(0, 10)
