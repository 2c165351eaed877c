// What a sync run shows: its days, its rows, and what can be done with it (ui.md 2).

import type { components } from '@wds/api-client/schemas'
import { rowRejectionCodes, rowWarningCodes } from '@wds/contracts/error-classes'
import { syncTexts as words } from '../texts/syncs.ts'
import { rangeText } from './numbers.ts'

type Schemas = components['schemas']

type SyncRun = Schemas['SyncRun']

export const runStatuses = ['queued', 'running', 'retry_wait', 'succeeded', 'failed', 'canceled'] as const
export const runTriggers = ['schedule', 'manual', 'retry', 'backfill', 'upload'] as const

/** States that a run leaves by itself. */
const openStatuses: readonly string[] = ['queued', 'running', 'retry_wait']

export const isOpenRun = ({ status }: Pick<SyncRun, 'status'>): boolean => openStatuses.includes(status)

export const daysText = ({ window }: Pick<SyncRun, 'window'>): string =>
  window === null ? words.windowOpen : rangeText(window.from, window.to)

/** Retry needs a run that ended without rows, and a source that can be asked again. */
export function canRetry({ status, trigger }: Pick<SyncRun, 'status' | 'trigger'>): boolean {
  return (status === 'failed' || status === 'canceled') && trigger !== 'upload'
}

/** Rows by what became of them, in the order of words; null where the API says nothing. */
export function rowCounts(run: SyncRun): { name: string; count: number | null; isBad: boolean }[] {
  return (Object.keys(words.counted) as (keyof typeof words.counted)[]).map((key) => {
    const count = run[`rows_${key}`] ?? null
    return { name: words.counted[key], count, isBad: key === 'rejected' && (count ?? 0) > 0 }
  })
}

/** Why rows were rejected or warned of, in words; a code that is not known here speaks for itself. */
export function codeText(code: string): string {
  const known: Readonly<Record<string, string>> = { ...rowRejectionCodes, ...rowWarningCodes }
  return Object.hasOwn(known, code) ? (known[code] as string) : code
}
