// The ports of the attempt loop: what it needs of the tables and of decryption, and the shapes that cross. It holds no logic.

import type { AttemptErrorCode } from '@wds/contracts/error-classes'
import type { AttemptKind } from '../deliveries/domain/delivery.ts'
import type { ClaimRoom } from './domain/fair-share.ts'

/** A live signing secret as stored. `version` rises with each rotation; newest first in the list. */
export interface StoredSecret {
  id: string
  ciphertext: string
  version: number
}

/** A delivery under a lease, by the number of its attempt. */
interface LeasedAttempt {
  deliveryId: string
  subscriptionId: string
  workspaceId: string
  /** UTC day inside the event id, `YYYY-MM-DD`. */
  eventDay: string
  eventId: string
  claimId: string
  /** From 1, +1 per replay. */
  epoch: number
  /** From 1 within the epoch: the number of this attempt. */
  attempt: number
}

/** A delivery that this worker holds a lease on, with everything the attempt needs, read when it was claimed (settled-points.md 8). */
export interface ClaimedAttempt extends LeasedAttempt {
  /** True when its lane was slow when it was claimed (stack.md 7.6). */
  slow: boolean
  /** The exact bytes to send. */
  payload: Buffer
  /** Of the event; the attempt's own is a child of it. */
  traceparent: string | null
  url: string
  headers: Record<string, string>
  /** Newest first. */
  secrets: StoredSecret[]
}

/** An attempt that ended, to be written. `delayMs` counts from the settle's clock to the next attempt; null: none follows. */
export interface SettledAttempt extends LeasedAttempt {
  /** `att_…` */
  attemptId: string
  kind: AttemptKind
  status: number | null
  errorCode: AttemptErrorCode | null
  /** Null when it is not known (a lost lease). */
  durationMs: number | null
  /** 32 hexadecimal digits; null when it is not known. */
  traceId: string | null
  /** As used; a lost lease has the subscription's present one. */
  url: string | null
  /** Unix seconds, the `t` of the signature; null when it is not known. */
  signedAt: number | null
  excerpt: string | null
  /** The request was sent a second time within the attempt (reliability.md F33). */
  isRepeated: boolean
  delayMs: number | null
  startedMs: number
}

/** An attempt that could not be made here: it is given back as it was. */
export type HeldAttempt = Pick<ClaimedAttempt, 'deliveryId' | 'subscriptionId' | 'workspaceId' | 'claimId'>

/** A lease that ran out, or whose worker has ended: the outcome of its attempt is lost (settled-points.md 10). */
export interface LostLease extends LeasedAttempt {
  startedMs: number
  url: string | null
  /** The outcome of the attempt before was lost as well. */
  wasUnknown: boolean
}

/** What a worker passes to a claim (stack.md 7.5, 7.6). */
export interface ClaimInput extends Omit<ClaimRoom, 'spare' | 'kind'> {
  /** A new UUID for every call. */
  claimId: string
  /** Lanes looked at, 16 to 32. */
  lanes: number
  leaseMs: number
}

/** Due work and leases. Implemented by `store.ts`. */
export interface ClaimStore {
  /** Nothing while the session that says that this worker lives is down: others would take its leases over at once. */
  claim(input: ClaimInput): Promise<ClaimedAttempt[]>
  /** Writes a batch, fenced by claim id. Returns the ids of the deliveries that were settled; one that is missing had lost its lease. */
  settle(rows: SettledAttempt[]): Promise<Set<string>>
  /**
   * Gives attempts back without a row of the log and lets their lanes wait for `restMs`. `held`: the deliveries that went back; one that is missing had
   * lost its lease or is to be ended by a settle. `begun`: the subscriptions that begin to wait with it. `over`: deliveries that are still leased, since
   * their lane has been held for longer than `mostMs`. `isFault` false: the lanes rest, but do not count as held.
   */
  hold(
    rows: HeldAttempt[],
    o: { restMs: number; mostMs: number | null; isFault?: boolean },
  ): Promise<{ held: Set<string>; begun: string[]; over: Set<string> }>
  /** True when a fault of `settle` or `hold` lies in what a row holds: the same rows fail again, others need not. */
  isFaultOfRows(error: unknown): boolean
  /** Puts the end of a lease off by `ms` from now, fenced by the claim id: its attempt can not be settled yet. */
  postpone(lease: HeldAttempt, ms: number): Promise<void>
  /** Oldest first, to be settled as `attempt_unknown` under the claim id read. */
  lostLeases(limit: number): Promise<LostLease[]>
  /** Milliseconds until the earliest due row, 0 when one is due, null when nothing waits. */
  nextDueInMs(): Promise<number | null>
  /** Disables a subscription that answered 410 (settled-points.md 7); without effect when it is disabled already. */
  disableGone(attempt: Pick<ClaimedAttempt, 'workspaceId' | 'subscriptionId' | 'deliveryId'>): Promise<void>
}

/** Opens the ciphertext of a signing secret; throws when it cannot be opened. */
export interface SecretOpener {
  open(o: { workspaceId: string; subscriptionId: string; secret: StoredSecret }): string
}
