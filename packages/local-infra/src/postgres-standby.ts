// A standby of a local Postgres, for tests of a failover: the server's own programs and SQL are all that it takes, pg_basebackup is not among them.
import { chmodSync, copyFileSync, existsSync, lstatSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { LocalInfraError } from './local-infra-error.ts'
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

/** Of a running server, or none of a copy's business (the manual, 25.3.4). */
const leftOut = new Set(['postmaster.pid', 'postmaster.opts', 'socket', 'wds-supervisor', 'wds-backup-label'])
/** Folders whose files are not copied: what is missing of the write-ahead log comes by the connection. */
const emptied = new Set([
  'pg_wal',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
  'log',
])

/** Copies the data of a primary that runs, and starts a server that follows it. The primary may be written to meanwhile. */
export async function startStandby(primary: PostgresServer, o: StandbyOptions): Promise<PostgresStandby> {
  const admin = new pg.Client({ connectionString: primary.adminUrl })
  admin.on('error', () => undefined)
  await admin.connect()
  try {
    // Keeps what the copy does not have yet.
    await admin.query('select pg_create_physical_replication_slot($1, true)', [name])
    await admin.query('select pg_backup_start($1, true)', [name])
    copyData(primary.dataDirectory, o.dataDirectory)
    const { rows } = await admin.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)')
    writeFileSync(join(o.dataDirectory, 'backup_label'), rows[0]?.labelfile ?? '', { mode: 0o600 })
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

/** A file that goes away meanwhile is none of the copy's: the log, which is replayed, says so, too. */
function copyData(from: string, to: string): void {
  mkdirSync(to, { mode: 0o700 })
  for (const entry of readdirSync(from).filter((one) => !leftOut.has(one))) {
    const [source, target] = [join(from, entry), join(to, entry)]
    const stats = lstatSync(source, { throwIfNoEntry: false })
    if (stats?.isDirectory()) {
      if (emptied.has(entry)) mkdirSync(target, { mode: 0o700 })
      else copyData(source, target)
    } else if (stats?.isFile() && existsSync(source)) {
      copyFileSync(source, target)
      chmodSync(target, 0o600)
    }
  }
}
