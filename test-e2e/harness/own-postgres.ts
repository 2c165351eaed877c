/** A Postgres that a stack has for itself, so that a test may kill it, copy it or lose its files. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { type PostgresServer, startPostgres } from '@wds/local-infra/postgres-server'
import { type PostgresStandby, startStandby } from '@wds/local-infra/postgres-standby'
import { takeTestPorts } from '@wds/local-infra/test-ports'
import type { Undo } from './undo.ts'

/** In the folder of a stack, beside `pg`: where a test starts a copy of its Postgres. What a run that was killed left there is ended, too. */
export const copyFolders = { standby: 'standby', backup: 'backup' } as const

/** Four services with two pools each, and whoever looks at what they store, are more than the usual 100. */
export const ownPostgresSettings: Readonly<Record<string, string>> = { max_connections: '300' }

export function startOwnPostgres(o: {
  dataDirectory: string
  port: number
  /** Further ones, which win. */
  settings: Record<string, string>
}): Promise<PostgresServer> {
  return startPostgres({ ...o, settings: { ...ownPostgresSettings, ...o.settings }, onNotice: () => undefined })
}

/** A server that follows the Postgres of a stack. `undo` gets the steps that end it. */
export async function startOwnStandby(
  stack: { postgres: PostgresServer; folder: string },
  o: { synchronous: boolean; settings?: Record<string, string>; undo: Undo },
): Promise<PostgresStandby> {
  const { next, release } = await takeTestPorts()
  o.undo.push(release)
  const standby = await startStandby(stack.postgres, {
    dataDirectory: join(stack.folder, copyFolders.standby),
    port: await next(),
    synchronous: o.synchronous,
    settings: { ...ownPostgresSettings, ...o.settings },
  })
  o.undo.push(() => rmSync(standby.dataDirectory, { recursive: true, force: true }))
  o.undo.push(() => standby.stop())
  return standby
}

/** Starts the server of this data again, at the port where everybody knows it. */
export function startOwnPostgresAgain(o: Pick<PostgresServer, 'dataDirectory' | 'port'>): Promise<PostgresServer> {
  return startPostgres({
    dataDirectory: o.dataDirectory,
    port: o.port,
    portDemanded: true,
    settings: ownPostgresSettings,
    onNotice: () => undefined,
  })
}
