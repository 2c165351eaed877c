// Starts what is delivery's own in the worker role: take-in, fan out, sender, ending of parked lanes, maintenance. It serves no request.
import { takeInGroup, topics } from '@wds/contracts/topics'
import { runConsumer } from '@wds/event-log/consumer'
import { dbNow } from '@wds/event-store/event-store'
import type { GuardedClient } from '@wds/outbound/guarded-client'
import { ownConnection } from '@wds/postgres/pool'
import { runLoop, WakeSignal } from '@wds/service-host/loop'
import type { WorkerContext } from '@wds/service-host/service'
import { type Settings, scheduleOf } from './config.ts'
import { createTakeIn } from './consumers/take-in.ts'
import { anchorEveryMs, startDatabaseClock } from './loops/database-clock.ts'
import { disableSubscription } from './loops/disable-subscription.ts'
import { endOpenDeliveries } from './loops/end-open.ts'
import { createFanOut } from './loops/fan-out.ts'
import { maintenanceSteps } from './loops/maintenance.ts'
import { observeEngine } from './loops/observe-engine.ts'
import { startSender } from './loops/send/sender.ts'
import { defaultSenderSettings } from './loops/send/sender-settings.ts'
import { createClaimStore } from './store/claim-store.ts'
import { makeDays } from './store/partitions.ts'
import { secretColumn } from './store/subscription-secrets.ts'

const hourMs = 3_600_000

/** What the HTTP side may ask of the worker in its process. */
export interface RunningWorker {
  /** Says that a delivery is due. */
  wake(): void
}

export async function startWorker(o: WorkerContext<Settings, { client: GuardedClient }>): Promise<RunningWorker> {
  const { pool, logger, values, signal, log, progress } = o
  // Before the consumers: what they take in must find its day.
  await makeDays(pool, await dbNow(pool))
  const clock = await startDatabaseClock({ pool, logger })
  const sender = startSender({
    store: createClaimStore({
      pool,
      disableGone: (attempt) => disableSubscription(pool, { ...attempt, reason: 'gone' }),
    }),
    client: o.shared.client,
    secrets: {
      open: ({ workspaceId, secret }) =>
        o.envelope.decrypt(secret.ciphertext, { workspaceId, rowId: secret.id, ...secretColumn }),
    },
    schedule: scheduleOf(values),
    nowMs: clock.nowMs,
    settings: {
      ...defaultSenderSettings,
      slots: values.WDS_DELIVERY_SLOTS,
      deadlineMs: values.WDS_DELIVERY_DEADLINE,
      leaseMs: values.WDS_DELIVERY_LEASE,
    },
    logger,
    progress,
  })
  o.onStop(() => sender.stop(values.WDS_DELIVERY_STOP_GRACE))
  o.onStop(observeEngine({ pool, logger, slots: values.WDS_DELIVERY_SLOTS, underWay: () => sender.underWay() }))
  const taken = new WakeSignal()
  const fanOut = createFanOut({
    pool: ownConnection(pool, 'fan-out'),
    onMade: () => sender.wake(),
    onStale: () => taken.raise(),
    book: sender.book,
  })
  const loop = (name: string, entry: Pick<Parameters<typeof runLoop>[0], 'pauseMs' | 'wake' | 'turn'>) =>
    o.untilStopped(runLoop({ name, signal, logger, progress, ...entry }))
  loop('clock', {
    pauseMs: { min: anchorEveryMs, max: anchorEveryMs },
    turn: () => clock.anchor().then(() => false),
  })
  loop('fan-out', { pauseMs: { min: 5, max: 250 }, wake: taken, turn: () => fanOut.turn() })
  loop('end-open', { pauseMs: { min: 100, max: 1_000 }, turn: () => endOpenDeliveries(pool) })
  for (const { name, turn } of maintenanceSteps({ pool, logger }))
    loop(name, { pauseMs: { min: hourMs, max: hourMs }, turn })
  const takeIn = await runConsumer({
    log,
    pool,
    name: takeInGroup,
    topics: [topics.workspaceEvents],
    dedupe: 'natural',
    logger,
    progress,
    handleBatch: createTakeIn({ fanOut, onTaken: () => taken.raise() }),
  })
  o.onStop(() => takeIn.stop())
  return { wake: () => sender.wake() }
}
