// A standby of a local Postgres, for tests of a failover: the server's own programs and SQL are all that it takes, pg_basebackup is not among them.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { LocalInfraError } from './local-infra-error.ts'
import { copyBetween } from './postgres-backup.ts'
import { type PostgresServer, startPostgres } from './postgres-server.ts'
import { waitUntil } from './process-liveness.ts'

/** A server that follows another one. */
export interface PostgresStandby extends PostgresServer {
  /** Makes it a primary of its own; resolves when it takes writes. */
  promote(): Promise<void>
}

export interface StandbyOptions {
  dataDirectory: string
  port: number
  /** True: from now on the primary acknowledges nothing that this standby does not have on its disk. */
  synchronous: boolean
  /** Of this server, as in `startPostgres`. */
  settings?: Record<string, string>
}

/** By this name the primary knows it. */
const name = 'standby'
const attachedWithinMs = 60_000

/** Copies the data of a primary that runs, and starts a server that follows it. The primary may be written to meanwhile. */
export async function startStandby(primary: PostgresServer, o: StandbyOptions): Promise<PostgresStandby> {
  const admin = new pg.Client({ connectionString: primary.adminUrl })
  admin.on('error', () => undefined)
  await admin.connect()
  try {
    // Keeps what the copy does not have yet.
    await admin.query('select pg_create_physical_replication_slot($1, true)', [name])
    await copyBetween(admin, primary.dataDirectory, o.dataDirectory)
    writeFileSync(join(o.dataDirectory, 'standby.signal'), '', { mode: 0o600 })
    const standby = await startPostgres({
      dataDirectory: o.dataDirectory,
      port: o.port,
      portDemanded: true,
      onNotice: () => undefined,
      settings: { ...o.settings, primary_conninfo: connectionOf(primary), primary_slot_name: name },
    })
    try {
      // After the copy: once it is promoted it must not wait for itself.
      if (o.synchronous) await admin.query(`alter system set synchronous_standby_names = 'any 1 (${name})'`)
      await admin.query('select pg_reload_conf()')
      const wanted = o.synchronous ? 'quorum' : 'async'
      const isAttached = async () => {
        const found = await admin.query('select from pg_stat_replication where state = $1 and sync_state = $2', [
          'streaming',
          wanted,
        ])
        return found.rowCount === 1
      }
      if (!(await waitUntil(isAttached, attachedWithinMs)))
        throw new LocalInfraError('The standby does not follow its primary.')
      return Object.assign(standby, { promote: () => promote(standby) })
    } catch (error) {
      await standby.stop()
      throw error
    }
  } finally {
    await admin.end()
  }
}

function connectionOf({ adminUrl }: PostgresServer): string {
  const { hostname, port, username, password } = new URL(adminUrl)
  return `host=${hostname} port=${port} user=${username} password=${password} application_name=${name}`
}

async function promote({ adminUrl }: PostgresServer): Promise<void> {
  const admin = new pg.Client({ connectionString: adminUrl })
  await admin.connect()
  try {
    await admin.query('select pg_promote(true)')
  } finally {
    await admin.end()
  }
}
