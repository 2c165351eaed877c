// Bulk replays in numbers and words (ui.md 5).

interface Progress {
  matched: number | null
  opened: number
  skipped: number
  delivered: number
  dead: number
  status: string
}

/** From 0 to 100 of what matched; null while that is not known. What is done has 100, canceled stays where it was. */
export function percentOf({ matched, opened, skipped, status }: Progress): number | null {
  if (status === 'completed') return 100
  if (matched === null || matched === 0) return null
  return Math.min(100, Math.floor(((opened + skipped) / matched) * 100))
}

/** Of those opened, that have neither been delivered nor died yet. */
export const underWayOf = ({ opened, delivered, dead }: Progress): number => Math.max(0, opened - delivered - dead)

const leftOut: Readonly<Record<string, string>> = {
  subscription_disabled: 'their subscription is disabled',
  subscription_deleted: 'their subscription was deleted',
  event_expired: 'their event is older than 30 days',
}

/** Why some are left out of a replay. */
export const leftOutWords = (reason: string): string => leftOut[reason] ?? reason

/** Above this the number is typed. */
const typedAbove = 1_000

/** What must be typed to confirm, or null. */
export const typedCount = (count: number): string | null => (count > typedAbove ? String(count) : null)

/** The members of a filter that are given, as the API takes them. */
export function replayFilterOf(values: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).filter((pair): pair is [string, string] => pair[1] !== undefined))
}
