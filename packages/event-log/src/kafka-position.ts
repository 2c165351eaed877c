// Where the reading of a partition goes on: finds the offset to start from, checks that the log still holds what the consumer knows, and
// tells of lost records and of a missing leader. It must never silently skip a record that was lost (stack.md 5).
import { Backoff } from '@wds/pacing/backoff'
import { wait } from '@wds/pacing/wait'
import type { EachBatchPayload } from 'kafkajs'
import { toRecord } from './kafka-records.ts'
import {
  behindRemovedMessage,
  lossByBounds,
  lossByEventId,
  lostRecordsMessage,
  type PartitionBounds,
} from './lost-records.ts'
import type { LogPlace } from './places.ts'
import type { LogLogger, LogRecord, LostRecords, Position, SubscribeOptions } from './port.ts'

export interface PositionContext {
  options: SubscribeOptions
  compacted: boolean
  /** First and last offset of the partition now; null while it has no leader. */
  bounds(): Promise<PartitionBounds | null>
  seek(offset: bigint): void
  /** Pauses and resumes the fetching of this partition. */
  pause(): void
  resume(): void
  /** Called with transient faults. */
  failed(error: unknown): void
  logger: LogLogger | undefined
}

const retryMs = { min: 10, max: 2_000 }
/** Intervals of the check while records seem lost; the first is short, since a broker that takes over may learn its end a moment late. */
const lookAgainMs = { first: 1_000, later: 2_000 }
/** Interval of the look for a leader, and the looks in vain after which a line says so: after a restart of a broker there is none for a moment. */
const leader = { lookMs: 500, toldAt: 4 }

export class ReadingPosition {
  readonly #place: LogPlace
  readonly #c: PositionContext
  readonly #revoked: AbortSignal
  readonly #settled = Promise.withResolvers<void>()
  #locating: Promise<void>
  /** Of the look for the position that counts: one that a later one follows ends, or there were more with every connection that is cut. */
  #looks = 0
  /** Offset of the next record; null until the position is known. */
  #next: bigint | null = null
  /** `#next` before it was looked for again. */
  #nextBefore: bigint | null = null
  /** Set while the record at the position is to be fetched again, to check that it is still the same event. */
  #verify: Position | null = null
  #replaced: { position: Position; reason: string } | null = null
  /** Where a reader from the end began; stays while it has no position. */
  #start: bigint | null = null
  #holeAt: bigint | null = null
  #loss: LostRecords | null = null
  #looksForLeader = 0
  #faults = 0

