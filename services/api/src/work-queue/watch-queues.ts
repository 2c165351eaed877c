// One look at all queues of the worker, which wakes the loop of each that has something due. Loops that looked by themselves would ask an
// idle database 24 times a second.
import { WakeSignal } from '@wds/pacing/wait'
import type { Pool } from '@wds/postgres/pool'
import { runLoop } from '@wds/service-host/loop'
import type { Logger } from '@wds/telemetry/logger'
import type { Progress } from '@wds/telemetry/progress'
import { lookAtQueues, type Queue, queueNames } from './store-queues.ts'

/** What the look at all queues does not find, or does not get to, waits this long at most. */
const wokenPollMs = 5_000

/** Raised when something is due in the queue. */
export type DueSignals = Record<Queue, WakeSignal>

/** `work`: also raised by others. */
export function createDueSignals({ work }: { work: WakeSignal }): DueSignals {
  return { ...(Object.fromEntries(queueNames.map((name) => [name, new WakeSignal()])) as DueSignals), work }
}

/** The poll interval of a loop that is also woken when something is due. */
export const pollOfWokenLoopMs = (pollMs: number): number => Math.max(pollMs, wokenPollMs)

/** Looks every `pollMs` until the signal is aborted. */
export function watchQueues(o: {
  pool: Pool
  due: DueSignals
  pollMs: number
  logger: Logger
  signal: AbortSignal
  progress: Progress
}): Promise<void> {
  const { pool, due, pollMs, logger, signal, progress } = o
  const turn = async () => {
    for (const name of await lookAtQueues(pool)) due[name].raise()
    return false
  }
  return runLoop({ name: 'queues', logger, signal, progress, pauseMs: pollMs, turn })
}
