/** CPU time of processes, from the kernel. Linux only: elsewhere every figure is NaN. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'

const ticksPerSecond = 100

interface Stat {
  parent: number
  /** Own and those of ended children, in seconds. */
  cpu: number
}

function statOf(pid: number): Stat | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name in parentheses may hold spaces.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const [utime, stime, cutime, cstime] = fields.slice(11, 15).map(Number) as [number, number, number, number]
    return { parent: Number(fields[1]), cpu: (utime + stime + cutime + cstime) / ticksPerSecond }
  } catch {
    return null
  }
}

/** Seconds of CPU of a process and of all that it started, ended ones included. */
export function cpuSecondsOf(pid: number): number {
  if (!existsSync('/proc/self/stat')) return Number.NaN
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const stat = statOf(Number(name))
      return stat === null ? [] : [{ pid: Number(name), ...stat }]
    })
  const wanted = new Set([pid])
  for (let grown = true; grown; ) {
    grown = false
    for (const { pid: child, parent } of all) {
      if (!wanted.has(parent) || wanted.has(child)) continue
      wanted.add(child)
      grown = true
    }
  }
  return all.filter(({ pid: one }) => wanted.has(one)).reduce((sum, { cpu }) => sum + cpu, 0)
}

/** Id of the process that started this one; NaN when it is gone. */
export function parentOf(pid: number): number {
  return statOf(pid)?.parent ?? Number.NaN
}

/** Resident memory of one process in MiB. */
export function residentMibOf(pid: number): number {
  const line = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  return line === null ? Number.NaN : Number(line[1]) / 1_024
}
