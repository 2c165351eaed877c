// Decides how a service's process begins and ends: signals, the supervisor's channel, faults nobody caught. It never lets a process linger.
import { setTimeout as sleep } from 'node:timers/promises'
import { createLogger } from '@wds/telemetry/logger'
import { redactText } from '@wds/telemetry/redaction'

/** What a started service gives back. */
export interface StartedService {
  stop(): Promise<void>
  /** Public port, told to the supervisor. */
  port?: number
}

interface ServiceProcess {
  name: string
  /** Starts the service; `signal` is aborted when the process is to end. Its error's message is one sentence for the operator. */
  start(signal: AbortSignal): Promise<StartedService>
}

// kubernetes.md ends the grace after 30 s: the last 5 are for the platform.
const stopMs = 25_000
// Nobody reads our answers once the supervisor is gone, and the next start wants the ports.
const orphanStopMs = 2_000

/**
 * Runs a service until SIGTERM or SIGINT, then stops it within 25 s and exits with 0 (1 when it did not stop in time).
 * A second signal exits at once. A closed IPC channel stops it within 2 s. `{ type: 'ready', port }` goes to the parent.
 */
export function runProcess(o: ServiceProcess): void {
  const abort = new AbortController()
  const starting = Promise.resolve().then(() => o.start(abort.signal))
  let ending = false
  const end = (withinMs: number) => {
    ending = true
    abort.abort()
    void stopWithin(starting, withinMs, o.name).then((code) => process.exit(code))
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => (ending ? process.exit(1) : end(stopMs)))
  }
  process.on('disconnect', () => {
    if (!ending) end(orphanStopMs)
    setTimeout(() => process.exit(1), orphanStopMs).unref()
  })
  process.on('uncaughtException', (error) => die(o.name, error))
  process.on('unhandledRejection', (error) => die(o.name, error))
  starting.then(
    (service) => {
      if (!ending) process.send?.({ type: 'ready', port: service.port }, undefined, {}, () => undefined)
    },
    (error: unknown) => {
      // A start that was called off may fail by that.
      if (ending) return
      printFault(o.name, oneLine(error))
      process.exit(1)
    },
  )
}

/** The exit code: 0 when the service stopped in time. */
async function stopWithin(starting: Promise<StartedService>, withinMs: number, name: string): Promise<number> {
  const late = sleep(withinMs, 'late' as const, { ref: false })
  const stopped = starting
    .then(
      (service) => service.stop(),
      () => undefined,
    )
    .then(() => 'stopped' as const)
  try {
    if ((await Promise.race([stopped, late])) === 'stopped') return 0
    printFault(name, `did not stop within ${withinMs} ms.`)
  } catch (error) {
    createLogger({ service: name }).error({ err: error }, 'shutdown failed')
    printFault(name, oneLine(error))
  }
  return 1
}

/** A broken invariant outside any request: the supervisor starts the process again. */
function die(name: string, error: unknown): void {
  // Written before the exit: behind a grave line the logger holds nothing back.
  createLogger({ service: name }).fatal({ err: error }, 'a fault that nobody caught ends the process')
  process.exit(1)
}

/** One sentence for the operator on standard error, redacted as log lines are. */
function printFault(name: string, sentence: string): void {
  process.stderr.write(`${name}: ${redactText(sentence)}\n`)
}

/** The message of what was thrown, without line breaks. */
export function oneLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replaceAll(/\s+/g, ' ')
}
