// Runs one piece of work of a worker again and again until it is stopped: at once while there is more, else after a pause or a signal.
// A failing turn is tried again after a growing pause of its own, 5 s at most, and told at first and every 5 minutes; it never ends the loop.

import { Backoff, type BackoffLimits } from '@wds/pacing/backoff'
import { type Clock, systemClock } from '@wds/pacing/clock'
import { WakeSignal, wait } from '@wds/pacing/wait'
import { LogThrottle } from '@wds/telemetry/log-throttle'
import type { Logger } from '@wds/telemetry/logger'
import type { Progress } from '@wds/telemetry/progress'

const failurePauseMs = { min: 200, max: 5_000 }
/** While it goes on failing. */
const logEveryMs = 300_000

/** `turn` returns true while there is more to do. Resolves when `signal` is aborted and the last turn has ended. */
export async function runLoop(o: {
  name: string
  signal: AbortSignal
  logger: Logger
  progress: Progress
  /** A growing pause, or one that is always as long. */
  pauseMs: BackoffLimits | number
  /** Ends a pause, but not the one behind a failure: whoever looks for work finds that of a failing turn again and again. */
  wake?: WakeSignal
  /** By which pauses are measured; for tests. */
  pauseClock?: Clock
  turn(): Promise<boolean>
}): Promise<void> {
  const clock = o.pauseClock ?? systemClock
  const wake = o.wake ?? new WakeSignal(clock)
  const loop = o.progress.loop(o.name)
  const pause = new Backoff(typeof o.pauseMs === 'number' ? { min: o.pauseMs, max: o.pauseMs } : o.pauseMs)
  const backoff = new Backoff(failurePauseMs)
  const throttle = new LogThrottle({ everyMs: logEveryMs })
  while (!o.signal.aborted) {
    try {
      const more = await loop.turn(o.turn)
      backoff.reset()
      throttle.over()
      if (more) {
        pause.reset()
        continue
      }
    } catch (error) {
      if (o.signal.aborted) break
      const waitMs = backoff.next()
      const fields = { err: error, loop: o.name, failures: backoff.count }
      throttle.wrong(() => o.logger.error(fields, 'background loop failed, retrying'))
      pause.reset()
      loop.rests(waitMs)
      await wait(waitMs, o.signal, clock)
      continue
    }
    const pauseMs = pause.next()
    loop.rests(pauseMs)
    await wake.wait(pauseMs, o.signal)
  }
  loop.end()
}
