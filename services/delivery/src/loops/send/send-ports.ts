// The ports of the attempt loop: what it needs of the tables and of decryption, and the shapes that cross. It holds no logic.

import type { AttemptErrorCode } from '@wds/contracts/error-classes'
import type { AttemptKind } from '../../domain/settlement.ts'

/** A live signing secret as stored. `version` rises with each rotation; newest first in the list. */
export interface StoredSecret {
  id: string
  ciphertext: string
  version: number
}

/** A delivery that this worker holds a lease on, with everything the attempt needs, read when it was claimed (decisions.md 8). */
export interface ClaimedAttempt {
  deliveryId: string
  subscriptionId: string
  workspaceId: string
  /** UTC day inside the event id, `YYYY-MM-DD`. */
  eventDay: string
  eventId: string
  /** From 1, +1 per replay. */
  epoch: number
  /** From 1 within the epoch: the number of this attempt. */
  attempt: number
  /** True when its lane was slow when it was claimed (stack.md 7, rule 6). */
  slow: boolean
  /** The exact bytes to send. */
  payload: Buffer
  /** Of the event; the attempt's own is a child of it. */
  traceparent: string | null
  url: string
  headers: Record<string, string>
  /** Newest first. */
  secrets: StoredSecret[]
  claimId: string
}

/** Slots kept for attempts whose deliveries are only being made: they are claimed with them (0111-made-as-taken-in.sql). */
export interface Booking {
  readonly claimId: string
  readonly leaseMs: number
  /** Of each delivery: its place among those of its lane that have a slot, from 1; null: it has none. */
  readonly places: readonly (number | null)[]
  /** Starts those that were claimed, once that is committed; the slots of the others are free. */
  begin(attempts: readonly ClaimedAttempt[]): void
  /** Nothing was claimed. */
  end(): void
}

/** An attempt that ended, to be written. `delayMs` counts from the settle's clock to the next attempt; null: none follows. */
export interface SettledAttempt {
  deliveryId: string
  subscriptionId: string
  workspaceId: string
  eventDay: string
  eventId: string
  claimId: string
  epoch: number
  attempt: number
  /** `att_…` */
  attemptId: string
  kind: AttemptKind
  status: number | null
  errorCode: AttemptErrorCode | null
  /** Null when it is not known (a lease that ran out). */
  durationMs: number | null
  /** 32 hexadecimal digits; null when it is not known. */
  traceId: string | null
  /** As used; a lease that ran out has the subscription's present one. */
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

/** A lease that ran out: its attempt was lost (decisions.md 10). */
export interface ExpiredLease {
  deliveryId: string
  subscriptionId: string
  workspaceId: string
  eventDay: string
  eventId: string
  claimId: string
  epoch: number
  attempt: number
  startedMs: number
  url: string | null
}

/** What a worker passes to a claim (stack.md 7, rules 5 and 6). */
export interface ClaimInput {
  /** A new UUID for every call. */
  claimId: string
  /** Free slots; never more rows than that. */
  slots: number
  /** Lanes looked at, 16 to 32. */
  lanes: number
  leaseMs: number
  /** This worker's own attempts by workspace. */
  busy: { workspaceId: string; used: number }[]
  /** Its limit for one workspace. */
  share: number
  /** Lanes with an attempt older than 1 s. */
  slowLanes: string[]
  /** What the slow share still holds. */
  slowRoom: number
}

/** Due work and leases. Implemented in `store/`. */
export interface ClaimStore {
  claim(input: ClaimInput): Promise<ClaimedAttempt[]>
  /** Writes a batch, fenced by claim id. Returns the ids of the deliveries that were settled; one that is missing had lost its lease. */
  settle(rows: SettledAttempt[]): Promise<Set<string>>
  /**
   * Gives attempts back without a row of the log and lets their lanes wait for `restMs`. `held`: the deliveries that went back; one that is missing had
   * lost its lease or is to be ended by a settle. `begun`: the subscriptions that begin to wait with it. `over`: deliveries that are still leased, since
   * their lane has been held for longer than `mostMs`.
   */
  hold(
    rows: HeldAttempt[],
    o: { restMs: number; mostMs: number | null },
  ): Promise<{ held: Set<string>; begun: string[]; over: Set<string> }>
  /** True when a fault of `settle` or `hold` lies in what a row holds: the same rows fail again, others need not. */
  isFaultOfRows(error: unknown): boolean
  /** Puts the end of a lease off by `ms` from now, fenced by the claim id: its attempt can not be settled yet. */
  postpone(
    lease: Pick<ExpiredLease, 'deliveryId' | 'subscriptionId' | 'workspaceId' | 'claimId'>,
    ms: number,
  ): Promise<void>
  expiredLeases(limit: number): Promise<ExpiredLease[]>
  /** Milliseconds until the earliest due row, 0 when one is due, null when nothing waits. */
  nextDueInMs(): Promise<number | null>
  /** Disables a subscription that answered 410 (decisions.md 7); without effect when it is disabled already. */
  disableGone(attempt: Pick<ClaimedAttempt, 'workspaceId' | 'subscriptionId' | 'deliveryId'>): Promise<void>
}

/** Opens the ciphertext of a signing secret; throws when it cannot be opened. */
export interface SecretOpener {
  open(o: { workspaceId: string; subscriptionId: string; secret: StoredSecret }): string
}
