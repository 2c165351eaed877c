// One partition while a member holds it: finds where to begin, checks that the log still is the one that the consumer knows,
// and hands batches on one at a time, in order. It must never resolve a record that did not take effect, nor skip one that
// is gone (stack.md 5).
import type { EachBatchPayload } from 'kafkajs'
import { toRecord } from './kafka-records.ts'
import { lossByBounds, lossByEventId, lostRecordsMessage, type PartitionBounds } from './lost-records.ts'
import {
  type Batch,
  type LogLogger,
  type LogRecord,
  type LostRecords,
  PartitionLost,
  type Position,
  type SubscribeOptions,
} from './port.ts'
import { wait, waitFor } from './wait.ts'

export interface PartitionContext {
  options: SubscribeOptions
  compacted: boolean
  /** How often a batch under way says that it lives, ms. */
  beatMs: number
  /** Where the partition begins and ends now. */
  bounds(): Promise<PartitionBounds>
  seek(offset: bigint): void
  /** Stops and starts the fetching of this partition. */
  pause(): void
  resume(): void
  /** Hears that records took effect. */
  advanced(): void
  /** Hears of faults that pass by themselves. */
  failed(error: unknown): void
  logger: LogLogger | undefined
}

const batchRecords = 500
const retryMs = { min: 5, max: 2_000 }
/** A partition that stands still is looked at so often. A broker that takes over may know its end a moment late. */
const lookAgainMs = { first: 1_000, later: 2_000 }
/** Longest wait of a batch for the position, after which it is fetched again. */
const patienceMs = 1_000

