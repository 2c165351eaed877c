// What the operations of this service are given by main.
import type { EnvelopeEncryption } from '@wds/envelope-encryption/envelope-encryption'
import type { Cursors } from '@wds/http-service/cursor'
import type { CheckUrl } from './subscription-fields.ts'

/** Built by main, read by every operation. */
export interface RouteOptions {
  cursors: Cursors
  envelope: EnvelopeEncryption
  checkUrl: CheckUrl
  /** WDS_DELIVERY_ATTEMPTS. */
  attemptsMax: number
  /** Wakes the sender of this process after a commit that made something due. */
  onDue(): void
}
