// What of a day of stats decides how its numbers are read (domain.md 3.5).

/** A day of the workspace, as its aggregate left it. */
export interface KnownDay {
  day: string
  isFinal: boolean
  timeZone: string
  revision: number
  watermarkMs: number | null
  /** Of the expected integrations, those that have not reported. */
  missing: string[]
  /** When the present revision came into being; null until final. */
  revisedMs: number | null
  /** Rows have changed since it was rolled up. */
  isPending: boolean
}
