/**
 * One supervised program: started with an IPC channel, restarted with backoff, ended by closing the channel and SIGTERM.
 * A child stands in a process group of its own, so that Ctrl-C reaches the supervisor only and everything drains in order.
 */

import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync } from 'node:fs'
import { backoffMs } from '@wds/pacing/backoff'
import { lastLine, openLog } from './log-files.ts'
import { StartError } from './start-error.ts'

export interface ChildOptions {
  name: string
  script: string
  args?: string[]
  env: Record<string, string>
  logFile: string
  /** Told about each unexpected end, a restart that failed included. */
  onExit(name: string, how: string): void
}

export interface Child {
  name: string
  pid(): number | undefined
  /** Settles once the program said that it is ready. @throws StartError when it ends or stays silent. */
  whenReady(timeoutMs: number): Promise<void>
  /** Ends it: SIGTERM, after `graceMs` SIGKILL. */
  stop(graceMs: number): Promise<void>
}

const steadyMs = 30_000
const restartMs = { min: 200, max: 5_000 }

/** Starts the program, its output going to the end of the log. Throws when the log or the program cannot be opened. */
function spawnLogged(o: ChildOptions): ChildProcess {
  const log = openLog(o.logFile)
  try {
    return spawn(process.execPath, ['--disable-warning=ExperimentalWarning', o.script, ...(o.args ?? [])], {
      env: o.env,
      stdio: ['ignore', log, log, 'ipc'],
      detached: process.platform !== 'win32',
    })
  } finally {
    closeSync(log)
  }
}

export function startChild(o: ChildOptions): Child {
  let stopping = false
  let everReady = false
  let failures = 0
  let startedMs = 0
  let current: ChildProcess | undefined
  let restart: NodeJS.Timeout | undefined
  const ready = Promise.withResolvers<void>()
  ready.promise.catch(() => undefined)

  const onEnd = (how: string) => {
    if (stopping) return
    if (!everReady) return ready.reject(new StartError(`${o.name} did not start (${how}): ${lastLine(o.logFile)}`))
    failures = performance.now() - startedMs > steadyMs ? 0 : failures + 1
    restart = setTimeout(launch, backoffMs(restartMs, Math.max(failures, 1)))
    o.onExit(o.name, how)
  }
  const launch = () => {
    startedMs = performance.now()
    // A program that could not be started has no exit, only an error, and it may come at once: a full table of files.
    const onFault = (error: Error) => onEnd(`cannot be started: ${error.message}`)
    try {
      current = spawnLogged(o)
    } catch (error) {
      return onFault(error as Error)
    }
    const child = current
    child.on('message', (message) => {
      if ((message as { type?: unknown }).type !== 'ready') return
      everReady = true
      ready.resolve()
    })
    child.on('error', (error) => {
      if (child.pid === undefined) onFault(error)
    })
    child.on('exit', (code, signal) => onEnd(signal === null ? `exit code ${code}` : `signal ${signal}`))
  }
  launch()

  return {
    name: o.name,
    pid: () => current?.pid,
    whenReady: async (timeoutMs) => {
      const late = Promise.withResolvers<never>()
      const timer = setTimeout(
        () => late.reject(new StartError(`${o.name} was not ready within ${timeoutMs / 1_000} s`)),
        timeoutMs,
      )
      await Promise.race([ready.promise, late.promise]).finally(() => clearTimeout(timer))
    },
    stop: async (graceMs) => {
      stopping = true
      clearTimeout(restart)
      const child = current
      if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
      const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
      child.kill('SIGTERM')
      const timer = setTimeout(() => child.kill('SIGKILL'), graceMs)
      await ended
      clearTimeout(timer)
    },
  }
}
