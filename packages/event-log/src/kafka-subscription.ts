// One member of a group on Kafka: keeps a kafkajs consumer alive, builds another one when it went silent, and knows which
// partitions the member holds. It must never let a partition be worked on after a rebalance took it away (stack.md 5).
import type { Consumer, EachBatchPayload, Kafka } from 'kafkajs'
import { type KafkaConnection, openClient, refusalOf, typeOf } from './kafka-client.ts'
import { HeldPartition } from './kafka-partition.ts'
import type { KafkaTopics } from './kafka-topics.ts'
import {
  type LogLogger,
  LogRefused,
  type LogSubscription,
  type LostRecords,
  type SubscribeOptions,
  showAfter,
} from './port.ts'
import { wait, waitFor } from './wait.ts'

export interface KafkaSubscriptionContext {
  connection: KafkaConnection
  topics: KafkaTopics
  partitions: number
  sessionTimeoutMs: number
  silenceMs: number
  compacted(topic: string): boolean
  logger: LogLogger | undefined
}

/** A rebalance waits so long for a member's batch under way; above the longest one. */
const rebalanceTimeoutMs = 60_000
/** A fetch that finds nothing comes back after this; so long takes a stop. */
const fetchWaitMs = 250
/** Small, so that a batch is done well within a rebalance. A larger record comes alone. */
const fetchBytes = { partition: 256 * 1024, all: 4 * 1024 * 1024 }
const retry = { retries: 5, initialRetryTime: 100, maxRetryTime: 2_000 }
const buildAgainMs = { min: 100, max: 5_000 }
/** A start hears of a refusal within this; a fault that may pass does not hold it up, and the member goes on trying. */
const outcomeMs = 10_000
const showEveryMs = 1_000
/** For batches under way; above it they are cut off, which costs nothing but their repetition. */
const stopMs = 10_000
/** For a client that failed. */
const dropMs = 1_000
/** Requests without an answer, one after another, after which a connection counts as dead. */
const unansweredMax = 2

/** Rejects with `LogRefused` or `PartitionsDiffer` where the broker says no; a broker that is away is waited for. */
export async function subscribeToKafka(c: KafkaSubscriptionContext, o: SubscribeOptions): Promise<LogSubscription> {
  const member = new Member(c, o)
  member.start()
  try {
    await waitFor(member.outcome, outcomeMs)
  } catch (error) {
    await member.stop()
    throw error
  }
  return {
    assignment: () => member.assignment(),
    lost: () => member.lost(),
    whenAssigned: () => member.assigned.promise,
    stop: () => member.stop(),
  }
}

class Member {
  readonly assigned = Promise.withResolvers<void>()
  readonly #began = Promise.withResolvers<void>()
  readonly #c: KafkaSubscriptionContext
  readonly #o: SubscribeOptions
  readonly #beatMs: number
  readonly #held = new Map<string, HeldPartition>()
  readonly #ended = new AbortController()
  /** Offsets that the broker knows. */
  readonly #shown = new Map<string, bigint>()
  #living: Promise<void> = Promise.resolve()
  #isShowing = false
  #unwell = false

  constructor(c: KafkaSubscriptionContext, o: SubscribeOptions) {
    this.#c = c
    this.#o = o
    this.#beatMs = Math.min(1_000, Math.floor(c.sessionTimeoutMs / 3))
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
    this.#living = this.#live()
  }

