// Decides when the answers of a source are not to be believed as a whole (domain.md 4.5.2 and 4.5.3), and how much of one
// is taken.
import type { SyncErrorCode } from '@wds/contracts/error-classes'

/** Records of one run, whether pulled, uploaded or made (domain.md 4.2). */
export const recordsMax = 500_000
/** Rejected lines that are kept of one upload; the others are counted. */
export const rejectsKeptMax = 100_000
/** Rejected lines that are kept of an upload that failed: enough to see what is wrong with it. */
export const rejectsKeptOfFailed = 1_000

/** What one attempt at a feed may take (domain.md 4.2). Bytes are those after decompression, of a page also those before. */
export const feedLimits = {
  connectMs: 10_000,
  firstByteMs: 30_000,
  pageMs: 60_000,
  attemptMs: 600_000,
  pageBytesMax: 10 * 1_048_576,
  attemptBytesMax: 200 * 1_048_576,
  pagesMax: 1_000,
}
export type FeedLimits = typeof feedLimits

interface Counts {
  lines: number
  rejected: number
}

/** The error that ends an attempt after all rows were read, or null. */
export function judgeIngest(
  o: Counts & { accepted: number; storedInWindow: boolean; allowEmpty: boolean },
): SyncErrorCode | null {
  if (isTooManyOf(o.lines, o)) return 'too_many_rejects'
  if (o.accepted === 0 && o.storedInWindow && !o.allowEmpty) return 'empty_window'
  return null
}

/** Whether the judgement is certain before the end: too many are rejected even if each line to come, of `linesMax`, is good. */
export function isDoomed(o: Counts & { linesMax: number }): boolean {
  return isTooManyOf(Math.max(o.lines, o.linesMax), o)
}

function isTooManyOf(lines: number, o: Counts): boolean {
  return o.lines >= 20 && o.rejected * 5 > lines
}
