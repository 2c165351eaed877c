/** Stacks whose run was killed hard: their Postgres and their broker live on. The next run that starts a stack ends them. */
import { readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { removeKafka } from '@wds/local-infra/kafka-broker'
import { removePostgres } from '@wds/local-infra/postgres-server'
import { isAlive } from '@wds/local-infra/process-liveness'

/** Beginning of the names of the folders of this process's stacks. */
export const stackPrefix = `wds-stack-${process.pid}-`

let removed: Promise<unknown> | undefined

/** Once for this process. One that cannot be removed is left as it is. */
export function removeAbandonedStacks(): Promise<unknown> {
  removed ??= Promise.allSettled(readdirSync(tmpdir()).filter(isAbandoned).map(remove))
  return removed
}

function isAbandoned(name: string): boolean {
  const pid = /^wds-stack-(\d+)-/.exec(name)?.[1]
  return pid !== undefined && !isAlive(Number(pid))
}

async function remove(name: string): Promise<void> {
  const folder = join(tmpdir(), name)
  await Promise.all([removePostgres(join(folder, 'pg')), removeKafka(join(folder, 'kafka'))])
  rmSync(folder, { recursive: true, force: true })
}
