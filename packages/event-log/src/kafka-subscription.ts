// One member of a consumer group on Kafka: runs a kafkajs consumer and replaces it when it gives no sign of life. It must never let work go
// on once a rebalance begins (stack.md 5).

import { Backoff } from '@wds/pacing/backoff'
import { wait, waitAtMost } from '@wds/pacing/wait'
import { LogThrottle } from '@wds/telemetry/log-throttle'
import type { Consumer, Kafka } from 'kafkajs'
import { Assignment } from './kafka-assignment.ts'
import { type KafkaConnection, openClient, refusalOf, typeOf } from './kafka-client.ts'
import { createSignsOfLife, Unanswered } from './kafka-signs-of-life.ts'
import { createStandstillLook } from './kafka-standstill.ts'
import type { KafkaTopics } from './kafka-topics.ts'
import { type LogLogger, LogRefused, type LogSubscription, type LostRecords, type SubscribeOptions } from './port.ts'

export interface KafkaSubscriptionContext {
  connection: KafkaConnection
  topics: KafkaTopics
  partitions: number
  sessionTimeoutMs: number
  silenceMs: number
  compacted(topic: string): boolean
  logger: LogLogger | undefined
}

/** How long a rebalance waits for a member's batch in progress; longer than any batch. */
const rebalanceTimeoutMs = 60_000
/** Longest wait of a fetch that finds nothing, and so the longest delay of a stop. */
const fetchWaitMs = 250
/** Small, so that a batch ends well within a rebalance. A larger record comes as a batch of its own. */
const fetchBytes = { partition: 256 * 1024, all: 4 * 1024 * 1024 }
/** What a slow link or disk does not bring in time it never brings: the next client asks for a quarter, until one is answered. */
const smaller = { factor: 4, most: 64 }
const retry = { retries: 5, initialRetryTime: 100, maxRetryTime: 2_000 }
const rebuildMs = { min: 100, max: 5_000 }
/** How long a start waits to learn of a refusal, also from a busy broker. A transient fault does not delay it; the member goes on trying. */
const outcomeMs = 30_000
const commitEveryMs = 1_000
/** Grace for batches in progress at a stop; then they are cut off and will be repeated. */
const stopMs = 10_000
/** The same for a client that failed. */
const dropMs = 1_000

/** Rejects with `LogRefused` or `PartitionsDiffer` where the broker says no; a broker that is away is waited for. */
export async function subscribeToKafka(c: KafkaSubscriptionContext, o: SubscribeOptions): Promise<LogSubscription> {
  const member = new Member(c, o)
  member.start()
  try {
    await waitAtMost(member.outcome, outcomeMs)
  } catch (error) {
    await member.stop()
    throw error
  }
  return {
    assignment: () => member.assignment(),
    lost: () => member.lost(),
    lookAgain: (place) => member.lookAgain(place),
    whenAssigned: () => member.assigned.promise,
    stop: () => member.stop(),
  }
}

class Member {
  readonly assigned = Promise.withResolvers<void>()
  readonly #began = Promise.withResolvers<void>()
  readonly #c: KafkaSubscriptionContext
  readonly #o: SubscribeOptions
  readonly #heartbeatMs: number
  readonly #held: Assignment
  readonly #ended = new AbortController()
  #running: Promise<void> = Promise.resolve()
  readonly #throttle = new LogThrottle()
  /** By how much less than `fetchBytes` is asked for. */
  #divisor = 1

