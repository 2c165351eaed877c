/** I21 of reliability.md 5: where no fault is under way, what is due is attempted soon. It shares no code with the services. */

/** Instants in epoch milliseconds of one clock. */
export interface LatenessHistory {
  /** Every attempt that began, with the time at which it was due. */
  attempts: readonly { deliveryId: string; number: number; dueMs: number; startedMs: number }[]
  /** What is due or leased and has no attempt, when the history was read. */
  waiting: readonly { deliveryId: string; dueMs: number }[]
  readMs: number
  /** From when until when each fault was made. */
  faults: readonly { fromMs: number; untilMs: number }[]
  /** So long may something wait in one piece while no fault is under way. */
  lateMs: number
}

/** One sentence for each breach; none when all is well. */
export function latenessBreachesOf(h: LatenessHistory): string[] {
  return [
    ...h.attempts.flatMap(({ deliveryId, number, dueMs, startedMs }) => {
      const waited = longestWait(h.faults, dueMs, startedMs)
      return waited <= h.lateMs
        ? []
        : [`I21: attempt ${number} of ${deliveryId} waited ${Math.ceil(waited)} ms beside all faults`]
    }),
    ...h.waiting.flatMap(({ deliveryId, dueMs }) => {
      const waited = longestWait(h.faults, dueMs, h.readMs)
      return waited <= h.lateMs
        ? []
        : [`I21: ${deliveryId} is due since ${Math.ceil(waited)} ms beside all faults, and nobody claims it`]
    }),
  ]
}

/** The longest of all those waits, ms. */
export function latestOf({ attempts, faults }: Pick<LatenessHistory, 'attempts' | 'faults'>): number {
  return attempts.reduce((most, { dueMs, startedMs }) => Math.max(most, longestWait(faults, dueMs, startedMs)), 0)
}

/** The longest piece of a time in which no fault was under way, ms. */
export function longestWait(faults: LatenessHistory['faults'], fromMs: number, untilMs: number): number {
  let longest = 0
  let clearSince = fromMs
  for (const fault of faults.toSorted((a, b) => a.fromMs - b.fromMs)) {
    if (fault.untilMs <= clearSince) continue
    if (fault.fromMs >= untilMs) break
    longest = Math.max(longest, fault.fromMs - clearSince)
    clearSince = fault.untilMs
  }
  return Math.max(longest, untilMs - clearSince)
}
