// One assigned partition: finds the offset to start from, checks that the log still holds what the consumer knows, and runs batches one
// at a time, in order. It must never resolve a record that did not take effect, nor silently skip a record that was lost (stack.md 5).
import { Backoff } from '@wds/pacing/backoff'
import { wait, waitAtMost } from '@wds/pacing/wait'
import type { EachBatchPayload } from 'kafkajs'
import { toRecord } from './kafka-records.ts'
import type { Standing } from './kafka-standstill.ts'
import {
  behindRemovedMessage,
  lossByBounds,
  lossByEventId,
  lostRecordsMessage,
  type PartitionBounds,
} from './lost-records.ts'
import {
  type Batch,
  type LogLogger,
  type LogRecord,
  type LostRecords,
  PartitionLost,
  type Position,
  type SubscribeOptions,
} from './port.ts'

export interface PartitionContext {
  options: SubscribeOptions
  compacted: boolean
  /** Interval of heartbeats while a batch is in progress, ms. */
  heartbeatMs: number
  /** First and last offset of the partition now; null while it has no leader. */
  bounds(): Promise<PartitionBounds | null>
  seek(offset: bigint): void
  /** Pauses and resumes the fetching of this partition. */
  pause(): void
  resume(): void
  /** Called when records took effect. */
  advanced(): void
  /** Called with transient faults. */
  failed(error: unknown): void
  logger: LogLogger | undefined
}

const batchRecords = 500
const retryMs = { min: 10, max: 2_000 }
/** Intervals of the check while records seem lost; the first is short, since a broker that takes over may learn its end a moment late. */
const lookAgainMs = { first: 1_000, later: 2_000 }
/** Interval of the look for a leader, and the looks in vain after which a line says so: after a restart of a broker there is none for a moment. */
const leader = { lookMs: 500, toldAt: 4 }
/** Longest wait for the answer to a heartbeat: one that kafkajs lost must not hold the partition's turn for ever. */
const heartbeatWaitMs = 10_000
/** Longest wait of a fetched batch for the position; then it is dropped and fetched again. */
const locateWaitMs = 1_000
/** How long kafkajs waits for a batch: until then it fetches nothing for any partition of the same broker. */
const fetchWaitsMs = 1_000

export class HeldPartition {
  readonly topic: string
  readonly partition: number
  readonly #c: PartitionContext
  readonly #lost = new AbortController()
  readonly #settled = Promise.withResolvers<void>()
  #locating: Promise<void>
  /** Of the look for the position that counts: one that a later one follows ends, or there were more with every connection that is cut. */
  #looks = 0
  /** Offset of the next record; null until the position is known. */
  #next: bigint | null = null
  /** Set while the record at the position is to be fetched again, to check that it is still the same event. */
  #verify: Position | null = null
  #replaced: { position: Position; reason: string } | null = null
  /** Where a reader from the end began; stays while it has no position. */
  #start: bigint | null = null
  #holeAt: bigint | null = null
  #loss: LostRecords | null = null
  #looksForLeader = 0
  readonly #backoff = new Backoff(retryMs)
  #turn: Promise<unknown>
  /** True while a batch takes effect, here or under the assignment before. */
  #isBusy: boolean
  /** Batches that took effect and faults that were met. */
  #moves = 0
  /** `#next` before it was looked for again. */
  #nextBefore: bigint | null = null