  constructor(c: KafkaSubscriptionContext, o: SubscribeOptions) {
    this.#c = c
    this.#o = o
    this.#heartbeatMs = Math.min(1_000, Math.floor(c.sessionTimeoutMs / 3))
    this.#held = new Assignment({
      options: o,
      topics: c.topics,
      compacted: c.compacted,
      heartbeatMs: this.#heartbeatMs,
      ended: this.#ended.signal,
      failed: (error) => this.#failed(error),
      logger: c.logger,
    })
    for (const { promise } of [this.assigned, this.#began]) promise.catch(() => undefined)
  }

  /**
   * Settles with the first fetch, which shows that the topics may be read, the first refusal, or the first fault of a broker
   * that is away. One that answers, and still loads the group, may refuse with its next answer.
   */
  get outcome(): Promise<void> {
    return this.#began.promise
  }

  start(): void {
    this.#running = this.#runClients()
  }

  assignment(): { topic: string; partition: number }[] {
    return this.#held.places()
  }

  lost(): LostRecords[] {
    return this.#held.lost()
  }

  lookAgain(place: { topic: string; partition: number }): void {
    this.#held.verifyPosition(place)
  }

  async stop(): Promise<void> {
    this.#ended.abort()
    this.assigned.reject(new Error('the subscription was stopped'))
    await this.#running
  }

  /** Runs clients one after another until the stop. */
  async #runClients(): Promise<void> {
    const backoff = new Backoff(rebuildMs)
    while (!this.#ended.signal.aborted) {
      const startedAt = performance.now()
      try {
        await this.#c.topics.ensure()
        await this.#runClient()
      } catch (error) {
        this.#divisor = error instanceof Unanswered ? Math.min(this.#divisor * smaller.factor, smaller.most) : 1
        // The broker began anew: its topics are made before the next try.
        if (typeOf(error) === 'UNKNOWN_TOPIC_OR_PARTITION') this.#c.topics.forget()
        this.#failed(error)
      }
      if (performance.now() - startedAt > rebuildMs.max) backoff.reset()
      await wait(backoff.next(), this.#ended.signal)
    }
  }

  /** Runs one client; resolves or rejects when another one is needed, or at the stop. */
  async #runClient(): Promise<void> {
    const { connection, sessionTimeoutMs } = this.#c
    let dropped = false
    const make = (kafka: Kafka): Consumer =>
      kafka.consumer({
        groupId: this.#o.group,
        sessionTimeout: sessionTimeoutMs,
        heartbeatInterval: this.#heartbeatMs,
        rebalanceTimeout: rebalanceTimeoutMs,
        maxWaitTimeInMs: fetchWaitMs,
        maxBytesPerPartition: fetchBytes.partition / this.#divisor,
        maxBytes: fetchBytes.all / this.#divisor,
        allowAutoTopicCreation: false,
        // A client that was dropped must not come back by itself.
        retry: { ...retry, restartOnFailure: async () => !dropped },
      })
    const { client, end, refused } = openClient(connection, make, () => this.#held.verifyPositions())
    const over = Promise.withResolvers<void>()
    const stopped = (): void => over.resolve()
    this.#ended.signal.addEventListener('abort', stopped, { once: true })
    const unwatch = this.#watch(client, { over, refused })
    try {
      // A start that hangs is ended by the watchdog.
      await Promise.race([this.#run(client), over.promise])
      await over.promise
    } catch (error) {
      throw refused() ?? error
    } finally {
      this.#ended.signal.removeEventListener('abort', stopped)
      unwatch()
      dropped = true
      // At a stop the batches under way may end; a client that failed has lost them already.
      const inOrder = this.#ended.signal.aborted
      const until = performance.now() + (inOrder ? stopMs : dropMs)
      if (inOrder) await this.#finishBatches(client)
      else this.#held.revoke()
      await end(Math.max(dropMs, until - performance.now()))
      this.#held.revoke()
    }
  }

  async #run(client: Consumer): Promise<void> {
    await client.connect()
    await client.subscribe({ topics: this.#o.topics, fromBeginning: true })
    await client.run({
      autoCommit: false,
      eachBatchAutoResolve: false,
      // Order is kept by each partition's own turn.
      partitionsConsumedConcurrently: this.#c.partitions,
      eachBatch: (payload) => this.#held.take(payload),
    })
  }

  /** Takes no more batches, lets those in progress end, and commits how far they came. */
  async #finishBatches(client: Consumer): Promise<void> {
    try {
      client.pause(this.#o.topics.map((topic) => ({ topic })))
    } catch {
      // It never ran, so there are none.
    }
    await waitAtMost(this.#held.ended, stopMs)
    await this.#held.commit(client)
  }

  /** Watches the client's events; settles `over` when another client is needed. */
  #watch(
    client: Consumer,
    { over, refused }: { over: PromiseWithResolvers<void>; refused(): Error | null },
  ): () => void {
    const { silenceMs, sessionTimeoutMs } = this.#c
    const signs = createSignsOfLife({ group: this.#o.group, silenceMs, sessionTimeoutMs, dead: over.reject })
    const { GROUP_JOIN, HEARTBEAT, FETCH, REBALANCING, REQUEST_TIMEOUT, CRASH } = client.events
    client.on(REQUEST_TIMEOUT, () => signs.unanswered())
    client.on(HEARTBEAT, () => {
      this.#o.onAnswer?.()
      signs.beat()
    })
    client.on(FETCH, () => {
      this.#o.onAnswer?.()
      signs.answered()
      this.#began.resolve()
    })
    client.on(GROUP_JOIN, ({ payload }) => {
      this.#o.onAnswer?.()
      signs.joined()
      this.#joined(client, payload.memberAssignment)
    })
    client.on(REBALANCING, () => {
      signs.joins()
      this.#held.revoke()
    })
    client.on(CRASH, ({ payload }) => {
      signs.joins()
      this.#held.revoke()
      if (payload.restart && !refused()) this.#failed(payload.error)
      else over.reject(payload.error)
    })
    const look = createStandstillLook((topic) => this.#c.topics.boundsOfLed(topic))
    const looking = setInterval(async () => {
      const one = await look(this.#held.standings())
      if (one === null) return
      const { topic, partition, next } = one
      over.reject(new Error(`nobody reads partition ${partition} of ${topic} from ${next ?? 'its position'} on`))
    }, silenceMs / 2)
    const committing = setInterval(() => void this.#held.commit(client), commitEveryMs)
    over.promise.catch(() => undefined)
    return () => {
      signs.stop()
      clearInterval(looking)
      clearInterval(committing)
    }
  }

  #joined(client: Consumer, assignment: Record<string, number[]>): void {
    const settled = this.#held.assign(client, assignment)
    this.#recovered()
    if (this.#held.isEmpty) this.#began.resolve()
    void settled.then((isHeld) => {
      if (isHeld) this.assigned.resolve()
    })
  }

  #failed(error: unknown): void {
    if (this.#ended.signal.aborted) return
    const refused = refusalOf(error, `the group ${this.#o.group}`) ?? (isRefusal(error) ? error : null)
    if (refused) {
      this.#began.reject(refused)
      this.assigned.reject(refused)
    } else if (typeOf(error) === undefined) this.#began.resolve()
    const fields = { err: refused ?? error, group: this.#o.group }
    this.#throttle.wrong(() => this.#c.logger?.warn(fields, 'Kafka consumer failed, reconnecting'))
  }

  #recovered(): void {
    this.#throttle.over(() => this.#c.logger?.info({ group: this.#o.group }, 'Kafka consumer recovered'))
  }
}

function isRefusal(error: unknown): error is Error {
  return error instanceof LogRefused || (error instanceof Error && error.name === 'PartitionsDiffer')
}