  assignment(): { topic: string; partition: number }[] {
    return [...this.#held.values()].filter((one) => one.isHeld).map(({ topic, partition }) => ({ topic, partition }))
  }

  lost(): LostRecords[] {
    return [...this.#held.values()].flatMap((one) => one.loss ?? [])
  }

  async stop(): Promise<void> {
    this.#ended.abort()
    this.assigned.reject(new Error('the subscription was stopped'))
    await this.#living
  }

  /** One client after another. */
  async #live(): Promise<void> {
    let waitMs = buildAgainMs.min
    while (!this.#ended.signal.aborted) {
      const startedAt = performance.now()
      try {
        await this.#c.topics.ensure()
        await this.#liveOnce()
      } catch (error) {
        // The broker began anew: its topics are made before the next try.
        if (typeOf(error) === 'UNKNOWN_TOPIC_OR_PARTITION') this.#c.topics.forget()
        this.#failed(error)
      }
      if (performance.now() - startedAt > buildAgainMs.max) waitMs = buildAgainMs.min
      await wait(waitMs, this.#ended.signal)
      waitMs = Math.min(waitMs * 2, buildAgainMs.max)
    }
  }

  /** Resolves or rejects when the client is of no more use. */
  async #liveOnce(): Promise<void> {
    const { connection, sessionTimeoutMs } = this.#c
    let dropped = false
    const make = (kafka: Kafka): Consumer =>
      kafka.consumer({
        groupId: this.#o.group,
        sessionTimeout: sessionTimeoutMs,
        heartbeatInterval: this.#beatMs,
        rebalanceTimeout: rebalanceTimeoutMs,
        maxWaitTimeInMs: fetchWaitMs,
        maxBytesPerPartition: fetchBytes.partition,
        maxBytes: fetchBytes.all,
        allowAutoTopicCreation: false,
        // A client that was dropped must not come back by itself.
        retry: { ...retry, restartOnFailure: async () => !dropped },
      })
    const { client, end, refused } = openClient(connection, make, () => this.#doubt())
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
      if (inOrder) await this.#show(client)
      else this.#revoke()
      await end(inOrder ? stopMs : dropMs)
      this.#revoke()
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
      eachBatch: (payload) => this.#take(payload),
    })
  }

