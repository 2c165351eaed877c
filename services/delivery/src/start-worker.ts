// Starts what is delivery's own in the worker role: ingest, fan-out, sender, ending of parked lanes, maintenance. It serves no request.
import { dbNow } from '@wds/event-store/event-store'
import type { GuardedClient } from '@wds/outbound/guarded-client'
import { WakeSignal } from '@wds/pacing/wait'
import { ownConnection } from '@wds/postgres/pool'
import { holdSessionLock } from '@wds/postgres/session-lock'
import { whenDatabaseAnswers } from '@wds/service-host/await-database'
import { runLoop } from '@wds/service-host/loop'
import type { WorkerContext } from '@wds/service-host/service'
import { type Settings, scheduleOf } from './config.ts'
import { makeDays } from './days/store.ts'
import { createIngestHandler, ingestConsumer } from './fan-out/consumer.ts'
import { createFanOut } from './fan-out/fan-out.ts'
import { observeEngine } from './gauges/observe-engine.ts'
import { endOpenDeliveries } from './lanes/loop.ts'
import { maintenanceSteps } from './maintenance/loop.ts'
import { createOutcomesTurn } from './replays/count-outcomes.ts'
import { createReplayTurn } from './replays/loop.ts'
import { isLoopbackHost } from './sending/domain/host-cap.ts'
import { warnOfOpenFiles } from './sending/open-files.ts'
import { startSender } from './sending/sender.ts'
import { defaultSenderSettings } from './sending/sender-settings.ts'
import { createClaimStore } from './sending/store.ts'
import { authConsumer, createAuthHandler } from './subscriptions/consume-auth-events.ts'
import { disableSubscription } from './subscriptions/disable-subscription.ts'
import { createGrantsTurn } from './subscriptions/follow-grants.ts'
import { secretColumn } from './subscriptions/store.ts'

const hourMs = 3_600_000

/** What the HTTP side may ask of the worker in its process. */
export interface RunningWorker {
  /** Says that a delivery is due. */
  wake(): void
}

export async function startWorker(o: WorkerContext<Settings, { client: GuardedClient }>): Promise<RunningWorker> {
  const { pool, logger, values, signal, progress } = o
  warnOfOpenFiles({ slots: values.WDS_DELIVERY_SLOTS, deadlineMs: values.WDS_DELIVERY_DEADLINE, logger })
  const whenItAnswers = <T>(work: () => Promise<T>) => whenDatabaseAnswers(work, { logger, signal })
  // Before the consumers: what they ingest must find its day.
  await whenItAnswers(async () => makeDays(pool, await dbNow(pool)))
  // Ended after the sender: while its last attempts run nobody may take them over.
  const worker = await whenItAnswers(() =>
    holdSessionLock({
      connectionString: o.connectionString,
      applicationName: 'delivery-worker-session',
      onError: (error) => logger.warn({ err: error }, 'the session that says that this worker lives was lost'),
    }),
  )
  o.onStop(() => worker.release())
  const sender = startSender({
    store: createClaimStore({
      pool,
      worker,
      disableGone: (attempt) => disableSubscription(pool, { ...attempt, reason: 'gone' }),
    }),
    client: o.shared.client,
    secrets: {
      open: ({ workspaceId, secret }) =>
        o.envelope.decrypt(secret.ciphertext, { workspaceId, rowId: secret.id, ...secretColumn }),
    },
    schedule: scheduleOf(values),
    nowMs: o.clock.nowMs,
    settings: {
      ...defaultSenderSettings,
      slots: values.WDS_DELIVERY_SLOTS,
      deadlineMs: values.WDS_DELIVERY_DEADLINE,
      leaseMs: values.WDS_DELIVERY_LEASE,
      hosts: {
        requestsPerSecond: values.WDS_DELIVERY_HOST_RATE,
        sockets: values.WDS_DELIVERY_HOST_SOCKETS,
        isExempt: (name) => isLoopbackHost(name) || values.WDS_DELIVERY_UNCAPPED_HOSTS.includes(name),
      },
    },
    logger,
    progress,
  })
  o.onStop(() => sender.stop(values.WDS_DELIVERY_STOP_GRACE))
  o.onStop(observeEngine({ pool, logger, slots: values.WDS_DELIVERY_SLOTS, underWay: () => sender.underWay() }))
  const queued = new WakeSignal()
  const fanOut = createFanOut({
    pool: ownConnection(pool, 'fan-out'),
    onMade: () => sender.wake(),
    onQueued: () => queued.raise(),
  })
  const loop = (name: string, entry: Pick<Parameters<typeof runLoop>[0], 'pauseMs' | 'wake' | 'turn'>) =>
    o.untilStopped(runLoop({ name, signal, logger, progress, ...entry }))
  loop('fan-out', { pauseMs: { min: 5, max: 250 }, wake: queued, turn: fanOut.turn })
  const endRound = { after: '' }
  loop('end-open', { pauseMs: { min: 100, max: 1_000 }, turn: () => endOpenDeliveries(pool, endRound) })
  loop('replays', { pauseMs: { min: 50, max: 500 }, turn: createReplayTurn({ pool, onDue: () => sender.wake() }) })
  loop('replay-outcomes', { pauseMs: 2_000, turn: createOutcomesTurn(pool) })
  for (const { name, turn } of maintenanceSteps({ pool, logger })) loop(name, { pauseMs: hourMs, turn })
  await o.consume(ingestConsumer, createIngestHandler(fanOut.ingest))
  const grants = new WakeSignal()
  loop('follow-grants', { pauseMs: { min: 100, max: 5_000 }, wake: grants, turn: createGrantsTurn(pool) })
  await o.consume(
    authConsumer,
    createAuthHandler(() => grants.raise()),
  )
  return { wake: () => sender.wake() }
}
