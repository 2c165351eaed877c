// Sends what telemetry holds back, once, before the process ends. It never keeps a process that is to end waiting for a collector
// that does not answer.

import { setTimeout as sleep } from 'node:timers/promises'

const steps: (() => Promise<void>)[] = []

/** Registers what sends and ends one kind of telemetry. For the preload. */
export function onShutdown(step: () => Promise<void>): void {
  steps.push(step)
}

/** Part of the 25 s that a process has to stop, at its end (K30). */
export const shutdownMs = 3_000

/**
 * Sends spans and metrics that wait, within 3 s. Resolves in any case: `sent` is false when the collector did not take them in
 * time. Does nothing when telemetry is off, and nothing the second time.
 */
export async function shutDownTelemetry(withinMs: number = shutdownMs): Promise<{ sent: boolean }> {
  const taken = steps.splice(0)
  if (taken.length === 0) return { sent: true }
  const over = new AbortController()
  const late = sleep(withinMs, false, { signal: over.signal }).catch(() => false)
  const all = Promise.allSettled(taken.map((step) => step()))
  const sent = all.then((results) => results.every((result) => result.status === 'fulfilled'))
  const inTime = await Promise.race([sent, late])
  over.abort()
  return { sent: inTime }
}
