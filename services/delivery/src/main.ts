// Describes the delivery service and runs it; the only file that knows every adapter. `migrate`, `check-projection` and
// `rebuild-projection` as first argument do that one thing and end.
import { createGuardedClient, type GuardedClient } from '@wds/outbound/guarded-client'
import { createPool } from '@wds/postgres/pool'
import { runService } from '@wds/service-host/run-service'
import type { Service } from '@wds/service-host/service'
import { readSettings, type Settings, scheduleOf } from './config.ts'
import { createTakeIn } from './consumers/take-in.ts'
import { routesOf } from './http/routes.ts'
import { migrationDirectories } from './migration-directories.ts'
import { type RunningWorker, startWorker } from './start-worker.ts'
import { republishAnnouncements } from './store/announce-again.ts'
import { pruneKept } from './store/kept-announcements.ts'
import { checkProjection } from './store/projection.ts'

/** What both roles of one process share. */
interface Shared {
  client: GuardedClient
}

const delivery: Service<Settings, Shared, RunningWorker> = {
  name: 'delivery',
  readSettings,
  refusals: (values) =>
    values.WDS_OUTBOUND_ALLOW.every((entry) => entry === 'none')
      ? []
      : ['WDS_OUTBOUND_ALLOW must be unset in production: only public https addresses are called'],
  openapi: new URL('../openapi.yaml', import.meta.url),
  migrations: migrationDirectories,
  callers: 'known',
  connections: { http: 10, worker: 9, loops: 3 },
  workerStatementMs: 15_000,
  shared: ({ values, onStop }) => {
    const client = createGuardedClient({ policy: policyOf(values) })
    onStop(() => client.close())
    return { client }
  },
  worker: startWorker,
  http: ({ values, envelope, cursors, shared, worker }) => ({
    routes: routesOf({
      cursors,
      envelope,
      checkUrl: (url) => shared.client.checkAtSave(url),
      attemptsMax: values.WDS_DELIVERY_ATTEMPTS,
      onDue: () => worker?.wake(),
    }),
  }),
  tidy: pruneKept,
  republish: republishAnnouncements,
  // By the queue, which the workers look at.
  effects: { 'delivery.take-in': createTakeIn({ fanOut: { along: () => false }, onTaken: () => undefined }) },
  commands: {
    'check-projection': (env) => runProjection(readSettings(env), false),
    'rebuild-projection': (env) => runProjection(readSettings(env), true),
  },
}

/** What may be called: public https addresses, and what the operator lists (security.md 1). */
function policyOf(values: Settings) {
  const listed = values.WDS_OUTBOUND_ALLOW.filter((entry) => entry !== 'none')
  const allow = listed.includes('loopback') ? ('loopback' as const) : listed.length > 0 ? listed : ('none' as const)
  const ownPorts = values.WDS_OUTBOUND_OWN_PORTS.map(Number)
  const ownNames = [new URL(values.WDS_BASE_URL).hostname].filter(
    (name) => name.includes('.') && !/^[\d.]+$/.test(name),
  )
  return { allow, ownPorts, ownNames, ports: [443, 8443], blocked: [] }
}

/** Prints each difference as a line of JSON; 1 when there was one and nothing was rebuilt, else 0. */
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
  try {
    const count = await checkProjection(pool, { schedule: scheduleOf(values), rebuild, report })
    console.log(`delivery: ${count} deliveries read, ${differences} differences${rebuild ? ', rebuilt' : ''}`)
  } finally {
    await pool.end()
  }
  return differences > 0 && !rebuild ? 1 : 0
}

if (import.meta.main) runService(delivery)
