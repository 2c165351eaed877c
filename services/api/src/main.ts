// Describes the api service and runs it; the only place that knows every adapter. `migrate` as first argument applies the
// migrations and ends.
import { aggregatesOf, routesOf } from '@wds/aggregate/concept'
import { pruneKept } from '@wds/event-store/kept-announcements'
import { createFeedClient, type FeedClient } from '@wds/outbound/feed-client'
import { outboundRefusals, policyOf } from '@wds/outbound/settings'
import { WakeSignal } from '@wds/pacing/wait'
import { runLoop } from '@wds/service-host/loop'
import { runService } from '@wds/service-host/run-service'
import type { Service, WorkerContext } from '@wds/service-host/service'
import { runDetection } from './anomalies/look-for-anomalies.ts'
import { runAutomation } from './automation-rules/automation-loop.ts'
import { automationConsumer, createAutomationHandler } from './automation-rules/consume-events.ts'
import { sweepFirings } from './automation-rules/store-firings.ts'
import { settings } from './config.ts'
import { publicDocuments } from './documents/public-documents.ts'
import { runExports } from './exports/export-loop.ts'
import { sweepExports } from './exports/sweep.ts'
import { runFileImports } from './file-imports/file-loop.ts'
import { type ReferenceRates, readReferenceRates } from './fx/reference-rates.ts'
import { sweepChunks } from './imports/store-chunks.ts'
import { sweepRejects } from './imports/store-rejects.ts'
import { storedCredentials } from './integrations/store-credentials.ts'
import { runOverdue } from './invoices/fall-overdue.ts'
import { migrationDirectories } from './migration-directories.ts'
import { postbackMounts } from './postbacks/postback-part.ts'
import { sweepConversions } from './postbacks/sweep-conversions.ts'
import { republishAnnouncements } from './republish.ts'
import { concepts } from './resources.ts'
import { runScheduler } from './schedules/scheduler.ts'
import { announceAuthChange } from './settings/announce-auth-changes.ts'
import { authConsumer, createAuthHandler } from './settings/consume-auth-events.ts'
import { feedLimits } from './sources/domain/ingest-limits.ts'
import { sweepStaging } from './stats/store-staging.ts'
import { runDays } from './stats-days/day-loop.ts'
import { runSubAffiliates } from './sub-affiliate-work/sub-affiliate-loop.ts'
import { invitationMounts } from './sub-affiliates/invitation-page.ts'
import { storedPayoutDetails } from './sub-affiliates/store-profiles.ts'
import { runWorker } from './sync-work/worker.ts'
import { observeWork } from './work-queue/observe-work.ts'
import { createDueSignals, pollOfWokenLoopMs, watchQueues } from './work-queue/watch-queues.ts'

type Values = ReturnType<typeof settings.parse>

/** What both roles of one process share. */
interface Shared {
  feeds: FeedClient
  referenceRates: ReferenceRates
  /** Raised when there is work for the worker. */
  work: WakeSignal
}

