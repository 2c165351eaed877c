// Decides what happens to several rows of one key in one pull (domain.md 4.4, `combine`).
import type { RowRejectionCode } from '@wds/contracts/error-classes'
import { largestValue, type Measure, type MeasureValues, measures } from './measures.ts'
import { addValues } from './stats-row.ts'

export const combineModes = ['sum', 'last', 'reject'] as const
export type CombineMode = (typeof combineModes)[number]

/**
 * The values to keep for the key, or why the newcomer is rejected and for which of its measures, null where it is none of them.
 * `known` is undefined for a key not seen before.
 */
export function combineRow(
  known: MeasureValues | undefined,
  incoming: MeasureValues,
  mode: CombineMode,
): { ok: true; value: MeasureValues } | { ok: false; error: RowRejectionCode; field: Measure | null } {
  if (known === undefined || mode === 'last') return { ok: true, value: incoming }
  if (mode === 'reject') return { ok: false, error: 'duplicate_key', field: null }
  const value = addValues(known, incoming)
  const field = measures.find((measure) => {
    const sum = value[measure] ?? 0n
    return sum > largestValue || sum < -largestValue
  })
  return field === undefined ? { ok: true, value } : { ok: false, error: 'amount_overflow', field }
}