export class HeldPartition {
  readonly topic: string
  readonly partition: number
  readonly #c: PartitionContext
  readonly #lost = new AbortController()
  readonly #settled = Promise.withResolvers<void>()
  #locating: Promise<void>
  /** Offset of the next record; null until the position is known. */
  #next: bigint | null = null
  /** The record at the position is fetched once more, to see whether it is still the same. */
  #verify: Position | null = null
  #replaced: { position: Position; reason: string } | null = null
  /** Where a reader from the end began; stays while it has no position. */
  #start: bigint | null = null
  #holeAt: bigint | null = null
  #loss: LostRecords | null = null
  #failures = 0
  #turn: Promise<unknown>

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
    this.#turn = before ? before.#turn : Promise.resolve()
    this.#locating = this.#turn.then(() => this.#locate())
  }

  /** Resolves when reading began, or stands still, or the partition is lost. */
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

  /** Ends what is under way: nothing more may take effect here. */
  revoke(): void {
    this.#lost.abort(new PartitionLost(`${this.topic}/${this.partition} is lost`))
    this.#settled.resolve()
  }

  /** After the batch under way the position is compared with the log once more; nothing is taken before. */
  compareAgain(): void {
    if (!this.isHeld) return
    this.#turn = this.#turn.then(() => {
      if (this.isHeld) this.#relocate()
    })
  }

  /** Takes what was fetched, after what was fetched before. Rejects only with what kafkajs has to know. */
  take(payload: EachBatchPayload): Promise<void> {
    const turn = this.#turn.then(() => this.#take(payload))
    this.#turn = turn.catch(() => undefined)
    return turn
  }

  async #take(payload: EachBatchPayload): Promise<void> {
    let unheard: unknown = null
    const cut = new AbortController()
    const signal = AbortSignal.any([this.#lost.signal, cut.signal])
    const heartbeat = async (): Promise<void> => {
      try {
        await payload.heartbeat()
      } catch (error) {
        unheard = error
        cut.abort(new PartitionLost(`${this.topic}/${this.partition} is in doubt: a heartbeat failed`))
      }
      signal.throwIfAborted()
    }
    const beating = setInterval(() => heartbeat().catch(() => undefined), this.#c.beatMs)
    try {
      await waitFor(this.#locating, patienceMs, signal)
      const records = this.#expected(payload)
      for (let at = 0; at < records.length; at += batchRecords) {
        if (!payload.isRunning() || payload.isStale() || signal.aborted) break
        await this.#handOn(payload, { records: records.slice(at, at + batchRecords), signal, heartbeat })
      }
    } catch (error) {
      if (!signal.aborted) await this.#tryAgain(error, signal)
    } finally {
      clearInterval(beating)
    }
    if (unheard === null) return
    // kafkajs joins again where it must; where it only connects again, reading goes on from the position.
    if (this.isHeld) this.#relocate()
    throw unheard
  }

  /** The records of a batch that come next, none where the batch is not the one that was asked for. */
  #expected({ batch, isStale }: EachBatchPayload): LogRecord[] {
    const next = this.#next
    if (next === null || isStale() || !this.isHeld) return []
    const fetched = BigInt((batch as typeof batch & { fetchedOffset: string }).fetchedOffset)
    // kafkajs went elsewhere by itself: the offset was out of range, or everything at it is compacted away. A second look
    // at the bounds tells the two apart.
    const isHole = this.#c.compacted && fetched > next && this.#holeAt === next
    if (fetched !== next && !isHole) {
      this.#holeAt = next
      this.#relocate()
      return []
    }
    const records = batch.messages.map((message) => toRecord(this.topic, this.partition, message))
    return this.#verify === null ? records : this.#afterKnown(this.#verify, records)
  }

  /** Compares the record at the position with the one that took effect, and leaves it out. */
  #afterKnown(known: Position, records: LogRecord[]): LogRecord[] {
    const [first, ...rest] = records
    this.#verify = null
    if (first?.offset !== known.offset) {
      // Compacted away, or it vanished since the bounds were asked for.
      if (this.#c.compacted) return records
      this.#relocate()
      return []
    }
    const reason = lossByEventId(known, first.eventId)
    if (reason !== null) {
      this.#replaced = { position: known, reason }
      this.#relocate()
      return []
    }
    this.#next = known.offset + 1n
    if (rest.length === 0) this.#c.seek(this.#next)
    return rest
  }

  async #handOn(payload: EachBatchPayload, work: Pick<Batch, 'records' | 'signal' | 'heartbeat'>): Promise<void> {
    const { topic, partition } = this
    await this.#c.options.onBatch({ topic, partition, ...work })
    const last = work.records.at(-1)
    if (last === undefined || work.signal.aborted) return
    this.#next = last.offset + 1n
    this.#failures = 0
    payload.resolveOffset(String(last.offset))
    this.#c.advanced()
  }

  async #tryAgain(error: unknown, signal: AbortSignal): Promise<void> {
    this.#failures += 1
    if (this.#failures > 1) this.#c.failed(error)
    await wait(Math.min(retryMs.min * 2 ** Math.min(this.#failures, 12), retryMs.max), signal)
    if (!signal.aborted) this.#relocate()
    await waitFor(this.#locating, patienceMs, signal)
  }

  #relocate(): void {
    this.#next = null
    this.#verify = null
    this.#locating = this.#locate()
  }

  /** Asks the consumer and the broker until reading can begin; stands still meanwhile when records are lost. */
  async #locate(): Promise<void> {
    const { signal } = this.#lost
    for (let failures = 0, losses = 0; !signal.aborted; ) {
      try {
        const position = await this.#c.options.positionOf(this.topic, this.partition)
        const bounds = await this.#c.bounds()
        const reason = position && this.#lossAt(position, bounds)
        if (!position || reason === null) return this.#begin(position, bounds)
        losses += 1
        if (losses > 1) this.#standStill(position, reason)
        await wait(losses > 1 ? lookAgainMs.later : lookAgainMs.first, signal)
      } catch (error) {
        failures += 1
        if (failures > 1) this.#c.failed(error)
        await wait(Math.min(retryMs.min * 2 ** Math.min(failures, 12), retryMs.max), signal)
      }
    }
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
      this.#start ??= this.#c.options.from === 'end' ? end + 1n : first
      // The log began anew before anything of it took effect here.
      if (this.#start > end + 1n) this.#start = first
      this.#next = this.#start
    } else if (position.eventId !== null && position.offset >= first) {
      this.#next = position.offset
      this.#verify = position
    } else this.#next = position.offset + 1n > first ? position.offset + 1n : first
    this.#c.seek(this.#next)
    this.#c.resume()
    if (this.#loss) this.#c.logger?.info({ group: this.#c.options.group, topic, partition }, 'the partition goes on')
    this.#loss = null
    this.#settled.resolve()
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
