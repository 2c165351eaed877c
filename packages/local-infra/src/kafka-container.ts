// Kafka in a container, for tests on a machine whose Docker engine answers. UNPROVEN: written from the documentation of
// Testcontainers; no machine that it was written on had an engine.
import { request } from 'node:http'

// The release of Confluent's image that carries Apache Kafka 4.1; KRaft is the only mode since then.
const image = 'confluentinc/cp-kafka:8.1.0'
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
    const ping = request({ ...target, path: '/_ping', timeout: pingMs }, (answer) => {
      answer.resume()
      resolve(answer.statusCode === 200)
    })
    ping.on('timeout', () => ping.destroy())
    ping.on('error', () => resolve(false))
    ping.end()
  })
}

/** Starts one broker in a container. Loaded lazily: it costs half a second, and few runs need it. */
export async function startKafkaContainer(): Promise<{ brokers: string; stop(): Promise<void> }> {
  const { KafkaContainer } = await import('@testcontainers/kafka')
  const container = await new KafkaContainer(image)
    .withKraft()
    .withEnvironment({ KAFKA_AUTO_CREATE_TOPICS_ENABLE: 'false', KAFKA_GROUP_INITIAL_REBALANCE_DELAY_MS: '0' })
    .start()
  return {
    // 9093 is the listener for clients outside the container.
    brokers: `${container.getHost()}:${container.getMappedPort(9_093)}`,
    stop: async () => void (await container.stop()),
  }
}
