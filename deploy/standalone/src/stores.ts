/** Starts and forgets what keeps the data: Postgres, and Kafka where the log is there. */
import type { KafkaBroker } from '@wds/local-infra/kafka-broker'
import { LocalInfraError, type PostgresServer, removePostgres, startPostgres } from '@wds/local-infra/postgres-server'
import { type DataFolder, forgetAll } from './data-folder.ts'
import { StartError } from './start-error.ts'

export interface StoreOptions {
  data: DataFolder
  /** 0: 15432 or the next free one. */
  postgresPort: number
  /** 0: 19092 or the next free one. */
  kafkaPort: number
  /** Aborted when the start is called off. */
  signal: AbortSignal
  /** Told when the stack cannot go on. */
  onFatal(why: string): void
  /** Lines for the person at the terminal. */
  say(line: string): void
}

const folders = { postgres: 'pg', kafka: 'broker' }

async function sentence<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    throw error instanceof LocalInfraError ? new StartError(error.message) : error
  })
}

const demanded = (port: number) => (port === 0 ? {} : { port, portDemanded: true })

function logCrashes(name: string, server: Pick<PostgresServer, 'onCrash'>, o: StoreOptions): void {
  server.onCrash(({ code, signal, restarting }) => {
    const how = `${name} ended by itself (${signal ?? `exit code ${code}`})`
    if (restarting) return o.say(`${how} and is started again`)
    o.onFatal(`${how} for the third time within a minute: see the log in the data folder`)
  })
}

/** @throws StartError one sentence about why Postgres does not start. */
export async function startDatabase(o: StoreOptions): Promise<PostgresServer> {
  const options = { ...demanded(o.postgresPort), settings: { max_connections: '200' } }
  const postgres = await sentence(startPostgres({ dataDirectory: o.data.file(folders.postgres), ...options }))
  logCrashes('postgres', postgres, o)
  return postgres
}

/** @throws StartError one sentence about why Kafka does not start. */
export async function startBroker(o: StoreOptions): Promise<KafkaBroker> {
  const { startKafka } = await kafka()
  const options = { ...demanded(o.kafkaPort), onNotice: o.say, signal: o.signal }
  const broker = await sentence(startKafka({ dataDirectory: o.data.file(folders.kafka), ...options }))
  logCrashes('kafka', broker, o)
  return broker
}

/** Loaded only where there is something to do: a start without Kafka is faster by what it weighs. */
const kafka = () => import('@wds/local-infra/kafka-broker')

/** Removes database, records, keys and sample data, in whatever state they are, and ends what a killed supervisor left running. */
export async function forgetStores(data: DataFolder): Promise<void> {
  await sentence(removePostgres(data.file(folders.postgres)))
  const { removeKafka } = await kafka()
  await sentence(removeKafka(data.file(folders.kafka)))
  forgetAll(data)
}