  async #take(payload: EachBatchPayload): Promise<void> {
    await this.#held.get(placeOf(payload.batch))?.take(payload)
  }

  /** Follows the client's life; what it says ends in `over` when another client is needed. */
  #watch(
    client: Consumer,
    { over, refused }: { over: PromiseWithResolvers<void>; refused(): Error | null },
  ): () => void {
    const { silenceMs, sessionTimeoutMs } = this.#c
    // Counted in ticks, so that a process that was stopped and goes on does not look like a silent client.
    const tickMs = Math.min(1_000, silenceMs / 4)
    let silentMs = 0
    let unanswered = 0
    // Whoever joins hears nothing until the session of a member that died has ended. To begin anew before that would leave
    // the next one to wait for, and so on for ever.
    let joining = true
    const alive = (): void => {
      silentMs = 0
      unanswered = 0
      this.#o.onAnswer?.()
    }
    const { GROUP_JOIN, HEARTBEAT, FETCH, REBALANCING, REQUEST_TIMEOUT, CRASH } = client.events
    // kafkajs asks again over the same connection, for ever.
    client.on(REQUEST_TIMEOUT, () => {
      unanswered += 1
      if (unanswered >= unansweredMax) over.reject(new Error('Kafka does not answer'))
    })
    client.on(HEARTBEAT, alive)
    client.on(FETCH, () => {
      alive()
      this.#began.resolve()
    })
    client.on(GROUP_JOIN, ({ payload }) => {
      alive()
      joining = false
      this.#assign(client, payload.memberAssignment)
    })
    client.on(REBALANCING, () => {
      joining = true
      this.#revoke()
    })
    client.on(CRASH, ({ payload }) => {
      joining = true
      this.#revoke()
      if (payload.restart && !refused()) this.#failed(payload.error)
      else over.reject(payload.error)
    })
    const watchdog = setInterval(() => {
      silentMs += tickMs
      if (silentMs < silenceMs + (joining ? sessionTimeoutMs : 0)) return
      over.reject(new Error(`the Kafka client of ${this.#o.group} gave no sign of life for ${silentMs} ms`))
    }, tickMs)
    const showing = setInterval(() => void this.#show(client), showEveryMs)
    over.promise.catch(() => undefined)
    return () => {
      clearInterval(watchdog)
      clearInterval(showing)
    }
  }

  #assign(client: Consumer, assignment: Record<string, number[]>): void {
    const before = new Map(this.#held)
    this.#revoke()
    this.#held.clear()
    for (const [topic, partitions] of Object.entries(assignment)) {
      const bounds = this.#boundsOf(topic)
      for (const partition of partitions) {
        const place = { topic, partition }
        const only = [{ topic, partitions: [partition] }]
        const context = {
          options: this.#o,
          compacted: this.#c.compacted(topic),
          beatMs: this.#beatMs,
          bounds: () => bounds(partition),
          seek: (offset: bigint) => client.seek({ ...place, offset: String(offset) }),
          pause: () => client.pause(only),
          resume: () => client.resume(only),
          advanced: () => void this.#showSoon(client),
          failed: (error: unknown) => this.#failed(error),
          logger: this.#c.logger,
        }
        this.#held.set(placeOf(place), new HeldPartition(place, context, before.get(placeOf(place))))
      }
    }
    this.#well()
    const all = [...this.#held.values()]
    if (all.length === 0) this.#began.resolve()
    void Promise.all(all.map((one) => one.settled)).then(() => {
      if (all.every((one) => one.isHeld)) this.assigned.resolve()
    })
  }

  /** One question to the broker serves all partitions that ask at the same time. */
  #boundsOf(topic: string): (partition: number) => Promise<{ first: bigint; end: bigint }> {
    let asked: ReturnType<KafkaTopics['bounds']> | undefined
    return async (partition) => {
      asked ??= this.#c.topics.bounds(topic).finally(() => {
        asked = undefined
      })
      const found = (await asked).get(partition)
      if (!found) throw new Error(`Kafka does not name partition ${partition} of ${topic}`)
      return found
    }
  }

  /**
   * A connection was cut: the broker may have been restarted and lost records, and still know this member, so that nobody joins
   * anew. Every position is compared once more before anything is read behind it.
   */
  #doubt(): void {
    for (const one of this.#held.values()) one.compareAgain()
  }

  #revoke(): void {
    for (const one of this.#held.values()) one.revoke()
  }

  /** Shows at once what is many records, one request at a time. */
  async #showSoon(client: Consumer): Promise<void> {
    const isMuch = () =>
      this.#moved().some((place) => place.next - (this.#shown.get(placeOf(place)) ?? 0n) >= showAfter)
    if (this.#isShowing) return
    this.#isShowing = true
    while (isMuch() && (await this.#show(client))) {}
    this.#isShowing = false
  }

  /** Partitions of which the broker knows less than this member. */
  #moved(): { topic: string; partition: number; next: bigint }[] {
    return [...this.#held.values()].flatMap(({ topic, partition, next, isHeld }) =>
      isHeld && next !== null && this.#shown.get(`${topic}/${partition}`) !== next ? { topic, partition, next } : [],
    )
  }

  /** Tells the broker how far the group is, for relays and the display of lag; false when it did not take that. */
  async #show(client: Consumer): Promise<boolean> {
    const moved = this.#moved()
    if (moved.length === 0) return true
    for (const { topic, partition, next } of moved) this.#shown.set(`${topic}/${partition}`, next)
    try {
      await client.commitOffsets(moved.map(({ next, ...place }) => ({ ...place, offset: String(next) })))
      return true
    } catch {
      for (const place of moved) this.#shown.delete(placeOf(place))
      return false
    }
  }

  #failed(error: unknown): void {
    if (this.#ended.signal.aborted) return
    const refused = refusalOf(error, `the group ${this.#o.group}`) ?? (isRefusal(error) ? error : null)
    if (refused) {
      this.#began.reject(refused)
      this.assigned.reject(refused)
    } else if (typeOf(error) === undefined) this.#began.resolve()
    if (this.#unwell) return
    this.#unwell = true
    this.#c.logger?.warn({ err: refused ?? error, group: this.#o.group }, 'the log does not get on, trying again')
  }

  #well(): void {
    if (this.#unwell) this.#c.logger?.info({ group: this.#o.group }, 'the log gets on again')
    this.#unwell = false
  }
}

function isRefusal(error: unknown): error is Error {
  return error instanceof LogRefused || (error instanceof Error && error.name === 'PartitionsDiffer')
}

function placeOf({ topic, partition }: { topic: string; partition: number }): string {
  return `${topic}/${partition}`
}
