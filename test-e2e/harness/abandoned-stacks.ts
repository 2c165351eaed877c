/**
 * Stacks whose run was ended by a signal: their Postgres and their broker live on, and so does the small disk that one may be on. Behind Ctrl-C
 * and SIGTERM a program that outlives the run ends them; what SIGKILL leaves, the next run that starts a stack does.
 */
import { spawn, spawnSync } from 'node:child_process'
import { readdirSync, rmSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { removeKafka } from '@wds/local-infra/kafka-broker'
import { removePostgres } from '@wds/local-infra/postgres-server'
import { isAlive } from '@wds/local-infra/process-liveness'
import { copyFolders } from './own-postgres.ts'

/** Beginning of the name of the folder of what this run of tests notes (test-setup.mjs); services that end behind it write to it once more. */
export const notedPrefix = `wds-noted-${process.pid}-`
/** Of the folder in which `faults:quick` and `faults:full` wait for the report of their runner. */
export const reportPrefix = `wds-faults-${process.pid}-`
/** Beginning of the names of the folders of this process's stacks. */
export const stackPrefix = `wds-stack-${process.pid}-`
/** Of the folders in which this process mounts a file system that a stack is on. */
export const diskPrefix = `wds-disk-${process.pid}-`

/** One that cannot be removed is left as it is. */
export function removeAbandonedStacks(): Promise<unknown> {
  const names = readdirSync(tmpdir()).filter(isAbandoned)
  return Promise.allSettled(names.map((name) => remove(join(tmpdir(), name))))
}

let removed: Promise<unknown> | undefined

/** Once for this process. */
export function removeAbandonedStacksOnce(): Promise<unknown> {
  removed ??= removeAbandonedStacks()
  return removed
}

/** Until it is called off, the end of this process starts the program that removes its stacks and those of its children. */
export function removeStacksAtRunEnd(): () => void {
  const start = () => {
    const program = join(import.meta.dirname, 'remove-stacks-main.ts')
    const args = ['--disable-warning=ExperimentalWarning', program]
    spawn(process.execPath, args, { detached: true, stdio: 'ignore' }).unref()
  }
  // Who listens as well, as the incidents do, has more to end, and ends the process.
  const end = (signal: NodeJS.Signals) => {
    if (process.listeners(signal).every((one) => ends.has(one))) process.exit(128 + constants.signals[signal])
  }
  ends.add(end)
  process.once('exit', start)
  for (const signal of signals) process.on(signal, end)
  return () => {
    ends.delete(end)
    process.off('exit', start)
    for (const signal of signals) process.off(signal, end)
  }
}

const signals = ['SIGINT', 'SIGTERM'] as const
/** Listeners to signals that are of this module, of each stack one. */
const ends = new Set<unknown>()

/**
 * Of packages/local-infra: `test`, the cluster of a run that was ended while it was made, and `authority`, the CA of a test; of
 * packages/event-log: `broker`, one of a suite's own.
 */
function isAbandoned(name: string): boolean {
  const pid = /^wds-(?:stack|disk|noted|faults|test|authority|broker)-(\d+)-/.exec(name)?.[1]
  return pid !== undefined && !isAlive(Number(pid))
}

async function remove(folder: string): Promise<void> {
  const inside = readdirSync(folder).filter(isAbandoned)
  await Promise.all(inside.map((name) => remove(join(folder, name))))
  await Promise.all([removePostgres(join(folder, 'pg')), removeKafka(join(folder, 'kafka'))])
  // Nothing runs on a copy that was cut off amid its making, which is none of Postgres's folders yet.
  await Promise.allSettled(Object.values(copyFolders).map((name) => removePostgres(join(folder, name))))
  // Of a folder that nothing is mounted on it says so, which is no fault.
  if (basename(folder).startsWith('wds-disk-')) spawnSync('umount', ['--lazy', folder], { stdio: 'ignore' })
  rmSync(folder, { recursive: true, force: true })
}
