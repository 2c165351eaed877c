// Claims due deliveries into free slots, or spare ones, and paces the claims by load (stack.md 7). It never claims more than are free, and
// never waits past a due time.

import { randomUUID } from 'node:crypto'
import { WakeSignal, wait } from '@wds/pacing/wait'
import { LogThrottle } from '@wds/telemetry/log-throttle'
import { timed } from '@wds/telemetry/metrics'
import type { Loop } from '@wds/telemetry/progress'
import { deliveryMetrics } from '../metrics.ts'
import { type AttemptUnderWay, type ClaimKind, claimRoom, limitsOf } from './domain/fair-share.ts'
import type { ClaimedAttempt, ClaimStore } from './ports.ts'
import type { SenderLogger, SenderSettings } from './sender-settings.ts'

export interface ClaimLoopOptions {
  readonly store: Pick<ClaimStore, 'claim' | 'nextDueInMs'>
  readonly settings: SenderSettings
  readonly logger: SenderLogger
  /** Attempts in progress, which use up slots and shares. */
  readonly underWay: ReadonlyMap<string, AttemptUnderWay>
  readonly loop: Loop
  isStopping(): boolean
  /** `leaseUntilMs`: monotonic. `spare`: it takes a spare slot. */
  start(attempt: ClaimedAttempt, o: { leaseUntilMs: number; spare: boolean }): void
}

export interface ClaimLoop {
  /** Deliveries became due: the next turn claims without asking first. */
  hasWork(): void
  /** Slots or lanes may be free: look again now. */
  look(): void
  /** Resolves after `isStopping` and `look`. */
  run(): Promise<void>
}

/**
 * Pause between two claims that found work, so that attempts that end meanwhile share the next round trip. After many rows
 * `afterMany`; after few, twice as long as the claim took, between `least` and `most`: a busy database gets fewer claims of more rows.
 */
const claimGapMs = { afterMany: 1, least: 5, most: 20 }
const fewRows = 32
/**
 * Slow lanes are served so often, and left out in between: a claim that serves them gives every workspace little, and some nothing
 * (`ClaimKind`). However slow claims are, every other one leaves them out.
 */
const slowEveryMs = 50
/** Pause while due rows wait for room in their lanes. */
const noRoomMs = 50
const errorPauseMs = 500

/** The pause before the next turn, and whether `look` or `hasWork` ends it early. */
interface Rest {
  restMs: number
  wakes: boolean
}

export function createClaimLoop(o: ClaimLoopOptions): ClaimLoop {
  const { store, settings, loop } = o
  const signal = new WakeSignal()
  // Work was made, or a claim may have left some: the next turn claims without asking what is due.
  let hasWork = true
  const throttle = new LogThrottle()

  const limits = limitsOf(settings.slots)
  let slowServedMs = -Infinity
  // Of the two kinds; a claim of spare slots between them is none.
  let kindOfLast: ClaimKind = 'quick'

  /** Claims; where that finds nothing, with a claim of the other kind, too. Returns the number of attempts started. */
  const claimOnce = async (): Promise<number> => {
    const isSlowFirst = kindOfLast === 'quick' && performance.now() - slowServedMs >= slowEveryMs
    const first = await claimFor(isSlowFirst ? 'slow' : 'quick')
    return first.started > 0 || first.isAll ? first.started : (await claimFor(isSlowFirst ? 'quick' : 'slow')).started
  }

  const claimFor = async (wanted: ClaimKind): Promise<{ started: number; isAll: boolean }> => {
    const nowMs = performance.now()
    const { spare, kind, ...room } = claimRoom(o.underWay.values(), { nowMs, limits, kind: wanted })
    if (kind === 'slow') slowServedMs = nowMs
    const isAll = kind === 'all'
    if (!isAll) kindOfLast = kind
    if (room.slots === 0) return { started: 0, isAll }
    const input = { ...room, claimId: randomUUID(), lanes: settings.lanes, leaseMs: settings.leaseMs }
    const claimed = await timed(deliveryMetrics.claimDuration, {}, () => store.claim(input))
    deliveryMetrics.claimed.add(claimed.length)
    for (const attempt of claimed) o.start(attempt, { leaseUntilMs: nowMs + settings.leaseMs, spare })
    return { started: claimed.length, isAll }
  }

  /** Time until something is due, at most the poll interval, ms; 0: something is due now. */
  const dueInMs = async (): Promise<number> => {
    const dueMs = await store.nextDueInMs()
    return dueMs === null ? settings.pollMs : Math.min(Math.ceil(dueMs), settings.pollMs)
  }

  /** One claim, when something may be due; returns the pause after it. */
  const turn = async (): Promise<Rest> => {
    if (!hasWork) {
      // Asking for the next due time costs a tenth of a claim that finds nothing.
      const restMs = await dueInMs()
      if (restMs > 0) return { restMs, wakes: true }
    }
    const beganMs = performance.now()
    hasWork = false
    const started = await claimOnce()
    if (started === 0) return { restMs: (await dueInMs()) || noRoomMs, wakes: true }
    // A single delivery is no load: the next one must not wait to be batched.
    if (started === 1) return { restMs: claimGapMs.least, wakes: true }
    if (started >= fewRows) {
      hasWork = true
      return { restMs: claimGapMs.afterMany, wakes: false }
    }
    const tookMs = performance.now() - beganMs
    const restMs = Math.round(Math.min(Math.max(2 * tookMs, claimGapMs.least), claimGapMs.most))
    return { restMs, wakes: false }
  }

  return {
    hasWork() {
      hasWork = true
      signal.raise()
    },
    look: () => signal.raise(),
    async run() {
      while (!o.isStopping()) {
        try {
          const { restMs, wakes } = await loop.turn(turn)
          throttle.over((failures) => o.logger.info({ failures }, 'due deliveries are claimed again'))
          loop.rests(restMs)
          await (wakes ? signal.wait(restMs) : wait(restMs))
        } catch (error) {
          hasWork = true
          throttle.wrong(() => o.logger.error({ err: error }, 'due deliveries could not be claimed, retrying'))
          await signal.wait(errorPauseMs)
        }
      }
      loop.end()
    },
  }
}
