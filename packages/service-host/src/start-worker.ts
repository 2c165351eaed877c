// Starts the worker side of a service: pool, log, relay, key projection, purge, then what the service adds.

import { confirmEveryMs, confirmLogEnd } from '@wds/access/projection'
import { withoutUndefined } from '@wds/contracts/without-undefined'
import { type ConsumerDeclaration, runConsumer } from '@wds/event-log/consumer'
import { runRelay } from '@wds/event-store/relay'
import { observeHeldBack } from '@wds/postgres/held-back'
import { createPool, type Pool } from '@wds/postgres/pool'
import { authClientOf } from './auth-client-of.ts'
import { awaitDatabase, type DatabaseCheck } from './await-database.ts'
import { connectionNeeds } from './connections.ts'
import { keysConsumer } from './consumers.ts'
import { type DatabaseClock, startDatabaseClock } from './database-clock.ts'
import { runLoop } from './loop.ts'
import { logSchema, openLog } from './open-log.ts'
import { isProduction } from './profile.ts'
import type { Service, WorkerContext } from './service.ts'
import type { ServiceValues } from './service-settings.ts'
import { keepTidy } from './tidy.ts'

/** Resolves when everything runs, with what the service's `worker` resolved with, and the clock of the process. */
export async function startWorker<V extends ServiceValues, S, W>(
  service: Service<V, S, W>,
  o: Omit<WorkerContext<V, S>, 'pool' | 'log' | 'connectionString' | 'consume' | 'untilStopped' | 'clock'> &
    Pick<DatabaseCheck, 'key'>,
): Promise<{ worker: W; clock: DatabaseClock }> {
  const { name } = service
  const { values, logger, signal, key, progress } = o
  const production = isProduction(values)
  const connections = connectionNeeds(service, values)
  const connectionString = values.WDS_WORKER_DATABASE_URL
  const pool = createPool(
    withoutUndefined({
      connectionString,
      applicationName: `${name}-worker`,
      max: connections.worker,
      statementTimeoutMs: service.workerStatementMs,
    }),
  )
  o.onStop(() => pool.end())
  const setting = 'WDS_WORKER_DATABASE_URL'
  const check = { service, setting, connectionString, pool, production, connections, key, logger, signal } as const
  await awaitDatabase(withoutUndefined({ ...check, log: values.KAFKA_BROKERS === undefined ? logSchema : undefined }))
  const { log, close } = await openLog({ service: name, values, logger, connectionsMax: connections.log })
  o.onStop(close)
  const untilStopped = (loop: Promise<unknown>) => o.onStop(() => loop)
  const clock = await startDatabaseClock({ pool, hostOffMaxMs: service.clockOffMaxMs, logger, signal, progress })
  untilStopped(clock.ended)
  const unread = (error: unknown) => logger.warn({ err: error }, 'what holds the database back could not be read')
  o.onStop(observeHeldBack(pool, { onError: unread }))
  const partitions = values.WDS_LOG_PARTITIONS
  untilStopped(runRelay({ connectionString, pool, log, partitions, signal, logger, progress }))
  const { callers } = service
  const tidy = (pool: Pool) => service.tidy?.(pool, values) ?? Promise.resolve()
  untilStopped(keepTidy({ callers, tidy }, { pool, logger, signal, progress }))
  const run = async (consumer: ConsumerDeclaration) => {
    const running = await runConsumer({ ...consumer, log, pool, logger, progress })
    o.onStop(() => running.stop())
    return running
  }
  if (service.callers === 'known') {
    const keys = await run(keysConsumer(name))
    const auth = authClientOf(o)
    const confirm = () => confirmLogEnd({ pool, consumer: keys, auth, ended: signal }).then(() => false)
    const loop = { name: 'confirm-log-end', signal, logger, progress, pauseMs: confirmEveryMs, turn: confirm }
    untilStopped(runLoop(loop))
  }
  const consume: WorkerContext<V, S>['consume'] = async (consumer, handleBatch = consumer.handleBatch) => {
    // Else `dead-letters replay` would not know it.
    if (!service.consumers?.includes(consumer))
      throw new Error(`${name} does not declare the consumer ${consumer.name}`)
    await run({ ...consumer, handleBatch })
  }
  const worker = (await service.worker?.({ ...o, pool, log, clock, connectionString, consume, untilStopped })) as W
  return { worker, clock }
}
