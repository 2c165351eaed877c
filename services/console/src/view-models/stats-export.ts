// What is shown of an export that is made: how far it is, and what its file is called (ui.md 2).
import { exportTexts as words } from '../texts/exports.ts'
import { countText } from './numbers.ts'

/** What these functions need of an export. */
export interface ExportProgress {
  status: 'queued' | 'running' | 'completed' | 'failed' | 'canceled'
  format: 'csv' | 'ndjson'
  query: { from: string; to: string }
  rows: number
  rows_total: number | null
  bytes: number
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

/** As the API names it. */
export const fileNameOf = ({ query, format }: ExportProgress): string => `stats-${query.from}-${query.to}.${format}`

/** The calendar date of an instant, in UTC. */
export const dayOf = (instant: string): string => instant.slice(0, 10)
