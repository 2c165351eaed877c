// Asks a broker on loopback whether it serves: a line in its log is never taken for an answer.
import { lookWhereRequestsWait } from '@wds/kafkajs-requests/request-checks'
import { Kafka, logLevel } from 'kafkajs'

/**
 * True when the broker describes the cluster of this id and stands in it `itself`, by the port that it advertises: two that are started
 * at once may both have found the port free, and the one that got it answers for the other. Never throws.
 */
export async function answersAsKafka(port: number, itself: { clusterId: string; port: number }): Promise<boolean> {
  lookWhereRequestsWait()
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
    return clusterId === itself.clusterId && brokers.some((broker) => broker.port === itself.port)
  } catch {
    return false
  } finally {
    await admin.disconnect().catch(() => undefined)
  }
}
