/** Builds the auth service and runs it; the only file that knows every adapter. `migrate` as first argument applies the migrations and ends. */
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import {
  migrationsDirectory as accessMigrations,
  consumeAuthEvents,
  createKeyDirectory,
} from '@wds/access/key-projection'
import { topics } from '@wds/contracts/topics'
import { createEnvelopeEncryption, readKeyFile } from '@wds/envelope-encryption/envelope-encryption'
import { migrationsDirectory as consumerMigrations, runConsumer } from '@wds/event-log/consumer'
import { createPostgresLog } from '@wds/event-log/postgres-log'
import { migrationsDirectory as eventStoreMigrations } from '@wds/event-store/event-store'
import { OutboxSignal, runRelay } from '@wds/event-store/relay'
import { migrationsDirectory as idempotencyMigrations } from '@wds/http-service/idempotency'
import { runService } from '@wds/http-service/process'
import { createHttpService } from '@wds/http-service/service'
import { baseMigrationsDirectory, migrate } from '@wds/postgres/migrations'
import { createPool } from '@wds/postgres/pool'
import { createLogger } from '@wds/telemetry/logger'
import { settings } from './config.ts'
import { createWorkspace } from './http/create-workspace.ts'
import { createInternalListener } from './http/internal-listener.ts'
import { routes } from './http/routes.ts'

const migrationDirectories = [
  baseMigrationsDirectory,
  eventStoreMigrations,
  consumerMigrations,
  accessMigrations,
  idempotencyMigrations,
  new URL('./migrations/', import.meta.url),
]

async function start(signal: AbortSignal): Promise<{ port?: number; stop(): Promise<void> }> {
  const values = settings.parse(process.env)
  const logger = createLogger({ service: 'auth', level: values.WDS_LOG_LEVEL })
  const undo: (() => Promise<unknown>)[] = []
  const pool = createPool({ connectionString: values.DATABASE_URL, applicationName: 'auth-http', max: 10 })
  undo.push(() => pool.end())
  const workerPool = createPool({
    connectionString: values.WDS_WORKER_DATABASE_URL,
    applicationName: 'auth-worker',
    max: 6,
  })
  undo.push(() => workerPool.end())
  const wake = new OutboxSignal()
  let port: number | undefined

  if (values.WDS_ROLE !== 'http') {
    const log = createPostgresLog({ pool: workerPool, partitions: values.WDS_LOG_PARTITIONS })
    await log.ensureTopics()
    undo.push(() => log.close())
    const ended = new AbortController()
    const relay = runRelay({
      connectionString: values.WDS_WORKER_DATABASE_URL,
      pool: workerPool,
      log,
      partitions: values.WDS_LOG_PARTITIONS,
      signal: AbortSignal.any([signal, ended.signal]),
      logger,
      wake,
    })
    undo.push(async () => {
      ended.abort()
      await relay
    })
    const consumer = await runConsumer({
      log,
      pool: workerPool,
      name: 'auth.keys',
      topics: [topics.authEvents],
      dedupe: 'natural',
      logger,
      handleBatch: consumeAuthEvents,
    })
    undo.push(() => consumer.stop())
  }
  if (values.WDS_ROLE !== 'worker') {
    const keys = createKeyDirectory({ pool, logger })
    await keys.start()
    await keys.whenLoaded()
    undo.push(() => keys.stop())
    const envelope = createEnvelopeEncryption([{ kid: 'k1', key: readKeyFile(values.WDS_ENCRYPTION_KEY_FILE) }])
    const openapi = new URL('../openapi.yaml', import.meta.url)
    const http = createHttpService({
      openapi,
      routes,
      baseUrl: values.WDS_BASE_URL,
      pool,
      authenticator: keys,
      envelope,
      logger,
    })
    const listener = await http.listen({ host: values.WDS_HTTP_HOST, port: values.WDS_HTTP_PORT })
    undo.push(() => listener.close({ graceMs: 5_000 }))
    port = listener.port
    const internal = createInternalListener({
      token: readFileSync(values.WDS_INTERNAL_TOKEN_FILE, 'utf8').trim(),
      logger,
      createWorkspace: async (request) => {
        const created = await createWorkspace(pool, request)
        wake.raise()
        return created
      },
    })
    await new Promise<void>((resolve, reject) => {
      internal.once('error', reject)
      internal.listen(values.WDS_INTERNAL_PORT, values.WDS_HTTP_HOST, resolve)
    })
    logger.info({ port, internal_port: (internal.address() as AddressInfo).port }, 'listening')
    undo.push(
      () =>
        new Promise<void>((resolve) => {
          internal.close(() => resolve())
          internal.closeIdleConnections()
        }),
    )
  }
  return {
    ...(port === undefined ? {} : { port }),
    stop: async () => {
      for (const step of undo.reverse()) await step()
    },
  }
}

if (process.argv[2] === 'migrate') {
  const connectionString = process.env.WDS_OWNER_DATABASE_URL
  if (connectionString === undefined) throw new Error('WDS_OWNER_DATABASE_URL is not set')
  const applied = await migrate({ connectionString, schema: 'auth', directories: migrationDirectories })
  console.log(`auth: ${applied.length} migrations applied`)
} else {
  runService({ name: 'auth', start })
}
