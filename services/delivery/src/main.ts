// Describes the delivery service and runs it; the only file that knows every adapter. A command as first argument
// (README.md) does that one thing and ends.
import { aggregatesOf, routesOf } from '@wds/aggregate/concept'
import { pruneKept } from '@wds/event-store/kept-announcements'
import { createGuardedClient, type GuardedClient } from '@wds/outbound/guarded-client'
import { outboundRefusals, policyOf } from '@wds/outbound/settings'
import { createPool } from '@wds/postgres/pool'
import { runService } from '@wds/service-host/run-service'
import type { Service } from '@wds/service-host/service'
import { readSettings, type Settings, scheduleOf, settings } from './config.ts'
import { checkProjection } from './deliveries/store-projection.ts'
import { ingestConsumer } from './fan-out/consumer.ts'
import { migrationDirectories } from './migration-directories.ts'
import { republishAnnouncements } from './republish.ts'
import { concepts } from './resources.ts'
import { type RunningWorker, startWorker } from './start-worker.ts'
import { authConsumer } from './subscriptions/consume-auth-events.ts'
import { storedSecrets } from './subscriptions/store.ts'

/** What both roles of one process share. */
interface Shared {
  client: GuardedClient
}

const delivery: Service<Settings, Shared, RunningWorker> = {
  name: 'delivery',
  readSettings,
  printSettings: (values) => settings.printable(values),
  refusals: outboundRefusals,
  openapi: new URL('./', import.meta.url),
  migrations: migrationDirectories,
  callers: 'known',
  connections: { http: 10, worker: 9, loops: 4 },
  workerStatementMs: 15_000,
  shared: ({ values, onStop }) => {
    const client = createGuardedClient({ policy: policyOf(values) })
    onStop(() => client.close())
    return { client }
  },
  worker: startWorker,
  http: ({ values, envelope, cursors, shared, worker }) => ({
    routes: routesOf(concepts, {
      cursors,
      envelope,
      checkUrl: (url) => shared.client.checkAtSave(url),
      attemptsMax: values.WDS_DELIVERY_ATTEMPTS,
      onDue: () => worker?.wake(),
    }),
  }),
  tidy: (pool) => pruneKept(pool),
  republish: republishAnnouncements,
  aggregates: aggregatesOf(concepts),
  secrets: [storedSecrets],
  consumers: [ingestConsumer, authConsumer],
  commands: {
    'check-projection': (env) => runProjection(readSettings(env), false),
    'rebuild-projection': (env) => runProjection(readSettings(env), true),
  },
}

/** How often the command says how far it is, ms. */
const sayEveryMs = 5_000

/** Prints each difference as a line of JSON, and beside it how far it is; 1 when there was one and nothing was rebuilt, else 0. */
async function runProjection(values: Settings, rebuild: boolean): Promise<number> {
  const pool = createPool({
    connectionString: values.WDS_WORKER_DATABASE_URL,
    applicationName: 'delivery-projection',
    max: 2,
  })
  let differences = 0
  const report = (difference: object): void => {
    differences += 1
    console.log(JSON.stringify(difference))
  }
  let saidMs = performance.now()
  const progress = (day: string, count: number): void => {
    if (performance.now() - saidMs < sayEveryMs) return
    saidMs = performance.now()
    console.error(`delivery: ${count} deliveries read, ${differences} differences, at ${day}`)
  }
  try {
    const count = await checkProjection(pool, { schedule: scheduleOf(values), rebuild, report, progress })
    console.log(`delivery: ${count} deliveries read, ${differences} differences${rebuild ? ', rebuilt' : ''}`)
  } finally {
    await pool.end()
  }
  return differences > 0 && !rebuild ? 1 : 0
}

if (import.meta.main) runService(delivery)
