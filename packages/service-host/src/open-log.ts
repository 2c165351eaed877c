// Opens the event log that the settings ask for. It is the only place that knows which adapters there are.
import { type EventLog, LogRefused, PartitionsDiffer } from '@wds/event-log/port'
import { createPostgresLog, logMigrations } from '@wds/event-log/postgres-log'
import { createPool } from '@wds/postgres/pool'
import type { Logger } from '@wds/telemetry/logger'
import { kafkaConnection } from './kafka-settings.ts'
import type { ServiceValues } from './service-settings.ts'

interface OpenLog {
  log: EventLog
  /** Also ends what was opened for the log. */
  close(): Promise<void>
}

/** Where the log is kept in Postgres. */
export const logSchema: { name: string; migrations: URL[] } = { name: 'log', migrations: logMigrations }

/**
 * The log: on Kafka where `KAFKA_BROKERS` names brokers, else in Postgres. Throws `PartitionsDiffer` and `LogRefused`, one
 * sentence each; a broker that is away does not hold up the start, since the log goes on by itself once it is back.
 */
export async function openLog(o: {
  service: string
  values: ServiceValues
  logger: Logger
  /** Of the log in Postgres, however many partitions there are. */
  connectionsMax: number
}): Promise<OpenLog> {
  const opened = (await openOnKafka(o)) ?? openInPostgres(o)
  try {
    await opened.log.ensureTopics()
  } catch (error) {
    const away =
      o.values.KAFKA_BROKERS !== undefined && !(error instanceof LogRefused || error instanceof PartitionsDiffer)
    if (!away) {
      await opened.close()
      throw error
    }
    o.logger.warn({ err: error }, 'Kafka does not answer, retrying')
  }
  return opened
}

async function openOnKafka({ service, values, logger }: Parameters<typeof openLog>[0]): Promise<OpenLog | null> {
  const connection = kafkaConnection(values, logger)
  if (connection === null) return null
  // The client is loaded only where it is used: a start without Kafka is faster by what it weighs.
  const { createKafkaLog } = await import('@wds/event-log/kafka-log')
  const log = createKafkaLog({ ...connection, clientId: service, partitions: values.WDS_LOG_PARTITIONS, logger })
  return { log, close: () => log.close() }
}

function openInPostgres({ service, values, logger, connectionsMax }: Parameters<typeof openLog>[0]): OpenLog {
  const partitions = values.WDS_LOG_PARTITIONS
  // Apart from the worker's pool: a handler that holds its last connection must not keep a claim from being renewed.
  const pool = createPool({
    connectionString: values.WDS_WORKER_DATABASE_URL,
    applicationName: `${service}-log`,
    max: connectionsMax,
  })
  const log = createPostgresLog({ pool, partitions, logger })
  const close = async () => {
    await log.close()
    await pool.end()
  }
  return { log, close }
}
