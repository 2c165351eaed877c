// Runs one piece of work of a worker again and again until it is stopped: at once while there is more, else after a growing pause or a signal.
// A failing turn is tried again after a growing pause of its own, 5 s at most, and told at first and every few minutes; it never ends the loop.
import { Backoff, type BackoffLimits } from '@wds/pacing/backoff'
import { WakeSignal } from '@wds/pacing/wait'
import type { Logger } from '@wds/telemetry/logger'
import type { Progress } from '@wds/telemetry/progress'

const failurePauseMs = { min: 200, max: 5_000 }
/** Failures in a row between two lines of the log: 5 minutes at the longest pause. */
const failuresPerLogLine = 60

/** `turn` returns true while there is more to do. Resolves when `signal` is aborted and the last turn has ended. */
export async function runLoop(o: {
  name: string
  signal: AbortSignal
  logger: Logger
  progress: Progress
  pauseMs: BackoffLimits
  /** Ends a pause. */
  wake?: WakeSignal
  turn(): Promise<boolean>
}): Promise<void> {
  const wake = o.wake ?? new WakeSignal()
  const loop = o.progress.loop(o.name)
  const rest = (ms: number): Promise<unknown> => {
    loop.rests(ms)
    return wake.wait(ms, o.signal)
  }
  const pause = new Backoff(o.pauseMs)
  const backoff = new Backoff(failurePauseMs)
  while (!o.signal.aborted) {
    try {
      const more = await loop.turn(o.turn)
      backoff.reset()
      if (more) {
        pause.reset()
        continue
      }
    } catch (error) {
      if (o.signal.aborted) break
      const waitMs = backoff.next()
      const failures = backoff.count
      const isLogged = failures === 1 || failures % failuresPerLogLine === 0
      if (isLogged) o.logger.error({ err: error, loop: o.name, failures }, 'background loop failed, retrying')
      pause.reset()
      await rest(waitMs)
      continue
    }
    await rest(pause.next())
  }
  loop.end()
}
