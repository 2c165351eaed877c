// Decides when the answers of a source are not to be believed as a whole (domain.md 4.5, steps 2 and 3).
import type { SyncErrorCode } from '@wds/contracts/error-classes'

/** The error that ends an attempt after all rows were read, or null. */
export function judgeIngest(o: {
  lines: number
  rejected: number
  accepted: number
  storedInWindow: boolean
  allowEmpty: boolean
}): SyncErrorCode | null {
  if (o.lines >= 20 && o.rejected * 5 > o.lines) return 'too_many_rejects'
  if (o.accepted === 0 && o.storedInWindow && !o.allowEmpty) return 'empty_window'
  return null
}
