// Applies SQL migrations to one schema as its owner, each in a transaction of its own, one runner at a time.
// It never goes back: migrations are forward only (style.md 25).
import knex, { type Knex } from 'knex'
import pg from 'pg'
import { type MigrationFile, readMigrationFiles } from './migration-files.ts'

/** Options of {@link migrate} and {@link pendingMigrations}. */
export interface MigrateOptions {
  /** Of the role that owns the schema. */
  connectionString: string
  schema: string
  /** Folders with `.sql` files; names are unique across all of them and decide the order. */
  directories: URL[]
  /** Beside `${schema}`, `${http_role}` and `${worker_role}` (in `log`: `${client_role}`), which are always given. */
  placeholders?: Record<string, string>
}

/** The folder with `app_now()`, the first of every schema that decides by time. */
export const baseMigrationsDirectory: URL = new URL('./migrations/', import.meta.url)

const historyTable = 'migrations'

const quiet = () => undefined
// Every fault is thrown; the runner would print it as well, past the service's own log.
const silent = { debug: quiet, deprecate: quiet, warn: quiet, error: quiet }

/**
 * Applies what is missing and returns the names applied, in order. Parallel calls wait for one another. Throws when a
 * file is malformed, when one that was applied is gone, or with the database's error, after rolling back that file.
 */
export async function migrate(options: MigrateOptions): Promise<string[]> {
  const files = await filesOf(options)
  return await withMigrationLock(options, async () => {
    const runner = knex({
      client: 'pg',
      connection: { connectionString: options.connectionString, application_name: `migrate ${options.schema}` },
      searchPath: [options.schema],
      pool: { min: 0, max: 2 },
      log: silent,
      migrations: {
        tableName: historyTable,
        schemaName: options.schema,
        migrationSource: new SqlMigrationSource(files),
      },
    })
    try {
      // Our lock is held, so a lock of the runner's own can only be left over from a process that was killed.
      await runner.migrate.forceFreeMigrationsLock()
      const [, names] = (await runner.migrate.latest()) as [number, string[]]
      return names
    } finally {
      await runner.destroy()
    }
  })
}

/** Names that {@link migrate} would apply now, in order. Changes nothing. */
export async function pendingMigrations(options: MigrateOptions): Promise<string[]> {
  const files = await filesOf(options)
  return await withClient(options, async (client) => {
    const table = `${pg.escapeIdentifier(options.schema)}.${historyTable}`
    const { rows: found } = await client.query('select to_regclass($1) is not null as exists', [table])
    if (!found[0]?.exists) return files.map((file) => file.name)
    const { rows } = await client.query(`select name from ${table}`)
    const applied = new Set(rows.map((row) => row.name as string))
    return files.map((file) => file.name).filter((name) => !applied.has(name))
  })
}

class SqlMigrationSource implements Knex.MigrationSource<MigrationFile> {
  readonly #files: MigrationFile[]

  constructor(files: MigrationFile[]) {
    this.#files = files
  }

  async getMigrations(): Promise<MigrationFile[]> {
    return this.#files
  }

  getMigrationName(file: MigrationFile): string {
    return file.name
  }

  async getMigration(file: MigrationFile): Promise<Knex.Migration> {
    return {
      // The runner takes a question mark for a parameter unless it is escaped; jsonb has operators of that name.
      up: (transaction) => transaction.raw(file.sql.replaceAll('?', '\\?')),
      down: async () => {
        throw new Error('Migrations are forward only.')
      },
    }
  }
}

async function filesOf(options: MigrateOptions): Promise<MigrationFile[]> {
  const { schema } = options
  const roles =
    schema === 'log'
      ? { client_role: 'wds_log_client' }
      : { http_role: `wds_${schema}`, worker_role: `wds_${schema}_worker` }
  return await readMigrationFiles(options.directories, { schema, ...roles, ...options.placeholders })
}

/** The lock belongs to the session, so a killed runner frees it. */
async function withMigrationLock<T>(options: MigrateOptions, run: () => Promise<T>): Promise<T> {
  return await withClient(options, async (client) => {
    await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [`migrate:${options.schema}`])
    return await run()
  })
}

async function withClient<T>(options: MigrateOptions, run: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({
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
