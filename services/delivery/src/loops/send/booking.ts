// Keeps slots for attempts whose deliveries are only being made, so that they are claimed with them: of the same room that a claim is
// told of, never what a claim under way may take, and only while nobody waits for a claim.
import { randomUUID } from 'node:crypto'
import {
  type AttemptUnderWay,
  type ClaimedRoom,
  type ClaimRoom,
  claimRoom,
  limitsOf,
  roomBeside,
} from '../../domain/fair-share.ts'
import { deliveryMetrics } from '../../metrics.ts'
import type { Booking, ClaimedAttempt } from './send-ports.ts'
import type { SenderSettings } from './sender-settings.ts'

/** A delivery that is being made. */
export interface Wanted {
  readonly deliveryId: string
  readonly subscriptionId: string
  readonly workspaceId: string
}

/** Null: all of them wait for the claim. */
export type Book = (wanted: readonly Wanted[]) => Booking | null

/** Makes it. `underWay`: by the key of {@link attemptKey}; what is booked stands in it. */
export function createBook(o: {
  settings: SenderSettings
  underWay: Map<string, AttemptUnderWay>
  /** What must be left to due work; null: everything. */
  claimed(): ClaimedRoom | null
  /** `leaseUntilMs`: monotonic. */
  start(attempt: ClaimedAttempt, leaseUntilMs: number): void
  /** Slots are free again. */
  onFree(): void
}): Book {
  const limits = limitsOf(o.settings.slots)
  return (wanted) => {
    const claimed = o.claimed()
    if (claimed === null) return null
    const nowMs = performance.now()
    const places = placesOf(wanted, claimRoom(o.underWay.values(), nowMs, limits), claimed)
    const claimId = randomUUID()
    const booked: string[] = []
    for (const [nth, { deliveryId, subscriptionId, workspaceId }] of wanted.entries()) {
      if (places[nth] === null) continue
      const key = attemptKey({ claimId, deliveryId })
      o.underWay.set(key, { workspaceId, subscriptionId, slow: false, startedMs: nowMs })
      booked.push(key)
    }
    if (booked.length === 0) return null
    const begin = (attempts: readonly ClaimedAttempt[]): void => {
      for (const key of booked) o.underWay.delete(key)
      deliveryMetrics.claimed.add(attempts.length)
      for (const attempt of attempts) o.start(attempt, nowMs + o.settings.leaseMs)
      if (attempts.length < booked.length) o.onFree()
    }
    return { claimId, leaseMs: o.settings.leaseMs, places, begin, end: () => begin([]) }
  }
}

/** Of an attempt among those under way. */
export const attemptKey = (attempt: { claimId: string; deliveryId: string }): string =>
  `${attempt.claimId}/${attempt.deliveryId}`

/** First come, first served, as far as slots and the shares of their workspaces reach. A slow lane waits for the claim, which knows the slow share. */
function placesOf(wanted: readonly Wanted[], room: ClaimRoom, claimed: ClaimedRoom): (number | null)[] {
  const left = roomBeside(room, claimed.claim)
  const slow = new Set(room.slowLanes)
  const [ofWorkspace, ofLane] = [new Map<string, number>(), new Map<string, number>()]
  let { slots } = left
  return wanted.map(({ subscriptionId, workspaceId }) => {
    const booked = ofWorkspace.get(workspaceId) ?? 0
    if (slots === 0 || slow.has(subscriptionId) || claimed.short.has(workspaceId)) return null
    if (booked >= left.of(workspaceId)) return null
    slots -= 1
    ofWorkspace.set(workspaceId, booked + 1)
    const place = (ofLane.get(subscriptionId) ?? 0) + 1
    ofLane.set(subscriptionId, place)
    return place
  })
}
