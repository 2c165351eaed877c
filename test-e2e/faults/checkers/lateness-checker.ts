/** I21 of reliability.md 5: where no fault is under way, what is due is attempted soon. It shares no code with the services. */

/** From when until when a fault was made, epoch milliseconds. */
export interface FaultTime {
  fromMs: number
  untilMs: number
}

/** Instants in epoch milliseconds of one clock. */
export interface LatenessHistory {
  /** Every attempt that began, with the time at which it was due. */
  attempts: readonly { deliveryId: string; number: number; dueMs: number; startedMs: number }[]
  /** What is due or leased and has no attempt, when the history was read. */
  waiting: readonly { deliveryId: string; dueMs: number }[]
  readMs: number
  faults: readonly FaultTime[]
  /** Longest waits allowed while no fault is under way: `mostOf` for nineteen of twenty attempts, `each` for all. */
  lateMs: { mostOf: number; each: number }
}

/** One sentence for each breach; none when all is well. */
export function latenessBreachesOf(h: LatenessHistory): string[] {
  const told = (ms: number) => new Date(ms).toISOString()
  const waits = h.attempts.map((one) => ({ ...one, waited: clearWait(h.faults, one.dueMs, one.startedMs) }))
  const late = waits.filter(({ waited }) => waited > h.lateMs.mostOf).sort((a, b) => b.waited - a.waited)
  const [latest] = late
  return [
    ...waits
      .filter(({ waited }) => waited > h.lateMs.each)
      .map(
        ({ deliveryId, number, dueMs, startedMs, waited }) =>
          `I21: attempt ${number} of ${deliveryId}, due at ${told(dueMs)}, began at ${told(startedMs)}: it waited ${Math.ceil(waited)} ms beside all faults`,
      ),
    ...(latest !== undefined && late.length > waits.length / 20
      ? [
          `I21: ${late.length} of ${waits.length} attempts waited more than ${h.lateMs.mostOf} ms beside all faults, longest attempt ${latest.number} of ${latest.deliveryId}, due at ${told(latest.dueMs)}: ${Math.ceil(latest.waited)} ms`,
        ]
      : []),
    ...h.waiting.flatMap(({ deliveryId, dueMs }) => {
      const waited = clearWait(h.faults, dueMs, h.readMs)
      return waited <= h.lateMs.each
        ? []
        : [
            `I21: ${deliveryId} is due since ${told(dueMs)}, ${Math.ceil(waited)} ms of it beside all faults, and nobody claims it`,
          ]
    }),
  ]
}

/** What is asked for once everything is healed and nothing else is done; from each call until the receiver had it, ms. */
export interface ProbeHistory {
  atMs: number
  tookMs: readonly number[]
  /** Bound of reliability.md 5. Their median is held to it: a single one may meet a busy machine. */
  mostMs: number
}

/** One sentence, where they took too long or nothing was asked for. */
export function probeBreachesOf({ atMs, tookMs, mostMs }: ProbeHistory): string[] {
  const at = new Date(atMs).toISOString()
  if (tookMs.length === 0) return [`I21: nobody asked for anything at rest at ${at}`]
  if (!(medianOf(tookMs) > mostMs)) return []
  const each = tookMs.map((ms) => ms.toFixed(0)).join(', ')
  return [`I21: at rest, from ${at} on, a change took ${each} ms to the receiver, half of them more than ${mostMs}`]
}

/**
 * F15: what is asked for while records that nobody can read stand in the log is held up by none of them; from each call until the receiver
 * had it, ms. Half of them, as of the probes.
 */
export function heldUpBreachesOf({ tookMs, lateMs }: { tookMs: readonly number[]; lateMs: LatenessHistory['lateMs'] }) {
  const each = tookMs.map((ms) => ms.toFixed(0)).join(', ')
  const isLate = medianOf(tookMs) > lateMs.mostOf || tookMs.some((ms) => ms > lateMs.each)
  return isLate ? [`I21: behind records that nobody can read changes took ${each} ms to the receiver`] : []
}

export function medianOf(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor((times.length - 1) / 2)] ?? 0
}

/** The longest that an attempt waited while no fault was under way, ms. */
export function latestOf({ attempts, faults }: Pick<LatenessHistory, 'attempts' | 'faults'>): number {
  return attempts.reduce((most, { dueMs, startedMs }) => Math.max(most, clearWait(faults, dueMs, startedMs)), 0)
}

/** How much of a time no fault was under way, ms: faults that follow each other closely leave no long piece. */
export function clearWait(faults: readonly FaultTime[], fromMs: number, untilMs: number): number {
  return clearPieces(faults, fromMs, untilMs).reduce((sum, piece) => sum + piece, 0)
}

/** The longest piece of a time in which no fault was under way, ms. */
export function longestWait(faults: readonly FaultTime[], fromMs: number, untilMs: number): number {
  return Math.max(...clearPieces(faults, fromMs, untilMs))
}

/** How long each piece of a time was in which no fault was under way, ms; 0 where faults met. */
function clearPieces(faults: readonly FaultTime[], fromMs: number, untilMs: number): number[] {
  const pieces: number[] = []
  let clearSince = fromMs
  for (const fault of faults.toSorted((a, b) => a.fromMs - b.fromMs)) {
    if (fault.untilMs <= clearSince) continue
    if (fault.fromMs >= untilMs) break
    pieces.push(Math.max(0, fault.fromMs - clearSince))
    clearSince = fault.untilMs
  }
  return [...pieces, Math.max(0, untilMs - clearSince)]
}
