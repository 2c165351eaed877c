// Describes the api service and runs it; the only place that knows every adapter. `migrate` as first argument applies the
// migrations and ends.
import { OutboxSignal } from '@wds/event-store/relay'
import { fromStreams } from '@wds/event-store/republish'
import { runService } from '@wds/service-host/run-service'
import type { Service, WorkerContext } from '@wds/service-host/service'
import { settings } from './config.ts'
import { publicDocuments } from './http/public-documents.ts'
import { apiRoutes } from './http/routes.ts'
import { observeWork } from './loops/observe-work.ts'
import { runScheduler } from './loops/scheduler.ts'
import { runWorker } from './loops/worker.ts'
import { migrationDirectories } from './migration-directories.ts'
import { announceAgain } from './store/announce-again.ts'
import { sweepChunks } from './store/import-chunks.ts'
import { sweepRejects } from './store/import-rejects.ts'
import { sweepStaging } from './store/staging.ts'

type Values = ReturnType<typeof settings.parse>

/** What both roles of one process share. */
interface Shared {
  /** Raised when there is work for the worker. */
  work: OutboxSignal
}

export const api: Service<Values, Shared> = {
  name: 'api',
  readSettings: (env, options) => settings.parse(env, options),
  openapi: new URL('../openapi.yaml', import.meta.url),
  migrations: migrationDirectories,
  callers: 'known',
  connections: { http: 16, worker: (values) => 12 + values.WDS_SYNC_CONCURRENCY },
  republish: fromStreams(announceAgain),
  shared: () => ({ work: new OutboxSignal() }),
  worker: runLoops,
  http: ({ pool, cursors, values, shared }) => ({
    routes: [
      ...apiRoutes({
        pool,
        cursors,
        syncAttemptsMax: values.WDS_SYNC_ATTEMPTS,
        wakeWorker: () => shared.work.raise(),
      }),
      ...publicDocuments({ baseUrl: values.WDS_BASE_URL, authUrl: values.WDS_AUTH_URL ?? values.WDS_BASE_URL }),
    ],
  }),
  tidy: (pool) => Promise.all([sweepChunks(pool), sweepRejects(pool), sweepStaging(pool)]),
}

function runLoops(o: WorkerContext<Values, Shared>): void {
  const { values, pool, logger, signal, progress } = o
  const attempts = {
    ...{ pool, logger, signal, progress, wake: o.shared.work },
    attemptsMax: values.WDS_SYNC_ATTEMPTS,
    pollMs: values.WDS_SYNC_POLL,
  }
  const worker = {
    leaseMs: values.WDS_SYNC_LEASE,
    retryDelaysMs: values.WDS_SYNC_RETRY_DELAYS,
    concurrency: values.WDS_SYNC_CONCURRENCY,
    perWorkspace: values.WDS_SYNC_PER_WORKSPACE,
  }
  o.untilStopped(runWorker({ ...attempts, ...worker }))
  o.untilStopped(runScheduler(attempts))
  o.onStop(observeWork({ pool, logger }))
}

if (import.meta.main) runService(api)
