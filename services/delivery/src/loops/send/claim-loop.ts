// Claims what is due, as much as there is room for, and rests between claims as long as the load asks for (stack.md 7).
// It never claims more than the free slots, and never sleeps past a due time.
import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { timed } from '@wds/telemetry/metrics'
import type { Loop } from '@wds/telemetry/progress'
import {
  type AttemptUnderWay,
  type ClaimedRoom,
  type ClaimRoom,
  claimRoom,
  halfOf,
  limitsOf,
  shareLeft,
} from '../../domain/fair-share.ts'
import { deliveryMetrics } from '../../metrics.ts'
import type { ClaimedAttempt, ClaimStore } from './send-ports.ts'
import type { SenderLogger, SenderSettings } from './sender-settings.ts'
import { createWakeSignal } from './wake-signal.ts'

export interface ClaimLoopOptions {
  readonly store: Pick<ClaimStore, 'claim' | 'nextDueInMs'>
  readonly settings: SenderSettings
  readonly logger: SenderLogger
  /** What takes up slots and shares. */
  readonly underWay: ReadonlyMap<string, AttemptUnderWay>
  readonly loop: Loop
  isStopping(): boolean
  /** `leaseUntilMs`: monotonic. */
  start(attempt: ClaimedAttempt, leaseUntilMs: number): void
}

export interface ClaimLoop {
  /** Work was made. */
  hasWork(): void
  /** Look again: slots or lanes may be free. */
  look(): void
  /** What must be left to due work; null: everything, since some of it may wait for a slot. */
  claimed(): ClaimedRoom | null
  /** Resolves after `isStopping` and `look`. */
  run(): Promise<void>
}

/**
 * Between two claims that found work: attempts that end meanwhile share the next round trip. After a claim of a few rows twice
 * as long as it took, within these bounds, so that a database that is busy answers fewer claims of more rows.
 */
const claimGapMs = { afterMany: 1, least: 5, most: 20 }
const fewRows = 32
/** While due rows wait for room in their lanes. */
const noRoomMs = 50
const errorPauseMs = 500

/** How long to rest, and whether a call of `look` or `hasWork` ends the rest. */
interface Rest {
  restMs: number
  wakes: boolean
}

/** Workspaces that got all that they could, or could get nothing: more of them may wait for their share. */
function shortOf(claimed: readonly ClaimedAttempt[], room: ClaimRoom): Set<string> {
  const left = shareLeft(room)
  const took = Map.groupBy(claimed, ({ workspaceId }) => workspaceId)
  const ids = new Set([...took.keys(), ...room.busy.map(({ workspaceId }) => workspaceId)])
  return new Set([...ids].filter((id) => (took.get(id)?.length ?? 0) >= left(id)))
}

export function createClaimLoop(o: ClaimLoopOptions): ClaimLoop {
  const { store, settings, loop } = o
  const signal = createWakeSignal()
  // Work was made, or a claim may have left some: the next turn claims without asking what is due.
  let hasWork = true
  let isDrained = false
  let short: ReadonlySet<string> = new Set()
  let underWay: ClaimRoom | null = null

  /** Claims once and starts what it got. Returns the number of attempts started. */
  const claimOnce = async (): Promise<number> => {
    const whole = claimRoom(o.underWay.values(), performance.now(), limitsOf(settings.slots))
    const room = isDrained && short.size === 0 ? halfOf(whole) : whole
    isDrained &&= room.slots > 0
    if (room.slots === 0) return 0
    const leaseUntilMs = performance.now() + settings.leaseMs
    const input = { ...room, claimId: randomUUID(), lanes: settings.lanes, leaseMs: settings.leaseMs }
    underWay = room
    try {
      const claimed = await timed(deliveryMetrics.claimDuration, {}, () => store.claim(input))
      deliveryMetrics.claimed.add(claimed.length)
      isDrained = claimed.length < Math.min(room.slots, settings.lanes)
      short = shortOf(claimed, room)
      for (const attempt of claimed) o.start(attempt, leaseUntilMs)
      return claimed.length
    } catch (error) {
      isDrained = false
      throw error
    } finally {
      underWay = null
    }
  }

  /** Until something is due, at most the poll, ms; 0: it is. */
  const dueInMs = async (): Promise<number> => {
    const dueMs = await store.nextDueInMs()
    return dueMs === null ? settings.pollMs : Math.min(Math.ceil(dueMs), settings.pollMs)
  }

  /** Claims, and says how to rest then. */
  const turn = async (): Promise<Rest> => {
    if (!hasWork) {
      // The look costs a tenth of a claim that finds nothing.
      const restMs = await dueInMs()
      if (restMs > 0) return { restMs, wakes: true }
    }
    const beganMs = performance.now()
    hasWork = false
    const started = await claimOnce()
    if (started === 0) return { restMs: (await dueInMs()) || noRoomMs, wakes: true }
    // One alone is no load: what comes next does not wait for company.
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
    claimed: () => (isDrained ? { claim: underWay, short } : null),
    async run() {
      while (!o.isStopping()) {
        try {
          const { restMs, wakes } = await loop.turn(turn)
          loop.rests(restMs)
          await (wakes ? signal.wait(restMs) : setTimeout(restMs))
        } catch (error) {
          hasWork = true
          o.logger.error({ err: error }, 'due work could not be claimed')
          await signal.wait(errorPauseMs)
        }
      }
      loop.end()
    },
  }
}
