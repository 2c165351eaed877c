// Builds the catalog service and runs it; the only file that knows every adapter. `migrate` as first argument applies the
// migrations and ends.
import { randomBytes } from 'node:crypto'
import { createEnvelopeEncryption, readKeyFile } from '@wds/envelope-encryption/envelope-encryption'
import { createPostgresLog } from '@wds/event-log/postgres-log'
import { runRelay } from '@wds/event-store/relay'
import { createCursors } from '@wds/http-service/cursor'
import { runService } from '@wds/http-service/process'
import { createHttpService } from '@wds/http-service/service'
import { migrate } from '@wds/postgres/migrations'
import { createPool } from '@wds/postgres/pool'
import { createLogger, type Logger } from '@wds/telemetry/logger'
import { settings } from './config.ts'
import { catalogEntries } from './domain/catalog-entry.ts'
import { catalogRoutes } from './http/routes.ts'
import { announceEventTypes } from './loops/announce-event-types.ts'
import { migrationDirectories } from './migration-directories.ts'

type Settings = ReturnType<typeof settings.parse>

interface Part {
  port?: number
  stop(): Promise<void>
}

async function start(signal: AbortSignal): Promise<Part> {
  const values = settings.parse(process.env)
  const logger = createLogger({ service: 'catalog', level: values.WDS_LOG_LEVEL })
  const parts: Part[] = []
  if (values.WDS_ROLE !== 'http') parts.push(await startWorker(values, logger, signal))
  if (values.WDS_ROLE !== 'worker') parts.push(await startHttp(values, logger))
  const port = parts.at(-1)?.port
  return {
    ...(port === undefined ? {} : { port }),
    stop: async () => {
      for (const part of parts.reverse()) await part.stop()
    },
  }
}

/** Announces what changed, then carries the outbox to the log until the process ends. */
async function startWorker(values: Settings, logger: Logger, signal: AbortSignal): Promise<Part> {
  const connectionString = values.WDS_WORKER_DATABASE_URL
  const partitions = values.WDS_LOG_PARTITIONS
  const pool = createPool({ connectionString, applicationName: 'catalog-worker', max: 4 })
  const log = createPostgresLog({ pool, partitions })
  await log.ensureTopics()
  const announced = await announceEventTypes(pool, catalogEntries)
  logger.info({ announced: announced.length }, 'event types announced')
  const relay = runRelay({ connectionString, pool, log, partitions, signal, logger })
  return {
    stop: async () => {
      // The signal is aborted before anything is stopped, so the relay has ended or is about to.
      await relay
      await log.close()
      await pool.end()
    },
  }
}

/** Serves the catalog. It answers from memory: the pool never connects, and no token is ever judged. */
async function startHttp(values: Settings, logger: Logger): Promise<Part> {
  const pool = createPool({ connectionString: values.DATABASE_URL, applicationName: 'catalog-http', max: 2 })
  const service = createHttpService({
    openapi: new URL('../openapi.yaml', import.meta.url),
    routes: catalogRoutes({ cursors: createCursors([readKeyFile(values.WDS_CURSOR_KEY_FILE)]) }),
    baseUrl: values.WDS_BASE_URL,
    pool,
    authenticator: { authenticate: () => ({ ok: false, problem: 'invalid_token' }) },
    // No route stores an answer, so nothing is encrypted by this key of the process.
    envelope: createEnvelopeEncryption([{ kid: 'process', key: randomBytes(32) }]),
    logger,
  })
  const listener = await service.listen({ host: values.WDS_HTTP_HOST, port: values.WDS_HTTP_PORT })
  logger.info({ port: listener.port }, 'listening')
  return {
    port: listener.port,
    stop: async () => {
      await listener.close({ graceMs: 5_000 })
      await pool.end()
    },
  }
}

async function applyMigrations(): Promise<void> {
  const connectionString = process.env.WDS_OWNER_DATABASE_URL
  if (connectionString === undefined) throw new Error('WDS_OWNER_DATABASE_URL is not set')
  const applied = await migrate({ connectionString, schema: 'catalog', directories: migrationDirectories })
  console.log(`catalog: ${applied.length} migrations applied`)
}

if (process.argv[2] === 'migrate') {
  applyMigrations().catch((error: unknown) => {
    console.error(`catalog: ${error instanceof Error ? error.message : String(error)}`)
    process.exitCode = 1
  })
} else {
  runService({ name: 'catalog', start })
}
