// Runs one piece of work of a worker again and again until it is stopped: at once while there is more, else after a growing pause or a signal.
// A failing turn is tried again after a growing pause of its own, 5 s at most, and told at first and every few minutes; it never ends the loop.
import { OutboxSignal } from '@wds/event-store/relay'
import type { Logger } from '@wds/telemetry/logger'
import type { Progress } from '@wds/telemetry/progress'

const failurePauseMaxMs = 5_000
/** Failures in a row between two lines of the log: 5 minutes at the longest pause. */
const toldEvery = 60

/** A signal to look at once; a lost one costs the pause and nothing else. */
export { OutboxSignal as WakeSignal }

/** `turn` returns true while there is more to do. Resolves when `signal` is aborted and the last turn has ended. */
export async function runLoop(o: {
  name: string
  signal: AbortSignal
  logger: Logger
  progress: Progress
  pauseMs: { min: number; max: number }
  wake?: OutboxSignal
  turn(): Promise<boolean>
}): Promise<void> {
  const wake = o.wake ?? new OutboxSignal()
  const loop = o.progress.loop(o.name)
  const rest = (ms: number): Promise<unknown> => {
    loop.rests(ms)
    return wake.wait(ms, o.signal)
  }
  let pauseMs = o.pauseMs.min
  let failures = 0
  while (!o.signal.aborted) {
    try {
      const more = await loop.turn(o.turn)
      failures = 0
      if (more) {
        pauseMs = o.pauseMs.min
        continue
      }
    } catch (error) {
      if (o.signal.aborted) break
      failures += 1
      const isTold = failures === 1 || failures % toldEvery === 0
      if (isTold) o.logger.error({ err: error, loop: o.name, failures }, 'a loop failed, it is tried again')
      pauseMs = o.pauseMs.min
      await rest(Math.min(100 * 2 ** Math.min(failures, 6), failurePauseMaxMs))
      continue
    }
    await rest(pauseMs)
    pauseMs = Math.min(pauseMs * 2, o.pauseMs.max)
  }
  loop.end()
}
