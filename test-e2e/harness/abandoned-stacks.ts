/** Stacks whose run was killed hard: their Postgres and their broker live on. The next run that starts a stack ends them. */
import { readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { removeKafka } from '@wds/local-infra/kafka-broker'
import { removePostgres } from '@wds/local-infra/postgres-server'

/** Beginning of the names of the folders of this process's stacks. */
export const stackPrefix = `wds-stack-${process.pid}-`

function lives(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

let removed: Promise<unknown> | undefined

/** Once for this process. One that cannot be removed is left as it is. */
export function removeAbandonedStacks(): Promise<unknown> {
  const abandoned = readdirSync(tmpdir()).filter((name) => {
    const pid = Number(/^wds-stack-(\d+)-/.exec(name)?.[1] ?? '0')
    return pid > 0 && !lives(pid)
  })
  removed ??= Promise.allSettled(
    abandoned.map(async (name) => {
      const folder = join(tmpdir(), name)
      await Promise.all([removePostgres(join(folder, 'pg')), removeKafka(join(folder, 'kafka'))])
      rmSync(folder, { recursive: true, force: true })
    }),
  )
  return removed
}
