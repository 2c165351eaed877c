// One member of a group on the log in Postgres: keeps its claims, looks for new records and hands them on, one batch per
// partition at a time. It must never start a batch on a partition whose lease it cannot be sure of.
import { randomUUID } from 'node:crypto'
import type { EventEmitter } from 'node:events'
import type { Pool } from '@wds/postgres/pool'
import { lostRecordsMessage } from './lost-records.ts'
import {
  type Batch,
  type LogLogger,
  type LogSubscription,
  type LostRecords,
  PartitionLost,
  type Position,
  type SubscribeOptions,
  showAfter,
} from './port.ts'
import {
  type Claim,
  leaveGroup,
  type Member,
  makeClaims,
  meetMembers,
  releaseClaims,
  renewClaims,
  takeClaims,
} from './postgres-claims.ts'
import { lossAt, readEnds, readRecords } from './postgres-records.ts'
import { wait } from './wait.ts'

export interface SubscriptionContext {
  pool: Pool
  partitions: number
  pollMs: { min: number; max: number }
  leaseMs: number
  compacted(topic: string): boolean
  arrivals: EventEmitter
  logger: LogLogger | undefined
}

/** A partition that this member holds. */
interface Held {
  claim: Claim
  lost: AbortController
  /** Monotonic instant until which the lease surely lasts. */
  sureUntil: number
  /** Null until the consumer was asked. */
  position: bigint | null
  /** The position that others know of. */
  shown: bigint
  /** Where to begin while the consumer has no position. */
  start: bigint | null
  /** The batch under way. */
  work: Promise<void> | null
  /** To be given back when the batch under way has ended. */
  leaving: boolean
  notBefore: number
  failures: number
  /** Why the partition stands still. */
  loss: LostRecords | null
}

