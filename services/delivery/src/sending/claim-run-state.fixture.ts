// For tests: what the parts of a claim run share: what was published, who holds which delivery, what went wrong.
import type { Engine } from '../engine.fixture.ts'
import type { ClaimedAttempt, ClaimStore } from './ports.ts'

/** What a run is made of. `deliveries`: at least so many are made. */
export interface ClaimRunOptions {
  deliveries: number
  workspaces: number
  /** Subscriptions of each workspace. */
  fanOut: number
  /** Events of a workspace that are ingested at once. */
  eventsAtOnce: number
  /** While more deliveries than these are due, nothing is published. */
  waitingMax: number
  seed: number
  deadlineMs: number
}

/** What happened, by kind; `breaches` must be empty. */
export interface ClaimRunResult {
  counts: Record<
    | 'claims'
    | 'inline'
    | 'crashed'
    | 'takenOver'
    | 'lateSettles'
    | 'held'
    | 'disabled'
    | 'enabled'
    | 'replayed'
    | 'samples',
    number
  >
  breaches: string[]
}

export interface Run {
  o: ClaimRunOptions
  engine: Engine
  store: ClaimStore
  random: () => number
  /** Claims that nobody has ended, as far as this process knows: by delivery. */
  underWay: Map<string, string>
  /** Claims of each attempt number, and how often it was given back to be claimed again. */
  claimed: Map<string, number>
  ended: ClaimedAttempt[]
  toSettle: ClaimedAttempt[]
  crashed: ClaimedAttempt[]
  subscriptions: { workspaceId: string; id: string }[]
  result: ClaimRunResult
  isPublished: boolean
  /** What was asked for again may still open: the run is not over before. */
  isReplaying: boolean
  isOver: boolean
}

/** Small seeded generator (mulberry32). */
export function generator(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

export const numberOf = (row: { deliveryId: string; epoch: number; attempt: number }): string =>
  `${row.deliveryId}/${row.epoch}/${row.attempt}`

export function noteClaim(run: Run, row: ClaimedAttempt): void {
  const other = run.underWay.get(row.deliveryId)
  if (other !== undefined) run.result.breaches.push(`${row.deliveryId} was claimed while ${other} held it`)
  run.underWay.set(row.deliveryId, row.claimId)
  run.claimed.set(numberOf(row), (run.claimed.get(numberOf(row)) ?? 0) + 1)
}

/** From the moment the statement is sent somebody else may claim the delivery. */
export function letGo(run: Run, row: { deliveryId: string; claimId: string }): void {
  if (run.underWay.get(row.deliveryId) === row.claimId) run.underWay.delete(row.deliveryId)
}

/** The number of an attempt that did not take place is claimed again. */
export function giveNumberBack(run: Run, row: ClaimedAttempt): void {
  run.claimed.set(numberOf(row), (run.claimed.get(numberOf(row)) ?? 0) - 1)
}
