// One member of a consumer group on the log in Postgres: holds partitions by claims with a lease, polls for new records and runs one
// batch per partition at a time. It must never start a batch on a partition whose lease may have ended.

import { randomUUID } from 'node:crypto'
import type { EventEmitter } from 'node:events'
import { Backoff } from '@wds/pacing/backoff'
import { WakeSignal, wait } from '@wds/pacing/wait'
import type { Pool } from '@wds/postgres/pool'
import { LogThrottle } from '@wds/telemetry/log-throttle'
import { lostRecordsMessage } from './lost-records.ts'
import { placeOf } from './places.ts'
import {
  type Batch,
  type LogLogger,
  type LogSubscription,
  type LostRecords,
  PartitionLost,
  type Position,
  reportPositionAfter,
  type SubscribeOptions,
} from './port.ts'
import {
  type Claim,
  leaveGroup,
  type Member,
  makeClaims,
  refreshMembership,
  releaseClaims,
  renewClaims,
  takeClaims,
} from './postgres-claims.ts'
import { lossAt, readEnds, readRecords } from './postgres-records.ts'
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

/** A partition that this member holds. */
interface Held {
  claim: Claim
  lost: AbortController
  /** Monotonic instant until which the lease is certain: counted from before the request that renewed it. */
  leaseUntil: number
  /** Offset of the last record that took effect; null: not yet read from the consumer, or to be read again. */
  position: bigint | null
  /** The position as last written to `log.claims`, where lag is read. */
  reported: bigint
  /** Where to start when the consumer has no position. */
  start: bigint | null
  /** The batch in progress. */
  work: Promise<void> | null
  /** Above this member's share: released when its batch in progress has ended. */
  isReleasing: boolean
  notBefore: number
  backoff: Backoff
  /** Set while the partition is stopped because records are lost. */
  loss: LostRecords | null
}

