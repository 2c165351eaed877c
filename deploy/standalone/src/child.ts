/**
 * One supervised program: started with an IPC channel, restarted with backoff, ended by closing the channel and SIGTERM.
 * A child stands in a process group of its own, so that Ctrl-C reaches the supervisor only and everything drains in order.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, existsSync, openSync, readSync, renameSync, statSync } from 'node:fs'
import { StartError } from './start-error.ts'

export interface ChildOptions {
  name: string
  script: string
  args?: string[]
  env: Record<string, string>
  logFile: string
  /** Told about each unexpected end. */
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

const logBytesMax = 10 * 1024 * 1024
const tailBytes = 4 * 1024

function openLog(file: string): number {
  if (existsSync(file) && statSync(file).size > logBytesMax) renameSync(file, `${file}.1`)
  return openSync(file, 'a', 0o600)
}

/** Last line that the program wrote before it ended: its own sentence about why it cannot start. */
function lastLine(file: string): string {
  const fd = openSync(file, 'r')
  const size = statSync(file).size
  const buffer = Buffer.alloc(Math.min(size, tailBytes))
  readSync(fd, buffer, 0, buffer.length, size - buffer.length)
  closeSync(fd)
  return buffer.toString('utf8').trim().split('\n').at(-1) ?? ''
}

export function startChild(o: ChildOptions): Child {
  let stopping = false
  let failures = 0
  let current: ChildProcess
  let restart: NodeJS.Timeout | undefined
  const ready = Promise.withResolvers<void>()
  ready.promise.catch(() => undefined)
  let everReady = false

  const launch = () => {
    const log = openLog(o.logFile)
    const startedMs = performance.now()
    current = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', o.script, ...(o.args ?? [])], {
      env: o.env,
      stdio: ['ignore', log, log, 'ipc'],
      detached: process.platform !== 'win32',
    })
    closeSync(log)
    current.on('message', (message) => {
      if ((message as { type?: unknown }).type !== 'ready') return
      everReady = true
      ready.resolve()
    })
    current.on('error', (error) => ready.reject(new StartError(`${o.name} cannot be started: ${error.message}`)))
    current.on('exit', (code, signal) => {
      if (stopping) return
      const how = signal === null ? `exit code ${code}` : `signal ${signal}`
      if (!everReady) return ready.reject(new StartError(`${o.name} did not start (${how}): ${lastLine(o.logFile)}`))
      o.onExit(o.name, how)
      failures = performance.now() - startedMs > 30_000 ? 0 : failures + 1
      restart = setTimeout(launch, Math.min(100 * 2 ** failures, 5_000))
    })
  }
  launch()

  return {
    name: o.name,
    pid: () => current.pid,
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
      if (current.exitCode !== null || current.signalCode !== null || current.pid === undefined) return
      const ended = new Promise<void>((resolve) => current.once('exit', () => resolve()))
      current.kill('SIGTERM')
      const timer = setTimeout(() => current.kill('SIGKILL'), graceMs)
      await ended
      clearTimeout(timer)
    },
  }
}
