// Builds the delivery service and runs it; the only file that knows every adapter. `migrate`, `check-projection` and `rebuild-projection`
// as first argument do that one thing and end.
import { createEnvelopeEncryption, keyIdOf, readKeyFile } from '@wds/envelope-encryption/envelope-encryption'
import { runService } from '@wds/http-service/process'
import { createGuardedClient } from '@wds/outbound/guarded-client'
import { migrate } from '@wds/postgres/migrations'
import { createPool } from '@wds/postgres/pool'
import { createLogger } from '@wds/telemetry/logger'
import { readSettings, type Settings, scheduleOf } from './config.ts'
import { migrationDirectories } from './migration-directories.ts'
import { startHttp } from './start-http.ts'
import { startWorker } from './start-worker.ts'
import { checkProjection } from './store/projection.ts'

async function start(): Promise<{ port?: number; stop(): Promise<void> }> {
  const values = readSettings(process.env)
  scheduleOf(values)
  const logger = createLogger({ service: 'delivery', level: values.WDS_LOG_LEVEL })
  const undo: (() => Promise<unknown>)[] = []
  const outbound = createGuardedClient({ policy: policyOf(values) })
  undo.push(() => outbound.close())
  const key = readKeyFile(values.WDS_ENCRYPTION_KEY_FILE)
  const envelope = createEnvelopeEncryption([{ kid: keyIdOf(key), key }])
  let wake = (): void => undefined
  let port: number | undefined
  if (values.WDS_ROLE !== 'http') {
    const pool = createPool({
      connectionString: values.WDS_WORKER_DATABASE_URL,
      applicationName: 'delivery-worker',
      max: 12,
      statementTimeoutMs: 15_000,
    })
    undo.push(() => pool.end())
    const worker = await startWorker({ values, pool, logger, client: outbound, envelope })
    wake = worker.wake
    undo.push(() => worker.stop())
  }
  if (values.WDS_ROLE !== 'worker') {
    const pool = createPool({ connectionString: values.DATABASE_URL, applicationName: 'delivery-http', max: 10 })
    undo.push(() => pool.end())
    const http = await startHttp({
      values,
      pool,
      logger,
      envelope,
      checkUrl: (url) => outbound.checkAtSave(url),
      onDue: () => wake(),
    })
    undo.push(() => http.stop())
    port = http.port
  }
  return {
    ...(port === undefined ? {} : { port }),
    async stop() {
      for (const step of undo.reverse()) await step()
    },
  }
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

async function runMigrations(): Promise<void> {
  const connectionString = process.env.WDS_OWNER_DATABASE_URL
  if (connectionString === undefined) throw new Error('WDS_OWNER_DATABASE_URL is not set')
  const applied = await migrate({ connectionString, schema: 'delivery', directories: migrationDirectories })
  console.log(`delivery: ${applied.length} migrations applied`)
}

/** Prints each difference as a line of JSON; exits with 1 when there was one and nothing was rebuilt. */
async function runProjection(rebuild: boolean): Promise<void> {
  const values = readSettings(process.env)
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
  const count = await checkProjection(pool, { schedule: scheduleOf(values), rebuild, report })
  console.log(`delivery: ${count} deliveries read, ${differences} differences${rebuild ? ', rebuilt' : ''}`)
  await pool.end()
  if (differences > 0 && !rebuild) process.exitCode = 1
}

const command = process.argv[2]
if (command === 'migrate') await runMigrations()
else if (command === 'check-projection') await runProjection(false)
else if (command === 'rebuild-projection') await runProjection(true)
else runService({ name: 'delivery', start })
