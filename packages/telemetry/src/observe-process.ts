// Reads what the runtime says of its own process: CPU, memory, event loop.

import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import { isMetering, observe } from './metrics.ts'
import { processMetrics } from './platform-metrics.ts'

const { cpuTime, memory, heap, loopUtilization, loopDelay, loopDelayMax } = processMetrics
const nanoseconds = 1e9
/** Of the timer whose delay is measured. */
const resolutionMs = 10

/** Makes the process's own metrics readable; returns how to end it. Does nothing when nobody reads metrics. */
export function observeProcess(onError: (error: unknown) => void): () => void {
  if (!isMetering()) return () => undefined
  const delay = monitorEventLoopDelay({ resolution: resolutionMs })
  delay.enable()
  let before = performance.eventLoopUtilization()
  const end = observe([cpuTime, memory, heap, loopUtilization, loopDelay, loopDelayMax], {
    onError,
    read(report) {
      const { user, system } = process.cpuUsage()
      report(cpuTime, user / 1e6, { mode: 'user' })
      report(cpuTime, system / 1e6, { mode: 'system' })
      const { rss, heapUsed } = process.memoryUsage()
      report(memory, rss)
      report(heap, heapUsed)
      const now = performance.eventLoopUtilization()
      report(loopUtilization, performance.eventLoopUtilization(now, before).utilization)
      before = now
      if (delay.count > 0) {
        report(loopDelay, lateSeconds(delay.percentile(99)))
        report(loopDelayMax, lateSeconds(delay.max))
      }
      delay.reset()
    },
  })
  return () => {
    end()
    delay.disable()
  }
}

/** Of the nanoseconds between two ticks of the timer. */
function lateSeconds(betweenNs: number): number {
  return Math.max(0, betweenNs - resolutionMs * 1e6) / nanoseconds
}