  /** `before`: the same partition under an earlier assignment; its batch under way ends first. */
  constructor(
    place: { topic: string; partition: number },
    context: PartitionContext,
    before: HeldPartition | undefined,
  ) {
    this.topic = place.topic
    this.partition = place.partition
    this.#c = context
    this.#start = before ? before.#start : null
    this.#loss = before ? before.#loss : null
    this.#looksForLeader = before ? before.#looksForLeader : 0
    this.#turn = before ? before.#turn : Promise.resolve()
    this.#isBusy = before !== undefined
    this.#locating = this.#turn.then(() => {
      this.#isBusy = false
      return this.#locate()
    })
  }

  /** Resolves when reading began, or is stopped because of lost records, or the partition was revoked. */
  get settled(): Promise<void> {
    return this.#settled.promise
  }

  get isHeld(): boolean {
    return !this.#lost.signal.aborted
  }

  get loss(): LostRecords | null {
    return this.#loss
  }

  /** Offset after the last record that took effect; null when unknown. */
  get next(): bigint | null {
    return this.#verify === null ? this.#next : null
  }

  /** Where it stands, to see whether it moves; null while a batch takes effect, while records are lost, and when it was revoked. */
  get standing(): Standing | null {
    const isLost = this.#loss !== null && this.#next === null
    if (!this.isHeld || this.#isBusy || isLost) return null
    return { topic: this.topic, partition: this.partition, next: this.#next ?? this.#nextBefore, moves: this.#moves }
  }

  /** Aborts the batch in progress: nothing more may take effect here. */
  revoke(): void {
    this.#lost.abort(new PartitionLost(`${this.topic}/${this.partition} is lost`))
    this.#settled.resolve()
  }

  /** Checks the position against the log again, after the batch in progress and before the next one. */
  verifyPosition(): void {
    if (!this.isHeld) return
    this.#turn = this.#turn.then(() => {
      if (this.isHeld) this.#relocate()
    })
  }

  /** Resolves when no batch is in progress any more. */
  get ended(): Promise<unknown> {
    return this.#turn
  }

  /**
   * Runs a fetched batch after the one before it. Rejects only with a failed heartbeat, which kafkajs has to know of. A batch that takes
   * long goes on by itself while the partition is paused, so that the others are read.
   */
  async take(payload: EachBatchPayload): Promise<void> {
    const turn = this.#turn.then(() => this.#take(payload))
    this.#turn = turn.catch(() => undefined)
    let isEnded = false
    const ended = turn.finally(() => {
      isEnded = true
    })
    await waitAtMost(ended, fetchWaitsMs)
    if (isEnded || !this.isHeld) return
    this.#c.pause()
    // A heartbeat that fails from now on meets kafkajs as well, which fetches on.
    void this.#turn.then(() => {
      // Else it is looked for, and resumed when it is found.
      if (this.isHeld && this.#next !== null) this.#c.resume()
    })
  }

  async #take(payload: EachBatchPayload): Promise<void> {
    let heartbeatFault: unknown = null
    const cut = new AbortController()
    const signal = AbortSignal.any([this.#lost.signal, cut.signal])
    const heartbeat = async (): Promise<void> => {
      try {
        await waitAtMost(payload.heartbeat(), heartbeatWaitMs, signal)
      } catch (error) {
        heartbeatFault = error
        cut.abort(new PartitionLost(`${this.topic}/${this.partition} is in doubt: a heartbeat failed`))
      }
      signal.throwIfAborted()
    }
    const heartbeats = setInterval(() => heartbeat().catch(() => undefined), this.#c.heartbeatMs)
    try {
      await waitAtMost(this.#locating, locateWaitMs, signal)
      const records = this.#expected(payload)
      for (let at = 0; at < records.length; at += batchRecords) {
        if (!payload.isRunning() || payload.isStale() || signal.aborted) break
        await this.#deliver(payload, { records: records.slice(at, at + batchRecords), signal, heartbeat })
      }
    } catch (error) {
      if (!signal.aborted) await this.#retryLater(error, signal)
    } finally {
      clearInterval(heartbeats)
    }
    if (heartbeatFault === null) return
    // kafkajs rejoins the group if it must; if it only reconnects, reading goes on from the position.
    if (this.isHeld) this.#relocate()
    throw heartbeatFault
  }

  /** The records of a batch; none when the batch does not start at the offset that was asked for. */
  #expected({ batch, isStale }: EachBatchPayload): LogRecord[] {
    const next = this.#next
    if (next === null || isStale() || !this.isHeld) return []
    const fetched = BigInt((batch as typeof batch & { fetchedOffset: string }).fetchedOffset)
    // kafkajs moved to another offset by itself: ours was out of range, or everything at it was compacted away. Checking the bounds again
    // distinguishes the two.
    const isHole = this.#c.compacted && fetched > next && this.#holeAt === next
    if (fetched !== next && !isHole) {
      this.#holeAt = next
      this.#relocate()
      return []
    }
    const records = batch.messages.map((message) => toRecord(this.topic, this.partition, message))
    return this.#verify === null ? records : this.#afterKnown(this.#verify, records)
  }

  /** Checks that the record at the position is the event that took effect, and returns the records after it. */
  #afterKnown(known: Position, records: LogRecord[]): LogRecord[] {
    const [first, ...rest] = records
    this.#verify = null
    if (first?.offset !== known.offset) {
      // Compacted away, or it vanished since the bounds were asked for.
      if (this.#c.compacted) {
        this.#goesOn()
        return records
      }
      this.#relocate()
      return []
    }
    const reason = lossByEventId(known, first.eventId)
    if (reason !== null) {
      this.#replaced = { position: known, reason }
      this.#relocate()
      return []
    }
    this.#goesOn()
    this.#next = known.offset + 1n
    if (rest.length === 0) this.#c.seek(this.#next)
    return rest
  }

  async #deliver(payload: EachBatchPayload, work: Pick<Batch, 'records' | 'signal' | 'heartbeat'>): Promise<void> {
    const { topic, partition } = this
    this.#isBusy = true
    try {
      await this.#c.options.onBatch({ topic, partition, ...work })
    } finally {
      this.#isBusy = false
    }
    const last = work.records.at(-1)
    if (last === undefined || work.signal.aborted) return
    this.#next = last.offset + 1n
    this.#moves += 1
    this.#backoff.reset()
    payload.resolveOffset(String(last.offset))
    this.#c.advanced()
  }

  async #retryLater(error: unknown, signal: AbortSignal): Promise<void> {
    this.#moves += 1
    const waitMs = this.#backoff.next()
    if (this.#backoff.count > 1) this.#c.failed(error)
    await wait(waitMs, signal)
    if (!signal.aborted) this.#relocate()
    await waitAtMost(this.#locating, locateWaitMs, signal)
  }

  #relocate(): void {
    this.#nextBefore = this.#next ?? this.#nextBefore
    this.#next = null
    this.#verify = null
    this.#locating = this.#locate()
  }

  /** Reads position and bounds until reading can begin; the partition is paused while records are lost. */
  async #locate(): Promise<void> {
    const { signal } = this.#lost
    const backoff = new Backoff(retryMs)
    this.#looks += 1
    const mine = this.#looks
    for (let losses = 0; !signal.aborted && mine === this.#looks; ) {
      try {
        const position = await this.#c.options.positionOf(this.topic, this.partition)
        const bounds = await this.#c.bounds()
        if (mine !== this.#looks) return
        this.#noteLeader(bounds !== null)
        if (bounds === null) {
          this.#moves += 1
          await wait(leader.lookMs, signal)
          continue
        }
        const reason = position && this.#lossAt(position, bounds)
        if (!position || reason === null) return this.#begin(position, bounds)
        losses += 1
        this.#moves += 1
        if (losses > 1) this.#standStill(position, reason)
        await wait(losses > 1 ? lookAgainMs.later : lookAgainMs.first, signal)
      } catch (error) {
        this.#moves += 1
        const waitMs = backoff.next()
        if (backoff.count > 1) this.#c.failed(error)
        await wait(waitMs, signal)
      }
    }
  }

  #noteLeader(isLed: boolean): void {
    if (!this.isHeld) return
    const isTold = this.#looksForLeader >= leader.toldAt
    this.#looksForLeader = isLed ? 0 : this.#looksForLeader + 1
    const fields = { group: this.#c.options.group, topic: this.topic, partition: this.partition }
    if (isLed && isTold) this.#c.logger?.info(fields, 'Kafka partition has a leader again')
    if (this.#looksForLeader === leader.toldAt)
      this.#c.logger?.warn(fields, 'Kafka partition has no leader and waits, the others are read')
  }

  #lossAt(position: Position, bounds: PartitionBounds): string | null {
    const known = this.#replaced
    if (known?.position.offset === position.offset && known.position.eventId === position.eventId) return known.reason
    return lossByBounds(position, bounds, this.#c.compacted)
  }

  #begin(position: Position | null, { first, end }: PartitionBounds): void {
    if (!this.isHeld) return
    const { topic, partition } = this
    if (position === null) {
      const { from, group } = this.#c.options
      if (this.#start === null && from !== 'end' && first > 0n && !this.#c.compacted)
        this.#c.logger?.warn({ group, topic, partition, first: String(first) }, behindRemovedMessage)
      this.#start ??= from === 'end' ? end + 1n : first
      // The log was recreated before any of its records took effect here.
      if (this.#start > end + 1n) this.#start = first
      this.#next = this.#start
    } else if (position.eventId !== null && position.offset >= first) {
      this.#next = position.offset
      this.#verify = position
    } else this.#next = position.offset + 1n > first ? position.offset + 1n : first
    this.#c.seek(this.#next)
    this.#c.resume()
    if (this.#verify === null) this.#goesOn()
    this.#settled.resolve()
  }

  /** The position was compared, as far as it can be: nothing is lost any more. */
  #goesOn(): void {
    const { topic, partition } = this
    if (this.#loss) this.#c.logger?.info({ group: this.#c.options.group, topic, partition }, 'partition resumed')
    this.#loss = null
  }

  #standStill(position: Position, reason: string): void {
    if (!this.isHeld) return
    const { topic, partition } = this
    const fields = { group: this.#c.options.group, topic, partition, position: String(position.offset), reason }
    if (this.#loss === null) this.#c.logger?.error(fields, lostRecordsMessage)
    this.#loss = { topic, partition, position: position.offset, reason }
    this.#c.pause()
    this.#settled.resolve()
  }
}
