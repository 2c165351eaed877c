// Opens the event log that the settings ask for. It is the only place that knows which adapters there are.
import type { EventLog } from '@wds/event-log/port'
import { createPostgresLog } from '@wds/event-log/postgres-log'
import { createPool } from '@wds/postgres/pool'
import type { Logger } from '@wds/telemetry/logger'
import type { ServiceValues } from './service-settings.ts'

/** The log with its topics made. `close` also ends what was opened for it. Throws `PartitionsDiffer`. */
export async function openLog(o: {
  service: string
  values: ServiceValues
  logger: Logger
}): Promise<{ log: EventLog; close(): Promise<void> }> {
  const partitions = o.values.WDS_LOG_PARTITIONS
  // Apart from the worker's pool: a handler that holds its last connection must not keep a claim from being renewed.
  const pool = createPool({
    connectionString: o.values.WDS_WORKER_DATABASE_URL,
    applicationName: `${o.service}-log`,
    max: partitions + 4,
  })
  const log = createPostgresLog({ pool, partitions, logger: o.logger })
  const close = async () => {
    await log.close()
    await pool.end()
  }
  try {
    await log.ensureTopics()
  } catch (error) {
    await close()
    throw error
  }
  return { log, close }
}
