// One member of a consumer group on the log in Postgres: keeps its claims, polls for new records and runs one batch per partition at a
// time. It must never start work once it was stopped.

import { randomUUID } from 'node:crypto'
import type { EventEmitter } from 'node:events'
import { Backoff } from '@wds/pacing/backoff'
import { WakeSignal, wait } from '@wds/pacing/wait'
import type { Pool } from '@wds/postgres/pool'
import { LogThrottle } from '@wds/telemetry/log-throttle'
import { placeOf } from './places.ts'
import type { Batch, LogLogger, LogSubscription, LostRecords, SubscribeOptions } from './port.ts'
import { Assignment } from './postgres-assignment.ts'
import { type Member, makeClaims } from './postgres-claims.ts'
import { HeldPartition, type PartitionContext } from './postgres-partition.ts'
import { readEnds, readRecords } from './postgres-records.ts'
import type { ProcessLock } from './postgres-wakeup.ts'

export interface SubscriptionContext {
  pool: Pool
  partitions: number
  pollMs: { min: number; max: number }
  leaseMs: number
  compacted(topic: string): boolean
  arrivals: EventEmitter
  lock: ProcessLock
  logger: LogLogger | undefined
}

/** A process that hears announcements of new records rests so many times as long as the longest poll: only those whose announcement was lost wait for that. */
const restsWhileListening = 4

/** Records read per look: at most of one partition, about of all together, and at least of each. */
const batchRecords = { one: 500, all: 2_000, least: 50 }

export async function subscribeToPostgres(c: SubscriptionContext, o: SubscribeOptions): Promise<LogSubscription> {
  const member: Member = {
    group: o.group,
    memberId: o.memberId ?? randomUUID(),
    topics: o.topics,
    leaseMs: c.leaseMs,
  }
  await makeClaims(c.pool, member, c.partitions)
  const running = new Subscription(c, o, member)
  running.start()
  return {
    assignment: () => running.assignment(),
    lost: () => running.lost(),
    lookAgain: (place) => running.lookAgain(place),
    whenAssigned: () => running.assigned.promise,
    stop: () => running.stop(),
  }
}

class Subscription {
  readonly assigned = Promise.withResolvers<void>()
  readonly #c: SubscriptionContext
  readonly #o: SubscribeOptions
  readonly #held: Assignment
  readonly #ended = new AbortController()
  readonly #wake = new WakeSignal()
  /** Announcements so far. */
  #announced = 0
  #loops: Promise<unknown> = Promise.resolve()
  #stopping: Promise<void> | undefined
  readonly #throttle = new LogThrottle()

