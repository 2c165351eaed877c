// How often a page asks again (ui.md 6): fast where things happen, slow elsewhere, never while somebody reads a row.

/** `live`: history, dead letters, jobs and runs under way; `slow`: everything else that changes by itself. */
export type Pace = 'live' | 'slow'

const liveMs = 5_000
const slowMs = 30_000
/** Without input for this long, nobody is watching closely. */
const idleAfterMs = 300_000

/** Milliseconds until the next question, or false: not now. `remaining`: requests that are left in `resetSeconds`; null: not known. */
export function pollMs(o: {
  pace: Pace
  isVisible: boolean
  isPaused: boolean
  idleMs: number
  rateLimit: { remaining: number; resetSeconds: number } | null
}): number | false {
  if (!o.isVisible || o.isPaused) return false
  const ms = o.pace === 'live' && o.idleMs < idleAfterMs ? liveMs : slowMs
  if (o.rateLimit === null) return ms
  const { remaining, resetSeconds } = o.rateLimit
  // Half of what is left is for what the person does.
  const fairMs = remaining < 2 ? resetSeconds * 1_000 : (resetSeconds * 1_000) / (remaining / 2)
  return Math.max(ms, Math.ceil(fairMs))
}
