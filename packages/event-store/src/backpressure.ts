// Backpressure of the relay: decides which rows of the outbox are published now (decision 22). The outbox is fair between keys, the log
// is not; so while the consumer group of a partition lags, a burst of one workspace is held back in the outbox. It must never hold back
// the first row of a key, and never wait for a group that makes no progress.

import { topicDefinitions } from '@wds/contracts/topics'
import { partitionOf } from '@wds/event-log/partition'
import type { EventLog, LogLogger } from '@wds/event-log/port'
import { type Clock, systemClock } from '@wds/pacing/clock'
import { LogThrottle } from '@wds/telemetry/log-throttle'

export interface BackpressureOptions {
  log: Pick<EventLog, 'ends' | 'committedOffsets'>
  partitions: number
  logger: LogLogger
  /** Topic to the consumer group whose lag counts. Default: as in `contracts`. */
  pacedBy?: ReadonlyMap<string, string>
  /** Once aborted, a failed lag query is not logged. */
  signal?: AbortSignal
  clock?: Clock
}

export interface Backpressure {
  /** True while rows are held back: from the first row that `admit` left out until it admits all of fewer than `rowsWhileActive`. */
  readonly isActive: boolean
  /**
   * Reads the lag of the groups, at most every `room.readEveryMs` and only where it may matter. Never rejects, and the caller need not wait
   * for it: a broker that answers slowly must not delay other keys.
   */
  readLag(): Promise<void>
  /** The rows to publish now, in the given order; of each key the first ones. `rows`: the first ones of each key, in order. */
  admit<R extends { topic: string; key: string }>(rows: R[]): R[]
}

/** Rows per batch under backpressure: few of them are published. */
export const rowsWhileActive = 64
/**
 * `records`: unprocessed records in a partition from which on a pass publishes only the first row of a key that bursts ({@link fewRows});
 * they take some 20 ms to process. `readFrom`: from here on the lag is read, at most every `readEveryMs`, so one key fills a partition with 640 records a second.
 */
export const room = { records: 64, readFrom: 32, readEveryMs: 100 }
/**
 * A key with no more rows than this in a pass is not a burst and is not held back: under ordinary full load groups lag by more than
 * `room`, too, and smaller batches would make that worse. Under backpressure a pass reads fewer rows, so fewer are a burst.
 */
const fewRows = { atFirst: 32, whileActive: 4 }
/** A group that lags without progress for so long is ignored. Longer than a killed member keeps its partitions. */
const standsStillMs = 15_000

const pacedTopics = new Map(topicDefinitions.flatMap(({ name, pacedBy }) => (pacedBy ? [[name, pacedBy]] : [])))

/** The lag of a partition, as far as it is known. */
interface PartitionLag {
  /** Unprocessed records when the lag was last read, and those published since; 0 where the group is ignored. */
  waiting: number
  /** Records published by this relay so far. */
  moved: number
  /** When the lag was last read. */
  isBehind: boolean
  taken: bigint | undefined
  /** Since when the group lags at `taken`, on the monotonic clock. */
  since: number
}

export function createBackpressure(o: BackpressureOptions): Backpressure {
  const pacedBy: ReadonlyMap<string, string> = o.pacedBy ?? pacedTopics
  const { nowMs } = o.clock ?? systemClock
  const topics = new Map([...pacedBy.keys()].map((topic) => [topic, new Map<number, PartitionLag>()]))
  let lastReadMs = Number.NEGATIVE_INFINITY
  let isReading = false
  let isActive = false
  const throttle = new LogThrottle()

  const readLagOf = async (topic: string, places: Map<number, PartitionLag>): Promise<void> => {
    const movedBefore = new Map([...places].map(([partition, { moved }]) => [partition, moved]))
    const [taken, ends] = await Promise.all([
      o.log.committedOffsets(topic, pacedBy.get(topic) as string),
      o.log.ends(topic, { isPartial: true }),
    ])
    for (const [partition, place] of places) {
      const at = taken.get(partition)
      const behind = at === undefined ? 0 : Math.max(0, Number((ends.get(partition) ?? -1n) - at))
      const standsStill = place.isBehind && place.taken === at
      place.since = standsStill ? place.since : nowMs()
      place.taken = at
      place.isBehind = behind > 0
      const isWaitedFor = nowMs() - place.since < standsStillMs
      place.waiting = (isWaitedFor ? behind : 0) + place.moved - (movedBefore.get(partition) ?? 0)
    }
  }
  return {
    get isActive() {
      return isActive
    },
    async readLag() {
      const asked = [...topics].filter(([, places]) => [...places.values()].some((one) => one.waiting >= room.readFrom))
      if (asked.length === 0 || nowMs() - lastReadMs < (isReading ? standsStillMs : room.readEveryMs)) return
      // A log that does not answer at all holds nothing back.
      if (isReading) for (const [, places] of asked) places.clear()
      lastReadMs = nowMs()
      isReading = true
      try {
        await Promise.all(asked.map(([topic, places]) => readLagOf(topic, places)))
        throttle.over()
      } catch (error) {
        if (!o.signal?.aborted)
          throttle.wrong(() =>
            o.logger.warn({ err: error }, 'lag of consumer groups unknown, bursts are not held back'),
          )
        for (const [, places] of asked) places.clear()
      } finally {
        isReading = false
      }
    },
    admit(rows) {
      const { ranked, size } = ranksOf(rows)
      const few = isActive ? fewRows.whileActive : fewRows.atFirst
      const admitted = new Set<(typeof rows)[number]>()
      for (const { row, rank } of ranked.sort((a, b) => a.rank - b.rank)) {
        const places = topics.get(row.topic)
        if (places === undefined) {
          admitted.add(row)
          continue
        }
        const partition = partitionOf(row.key, o.partitions)
        const place = places.get(partition) ?? { waiting: 0, moved: 0, isBehind: false, taken: undefined, since: 0 }
        if (rank > 0 && place.waiting >= room.records && size(row) > few) continue
        place.waiting += 1
        place.moved += 1
        places.set(partition, place)
        admitted.add(row)
      }
      const isHeld = admitted.size < rows.length
      // Where many rows are published all the same, the next pass reads a full batch.
      isActive = admitted.size < 2 * rowsWhileActive && (isHeld || (isActive && rows.length >= rowsWhileActive))
      return isHeld ? rows.filter((row) => admitted.has(row)) : rows
    },
  }
}

type Keyed = { topic: string; key: string }

/** What keeps its order: the rows of a key in a topic. */
export function queueOf({ topic, key }: Keyed): string {
  return `${topic} ${key}`
}

/** The position of each row among those of its topic and key, from 0, and how many those are. */
function ranksOf<R extends Keyed>(rows: R[]): { ranked: { row: R; rank: number }[]; size(row: Keyed): number } {
  const seen = new Map<string, number>()
  const ranked = rows.map((row) => {
    const rank = seen.get(queueOf(row)) ?? 0
    seen.set(queueOf(row), rank + 1)
    return { row, rank }
  })
  return { ranked, size: (row) => seen.get(queueOf(row)) ?? 0 }
}
