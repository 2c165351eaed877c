// What the routes of this service are built with.
import type { Cursors } from '@wds/http-service/cursor'

export interface ApiDependencies {
  cursors: Cursors
  /** Attempts of a run (domain.md 4.6). */
  syncAttemptsMax: number
  /** Raised after new work was committed. */
  wakeWorker(): void
}
