// Reads files again and again, since who renews them tells nobody: a mount swaps a link (kubernetes.md 3, secrets). What cannot be used, as a pair
// of which one half is written, leaves in use what was read before.
import { LogThrottle } from '@wds/telemetry/log-throttle'
import type { Logger } from '@wds/telemetry/logger'
import type { Progress } from '@wds/telemetry/progress'
import { runLoop } from './loop.ts'

/** A change is in use this long after it is in the files, at most; of the 60 s that a platform may count on. */
const everyMs = 30_000

export interface FollowOptions<T> {
  /** Of the loop, and of its lines in the log. */
  name: string
  /** What is in use. */
  first: T
  /** Throws an Error for what cannot be used; its message is logged. */
  read(): T
  /** Takes what was read into use; called only where it differs. */
  take(value: T): void
  /** Ends it. */
  signal: AbortSignal
  logger: Logger
  progress: Progress
  /** For tests. */
  everyMs?: number | undefined
}

/** Resolves once `signal` is aborted. `T` is compared as JSON. */
export function followFiles<T>(o: FollowOptions<T>): Promise<void> {
  const { name, signal, logger, progress } = o
  let used = JSON.stringify(o.first)
  const throttle = new LogThrottle()
  const look = (): void => {
    try {
      const found = o.read()
      const text = JSON.stringify(found)
      if (text !== used) {
        o.take(found)
        used = text
        logger.info({ files: name }, 'renewed files are in use')
      }
      throttle.over()
    } catch (err) {
      const write = () => logger.error({ err, files: name }, 'renewed files cannot be used, those before stay')
      throttle.wrong(write, (err as Error).message)
    }
  }
  const pauseMs = o.everyMs ?? everyMs
  const turn = async () => {
    look()
    return false
  }
  return runLoop({ name: `follow ${name}`, signal, logger, progress, pauseMs, turn })
}
