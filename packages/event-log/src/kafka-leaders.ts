// Waits while partitions have no leader: for a moment after a broker went, and for seconds after they were made by a busy broker.
import { type Clock, systemClock } from '@wds/pacing/clock'
import { wait } from '@wds/pacing/wait'
import { typeOf } from './kafka-client.ts'
import type { LogLogger } from './port.ts'

const noLeader = ['NOT_LEADER_FOR_PARTITION', 'LEADER_NOT_AVAILABLE', 'REPLICA_NOT_AVAILABLE']
const pauseMs = 250
/** Shorter waits are not worth a line: the first start on a broker has one. */
const noticeMs = 2_000

/** `withinMs`: the longest wait, ms; `passing`: what the broker answers meanwhile. */
export interface LeaderWait {
  withinMs: number
  passing: ReadonlySet<string>
}

/** Partitions that were there before. Whoever asks for them asks again. */
export const leaderGone: LeaderWait = { withinMs: 5_000, passing: new Set(noLeader) }

/** Partitions made just now, of which the broker that is asked may not have heard yet. A start waits for them. */
export const justMade: LeaderWait = { withinMs: 60_000, passing: new Set([...noLeader, 'UNKNOWN_TOPIC_OR_PARTITION']) }

/** What `fn` resolves with, once no leader is missing. Rejects as `fn` does: with another fault at once, else when the time is over or `ended`. */
export async function whenLed<T>(
  fn: () => Promise<T>,
  o: LeaderWait & { topic: string; ended: AbortSignal; logger: LogLogger | undefined; clock?: Clock },
): Promise<T> {
  const clock = o.clock ?? systemClock
  const startedAt = clock.nowMs()
  for (let isTold = false; ; ) {
    try {
      return await fn()
    } catch (error) {
      const waitedMs = clock.nowMs() - startedAt
      if (!o.passing.has(typeOf(error) ?? '') || waitedMs >= o.withinMs || o.ended.aborted) throw error
      if (!isTold && waitedMs >= noticeMs) {
        isTold = true
        o.logger?.warn({ topic: o.topic, err: error }, 'Kafka partitions have no leader yet, waiting')
      }
    }
    await wait(pauseMs, o.ended, clock)
  }
}
