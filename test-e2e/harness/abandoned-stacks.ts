/**
 * Stacks whose run was killed hard: their Postgres and their broker live on, and so does the small disk that one may be on. The next run that
 * starts a stack ends them.
 */
import { spawnSync } from 'node:child_process'
import { readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { removeKafka } from '@wds/local-infra/kafka-broker'
import { removePostgres } from '@wds/local-infra/postgres-server'
import { isAlive } from '@wds/local-infra/process-liveness'

/** Beginning of the names of the folders of this process's stacks. */
export const stackPrefix = `wds-stack-${process.pid}-`
/** Of the folders in which this process mounts a file system that a stack is on. */
export const diskPrefix = `wds-disk-${process.pid}-`

let removed: Promise<unknown> | undefined

/** Once for this process. One that cannot be removed is left as it is. */
export function removeAbandonedStacks(): Promise<unknown> {
  removed ??= Promise.allSettled(
    readdirSync(tmpdir())
      .filter(isAbandoned)
      .map((name) => remove(join(tmpdir(), name))),
  )
  return removed
}

function isAbandoned(name: string): boolean {
  const pid = /^wds-(?:stack|disk)-(\d+)-/.exec(name)?.[1]
  return pid !== undefined && !isAlive(Number(pid))
}

async function remove(folder: string): Promise<void> {
  const inside = readdirSync(folder).filter(isAbandoned)
  await Promise.all(inside.map((name) => remove(join(folder, name))))
  await Promise.all([removePostgres(join(folder, 'pg')), removeKafka(join(folder, 'kafka'))])
  // Of a folder that nothing is mounted on it says so, which is no fault.
  if (basename(folder).startsWith('wds-disk-')) spawnSync('umount', ['--lazy', folder], { stdio: 'ignore' })
  rmSync(folder, { recursive: true, force: true })
}
