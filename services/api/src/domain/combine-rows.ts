// Decides what happens to several rows of one key in one pull (domain.md 4.4, `combine`).
import type { RowRejectionCode } from '@wds/contracts/error-classes'
import { largestValue, type MeasureValues, measures } from './measures.ts'
import { addValues } from './stats-row.ts'

export const combineModes = ['sum', 'last', 'reject'] as const
export type CombineMode = (typeof combineModes)[number]

/** The values to keep for the key, or why the newcomer is rejected. `known` is undefined for a key not seen before. */
export function combineRow(
  known: MeasureValues | undefined,
  incoming: MeasureValues,
  mode: CombineMode,
): { ok: true; value: MeasureValues } | { ok: false; error: RowRejectionCode } {
  if (known === undefined || mode === 'last') return { ok: true, value: incoming }
  if (mode === 'reject') return { ok: false, error: 'duplicate_key' }
  const value = addValues(known, incoming)
  const overflows = measures.some((measure) => {
    const sum = value[measure] ?? 0n
    return sum > largestValue || sum < -largestValue
  })
  return overflows ? { ok: false, error: 'amount_overflow' } : { ok: true, value }
}
