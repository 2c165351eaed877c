// Applies SQL files to one schema as its owner, one runner at a time: the functions that every schema begins with, then the
// migrations that are missing, each in a transaction of its own, then the functions that changed, in one transaction. It never
// goes back (style.md 25).
import { wait } from '@wds/pacing/wait'
import type { Knex } from 'knex'
import pg from 'pg'
import { type FunctionFile, type MigrationFile, readSqlFolders, type SqlFolder } from './migration-files.ts'
import {
  changedFunctions,
  type History,
  historyTables,
  missingFiles,
  readHistory,
  refuseForeignHistory,
} from './migration-history.ts'
import { RoleClient } from './role-client.ts'

/** Options of {@link migrate} and {@link pendingMigrations}. */
export interface MigrateOptions {
  /** Of the role that owns the schema. */
  connectionString: string
  schema: string
  /**
   * Folders with migrations, applied in this order, and with functions below `functions/`; names are unique across all of them.
   * `app_now()` and `refuse_change()`, which defaults, policies and triggers use, are in every schema before.
   */
  directories: URL[]
  /** Beside `${schema}`, `${http_role}` and `${worker_role}` (in `log`: `${client_role}`), which are always given. */
  placeholders?: Record<string, string>
  /** Longest wait of a migration for a lock of a table before it lets others pass, milliseconds; for tests. */
  lockWaitMs?: number
  /** For so long it tries again, milliseconds; for tests. */
  lockRetryMs?: number
}

/**
 * Whoever waits for a table's lock is waited for by all who come after. So a migration gives up soon, lets them pass, and tries again: for a
 * minute, in which the transaction that is in its way should have ended.
 */
const lockWaitMs = 300
const lockPauseMs = 200
const lockRetryMs = 60_000

/** Has `functions/` only. */
const baseDirectory = new URL('./migrations/', import.meta.url)

const quiet = () => undefined
// Every fault is thrown; the runner would print it as well, past the service's own log.
const silent = { debug: quiet, deprecate: quiet, warn: quiet, error: quiet }

/**
 * Applies what is missing or changed and returns the names applied, in order. Parallel calls wait for one another. Throws when
 * a file is malformed, when another version made the schema, or with the database's error, after rolling back that migration
 * or all the functions.
 */
export async function migrate(options: MigrateOptions): Promise<string[]> {
  const folders = await foldersOf(options)
  return await withMigrationLock(options, async (client) => {
    const history = await readHistory(client, options.schema)
    refuseForeignHistory(options.schema, folders, history)
    await client.query(`create table if not exists ${historyTables.functions} (
      id bigint generated always as identity primary key,
      name text not null,
      hash text not null,
      applied_at timestamptz not null default clock_timestamp())`)
    const [base, ...others] = folders.map(({ functions }) => changedFunctions(functions, history))
    return [
      ...(await applyFunctions(client, options.schema, base ?? [])),
      ...(await runMigrations(
        options,
        folders.flatMap(({ migrations }) => migrations),
        history,
      )),
      ...(await applyFunctions(client, options.schema, others.flat())),
    ]
  })
}

/** Names of files that were never applied, migrations first. Changes nothing. */
export async function pendingMigrations(options: MigrateOptions): Promise<string[]> {
  const folders = await foldersOf(options)
  return await withClient(options, async (client) => missingFiles(folders, await readHistory(client, options.schema)))
}

