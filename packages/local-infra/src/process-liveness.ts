// Tells whether a process that is not our child still runs. It never trusts a number alone where it can do better:
// process ids are given out again.
import { readFileSync, readlinkSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** True while the process runs; a dead one that nobody has collected yet counts as gone. */
export function isAlive(pid: number): boolean {
  if (!isProcessId(pid)) return false
  try {
    process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
  return statOf(pid)?.state !== 'Z'
}

/** Names one process for good: its id and, on Linux, when it started. */
export function identityOf(pid: number): string {
  return `${pid} ${statOf(pid)?.started ?? '-'}`
}

/** The folder that the process stands in, or null where the system does not tell (elsewhere than on Linux, or not ours). */
export function workingFolderOf(pid: number): string | null {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return null
  }
}

/** Sends the signal; false when there is no such process any more. */
export function signalProcess(pid: number, signal: NodeJS.Signals): boolean {
  if (!isProcessId(pid)) return false
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}

/** Asks every 5 ms to 50 ms until `holds` or the time is over; returns whether it held. */
export async function waitUntil(holds: () => boolean | Promise<boolean>, deadlineMs: number): Promise<boolean> {
  const end = performance.now() + deadlineMs
  for (let pauseMs = 5; ; pauseMs = Math.min(pauseMs * 2, 50)) {
    if (await holds()) return true
    if (performance.now() >= end) return false
    await sleep(pauseMs)
  }
}

/** A program that could not be started has none; to the kernel 0 and below mean whole groups, our own first. */
function isProcessId(pid: number): boolean {
  return Number.isInteger(pid) && pid > 0
}

function statOf(pid: number): { state: string; started: string } | null {
  try {
    // The name in parentheses may hold spaces, so fields are counted from behind it: state is 3rd, start time 22nd.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return { state: fields[0] ?? '', started: fields[19] ?? '' }
  } catch {
    return null
  }
}
