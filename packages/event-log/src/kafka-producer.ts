// Sends records to one topic, one request at a time, so that their order holds. A producer that failed is never used again:
// kafkajs gives the sequence numbers of a failed send to whatever is sent next, and a broker that had written the first one
// would take the next for its repetition and drop it (decision 9). It notices when the broker forgot what it had acknowledged. Partitions
// without a leader, or without enough copies, hold up their own records alone (decision 104).
import { outboxMetrics } from '@wds/telemetry/platform-metrics'
import { Partitioners, type Producer, type RecordMetadata } from 'kafkajs'
import { answerOf, type KafkaConnection, type OpenClient, openClient, refusalOf } from './kafka-client.ts'
import { sizeOf, toMessage } from './kafka-records.ts'
import { regressedMessage } from './lost-records.ts'
import { partitionOf } from './partition.ts'
import { type NewLogRecord, PartlyPublished } from './port.ts'

/** Half of what a broker takes in one batch by default; all of a request may fall into one partition. */
const requestBytesMax = 512 * 1024
const dropMs = 500
/** Few: rows stay in the outbox, and a relay must not go on sending after its leadership ended. */
const retry = { retries: 2, initialRetryTime: 100, maxRetryTime: 500 }

/** A send that succeeded without having written to a partition: its leader moved, or the topic has fewer partitions than before. */
export class PartitionUnanswered extends Error {
  override name = 'PartitionUnanswered'
}

export class TopicProducer {
  readonly #connection: KafkaConnection
  readonly #topic: string
  readonly #partitions: number
  readonly #answerMs: number
  readonly #whatIsAway: () => Promise<Set<number>>
  /** A partition may be away: at the start, and from a failed send to the first look that finds none away. */
  #isInDoubt = true
  /** Partition to the first offset of the last batch that was acknowledged. */
  readonly #acknowledged = new Map<number, bigint>()
  #producer: OpenClient<Producer> | undefined
  #turn: Promise<unknown> = Promise.resolve()

  /**
   * `answerMs`: longest wait for the answer to one request, with all that kafkajs tries for it. `away`: partitions that take no records
   * now; of a request that has a record for one kafkajs sends nothing, or all that is beside it again with each try.
   */
  constructor(
    connection: KafkaConnection,
    o: { topic: string; partitions: number; answerMs: number; away(): Promise<Set<number>> },
  ) {
    this.#connection = connection
    this.#topic = o.topic
    this.#partitions = o.partitions
    this.#answerMs = o.answerMs
    this.#whatIsAway = o.away
    outboxMetrics.regressions.begin({ topic: o.topic })
  }

  /**
   * Rejects when not everything was acknowledged, with `PartlyPublished` where all was but the records of partitions that are away;
   * what was sent before may stand in the log.
   */
  send(records: NewLogRecord[]): Promise<void> {
    const turn = this.#turn.then(() => this.#sendInTurn(records))
    this.#turn = turn.catch(() => undefined)
    return turn
  }

  async close(): Promise<void> {
    await this.#turn
    await this.#drop()
  }

  async #sendInTurn(records: NewLogRecord[]): Promise<void> {
    let away = new Set<number>()
    let led = records
    try {
      if (this.#isInDoubt) {
        away = await this.#whatIsAway()
        led = records.filter(({ key }) => !away.has(partitionOf(key, this.#partitions)))
      }
      this.#isInDoubt = true
      this.#producer ??= await this.#connect()
      const { client } = this.#producer
      for (const part of inRequests(led)) await this.#sendRequest(client, part)
    } catch (error) {
      await this.#drop()
      throw refusalOf(error, `records of ${this.#topic}`) ?? error
    }
    this.#isInDoubt = away.size > 0
    if (led.length === records.length) return
    throw new PartlyPublished(
      new Error(`of ${this.#topic} these partitions have no leader or too few copies in sync: ${[...away].join(', ')}`),
      new Set(led),
    )
  }

  async #sendRequest(client: Producer, records: NewLogRecord[]): Promise<void> {
    // Not left to kafkajs, which counts the partitions that are there now: where some were added, a key would move and lose its order.
    const messages = records.map((record) => ({
      ...toMessage(record),
      partition: partitionOf(record.key, this.#partitions),
    }))
    const answers = await answerOf(client.send({ topic: this.#topic, acks: -1, messages }), this.#answerMs)
    this.#note(answers)
    // kafkajs sends to brokers. When it tries again, one that has answered is not asked again, also for a partition that moved to it since.
    const answered = new Set(answers.map(({ partition }) => partition))
    const left = messages.find(({ partition }) => !answered.has(partition))
    if (left !== undefined) {
      throw new PartitionUnanswered(`Kafka did not answer for partition ${left.partition} of ${this.#topic}`)
    }
  }

  /** Offsets that were given before: what stood there is gone, also where no consumer had read it. A batch goes as a whole. */
  #note(answers: RecordMetadata[]): void {
    for (const { partition, baseOffset } of answers) {
      const offset = BigInt(baseOffset ?? -1)
      if (offset < 0n) continue
      const acknowledged = this.#acknowledged.get(partition) ?? -1n
      this.#acknowledged.set(partition, offset)
      if (offset > acknowledged) continue
      const fields = { topic: this.#topic, partition, acknowledged: String(acknowledged), offset: String(offset) }
      this.#connection.logger?.error(fields, regressedMessage)
      outboxMetrics.regressions.add(1, { topic: this.#topic })
    }
  }

  async #connect(): Promise<OpenClient<Producer>> {
    const producer = openClient(this.#connection, (kafka) =>
      kafka.producer({
        idempotent: true,
        maxInFlightRequests: 1,
        allowAutoTopicCreation: false,
        createPartitioner: Partitioners.DefaultPartitioner,
        retry,
      }),
    )
    try {
      await answerOf(producer.client.connect(), this.#answerMs)
      return producer
    } catch (error) {
      await producer.end(dropMs)
      throw error
    }
  }

  async #drop(): Promise<void> {
    const producer = this.#producer
    this.#producer = undefined
    await producer?.end(dropMs)
  }
}

/** Cuts records into requests that a broker takes, in order. */
export function inRequests(records: NewLogRecord[], bytesMax = requestBytesMax): NewLogRecord[][] {
  const parts: NewLogRecord[][] = []
  let bytes = Number.POSITIVE_INFINITY
  for (const record of records) {
    const size = sizeOf(record)
    if (bytes + size > bytesMax) {
      parts.push([])
      bytes = 0
    }
    parts.at(-1)?.push(record)
    bytes += size
  }
  return parts
}
