// Holds a start back until the database answers, and refuses one that this code must not serve on: a schema that is older
// (kubernetes.md K22, K60), a key that does not open what is stored, unsafe rights and settings in production (security.md 7).

import type { EnvelopeEncryption } from '@wds/envelope-encryption/envelope-encryption'
import { Backoff } from '@wds/pacing/backoff'
import { wait } from '@wds/pacing/wait'
import { pendingMigrations } from '@wds/postgres/migrations'
import type { Pool } from '@wds/postgres/pool'
import { isTransient } from '@wds/postgres/transaction'
import { SettingsError } from '@wds/settings/settings'
import { LogThrottle } from '@wds/telemetry/log-throttle'
import type { Logger } from '@wds/telemetry/logger'
import { type ConnectionNeeds, refuseTooManyConnections } from './connections.ts'
import { checkKeyCanary } from './key-canary.ts'
import { readServerState, serverFaults } from './server-refusals.ts'

const pauseMs = { min: 100, max: 2_000 }

interface Schema {
  name: string
  migrations: URL[]
}

export interface DatabaseCheck {
  service: Schema
  /** The log's, where the role speaks through one in this database. */
  log?: Schema
  /** The setting that names the role, and its value. */
  setting: 'DATABASE_URL' | 'WDS_WORKER_DATABASE_URL'
  connectionString: string
  pool: Pool
  production: boolean
  /** What this process may open, all roles together. */
  connections: ConnectionNeeds
  /** Null in a service that stores no secret. */
  key: { envelope: EnvelopeEncryption; kid: string } | null
  logger: Logger
  signal: AbortSignal
}

/**
 * Resolves when the database may be served on. Throws an Error of one sentence when it may not, the signal's reason when the
 * start is called off; a database that is away is asked until then.
 */
export function awaitDatabase(o: DatabaseCheck): Promise<void> {
  return whenDatabaseAnswers(() => judge(o), o)
}

/** Does it again while the database is away. Throws what has another reason, and the signal's reason when the start is called off. */
export async function whenDatabaseAnswers<T>(
  work: () => Promise<T>,
  o: { logger: Logger; signal: AbortSignal },
): Promise<T> {
  const backoff = new Backoff(pauseMs)
  const throttle = new LogThrottle()
  for (;;) {
    o.signal.throwIfAborted()
    try {
      return await work()
    } catch (error) {
      if (!isTransient(error)) throw error
      throttle.wrong(() => o.logger.warn({ err: error }, 'database does not answer, startup waits'))
    }
    await wait(backoff.next(), o.signal)
  }
}

async function judge(o: DatabaseCheck): Promise<void> {
  const faults = o.production ? serverFaults(o.setting, await readServerState(o.pool)) : []
  if (faults.length > 0) throw new SettingsError(faults)
  await refuseTooManyConnections(o.pool, o.setting, o.connections)
  await judgeSchema(o, o.service, 'run migrate')
  if (o.log !== undefined) await judgeSchema(o, o.log, 'migrate it as its owner')
  if (o.key !== null) await checkKeyCanary(o.pool, o.key)
}

async function judgeSchema(
  { connectionString }: DatabaseCheck,
  { name, migrations }: Schema,
  advice: string,
): Promise<void> {
  const options = { connectionString, schema: name, directories: migrations }
  const [first, ...more] = await pendingMigrations(options).catch((error: unknown) => {
    // Insufficient privilege: the migration that lets the role read the history is not there either.
    if ((error as { code?: unknown }).code !== '42501') throw error
    throw new Error(`the schema ${name} lacks migrations of this code: ${advice}`, { cause: error })
  })
  // Migrations of newer code do no harm: old and new run side by side during a rollout.
  if (first !== undefined) {
    throw new Error(`the schema ${name} lacks ${more.length + 1} migrations of this code, first ${first}: ${advice}`)
  }
}