  constructor(c: SubscriptionContext, o: SubscribeOptions, member: Member) {
    this.#c = c
    this.#o = o
    const context: PartitionContext = {
      pool: c.pool,
      options: o,
      leaseMs: c.leaseMs,
      compacted: c.compacted,
      wake: this.#wake,
      renew: (one) => this.#held.renew([one]),
      failed: (error) => this.#failed(error),
      logger: c.logger,
    }
    this.#held = new Assignment({
      pool: c.pool,
      member,
      partitions: c.partitions,
      lock: c.lock,
      wake: this.#wake,
      hold: (claim, leaseUntil) => new HeldPartition(claim, leaseUntil, context),
    })
    this.assigned.promise.catch(() => undefined)
  }

  start(): void {
    for (const topic of this.#o.topics) this.#c.arrivals.on(topic, this.#raise)
    this.#loops = Promise.all([this.#keepClaims(), this.#poll()])
  }

  assignment(): { topic: string; partition: number }[] {
    return this.#held
      .all()
      .filter((held) => held.hasLease && !held.isReleasing)
      .map(({ claim }) => ({ topic: claim.topic, partition: claim.partition }))
  }

  lost(): LostRecords[] {
    return this.#held.all().flatMap((held) => held.loss ?? [])
  }

  lookAgain(place: { topic: string; partition: number }): void {
    this.#held.at(place)?.lookAgain()
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#end()
    return this.#stopping
  }

  async #end(): Promise<void> {
    this.#ended.abort()
    for (const topic of this.#o.topics) this.#c.arrivals.off(topic, this.#raise)
    this.#raise()
    this.assigned.reject(new Error('the subscription was stopped'))
    await this.#loops
    await this.#held.leave()
  }

  readonly #raise = (): void => {
    this.#announced += 1
    this.#wake.raise()
  }

  /** Three times per lease: heartbeat, renew, then take or release partitions until this member has its share. */
  async #keepClaims(): Promise<void> {
    while (!this.#ended.signal.aborted) {
      try {
        const complete = await this.#held.rebalance()
        this.#o.onAnswer?.()
        if (complete) this.assigned.resolve()
        this.#recovered()
        await wait(complete ? this.#c.leaseMs / 3 : Math.min(50, this.#c.leaseMs / 3), this.#ended.signal)
      } catch (error) {
        this.#failed(error)
        await wait(Math.min(500, this.#c.leaseMs / 5), this.#ended.signal)
      }
    }
  }

  /** Looks for new records when woken, every second besides (5 to 250 ms while announcements are not heard), and starts a batch for each partition that has some. */
  async #poll(): Promise<void> {
    const { pollMs, lock } = this.#c
    const poll = new Backoff(pollMs)
    while (!this.#ended.signal.aborted) {
      try {
        const lookedMs = performance.now()
        if (await this.#startWork()) poll.reset()
        const restMs = lock.isHeld ? restsWhileListening * pollMs.max : poll.next()
        const retryMs = Math.min(...this.#held.all().map((held) => held.retryInMs(lookedMs)))
        if (await this.#wake.wait(Math.min(restMs, retryMs), this.#ended.signal)) poll.reset()
      } catch (error) {
        this.#failed(error)
        await this.#wake.wait(this.#c.pollMs.max, this.#ended.signal)
        // A wake-up ends the wait at once, so yield to the event loop: a failing poll must not spin.
        await new Promise(setImmediate)
      }
    }
  }

  async #startWork(): Promise<boolean> {
    const idle = this.#held.all().filter((held) => held.isIdle)
    if (idle.length === 0) return false
    const lost = idle.filter((held) => held.position === null)
    if (lost.length > 0) {
      const ends = await readEnds(this.#c.pool, this.#o.topics)
      if (this.#ended.signal.aborted) return false
      for (const held of lost) held.locate(ends.get(placeOf(held.claim)) ?? -1n)
    }
    const announced = this.#announced
    const ready = idle.filter((held) => held.position !== null)
    const limit = Math.min(batchRecords.one, Math.max(batchRecords.least, Math.floor(batchRecords.all / ready.length)))
    const batches = await this.#read(ready, limit)
    if (this.#ended.signal.aborted) return false
    for (const [held, records] of batches) {
      held.deliver(records, () => records.length === limit || this.#announced > announced)
    }
    return lost.length > 0 || batches.size > 0
  }

  /** The next records of each partition that has some: one query for ordinary topics, one for compacted ones. */
  async #read(held: HeldPartition[], limit: number): Promise<Map<HeldPartition, Batch['records']>> {
    const found = new Map<HeldPartition, Batch['records']>()
    for (const compacted of [false, true]) {
      const wanted = held.flatMap(({ claim: { topic, partition }, position }) =>
        this.#c.compacted(topic) === compacted && position !== null ? { topic, partition, above: position } : [],
      )
      const records = await readRecords(this.#c.pool, wanted, { limit, compacted })
      const byPlace = Map.groupBy(records, placeOf)
      for (const one of held) {
        const own = byPlace.get(placeOf(one.claim))
        if (own) found.set(one, own)
      }
    }
    return found
  }

  #failed(error: unknown): void {
    if (this.#ended.signal.aborted) return
    const fields = { err: error, group: this.#o.group }
    this.#throttle.wrong(() => this.#c.logger?.warn(fields, 'log consumer failed, retrying'))
  }

  #recovered(): void {
    this.#throttle.over(() => this.#c.logger?.info({ group: this.#o.group }, 'log consumer recovered'))
  }
}