async function runMigrations(o: MigrateOptions, files: MigrationFile[], history: History): Promise<string[]> {
  const missing = files.map(({ name }) => name).filter((name) => !history.migrations.has(name))
  if (missing.length === 0) return []
  const { default: knex } = await import('knex')
  const migrationSource: Knex.MigrationSource<MigrationFile> = {
    getMigrations: async () => files,
    getMigrationName: ({ name }) => name,
    getMigration: async ({ sql }) => ({
      // The runner takes a question mark for a parameter unless it is escaped; jsonb has operators of that name.
      up: (transaction) => transaction.raw(sql.replaceAll('?', '\\?')),
      down: async () => {
        throw new Error('Migrations are forward only.')
      },
    }),
  }
  const runner = knex({
    client: 'pg',
    connection: {
      connectionString: o.connectionString,
      application_name: `migrate ${o.schema}`,
      options: `-c lock_timeout=${o.lockWaitMs ?? lockWaitMs}`,
    },
    searchPath: [o.schema],
    pool: { min: 0, max: 2 },
    log: silent,
    migrations: { tableName: historyTables.migrations, schemaName: o.schema, migrationSource },
  })
  try {
    // Our lock is held, so a lock of the runner's own can only be left over from a process that was killed.
    await runner.migrate.forceFreeMigrationsLock()
    for (const deadlineMs = performance.now() + (o.lockRetryMs ?? lockRetryMs); ; await wait(lockPauseMs)) {
      try {
        await runner.migrate.latest()
        return missing
      } catch (error) {
        // Those before it are applied, each by itself.
        if ((error as { code?: string }).code !== '55P03' || performance.now() > deadlineMs) throw error
        await runner.migrate.forceFreeMigrationsLock()
      }
    }
  } finally {
    await runner.destroy()
  }
}

/** All or none, on the connection that holds the lock. */
async function applyFunctions(client: pg.Client, schema: string, files: FunctionFile[]): Promise<string[]> {
  if (files.length === 0) return []
  await client.query('begin')
  try {
    for (const file of files) await applyFunction(client, file)
    await refuseOverloads(client, schema, files)
    await client.query(
      `insert into ${historyTables.functions} (name, hash) select * from unnest($1::text[], $2::text[])`,
      [files.map(({ name }) => name), files.map(({ hash }) => hash)],
    )
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  }
  return files.map(({ name }) => name)
}

async function applyFunction(client: pg.Client, { name, functionName, sql }: FunctionFile): Promise<void> {
  await client.query(sql).catch((error: Error & { code?: string }) => {
    // 42P13: what `create or replace` cannot change, such as the columns returned.
    const advice = error.code === '42P13' ? `: begin the file with "drop function if exists ${functionName}(…);"` : ''
    throw new Error(`${name}: ${error.message}${advice}`, { cause: error })
  })
}

/** Throws where a file made no function of its name, or left one with another signature beside it. */
async function refuseOverloads(client: pg.Client, schema: string, files: FunctionFile[]): Promise<void> {
  const { rows } = await client.query<{ name: string; signature: string }>(
    `select proname as name, oid::regprocedure::text as signature from pg_proc
      where pronamespace = $1::regnamespace and proname = any($2) order by proname, 2`,
    [pg.escapeIdentifier(schema), files.map(({ functionName }) => functionName)],
  )
  for (const { name, functionName } of files) {
    const found = rows.filter((row) => row.name === functionName).map(({ signature }) => signature)
    if (found.length === 1) continue
    const advice = ': begin the file with "drop function if exists" and the signature of before'
    const made = found.length === 0 ? 'it makes none' : `there are ${found.join(' and ')}${advice}`
    throw new Error(`${name}: one function ${functionName} is expected, and ${made}`)
  }
}

async function foldersOf(options: MigrateOptions): Promise<SqlFolder[]> {
  const { schema } = options
  const roles =
    schema === 'log'
      ? { client_role: 'wds_log_client' }
      : { http_role: `wds_${schema}`, worker_role: `wds_${schema}_worker` }
  return await readSqlFolders([baseDirectory, ...options.directories], { schema, ...roles, ...options.placeholders })
}

/**
 * The lock belongs to the session, so a killed runner frees it. The session may be idle for as long as a migration takes: only the
 * server's TCP tells a runner that is cut off, here after 20 s instead of its system's 2 hours.
 */
async function withMigrationLock<T>(options: MigrateOptions, run: (client: pg.Client) => Promise<T>): Promise<T> {
  return await withClient(options, async (client) => {
    await client.query('set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 2')
    await client.query(`set search_path = ${pg.escapeIdentifier(options.schema)}`)
    await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [`migrate:${options.schema}`])
    return await run(client)
  })
}

async function withClient<T>(options: MigrateOptions, run: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new RoleClient({
    connectionString: options.connectionString,
    application_name: `migrate ${options.schema}`,
    connectionTimeoutMillis: 10_000,
  })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await run(client)
  } finally {
    await client.end().catch(() => undefined)
  }
}
