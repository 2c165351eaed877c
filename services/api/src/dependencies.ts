// What the routes of this service are built with.
import type { Result } from '@wds/contracts/result'
import type { EnvelopeEncryption } from '@wds/envelope-encryption/envelope-encryption'
import type { Cursors } from '@wds/http-service/cursor'
import type { FeedClient } from '@wds/outbound/feed-client'
import type { Logger } from '@wds/telemetry/logger'
import type { ReferenceRates } from './fx/reference-rates.ts'

export interface ApiDependencies {
  cursors: Cursors
  /** By which amounts are converted where a workspace has imported no others (domain.md M3). */
  referenceRates: ReferenceRates
  /** Attempts of a run (domain.md 4.6). */
  syncAttemptsMax: number
  /** Judges the address of a feed (security.md 1). */
  checkUrl(url: string): Promise<Result<string, string>>
  /** Reads feeds, for tests of an integration. */
  feeds: FeedClient
  /** Of stored credentials. */
  envelope: EnvelopeEncryption
  /** For what an answer does not tell. */
  logger: Logger
  /** Public address of the service. */
  baseUrl: string
  /** Raised after new work was committed. */
  wakeWorker(): void
}
