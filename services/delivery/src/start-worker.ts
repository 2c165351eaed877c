// Starts what the worker role does: relay, consumers, fan out, sender, ending of parked lanes, maintenance. It serves no request.
import { consumeAuthEvents } from '@wds/access/key-projection'
import { topics } from '@wds/contracts/topics'
import type { EnvelopeEncryption } from '@wds/envelope-encryption/envelope-encryption'
import { runConsumer } from '@wds/event-log/consumer'
import { createPostgresLog } from '@wds/event-log/postgres-log'
import { runRelay } from '@wds/event-store/relay'
import type { GuardedClient } from '@wds/outbound/guarded-client'
import type { Pool } from '@wds/postgres/pool'
import type { Logger } from '@wds/telemetry/logger'
import { type Settings, scheduleOf } from './config.ts'
import { createTakeIn } from './consumers/take-in.ts'
import { disableSubscription } from './loops/disable-subscription.ts'
import { endOpenDeliveries } from './loops/end-open.ts'
import { createFanOut } from './loops/fan-out.ts'
import { runLoop, WakeSignal } from './loops/loop.ts'
import { maintain } from './loops/maintenance.ts'
import { startSender } from './loops/send/sender.ts'
import { defaultSenderSettings } from './loops/send/sender-settings.ts'
import { createClaimStore } from './store/claim-store.ts'
import { secretColumn } from './store/subscription-secrets.ts'

const hourMs = 3_600_000
/** Attempts under way end by themselves within their deadline; the process has 25 s in all. */
const sendGraceMs = 11_000

export async function startWorker(o: {
  values: Settings
  pool: Pool
  logger: Logger
  client: GuardedClient
  envelope: EnvelopeEncryption
}): Promise<{ wake(): void; stop(): Promise<void> }> {
  const { pool, logger, values } = o
  const ended = new AbortController()
  const { signal } = ended
  const care = () =>
    maintain({
      pool,
      logger,
      disableFailing: (workspaceId, subscriptionId) =>
        disableSubscription(pool, { workspaceId, subscriptionId, reason: 'failing' }),
    })
  // Before the consumers: what they take in must find its day.
  await care()
  const log = createPostgresLog({ pool, partitions: values.WDS_LOG_PARTITIONS, logger })
  await log.ensureTopics()
  const sender = startSender({
    store: createClaimStore({
      pool,
      disableGone: (workspaceId, subscriptionId) =>
        disableSubscription(pool, { workspaceId, subscriptionId, reason: 'gone' }),
    }),
    client: o.client,
    secrets: {
      open: ({ workspaceId, secret }) =>
        o.envelope.decrypt(secret.ciphertext, { workspaceId, rowId: secret.id, ...secretColumn }),
    },
    schedule: scheduleOf(values),
    settings: {
      ...defaultSenderSettings,
      slots: values.WDS_DELIVERY_SLOTS,
      deadlineMs: values.WDS_DELIVERY_DEADLINE,
      leaseMs: values.WDS_DELIVERY_LEASE,
    },
    logger,
  })
  const taken = new WakeSignal()
  const fanOut = createFanOut({ pool, onMade: () => sender.wake() })
  const running = [
    runRelay({
      connectionString: values.WDS_WORKER_DATABASE_URL,
      pool,
      log,
      partitions: values.WDS_LOG_PARTITIONS,
      signal,
      logger,
    }),
    runLoop({ name: 'fan-out', signal, logger, pauseMs: { min: 5, max: 250 }, wake: taken, turn: () => fanOut.turn() }),
    runLoop({
      name: 'end-open',
      signal,
      logger,
      pauseMs: { min: 100, max: 1_000 },
      turn: () => endOpenDeliveries(pool),
    }),
    runLoop({
      name: 'maintenance',
      signal,
      logger,
      pauseMs: { min: hourMs, max: hourMs },
      turn: () => care().then(() => false),
    }),
  ]
  const consumers = await Promise.all([
    runConsumer({
      log,
      pool,
      name: 'delivery.take-in',
      topics: [topics.workspaceEvents],
      dedupe: 'natural',
      logger,
      handleBatch: createTakeIn({ onTaken: () => taken.raise() }),
    }),
    runConsumer({
      log,
      pool,
      name: 'delivery.keys',
      topics: [topics.authEvents],
      dedupe: 'natural',
      logger,
      handleBatch: consumeAuthEvents,
    }),
  ])
  return {
    wake: () => sender.wake(),
    async stop() {
      ended.abort()
      await sender.stop(sendGraceMs)
      await Promise.all(consumers.map((consumer) => consumer.stop()))
      await Promise.all(running)
      await log.close()
    },
  }
}
