// A base backup of a local Postgres that runs, for tests of a restore: the server's own programs and SQL are all that it takes, pg_basebackup
// is not among them.
import { chmodSync, copyFileSync, existsSync, lstatSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import type { PostgresServer } from './postgres-server.ts'

/** Of a running server, or none of a copy's business (the manual, 25.3.4). */
const leftOut = new Set(['postmaster.pid', 'postmaster.opts', 'socket', 'wds-supervisor', 'wds-backup-label'])
/** Folders whose files are not copied: what is missing of the write-ahead log comes afterwards, or by the connection. */
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

/**
 * Copies the data of a server, which may be written to meanwhile, with the write-ahead log of the copying: `startPostgres` on the folder
 * has everything that was committed when the copy was whole. Resolves with the instant before that, in epoch milliseconds.
 */
export async function takeBaseBackup(server: PostgresServer, dataDirectory: string): Promise<number> {
  const admin = new pg.Client({ connectionString: server.adminUrl })
  admin.on('error', () => undefined)
  await admin.connect()
  try {
    // Keeps the log of the copying, and goes with the connection.
    await admin.query("select pg_create_physical_replication_slot('wds_backup', true, true)")
    const wholeMs = await copyBetween(admin, server.dataDirectory, dataDirectory)
    copyFiles(join(server.dataDirectory, 'pg_wal'), join(dataDirectory, 'pg_wal'))
    return wholeMs
  } finally {
    await admin.end()
  }
}

/** The copy with its label, between the two calls that make it one. Resolves with the instant before the second one. */
export async function copyBetween(admin: pg.Client, from: string, to: string): Promise<number> {
  await admin.query("select pg_backup_start('wds', true)")
  copyData(from, to)
  const wholeMs = Date.now()
  const { rows } = await admin.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)')
  writeFileSync(join(to, 'backup_label'), rows[0]?.labelfile ?? '', { mode: 0o600 })
  return wholeMs
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
    } else if (stats?.isFile()) copyFile(source, target)
  }
}

/** Those of a folder itself. */
function copyFiles(from: string, to: string): void {
  for (const entry of readdirSync(from)) {
    const source = join(from, entry)
    if (lstatSync(source, { throwIfNoEntry: false })?.isFile()) copyFile(source, join(to, entry))
  }
}

function copyFile(source: string, target: string): void {
  if (!existsSync(source)) return
  copyFileSync(source, target)
  chmodSync(target, 0o600)
}