export const api: Service<Values, Shared> = {
  name: 'api',
  readSettings: (env, options) => settings.parse(env, options),
  printSettings: (values) => settings.printable(values),
  openapi: new URL('./', import.meta.url),
  migrations: migrationDirectories,
  callers: 'known',
  connections: {
    http: 16,
    // Of postbacks: their quotas, and tokens that are not known.
    httpOwn: 2,
    // A feed waits for its source most of the time, and needs none then.
    worker: (values) =>
      12 +
      values.WDS_SYNC_CONCURRENCY +
      values.WDS_EXPORT_CONCURRENCY +
      Math.ceil(values.WDS_SYNC_FEED_CONCURRENCY / 4),
  },
  republish: republishAnnouncements,
  aggregates: aggregatesOf(concepts),
  secrets: [storedCredentials, storedPayoutDetails],
  refusals: outboundRefusals,
  consumers: [authConsumer, automationConsumer],
  shared: ({ values, onStop }) => {
    // A page as it is sent, its headers and the frames of TLS.
    const answerBytesMax = feedLimits.pageBytesMax + 1_048_576
    const connectTimeoutMs = feedLimits.connectMs
    const feeds = createFeedClient({ policy: policyOf(values), answerBytesMax, connectTimeoutMs })
    onStop(() => feeds.close())
    return { feeds, referenceRates: readReferenceRates(), work: new WakeSignal() }
  },
  worker: startWorker,
  http: ({ cursors, values, shared, envelope, pool, logger }) => ({
    mounts: [...postbackMounts({ pool, logger }), ...invitationMounts({ pool })],
    routes: [
      ...routesOf(concepts, {
        cursors,
        referenceRates: shared.referenceRates,
        envelope,
        logger,
        feeds: shared.feeds,
        checkUrl: (url) => shared.feeds.checkAtSave(url),
        syncAttemptsMax: values.WDS_SYNC_ATTEMPTS,
        baseUrl: values.WDS_BASE_URL,
        wakeWorker: () => shared.work.raise(),
      }),
      ...publicDocuments({ baseUrl: values.WDS_BASE_URL, authUrl: values.WDS_AUTH_URL ?? values.WDS_BASE_URL }),
    ],
  }),
  tidy: (pool, { WDS_POSTBACKS_KEEP: keepMs }) =>
    Promise.all([
      ...[sweepChunks(pool), sweepRejects(pool), sweepStaging(pool), sweepExports(pool), sweepFirings(pool)],
      ...[sweepConversions(pool, keepMs), pruneKept(pool)],
    ]),
}

async function startWorker(o: WorkerContext<Values, Shared>): Promise<void> {
  const { values, pool, logger, signal, progress } = o
  const due = createDueSignals(o.shared)
  o.untilStopped(watchQueues({ pool, logger, signal, progress, due, pollMs: values.WDS_SYNC_POLL }))
  const attempts = {
    pool,
    logger,
    signal,
    progress,
    wake: o.shared.work,
    attemptsMax: values.WDS_SYNC_ATTEMPTS,
    pollMs: pollOfWokenLoopMs(values.WDS_SYNC_POLL),
  }
  const worker = {
    leaseMs: values.WDS_SYNC_LEASE,
    retryDelaysMs: values.WDS_SYNC_RETRY_DELAYS,
    perWorkspace: values.WDS_SYNC_PER_WORKSPACE,
    feeds: o.shared.feeds,
    feedLimits,
    envelope: o.envelope,
  }
  o.untilStopped(runWorker({ ...attempts, ...worker, kind: 'import', concurrency: values.WDS_SYNC_CONCURRENCY }))
  o.untilStopped(runWorker({ ...attempts, ...worker, kind: 'run', concurrency: values.WDS_SYNC_FEED_CONCURRENCY }))
  const { referenceRates } = o.shared
  o.untilStopped(runFileImports({ ...attempts, due: due.files, referenceRates }))
  o.untilStopped(
    runExports({ ...attempts, referenceRates, leaseMs: worker.leaseMs, concurrency: values.WDS_EXPORT_CONCURRENCY }),
  )
  o.untilStopped(runScheduler({ ...attempts, due: due.schedules }))
  const waits = { restMs: values.WDS_STATS_BACKFILL_REST, restateMs: values.WDS_STATS_RESTATE_WAIT }
  o.untilStopped(runDays({ ...attempts, due, waits, referenceRates }))
  o.untilStopped(runDetection({ ...attempts, due: due.anomalies, referenceRates }))
  o.untilStopped(runOverdue(attempts))
  o.untilStopped(runSubAffiliates({ ...attempts, referenceRates }))
  o.untilStopped(runAutomation({ ...attempts, due: due.rules, referenceRates }))
  o.onStop(observeWork({ pool, logger }))
  await followAuth(o)
  await o.consume(automationConsumer, createAutomationHandler(logger))
}

async function followAuth(o: WorkerContext<Values, Shared>): Promise<void> {
  const { pool, logger, signal, progress } = o
  const noted = new WakeSignal()
  const loop = { name: 'announce-auth-changes', signal, logger, progress, wake: noted }
  const pauseMs = { min: 100, max: 5_000 }
  o.untilStopped(runLoop({ ...loop, pauseMs, turn: () => announceAuthChange({ pool, logger }) }))
  await o.consume(
    authConsumer,
    createAuthHandler(() => noted.raise()),
  )
}

if (import.meta.main) runService(api)
