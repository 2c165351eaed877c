// Decides what /livez and /readyz tell (kubernetes.md K21 and K22): of this process, never of Postgres or the broker, since an
// outage of theirs must neither restart the fleet nor take it out of service.
import { LogThrottle } from '@wds/telemetry/log-throttle'
import type { Logger } from '@wds/telemetry/logger'
import { observe } from '@wds/telemetry/metrics'
import { hostMetrics } from '@wds/telemetry/platform-metrics'
import type { Progress } from '@wds/telemetry/progress'

/** The process's health. */
export interface Health {
  progress: Progress
  /** False when a loop hangs: only a restart helps. */
  alive(): boolean
  ready(): boolean
  /** Everything runs that the role asks for. */
  started(): void
  /** Adds what readiness asks besides; it must answer at once. */
  alsoReadyWhen(holds: () => boolean): void
  /** Ends what `/metrics` says of it. */
  close(): void
}

/** Judges by `progress` from the moment that `started` is called; before, the process lives and is not ready. */
export function createHealth(o: {
  role: 'all' | 'http' | 'worker'
  signal: AbortSignal
  logger: Logger
  progress: Progress
}): Health {
  const { progress } = o
  const conditions: (() => boolean)[] = []
  let startedMs: number | null = null
  const throttle = new LogThrottle()
  /** A line says which, whoever looks: only a kubelet asks /livez, and where there is none somebody scrapes. */
  const stuckLoops = (): string[] => {
    const stuck = progress.stuck()
    if (stuck.length === 0) throttle.over()
    else throttle.wrong(() => o.logger.error({ loops: stuck }, 'loops have not moved for 60 s'), stuck.join())
    return stuck
  }
  const endObserving = observe(Object.values(hostMetrics), {
    // Known to the process: nothing to fail.
    onError: () => undefined,
    read(report) {
      report(hostMetrics.startDuration, (startedMs ?? 0) / 1_000)
      report(hostMetrics.stuckLoops, stuckLoops().length)
      report(hostMetrics.stuckWork, progress.stuckPieces())
      report(hostMetrics.idleLoops, progress.idle().length)
    },
  })
  return {
    progress,
    alive: () => stuckLoops().length === 0,
    ready() {
      if (startedMs === null || o.signal.aborted) return false
      // A process that answers requests stays in service: what it cannot do is 503 with Retry-After.
      const works = o.role !== 'worker' || progress.idle().length === 0
      return works && conditions.every((holds) => holds())
    },
    started() {
      // Counted from the start of the process.
      startedMs = performance.now()
    },
    alsoReadyWhen: (holds) => void conditions.push(holds),
    close: endObserving,
  }
}
