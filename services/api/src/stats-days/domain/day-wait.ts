// Decides how long a stats day waits, and for whom (domain.md 7): until those have reported whom it expects and its rows rest, and at most
// until the latest instant for it. Every day comes to its end.

/** A member of the expected set: the day waits for its report. */
export interface Expected {
  integration_id: string
  settle_hours: number
}

/** What the wait of a day depends on, of its state. */
export interface WaitingDay {
  time_zone: string
  /** The expected set, without those that left it. */
  expected: Expected[]
  max_wait_hours: number
  /** That it is late was told. */
  late: boolean
  /** When the last of the expected reports began; null until all are there. */
  watermark_ms: number | null
}

/** What is seen of a day at an instant. */
export interface Observation {
  atMs: number
  date: string
  /** By which the workspace counts its days now, with the day's first instant and that of the next one. */
  timeZone: string
  startMs: number
  endMs: number
  /** The day was there before the workspace had an integration. */
  isBackfilled: boolean
  /** Integrations that count for it, if it ends now (domain.md 7). */
  expectable: Expected[]
  /** Of those that the day expects, who is paused or deleted. */
  gone: string[]
  /** By integration that the day expects: when the last successful run began that covers the day. */
  reported: Record<string, number>
  hasRows: boolean
  /** The last change of its rows; null where none is known. */
  changedMs: number | null
  /** The first change since it was rolled up, and why; null where nothing changed. */
  pending: { sinceMs: number; cause: 'sync' | 'settings'; syncRunId: string | null } | null
  rules: DayRules
}

export interface DayRules {
  /** Of the workspace's settings. */
  maxWaitHours: number
  /** How long the rows of a day that expects nobody rest before it is final. */
  restMs: number
  /** From the first change of a final day to the comparison. */
  restateMs: number
}

const hourMs = 3_600_000

/** When a provisional day is final: its watermark is reached and its rows rest, or it has waited long enough. Each day comes to its end. */
export function planProvisional(state: WaitingDay, seen: Observation) {
  const { atMs, endMs, changedMs, rules } = seen
  if (state.expected.length === 0) {
    // Rows may still be brought for as long as one that is waited for may take (decision 72).
    const earliestMs = seen.hasRows ? endMs : latestMs(state, seen)
    const readyMs = Math.max(earliestMs, (changedMs ?? endMs) + rules.restMs)
    return { rollUp: atMs >= readyMs, dueMs: readyMs, isLate: false }
  }
  const settledMs = Math.max(endMs, (changedMs ?? endMs) + longestSettleMs(state))
  const [deadline, latest] = [deadlineMs(state, seen), latestMs(state, seen)]
  if (state.watermark_ms !== null && atMs >= settledMs) return { rollUp: true, dueMs: settledMs, isLate: false }
  const dues = [...(state.watermark_ms === null ? [] : [settledMs]), ...(state.late ? [] : [deadline]), latest]
  return { rollUp: atMs >= latest, dueMs: Math.min(...dues.filter((ms) => ms > atMs)), isLate: atMs >= deadline }
}

/** A final day is compared once its timer is over; for another zone at once. */
export function planFinal(state: WaitingDay, { atMs, timeZone, pending, rules }: Observation) {
  const isRezoned = state.time_zone !== timeZone
  if (pending === null && !isRezoned) return { rollUp: false, dueMs: null }
  if (pending === null || pending.cause === 'settings') return { rollUp: true, dueMs: atMs }
  const dueMs = pending.sinceMs + rules.restateMs
  return { rollUp: atMs >= dueMs || isRezoned, dueMs }
}

/** Longest settle time of the expected set. */
function longestSettleMs({ expected }: WaitingDay): number {
  return Math.max(0, ...expected.map(({ settle_hours }) => settle_hours)) * hourMs
}

/** After it the day is final, whoever has reported. */
function latestMs(state: WaitingDay, { endMs }: Observation): number {
  return endMs + Math.max(state.max_wait_hours * hourMs, longestSettleMs(state) + 12 * hourMs)
}

/** From then on the day is late; those whose report is missing have 12 hours left. */
export function deadlineMs(state: WaitingDay, seen: Observation): number {
  return latestMs(state, seen) - 12 * hourMs
}

/** Whose reports the day waits for; nobody's any more once its watermark is reached. */
export function missingOf({ expected, watermark_ms }: WaitingDay, { reported, endMs }: Observation): string[] {
  if (watermark_ms !== null) return []
  const hasReported = (id: string) => (reported[id] ?? Number.NEGATIVE_INFINITY) >= endMs
  return expected.map(({ integration_id }) => integration_id).filter((id) => !hasReported(id))
}

/** The latest of the expected reports, null while one is missing or nobody is expected. */
export function watermarkOf(state: WaitingDay, seen: Observation): number | null {
  if (state.expected.length === 0 || missingOf({ ...state, watermark_ms: null }, seen).length > 0) return null
  return Math.max(...state.expected.map(({ integration_id }) => seen.reported[integration_id] ?? 0))
}
