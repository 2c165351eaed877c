// The partitions that a rebalance gave to a member on Kafka, and how far they are. It must never let work go on in one that a rebalance
// took away (stack.md 5).
import type { Consumer, EachBatchPayload } from 'kafkajs'
import { KafkaCommits, type Position } from './kafka-commits.ts'
import { HeldPartition } from './kafka-partition.ts'
import type { Standing } from './kafka-standstill.ts'
import type { KafkaTopics } from './kafka-topics.ts'
import type { PartitionBounds } from './lost-records.ts'
import { type LogPlace, placeOf } from './places.ts'
import type { LogLogger, LostRecords, SubscribeOptions } from './port.ts'

export interface AssignmentOptions {
  options: SubscribeOptions
  topics: KafkaTopics
  compacted(topic: string): boolean
  /** Interval of heartbeats while a batch is in progress, ms. */
  heartbeatMs: number
  /** Aborted at a stop: from then on nothing is fetched. */
  ended: AbortSignal
  /** Called with transient faults. */
  failed(error: unknown): void
  logger: LogLogger | undefined
}

export class Assignment {
  readonly #o: AssignmentOptions
  readonly #held = new Map<string, HeldPartition>()
  readonly #commits = new KafkaCommits(() => this.#positions())

  constructor(o: AssignmentOptions) {
    this.#o = o
  }

  get isEmpty(): boolean {
    return this.#held.size === 0
  }

  /** Resolves when no batch is in progress any more. */
  get ended(): Promise<unknown> {
    return Promise.all([...this.#held.values()].map(({ ended }) => ended))
  }

  /** Those that are held. */
  places(): LogPlace[] {
    return [...this.#held.values()].filter((one) => one.isHeld).map(({ topic, partition }) => ({ topic, partition }))
  }

  lost(): LostRecords[] {
    return [...this.#held.values()].flatMap((one) => one.loss ?? [])
  }

  standings(): Standing[] {
    return [...this.#held.values()].flatMap(({ standing }) => standing ?? [])
  }

  /** Takes the place of what was held. Resolves when reading of each began or stands still: true when all of them are held still. */
  assign(client: Consumer, assignment: Record<string, number[]>): Promise<boolean> {
    const before = new Map(this.#held)
    this.revoke()
    this.#held.clear()
    for (const [topic, partitions] of Object.entries(assignment)) {
      const bounds = this.#boundsOf(topic)
      for (const partition of partitions) {
        const place = { topic, partition }
        const only = [{ topic, partitions: [partition] }]
        const context = {
          options: this.#o.options,
          compacted: this.#o.compacted(topic),
          heartbeatMs: this.#o.heartbeatMs,
          bounds: () => bounds(partition),
          seek: (offset: bigint) => client.seek({ ...place, offset: String(offset) }),
          pause: () => client.pause(only),
          // Not at a stop, which takes no more batches.
          resume: () => {
            if (!this.#o.ended.aborted) client.resume(only)
          },
          advanced: () => void this.#commits.soon(client),
          failed: this.#o.failed,
          logger: this.#o.logger,
        }
        this.#held.set(placeOf(place), new HeldPartition(place, context, before.get(placeOf(place))))
      }
    }
    const all = [...this.#held.values()]
    return Promise.all(all.map((one) => one.settled)).then(() => all.every((one) => one.isHeld))
  }

  /** Resolves when the batch took effect, or goes on by itself. */
  async take(payload: EachBatchPayload): Promise<void> {
    await this.#held.get(placeOf(payload.batch))?.take(payload)
  }

  /** Tells the broker how far each partition is; what takes effect in great numbers is told at once, without this. */
  async commit(client: Consumer): Promise<void> {
    await this.#commits.all(client)
  }

  /** Has the position of one compared once more, after the batch in progress. */
  verifyPosition(place: LogPlace): void {
    this.#held.get(placeOf(place))?.verifyPosition()
  }

  /**
   * A connection was cut: the broker may have been restarted and lost records, and still know this member, so that nobody joins
   * anew. Every position is compared once more before anything is read behind it.
   */
  verifyPositions(): void {
    for (const one of this.#held.values()) one.verifyPosition()
  }

  /** Aborts the batches in progress: nothing more may take effect. */
  revoke(): void {
    for (const one of this.#held.values()) one.revoke()
  }

  /** One request to the broker serves all partitions that ask at the same time. */
  #boundsOf(topic: string): (partition: number) => Promise<PartitionBounds | null> {
    let asked: ReturnType<KafkaTopics['boundsOfLed']> | undefined
    return async (partition) => {
      asked ??= this.#o.topics.boundsOfLed(topic).finally(() => {
        asked = undefined
      })
      return (await asked).get(partition) ?? null
    }
  }

  /** Of the partitions that are held. */
  #positions(): Position[] {
    return [...this.#held.values()].flatMap(({ topic, partition, next, isHeld }) =>
      isHeld && next !== null ? { topic, partition, next } : [],
    )
  }
}
