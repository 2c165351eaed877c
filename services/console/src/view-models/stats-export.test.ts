import { expect, test } from '@jest/globals'
import {
  contentOf,
  type ExportProgress,
  exportTypes,
  fileNameOf,
  isUnderWay,
  percentOfExport,
  sizeText,
  stateWords,
} from './stats-export.ts'

const queued: ExportProgress = {
  type: 'stats',
  status: 'queued',
  format: 'csv',
  compression: 'none',
  query: { from: '2026-11-01', to: '2026-11-30' },
  rows: 0,
  rows_total: null,
  bytes: 0,
  created: '2026-11-30T10:00:00.000Z',
  expires: '2026-12-07T10:00:00.000Z',
  error: null,
}
const running: ExportProgress = { ...queued, status: 'running' }
const half: ExportProgress = { ...running, rows: 12_000, rows_total: 24_000 }

test('an export in per cent of its rows: unknown before they are counted, 100 only once it is completed', () => {
  expect([queued, running, half].map(percentOfExport)).toEqual([null, null, 50])
  expect(percentOfExport({ ...half, rows: 24_000 })).toBe(99)
  expect(percentOfExport({ ...half, status: 'completed', rows: 0, rows_total: 0 })).toBe(100)
})

test('where it stands in a sentence, and whether it goes on by itself', () => {
  expect(stateWords(half)).toBe('12,000 of 24,000 rows are written.')
  expect(stateWords({ ...half, status: 'completed', rows: 24_000, bytes: 1_250_000 })).toBe(
    'The file is ready: 24,000 rows, 1.3 MB.',
  )
  const failed = { ...half, status: 'failed', error: { message: 'No rate is known.' } } as const
  expect(stateWords(failed)).toBe('The file could not be made. No rate is known.')
  expect([queued, half, failed].map(isUnderWay)).toEqual([true, true, false])
})

test('the size and the name of its file', () => {
  expect([0, 999, 12_340, 80_000_000, 256_000_000].map(sizeText)).toEqual([
    '0 B',
    '999 B',
    '12.3 kB',
    '80 MB',
    '256 MB',
  ])
  expect(fileNameOf({ ...queued, format: 'ndjson' })).toBe('stats-2026-11-01-2026-11-30.ndjson')
  expect(fileNameOf({ ...queued, compression: 'gzip' })).toBe('stats-2026-11-01-2026-11-30.csv.gz')
  expect(fileNameOf({ ...queued, type: 'other', query: {} })).toBe('other-2026-11-30.csv')
})

test('what the rows of an export are', () => {
  const by = (...group_by: string[]) => contentOf({ type: 'stats', query: { ...queued.query, group_by } })
  expect([by('brand', 'sub_affiliate'), contentOf(queued)]).toEqual([
    'by brand, sub-affiliate',
    'One sum for each currency',
  ])
  expect(exportTypes.map((type) => contentOf({ type, query: {} })).slice(1)).toEqual([
    'Campaigns',
    'Invoices',
    'Sub-affiliates',
    'Ledger entries of sub-affiliates',
    'Payouts',
  ])
})
