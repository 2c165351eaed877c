// Tells when a server process ended, whether it is our child or was adopted.
import type { ChildProcess } from 'node:child_process'
import { isAlive } from './process-liveness.ts'

/** How the process ended; both null when it was not our child. */
export interface Exit {
  code: number | null
  signal: NodeJS.Signals | null
}

/** The end of a child; 127 when it could not be started. */
export function exitOf(child: ChildProcess): Promise<Exit> {
  return new Promise((resolve) => {
    child.once('error', () => resolve({ code: 127, signal: null }))
    child.once('exit', (code, signal) => resolve({ code, signal }))
  })
}

/** A process that is not our child cannot be waited for, only looked at. */
export function pollExit(pid: number): Promise<Exit> {
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      if (isAlive(pid)) return
      clearInterval(timer)
      resolve({ code: null, signal: null })
    }, 250)
    timer.unref()
  })
}
