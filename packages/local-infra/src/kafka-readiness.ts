// Asks a broker on loopback whether it serves: a line in its log is never taken for an answer.
import { Kafka, logLevel } from 'kafkajs'

/**
 * True when the broker describes the cluster of this id and stands in it itself: two that are started at once may both have
 * found the port free, and the one that got it answers for the other. Never throws.
 */
export async function answersAsKafka(port: number, wanted: string): Promise<boolean> {
  const kafka = new Kafka({
    clientId: 'wds-local-infra',
    brokers: [`127.0.0.1:${port}`],
    connectionTimeout: 1_000,
    requestTimeout: 2_000,
    retry: { retries: 0 },
    logLevel: logLevel.NOTHING,
  })
  const admin = kafka.admin()
  try {
    await admin.connect()
    const { brokers, clusterId } = await admin.describeCluster()
    return clusterId === wanted && brokers.some((broker) => broker.port === port)
  } catch {
    return false
  } finally {
    await admin.disconnect().catch(() => undefined)
  }
}
