// One partition that a member holds in Postgres: its lease, where reading goes on, and the batch in progress. It must never start a batch
// when its lease may have ended, nor silently skip a record that was lost.
import { Backoff } from '@wds/pacing/backoff'
import type { WakeSignal } from '@wds/pacing/wait'
import type { Pool } from '@wds/postgres/pool'
import { lostRecordsMessage } from './lost-records.ts'
import { placeOf } from './places.ts'
import {
  type Batch,
  type LogLogger,
  type LostRecords,
  PartitionLost,
  type Position,
  reportPositionAfter,
  type SubscribeOptions,
} from './port.ts'
import type { Claim, HeldClaim } from './postgres-claims.ts'
import { lossAt } from './postgres-records.ts'

/** What the partitions of a member have in common. */
export interface PartitionContext {
  pool: Pool
  options: SubscribeOptions
  leaseMs: number
  compacted(topic: string): boolean
  /** Raised when a partition may have more to read. */
  wake: WakeSignal
  /** Renews the lease of a partition and reports its position. */
  renew(one: HeldPartition): Promise<void>
  /** Called with transient faults. */
  failed(error: unknown): void
  logger: LogLogger | undefined
}

const retryMs = { min: 10, max: 2000 }

export class HeldPartition implements HeldClaim {
  readonly claim: Claim
  /** Above the member's share: given back when its batch in progress has ended. */
  isReleasing = false
  readonly #c: PartitionContext
  readonly #lost = new AbortController()
  /** Monotonic instant until which the lease is certain: counted from before the request that renewed it. */
  #leaseUntil: number
  /** Null: not yet read from the consumer, or to be read again. */
  #position: bigint | null = null
  /** The position as last written to `log.claims`, where lag is read. */
  #reported = -1n
  /** Where to start when the consumer has no position. */
  #start: bigint | null = null
  #work: Promise<void> | null = null
  #notBefore = 0
  readonly #backoff = new Backoff(retryMs)
  #loss: LostRecords | null = null

  constructor(claim: Claim, leaseUntil: number, context: PartitionContext) {
    this.claim = claim
    this.#leaseUntil = leaseUntil
    this.#c = context
  }

  /** Offset of the last record that took effect; null while it is unknown. */
  get position(): bigint | null {
    return this.#position
  }

  /** Set while the partition is stopped because records are lost. */
  get loss(): LostRecords | null {
    return this.#loss
  }

  /** The batch in progress, or the look for the position; null: none. Never rejects. */
  get work(): Promise<void> | null {
    return this.#work
  }

  get hasLease(): boolean {
    return !this.#lost.signal.aborted && performance.now() < this.#leaseUntil
  }

  /** True when work may start. */
  get isIdle(): boolean {
    return this.#work === null && !this.isReleasing && this.hasLease && performance.now() >= this.#notBefore
  }

  /** Until it may be tried again behind a failure, ms; infinite when it need not wait for that. `lookedMs`: when the last look began, monotonic. */
  retryInMs(lookedMs: number): number {
    // What ended its wait since then was not looked at.
    if (this.#work !== null || this.#notBefore <= lookedMs) return Number.POSITIVE_INFINITY
    return Math.max(0, this.#notBefore - performance.now())
  }

  /** The lease is certain until `leaseUntil`, and `reported` is the position that was written with it. */
  renewed(leaseUntil: number, reported: bigint | null): void {
    this.#leaseUntil = leaseUntil
    this.#reported = reported ?? this.#reported
  }

  /** Aborts the batch in progress: nothing more may take effect here. */
  revoke(): void {
    this.#lost.abort(new PartitionLost(`${placeOf(this.claim)} is lost`))
  }

  /** Has the position asked again. A batch in progress meets it itself: its compare-and-set fails. */
  lookAgain(): void {
    if (this.#work !== null) return
    this.#position = null
    this.#c.wake.raise()
  }

  /** Starts the look for the offset to read from. `end`: last offset of the partition. */
  locate(end: bigint): void {
    this.#run(() => this.#locate(end))
  }

  /** Starts a batch of the records that follow the position. `mayHaveMore`: asked at its end, whether to look again at once. */
  deliver(records: Batch['records'], mayHaveMore: () => boolean): void {
    this.#run(() => this.#deliver(records), mayHaveMore)
  }

  /** Runs one piece of work at a time. After a failure it backs off and reads the position again. */
  #run(work: () => Promise<void>, mayHaveMore = () => true): void {
    if (!this.isIdle) return
    const retry = (error: unknown): boolean => {
      this.#position = null
      this.#notBefore = performance.now() + this.#backoff.next()
      if (!this.#lost.signal.aborted && this.#backoff.count > 1) this.#c.failed(error)
      return true
    }
    this.#work = work()
      .then(mayHaveMore, retry)
      .then((looksAgain) => {
        this.#work = null
        if (looksAgain) this.#c.wake.raise()
      })
  }

  async #locate(end: bigint): Promise<void> {
    const { topic, partition } = this.claim
    // The end is taken once: else records that arrive while a first batch fails would be skipped as old.
    this.#start ??= this.#c.options.from === 'end' ? end : -1n
    const position = await this.#c.options.positionOf(topic, partition)
    if (position !== null && (await this.#hasLost(position, end))) return
    this.#position = position?.offset ?? this.#start
  }

  async #deliver(records: Batch['records']): Promise<void> {
    await this.#c.options.onBatch(this.#batchOf(records))
    this.#position = records.at(-1)?.offset ?? this.#position
    this.#backoff.reset()
    // The batch took effect; when this renewal fails, the regular one follows soon.
    if ((this.#position ?? -1n) - this.#reported >= reportPositionAfter)
      await this.#c.renew(this).catch(() => undefined)
  }

  /** True when the log lost the records after the position: the partition stops and is checked again every 2 s. */
  async #hasLost(position: Position, end: bigint): Promise<boolean> {
    const { topic, partition } = this.claim
    const place = { topic, partition, compacted: this.#c.compacted(topic) }
    const reason = await lossAt(this.#c.pool, { ...place, position, end })
    const known = this.#loss !== null
    this.#loss = reason === null ? null : { topic, partition, position: position.offset, reason }
    if (reason === null) return false
    const fields = { group: this.#c.options.group, topic, partition, position: `${position.offset}`, reason }
    if (!known) this.#c.logger?.error(fields, lostRecordsMessage)
    this.#notBefore = performance.now() + retryMs.max
    return true
  }

  #batchOf(records: Batch['records']): Batch {
    const { topic, partition } = this.claim
    return {
      topic,
      partition,
      records,
      signal: this.#lost.signal,
      heartbeat: async () => {
        if (!this.hasLease || this.#leaseUntil - performance.now() < this.#c.leaseMs / 2) await this.#c.renew(this)
        this.#lost.signal.throwIfAborted()
      },
    }
  }
}
