// Postgres and Kafka in containers, for tests on a machine whose Docker engine answers. UNPROVEN: written from the documentation of
// Testcontainers; no machine that it was written on had an engine. So a container that does not start costs one line and nothing else.
import { randomBytes } from 'node:crypto'
import { request } from 'node:http'
import { messageOf } from './local-infra-error.ts'

// The release of Confluent's image that carries Apache Kafka 4.1; KRaft is the only mode since then.
const kafkaImage = 'confluentinc/cp-kafka:8.1.0'
const postgresImage = 'postgres:17'
const socketPath = '/var/run/docker.sock'
const pingMs = 1_000

/** True when a Docker engine answers a ping, at `DOCKER_HOST` or at its usual socket; the client alone does not count. */
export function dockerAnswers(): Promise<boolean> {
  const { DOCKER_HOST } = process.env
  const at = DOCKER_HOST ? new URL(DOCKER_HOST) : null
  const unix = at === null || at.protocol === 'unix:'
  const target = unix
    ? { socketPath: at?.pathname || socketPath }
    : { host: at.hostname, port: Number(at.port) || 2_375 }
  return new Promise((resolve) => {
    const ping = request({ ...target, path: '/_ping', timeout: pingMs, agent: false }, (answer) => {
      answer.resume()
      resolve(answer.statusCode === 200)
    })
    ping.on('timeout', () => ping.destroy())
    ping.on('error', () => resolve(false))
    ping.end()
  })
}

/** What `start` gives where an engine answers; null where none does or the container did not start, so that the caller starts its own. */
export async function inContainer<T>(what: string, start: () => Promise<T>): Promise<T | null> {
  if (!(await dockerAnswers())) return null
  try {
    return await start()
  } catch (error) {
    process.stderr.write(`${what} did not start in a container, the project's own is started: ${messageOf(error)}\n`)
    return null
  }
}

/** Starts a cluster in a container; `url` is that of its superuser. */
export async function startPostgresContainer(
  settings: Readonly<Record<string, string>>,
): Promise<{ url: string; stop(): Promise<void> }> {
  const { PostgreSqlContainer } = await import('@testcontainers/postgresql')
  const container = await new PostgreSqlContainer(postgresImage)
    .withUsername('postgres')
    .withDatabase('postgres')
    .withPassword(randomBytes(16).toString('hex'))
    .withCommand(['postgres', ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])])
    .start()
  return { url: container.getConnectionUri(), stop: async () => void (await container.stop()) }
}

/** Starts one broker in a container. Loaded lazily: it costs half a second, and few runs need it. */
export async function startKafkaContainer(): Promise<{ brokers: string; stop(): Promise<void> }> {
  const { KafkaContainer } = await import('@testcontainers/kafka')
  const container = await new KafkaContainer(kafkaImage)
    .withKraft()
    .withEnvironment({ KAFKA_AUTO_CREATE_TOPICS_ENABLE: 'false', KAFKA_GROUP_INITIAL_REBALANCE_DELAY_MS: '0' })
    .start()
  return {
    // 9093 is the listener for clients outside the container.
    brokers: `${container.getHost()}:${container.getMappedPort(9_093)}`,
    stop: async () => void (await container.stop()),
  }
}
