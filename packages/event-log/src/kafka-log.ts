// The log on Kafka, through kafkajs (stack.md 5). It decides how records are sent; it must never hand on what kafkajs is, so
// that services cannot tell this log from the one in Postgres.
import { isCompacted, topicDefinitions } from '@wds/contracts/topics'
import { type KafkaConnection, typeOf } from './kafka-client.ts'
import { PartitionUnanswered, TopicProducer } from './kafka-producer.ts'
import { subscribeToKafka } from './kafka-subscription.ts'
import { createKafkaTopics } from './kafka-topics.ts'
import type { PartitionBounds } from './lost-records.ts'
import { type EventLog, type LogSubscription, type NewLogRecord, PartlyPublished } from './port.ts'

export type { KafkaConnection } from './kafka-client.ts'

export interface KafkaLogOptions extends KafkaConnection {
  /** `WDS_LOG_PARTITIONS`. */
  partitions: number
  /** Topics beside those of `contracts`, for tests: name to whether it is compacted. */
  topics?: Record<string, boolean>
  /** How long partitions stay with a member that is silent, ms; at least the broker's minimum. Default 6,000, which is that of a broker. */
  sessionTimeoutMs?: number
  /**
   * A member without a sign of life for so long is built anew, ms; also one that leaves a partition unread for longer, up to half as long
   * again. A request without an answer is given up after it. Default 30,000.
   */
  silenceMs?: number
}

export function createKafkaLog(o: KafkaLogOptions): EventLog {
  const compacted = new Map<string, boolean>([
    ...topicDefinitions.map(({ name }) => [name, isCompacted(name)] as const),
    ...Object.entries(o.topics ?? {}),
  ])
  const silenceMs = o.silenceMs ?? 30_000
  const topics = createKafkaTopics(o, { topics: compacted, partitions: o.partitions, answerMs: silenceMs })
  const producers = new Map<string, TopicProducer>()
  const subscriptions = new Set<LogSubscription>()
  const assertKnown = (names: Iterable<string>): void => {
    for (const name of names) if (!compacted.has(name)) throw new Error(`the log has no topic ${name}`)
  }
  const send = async (topic: string, records: NewLogRecord[]): Promise<void> => {
    const producer =
      producers.get(topic) ??
      new TopicProducer(o, {
        topic,
        partitions: o.partitions,
        answerMs: silenceMs,
        away: () => topics.away(topic),
      })
    producers.set(topic, producer)
    try {
      await producer.send(records)
    } catch (error) {
      // The broker began anew: its topics are made, or judged, by the next try.
      if (typeOf(error) === 'UNKNOWN_TOPIC_OR_PARTITION' || error instanceof PartitionUnanswered) topics.forget()
      throw error
    }
  }

  return {
    ensureTopics: () => topics.ensure(),
    async publish(records) {
      if (records.length === 0) return
      const byTopic = Map.groupBy(records, (record) => record.topic)
      assertKnown(byTopic.keys())
      await topics.ensure()
      const faults: Error[] = []
      const stored = new Set<NewLogRecord>()
      const failedTopics = new Set<string>()
      // Side by side: a topic that is refused must not hold up the others, nor have them sent again.
      await Promise.all(
        [...byTopic].map(async ([topic, part]) => {
          const fault = await send(topic, part).then(
            () => null,
            (error: Error) => error,
          )
          for (const record of storedOf(part, fault)) stored.add(record)
          if (fault === null) return
          faults.push(fault)
          if (!(fault instanceof PartlyPublished)) failedTopics.add(topic)
        }),
      )
      const [fault] = faults
      if (fault === undefined) return
      throw failedTopics.size < byTopic.size ? new PartlyPublished(fault, stored, failedTopics) : fault
    },
    async subscribe(options) {
      assertKnown(options.topics)
      const subscription = await subscribeToKafka(
        {
          connection: o,
          topics,
          partitions: o.partitions,
          // What a killed process had to read waits for so long, and its successor with it (decision 46).
          sessionTimeoutMs: o.sessionTimeoutMs ?? 6_000,
          silenceMs,
          compacted: (topic) => compacted.get(topic) ?? false,
          logger: o.logger,
        },
        options,
      )
      subscriptions.add(subscription)
      const stop = async (): Promise<void> => {
        subscriptions.delete(subscription)
        await subscription.stop()
      }
      return { ...subscription, stop }
    },
    async ends(topic, { isPartial } = { isPartial: false }) {
      assertKnown([topic])
      await topics.ensure()
      const bounds = await (isPartial ? topics.boundsOfLed(topic) : topics.bounds(topic))
      // Where the last record was removed nobody may wait for it. Kafka's cleaner never removes it by itself, age does.
      const endOf = ({ first, end }: PartitionBounds): bigint => (first > end ? -1n : end)
      return new Map([...bounds].sort(([a], [b]) => a - b).map(([partition, found]) => [partition, endOf(found)]))
    },
    async committedOffsets(topic, group) {
      assertKnown([topic])
      await topics.ensure()
      return topics.committedOffsets(topic, group)
    },
    async close() {
      await Promise.all([...subscriptions].map((subscription) => subscription.stop()))
      await Promise.all([...producers.values()].map((producer) => producer.close()))
      await topics.close()
    },
  }
}

function storedOf(sent: NewLogRecord[], fault: Error | null): Iterable<NewLogRecord> {
  if (fault === null) return sent
  return fault instanceof PartlyPublished ? fault.stored : []
}