/** Records read per look: at most of one partition, about of all together, and at least of each. */
const batchRecords = { one: 500, all: 2_000, least: 50 }
const retryMs = { min: 10, max: 2000 }

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
  readonly #member: Member
  readonly #held = new Map<string, Held>()
  readonly #ended = new AbortController()
  readonly #wake = new WakeSignal()
  #loops: Promise<unknown> = Promise.resolve()
  #stopping: Promise<void> | undefined
  readonly #throttle = new LogThrottle()

  constructor(c: SubscriptionContext, o: SubscribeOptions, member: Member) {
    this.#c = c
    this.#o = o
    this.#member = member
    this.assigned.promise.catch(() => undefined)
  }

  start(): void {
    for (const topic of this.#o.topics) this.#c.arrivals.on(topic, this.#raise)
    this.#loops = Promise.all([this.#keepClaims(), this.#poll()])
  }

  assignment(): { topic: string; partition: number }[] {
    return [...this.#held.values()]
      .filter((held) => this.#hasLease(held) && !held.isReleasing)
      .map(({ claim }) => ({ topic: claim.topic, partition: claim.partition }))
  }

  lost(): LostRecords[] {
    return [...this.#held.values()].flatMap((held) => held.loss ?? [])
  }

  /** A batch in progress meets the position itself: its compare-and-set fails. */
  lookAgain(place: { topic: string; partition: number }): void {
    const held = this.#held.get(placeOf(place))
    if (held === undefined || held.work !== null) return
    held.position = null
    this.#raise()
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
    await Promise.all([...this.#held.values()].map((held) => held.work))
    const held = [...this.#held.values()]
    this.#held.clear()
    // When the database does not answer, the leases end by themselves.
    await releaseClaims(this.#c.pool, this.#member, held).catch(() => undefined)
    await leaveGroup(this.#c.pool, this.#member).catch(() => undefined)
  }

  readonly #raise = (): void => this.#wake.raise()

  #hasLease(held: Held): boolean {
    return !held.lost.signal.aborted && performance.now() < held.leaseUntil
  }

  /** Three times per lease: heartbeat, renew, then take or release partitions until this member has its share. */
  async #keepClaims(): Promise<void> {
    while (!this.#ended.signal.aborted) {
      try {
        const complete = await this.#rebalance()
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

  /** True when this member holds exactly its share. */
  async #rebalance(): Promise<boolean> {
    await this.#renew([...this.#held.values()])
    const members = await refreshMembership(this.#c.pool, this.#member, this.#c.lock)
    let complete = true
    for (const topic of this.#o.topics) {
      const share = shareOf(members.get(topic) ?? [], this.#member.memberId, this.#c.partitions)
      const mine = [...this.#held.values()].filter((held) => held.claim.topic === topic)
      for (const held of mine.slice(share)) held.isReleasing = true
      for (const held of mine.slice(0, share)) held.isReleasing = false
      await this.#giveBack(mine.filter((held) => held.isReleasing && held.work === null))
      if (mine.length < share) await this.#take(topic, share - mine.length)
      complete &&= [...this.#held.values()].filter((held) => held.claim.topic === topic).length === share
    }
    return complete
  }

  async #take(topic: string, most: number): Promise<void> {
    const from = performance.now()
    for (const claim of await takeClaims(this.#c.pool, this.#member, topic, most)) {
      this.#held.set(placeOf(claim), {
        claim,
        lost: new AbortController(),
        leaseUntil: from + this.#c.leaseMs,
        position: null,
        reported: -1n,
        start: null,
        work: null,
        isReleasing: false,
        notBefore: 0,
        backoff: new Backoff(retryMs),
        loss: null,
      })
    }
    this.#raise()
  }

  async #renew(held: Held[]): Promise<void> {
    const from = performance.now()
    const reported = held.map(({ claim, position }) => ({ claim, position }))
    const kept = await renewClaims(this.#c.pool, this.#member, reported)
    for (const [nth, one] of held.entries()) one.reported = reported[nth]?.position ?? one.reported
    const places = new Set(kept.map((claim) => `${placeOf(claim)} ${claim.epoch}`))
    for (const one of held) {
      if (places.has(`${placeOf(one.claim)} ${one.claim.epoch}`)) one.leaseUntil = from + this.#c.leaseMs
      else this.#drop(one)
    }
  }

  async #giveBack(held: Held[]): Promise<void> {
    for (const one of held) this.#drop(one)
    await releaseClaims(this.#c.pool, this.#member, held)
  }

  #drop(held: Held): void {
    held.lost.abort(new PartitionLost(`${placeOf(held.claim)} is lost`))
    if (this.#held.get(placeOf(held.claim)) === held) this.#held.delete(placeOf(held.claim))
  }

  /** Polls for new records every 5 to 250 ms, sooner when woken, and starts a batch for each partition that has some. */
  async #poll(): Promise<void> {
    const poll = new Backoff(this.#c.pollMs)
    while (!this.#ended.signal.aborted) {
      try {
        if (await this.#startWork()) poll.reset()
        if (await this.#wake.wait(poll.next(), this.#ended.signal)) poll.reset()
      } catch (error) {
        this.#failed(error)
        await this.#wake.wait(this.#c.pollMs.max, this.#ended.signal)
        // A wake-up ends the wait at once, so yield to the event loop: a failing poll must not spin.
        await new Promise(setImmediate)
      }
    }
  }

  async #startWork(): Promise<boolean> {
    const idle = [...this.#held.values()].filter((held) => this.#isIdle(held))
    if (idle.length === 0) return false
    const lost = idle.filter((held) => held.position === null)
    if (lost.length > 0) {
      const ends = await readEnds(this.#c.pool, this.#o.topics)
      for (const held of lost) this.#work(held, () => this.#locate(held, ends.get(placeOf(held.claim)) ?? -1n))
    }
    const batches = await this.#read(idle.filter((held) => held.position !== null))
    for (const [held, records] of batches) this.#work(held, () => this.#deliver(held, records))
    return lost.length > 0 || batches.size > 0
  }

  #isIdle(held: Held): boolean {
    return held.work === null && !held.isReleasing && this.#hasLease(held) && performance.now() >= held.notBefore
  }

  /** The next records of each partition that has some: one query for ordinary topics, one for compacted ones. */
  async #read(held: Held[]): Promise<Map<Held, Batch['records']>> {
    const found = new Map<Held, Batch['records']>()
    const limit = Math.min(batchRecords.one, Math.max(batchRecords.least, Math.floor(batchRecords.all / held.length)))
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

  /** Runs one piece of work per partition at a time. After a failure it backs off and reads the position again. */
  #work(held: Held, work: () => Promise<void>): void {
    if (this.#ended.signal.aborted || !this.#isIdle(held)) return
    held.work = work()
      .catch((error: unknown) => {
        held.position = null
        held.notBefore = performance.now() + held.backoff.next()
        if (!held.lost.signal.aborted && held.backoff.count > 1) this.#failed(error)
      })
      .finally(() => {
        held.work = null
        this.#raise()
      })
  }

  /** Finds the offset to start from. `end`: last offset of the partition. */
  async #locate(held: Held, end: bigint): Promise<void> {
    const { topic, partition } = held.claim
    // The end is taken once: else records that arrive while a first batch fails would be skipped as old.
    held.start ??= this.#o.from === 'end' ? end : -1n
    const position = await this.#o.positionOf(topic, partition)
    if (position !== null && (await this.#hasLost(held, position, end))) return
    held.position = position?.offset ?? held.start
  }

  async #deliver(held: Held, records: Batch['records']): Promise<void> {
    await this.#o.onBatch(this.#batchOf(held, records))
    held.position = records.at(-1)?.offset ?? held.position
    held.backoff.reset()
    // The batch took effect; when this renewal fails, the regular one follows soon.
    if ((held.position ?? -1n) - held.reported >= reportPositionAfter) await this.#renew([held]).catch(() => undefined)
  }

  /** True when the log lost the records after the position: the partition stops and is checked again every 2 s. */
  async #hasLost(held: Held, position: Position, end: bigint): Promise<boolean> {
    const { topic, partition } = held.claim
    const place = { topic, partition, compacted: this.#c.compacted(topic) }
    const reason = await lossAt(this.#c.pool, { ...place, position, end })
    const known = held.loss !== null
    held.loss = reason === null ? null : { topic, partition, position: position.offset, reason }
    if (reason === null) return false
    const fields = { group: this.#member.group, topic, partition, position: `${position.offset}`, reason }
    if (!known) this.#c.logger?.error(fields, lostRecordsMessage)
    held.notBefore = performance.now() + retryMs.max
    return true
  }

  #batchOf(held: Held, records: Batch['records']): Batch {
    const { topic, partition } = held.claim
    return {
      topic,
      partition,
      records,
      signal: held.lost.signal,
      heartbeat: async () => {
        if (!this.#hasLease(held) || held.leaseUntil - performance.now() < this.#c.leaseMs / 2)
          await this.#renew([held])
        held.lost.signal.throwIfAborted()
      },
    }
  }

  #failed(error: unknown): void {
    if (this.#ended.signal.aborted) return
    const fields = { err: error, group: this.#member.group }
    this.#throttle.wrong(() => this.#c.logger?.warn(fields, 'log consumer failed, retrying'))
  }

  #recovered(): void {
    this.#throttle.over(() => this.#c.logger?.info({ group: this.#member.group }, 'log consumer recovered'))
  }
}

/** Members sorted by id take floor(partitions / members) each, the first ones one more. */
export function shareOf(members: string[], memberId: string, partitions: number): number {
  const rank = members.indexOf(memberId)
  if (rank < 0) return 0
  return Math.floor(partitions / members.length) + (rank < partitions % members.length ? 1 : 0)
}