/** Records of one partition at a time, and of all together, roughly. */
const batchRecords = { one: 500, all: 2_000, least: 50 }
const retryMs = { min: 5, max: 2000 }

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
  #loops: Promise<unknown> = Promise.resolve()
  #stopping: Promise<void> | undefined
  #wake: () => void = () => undefined
  #raised = false
  #unwell = false

  constructor(c: SubscriptionContext, o: SubscribeOptions, member: Member) {
    this.#c = c
    this.#o = o
    this.#member = member
    this.assigned.promise.catch(() => undefined)
  }

  start(): void {
    for (const topic of this.#o.topics) this.#c.arrivals.on(topic, this.#raise)
    this.#loops = Promise.all([this.#keepClaims(), this.#look()])
  }

  assignment(): { topic: string; partition: number }[] {
    return [...this.#held.values()]
      .filter((held) => this.#isSure(held) && !held.leaving)
      .map(({ claim }) => ({ topic: claim.topic, partition: claim.partition }))
  }

  lost(): LostRecords[] {
    return [...this.#held.values()].flatMap((held) => held.loss ?? [])
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

  readonly #raise = (): void => {
    this.#raised = true
    this.#wake()
  }

  #isSure(held: Held): boolean {
    return !held.lost.signal.aborted && performance.now() < held.sureUntil
  }

  /** Three times within each lease: say that we live, renew, take a fair share or give back what is above it. */
  async #keepClaims(): Promise<void> {
    while (!this.#ended.signal.aborted) {
      try {
        const complete = await this.#shareOut()
        this.#o.onAnswer?.()
        if (complete) this.assigned.resolve()
        this.#well()
        await wait(complete ? this.#c.leaseMs / 3 : Math.min(50, this.#c.leaseMs / 3), this.#ended.signal)
      } catch (error) {
        this.#failed(error)
        await wait(Math.min(500, this.#c.leaseMs / 5), this.#ended.signal)
      }
    }
  }

  /** True when this member holds exactly its share. */
  async #shareOut(): Promise<boolean> {
    await this.#renew([...this.#held.values()])
    const members = await meetMembers(this.#c.pool, this.#member)
    let complete = true
    for (const topic of this.#o.topics) {
      const share = shareOf(members.get(topic) ?? [], this.#member.memberId, this.#c.partitions)
      const mine = [...this.#held.values()].filter((held) => held.claim.topic === topic)
      for (const held of mine.slice(share)) held.leaving = true
      for (const held of mine.slice(0, share)) held.leaving = false
      await this.#giveBack(mine.filter((held) => held.leaving && held.work === null))
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
        sureUntil: from + this.#c.leaseMs,
        position: null,
        shown: -1n,
        start: null,
        work: null,
        leaving: false,
        notBefore: 0,
        failures: 0,
        loss: null,
      })
    }
    this.#raise()
  }

  async #renew(held: Held[]): Promise<void> {
    const from = performance.now()
    const shown = held.map(({ claim, position }) => ({ claim, position }))
    const kept = await renewClaims(this.#c.pool, this.#member, shown)
    for (const [nth, one] of held.entries()) one.shown = shown[nth]?.position ?? one.shown
    const places = new Set(kept.map((claim) => `${placeOf(claim)} ${claim.epoch}`))
    for (const one of held) {
      if (places.has(`${placeOf(one.claim)} ${one.claim.epoch}`)) one.sureUntil = from + this.#c.leaseMs
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

  /** Looks for new records, 5 to 250 ms apart, and starts a batch of each partition that has some. */
  async #look(): Promise<void> {
    let waitMs = this.#c.pollMs.min
    while (!this.#ended.signal.aborted) {
      try {
        const started = await this.#startWork()
        waitMs = started || this.#raised ? this.#c.pollMs.min : Math.min(waitMs * 2, this.#c.pollMs.max)
      } catch (error) {
        this.#failed(error)
        waitMs = this.#c.pollMs.max
      }
      await this.#wait(waitMs)
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
    for (const [held, records] of batches) this.#work(held, () => this.#handOn(held, records))
    return lost.length > 0 || batches.size > 0
  }

  #isIdle(held: Held): boolean {
    return held.work === null && !held.leaving && this.#isSure(held) && performance.now() >= held.notBefore
  }

  /** The next records of each partition that has some; one round trip for all of a kind of topic. */
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

  /** One piece of work on a partition at a time; a failure backs off and asks the position again. */
  #work(held: Held, work: () => Promise<void>): void {
    if (this.#ended.signal.aborted || !this.#isIdle(held)) return
    held.work = work()
      .catch((error: unknown) => {
        held.position = null
        held.failures += 1
        held.notBefore = performance.now() + Math.min(retryMs.min * 2 ** Math.min(held.failures, 12), retryMs.max)
        if (!held.lost.signal.aborted && held.failures > 1) this.#failed(error)
      })
      .finally(() => {
        held.work = null
        this.#raise()
      })
  }

  /** Where reading begins; `end`: of the partition. */
  async #locate(held: Held, end: bigint): Promise<void> {
    const { topic, partition } = held.claim
    // The first idea of the end stays, so that a batch that failed is not taken for old.
    held.start ??= this.#o.from === 'end' ? end : -1n
    const position = await this.#o.positionOf(topic, partition)
    if (position !== null && (await this.#hasLost(held, position, end))) return
    held.position = position?.offset ?? held.start
  }

  async #handOn(held: Held, records: Batch['records']): Promise<void> {
    await this.#o.onBatch(this.#batchOf(held, records))
    held.position = records.at(-1)?.offset ?? held.position
    held.failures = 0
    // A fault of it is not one of the batch, and the lease is renewed soon.
    if ((held.position ?? -1n) - held.shown >= showAfter) await this.#renew([held]).catch(() => undefined)
  }

  /** True when the log has not got what comes after the position: the partition stands still and is looked at again. */
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
        if (!this.#isSure(held) || held.sureUntil - performance.now() < this.#c.leaseMs / 2) await this.#renew([held])
        held.lost.signal.throwIfAborted()
      },
    }
  }

  #wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      if (this.#raised || this.#ended.signal.aborted) {
        this.#raised = false
        // A turn of the event loop at least, so that a failing look cannot spin.
        setImmediate(resolve)
        return
      }
      const done = (): void => {
        clearTimeout(timer)
        this.#raised = false
        this.#wake = () => undefined
        resolve()
      }
      const timer = setTimeout(done, ms)
      this.#wake = done
    })
  }

  #failed(error: unknown): void {
    if (this.#unwell || this.#ended.signal.aborted) return
    this.#unwell = true
    this.#c.logger?.warn({ err: error, group: this.#member.group }, 'the log does not get on, trying again')
  }

  #well(): void {
    if (this.#unwell) this.#c.logger?.info({ group: this.#member.group }, 'the log gets on again')
    this.#unwell = false
  }
}

/** Members sorted by id take floor(partitions / members) each, the first ones one more. */
export function shareOf(members: string[], memberId: string, partitions: number): number {
  const rank = members.indexOf(memberId)
  if (rank < 0) return 0
  return Math.floor(partitions / members.length) + (rank < partitions % members.length ? 1 : 0)
}

function placeOf(place: { topic: string; partition: number }): string {
  return `${place.topic}/${place.partition}`
}