  /** `before`: of the same partition under an earlier assignment. `free`: resolves when its batch under way has ended; only then is looked. */
  constructor(
    place: LogPlace,
    context: PositionContext,
    o: { before: ReadingPosition | undefined; free: Promise<unknown>; revoked: AbortSignal },
  ) {
    this.#place = { topic: place.topic, partition: place.partition }
    this.#c = context
    this.#revoked = o.revoked
    this.#start = o.before ? o.before.#start : null
    this.#loss = o.before ? o.before.#loss : null
    this.#looksForLeader = o.before ? o.before.#looksForLeader : 0
    this.#locating = o.free.then(() => this.#locate())
    o.revoked.addEventListener('abort', () => this.#settled.resolve(), { once: true })
  }

  /** Resolves when reading began, or is stopped because of lost records, or the partition was revoked. */
  get settled(): Promise<void> {
    return this.#settled.promise
  }

  /** Resolves when the look under way has ended. */
  get locating(): Promise<void> {
    return this.#locating
  }

  /** Offset of the next record; null until it is known. */
  get next(): bigint | null {
    return this.#next
  }

  /** As `next`; while it is looked for again, what it was. */
  get lastNext(): bigint | null {
    return this.#next ?? this.#nextBefore
  }

  /** Offset after the last record that took effect; null when unknown, or when the record at the position was not compared yet. */
  get verified(): bigint | null {
    return this.#verify === null ? this.#next : null
  }

  get loss(): LostRecords | null {
    return this.#loss
  }

  /** Rises with every fault that is being retried. */
  get faults(): number {
    return this.#faults
  }

  /** Looks for the position again; until it is found nothing is expected. */
  relocate(): void {
    this.#nextBefore = this.#next ?? this.#nextBefore
    this.#next = null
    this.#verify = null
    this.#locating = this.#locate()
  }

  /** The record at `offset` took effect, and all before it. */
  passed(offset: bigint): void {
    this.#next = offset + 1n
  }

  /** The records of a batch; none when the batch does not start at the offset that was asked for. */
  expected({ batch, isStale }: EachBatchPayload): LogRecord[] {
    const next = this.#next
    if (next === null || isStale() || this.#revoked.aborted) return []
    const fetched = BigInt((batch as typeof batch & { fetchedOffset: string }).fetchedOffset)
    // kafkajs moved to another offset by itself: ours was out of range, or everything at it was compacted away. Checking the bounds again
    // distinguishes the two.
    const isHole = this.#c.compacted && fetched > next && this.#holeAt === next
    if (fetched !== next && !isHole) {
      this.#holeAt = next
      this.relocate()
      return []
    }
    const { topic, partition } = this.#place
    const records = batch.messages.map((message) => toRecord(topic, partition, message))
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
      this.relocate()
      return []
    }
    const reason = lossByEventId(known, first.eventId)
    if (reason !== null) {
      this.#replaced = { position: known, reason }
      this.relocate()
      return []
    }
    this.#goesOn()
    this.#next = known.offset + 1n
    if (rest.length === 0) this.#c.seek(this.#next)
    return rest
  }

  /** Reads position and bounds until reading can begin; the partition is paused while records are lost. */
  async #locate(): Promise<void> {
    const { topic, partition } = this.#place
    const backoff = new Backoff(retryMs)
    this.#looks += 1
    const mine = this.#looks
    for (let losses = 0; !this.#revoked.aborted && mine === this.#looks; ) {
      try {
        const position = await this.#c.options.positionOf(topic, partition)
        const bounds = await this.#c.bounds()
        if (mine !== this.#looks) return
        this.#noteLeader(bounds !== null)
        if (bounds === null) {
          this.#faults += 1
          await wait(leader.lookMs, this.#revoked)
          continue
        }
        const reason = position && this.#lossAt(position, bounds)
        if (!position || reason === null) return this.#begin(position, bounds)
        losses += 1
        this.#faults += 1
        if (losses > 1) this.#standStill(position, reason)
        await wait(losses > 1 ? lookAgainMs.later : lookAgainMs.first, this.#revoked)
      } catch (error) {
        this.#faults += 1
        const waitMs = backoff.next()
        if (backoff.count > 1) this.#c.failed(error)
        await wait(waitMs, this.#revoked)
      }
    }
  }

  #noteLeader(isLed: boolean): void {
    if (this.#revoked.aborted) return
    const isTold = this.#looksForLeader >= leader.toldAt
    this.#looksForLeader = isLed ? 0 : this.#looksForLeader + 1
    const fields = { group: this.#c.options.group, ...this.#place }
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
    if (this.#revoked.aborted) return
    if (position === null) {
      const { from, group } = this.#c.options
      if (this.#start === null && from !== 'end' && first > 0n && !this.#c.compacted)
        this.#c.logger?.warn({ group, ...this.#place, first: String(first) }, behindRemovedMessage)
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
    if (this.#loss) this.#c.logger?.info({ group: this.#c.options.group, ...this.#place }, 'partition resumed')
    this.#loss = null
  }

  #standStill(position: Position, reason: string): void {
    if (this.#revoked.aborted) return
    const fields = { group: this.#c.options.group, ...this.#place, position: String(position.offset), reason }
    if (this.#loss === null) this.#c.logger?.error(fields, lostRecordsMessage)
    this.#loss = { ...this.#place, position: position.offset, reason }
    this.#c.pause()
    this.#settled.resolve()
  }
}
