// Builds the service from its settings: pools, log, HTTP, loops. The only place that knows every adapter.
import { createKeyDirectory } from '@wds/access/key-projection'
import { createEnvelopeEncryption, readKeyFile } from '@wds/envelope-encryption/envelope-encryption'
import { createPostgresLog } from '@wds/event-log/postgres-log'
import { OutboxSignal, runRelay } from '@wds/event-store/relay'
import { createCursors } from '@wds/http-service/cursor'
import { purgeIdempotencyKeys } from '@wds/http-service/idempotency'
import { createHttpService } from '@wds/http-service/service'
import { createPool, type Pool } from '@wds/postgres/pool'
import { createLogger, type Logger } from '@wds/telemetry/logger'
import type { apiSettings } from './config.ts'
import { followAuthEvents } from './consumers/follow-auth-events.ts'
import { apiRoutes } from './http/routes.ts'
import { runScheduler } from './loops/scheduler.ts'
import { runWorker } from './loops/worker.ts'
import { sweepChunks } from './store/import-chunks.ts'

export type ApiValues = ReturnType<typeof apiSettings.parse>

interface Part {
  port?: number
  stop(): Promise<void>
}

/** Starts what WDS_ROLE asks for. */
export async function startApi(values: ApiValues, signal: AbortSignal): Promise<Part> {
  const logger = createLogger({ service: 'api', level: values.WDS_LOG_LEVEL })
  const wake = new OutboxSignal()
  const parts: Part[] = []
  try {
    if (values.WDS_ROLE !== 'http') parts.push(await startLoops(values, { logger, wake, signal }))
    if (values.WDS_ROLE !== 'worker') parts.push(await startHttp(values, { logger, wake }))
  } catch (error) {
    for (const part of parts) await part.stop()
    throw error
  }
  const port = parts.at(-1)?.port
  return {
    ...(port === undefined ? {} : { port }),
    stop: async () => void (await Promise.all(parts.map((part) => part.stop()))),
  }
}

async function startHttp(values: ApiValues, o: { logger: Logger; wake: OutboxSignal }): Promise<Part> {
  const pool = createPool({ connectionString: values.DATABASE_URL, applicationName: 'wds-api-http', max: 16 })
  const keys = createKeyDirectory({ pool, logger: o.logger })
  const envelope = createEnvelopeEncryption([{ kid: 'current', key: readKeyFile(values.WDS_ENCRYPTION_KEY_FILE) }])
  const cursors = createCursors([readKeyFile(values.WDS_CURSOR_KEY_FILE)])
  const routes = apiRoutes({
    pool,
    cursors,
    syncAttemptsMax: values.WDS_SYNC_ATTEMPTS,
    wakeWorker: () => o.wake.raise(),
  })
  const openapi = new URL('../openapi.yaml', import.meta.url)
  const service = createHttpService({
    openapi,
    routes,
    baseUrl: values.WDS_BASE_URL,
    pool,
    authenticator: keys,
    envelope,
    logger: o.logger,
  })
  await keys.start()
  await keys.whenLoaded()
  const running = await service.listen({ host: values.WDS_HTTP_HOST, port: values.WDS_HTTP_PORT })
  return {
    port: running.port,
    async stop() {
      await running.close({ graceMs: 10_000 })
      await keys.stop()
      await pool.end()
    },
  }
}

async function startLoops(
  values: ApiValues,
  o: { logger: Logger; wake: OutboxSignal; signal: AbortSignal },
): Promise<Part> {
  const { logger, wake } = o
  const connectionString = values.WDS_WORKER_DATABASE_URL
  const partitions = values.WDS_LOG_PARTITIONS
  const pool = createPool({
    connectionString,
    applicationName: 'wds-api-worker',
    max: 12 + values.WDS_SYNC_CONCURRENCY,
  })
  const logPool = createPool({ connectionString, applicationName: 'wds-api-log', max: partitions + 4 })
  const log = createPostgresLog({ pool: logPool, partitions, logger })
  await log.ensureTopics()
  const ended = new AbortController()
  const signal = AbortSignal.any([ended.signal, o.signal])
  const keys = await followAuthEvents({ log, pool, logger })
  const attempts = { attemptsMax: values.WDS_SYNC_ATTEMPTS, pollMs: values.WDS_SYNC_POLL, signal, wake, pool, logger }
  const worker = {
    leaseMs: values.WDS_SYNC_LEASE,
    retryDelaysMs: values.WDS_SYNC_RETRY_DELAYS,
    concurrency: values.WDS_SYNC_CONCURRENCY,
  }
  const loops = [
    runRelay({ connectionString, pool, log, partitions, signal, logger }),
    runWorker({ ...attempts, ...worker }),
    runScheduler(attempts),
  ]
  const tidying = setInterval(() => void tidy(pool, logger), 600_000)
  return {
    async stop() {
      ended.abort()
      clearInterval(tidying)
      await Promise.allSettled([...loops, keys.stop()])
      await log.close()
      await pool.end()
      await logPool.end()
    },
  }
}

async function tidy(pool: Pool, logger: Logger): Promise<void> {
  try {
    await purgeIdempotencyKeys(pool)
    await sweepChunks(pool)
  } catch (error) {
    logger.warn({ err: error }, 'old rows could not be removed')
  }
}
