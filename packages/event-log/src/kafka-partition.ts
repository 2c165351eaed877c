// One assigned partition: runs its batches one at a time, in order, and keeps its member alive meanwhile. It must never resolve a record
// that did not take effect, nor go on in a batch after a heartbeat failed (stack.md 5).
import { Backoff } from '@wds/pacing/backoff'
import { wait, waitAtMost } from '@wds/pacing/wait'
import type { EachBatchPayload } from 'kafkajs'
import { type PositionContext, ReadingPosition } from './kafka-position.ts'
import type { Standing } from './kafka-standstill.ts'
import type { LogPlace } from './places.ts'
import { type Batch, type LostRecords, PartitionLost } from './port.ts'

export interface PartitionContext extends PositionContext {
  /** Interval of heartbeats while a batch is in progress, ms. */
  heartbeatMs: number
  /** Called when records took effect. */
  advanced(): void
}

const batchRecords = 500
const retryMs = { min: 10, max: 2_000 }
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
  readonly #position: ReadingPosition
  readonly #backoff = new Backoff(retryMs)
  #turn: Promise<unknown>
  /** True while a batch takes effect, here or under the assignment before. */
  #isBusy: boolean
  /** Batches that took effect, and that failed. */
  #batches = 0

  /** `before`: the same partition under an earlier assignment; its batch under way ends first. */
  constructor(place: LogPlace, context: PartitionContext, before: HeldPartition | undefined) {
    this.topic = place.topic
    this.partition = place.partition
    this.#c = context
    this.#turn = before ? before.#turn : Promise.resolve()
    this.#isBusy = before !== undefined
    void this.#turn.then(() => {
      this.#isBusy = false
    })
    this.#position = new ReadingPosition(place, context, {
      before: before ? before.#position : undefined,
      free: this.#turn,
      revoked: this.#lost.signal,
    })
  }

  /** Resolves when reading began, or is stopped because of lost records, or the partition was revoked. */
  get settled(): Promise<void> {
    return this.#position.settled
  }

  get isHeld(): boolean {
    return !this.#lost.signal.aborted
  }

  get loss(): LostRecords | null {
    return this.#position.loss
  }

  /** Offset after the last record that took effect; null when unknown. */
  get next(): bigint | null {
    return this.#position.verified
  }

  /** Where it stands, to see whether it moves; null while a batch takes effect, while records are lost, and when it was revoked. */
  get standing(): Standing | null {
    const { loss, next, lastNext, faults } = this.#position
    if (!this.isHeld || this.#isBusy || (loss !== null && next === null)) return null
    return { topic: this.topic, partition: this.partition, next: lastNext, moves: this.#batches + faults }
  }

  /** Aborts the batch in progress: nothing more may take effect here. */
  revoke(): void {
    this.#lost.abort(new PartitionLost(`${this.topic}/${this.partition} is lost`))
  }

  /** Checks the position against the log again, after the batch in progress and before the next one. */
  verifyPosition(): void {
    if (!this.isHeld) return
    this.#turn = this.#turn.then(() => {
      if (this.isHeld) this.#position.relocate()
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
      if (this.isHeld && this.#position.next !== null) this.#c.resume()
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
      await waitAtMost(this.#position.locating, locateWaitMs, signal)
      const records = this.#position.expected(payload)
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
    if (this.isHeld) this.#position.relocate()
    throw heartbeatFault
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
    this.#position.passed(last.offset)
    this.#batches += 1
    this.#backoff.reset()
    payload.resolveOffset(String(last.offset))
    this.#c.advanced()
  }

  async #retryLater(error: unknown, signal: AbortSignal): Promise<void> {
    this.#batches += 1
    const waitMs = this.#backoff.next()
    if (this.#backoff.count > 1) this.#c.failed(error)
    await wait(waitMs, signal)
    if (!signal.aborted) this.#position.relocate()
    await waitAtMost(this.#position.locating, locateWaitMs, signal)
  }
}
