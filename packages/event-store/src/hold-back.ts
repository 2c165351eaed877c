// Backpressure for the relay: decides which rows of the outbox are published now (decision 22). The outbox is fair between keys, the log
// is not, so a burst of one workspace waits in the outbox while the consumer group of its partition lags. It must never hold back the
// first row of a key, and never wait for a group that makes no progress.
import { topicDefinitions } from '@wds/contracts/topics'
import { partitionOf } from '@wds/event-log/partition'
import type { EventLog, LogLogger } from '@wds/event-log/port'

export interface HoldBackOptions {
  log: Pick<EventLog, 'ends' | 'takenIn'>
  partitions: number
  logger: LogLogger
  /** Topic to the consumer group whose lag counts. Default: as in `contracts`. */
  pacedBy?: ReadonlyMap<string, string>
  /** Once aborted, a failed lag query is not logged. */
  signal?: AbortSignal
  /** Monotonic clock, ms. */
  now?(): number
}

export interface HoldBack {
  /** True once `admit` left rows in the outbox, until it is given fewer than `heldRows` and admits all of them. */
  readonly holds: boolean
  /**
   * Reads the lag of the groups, at most every `room.lookMs` and only where it may matter. Never rejects, and the caller need not wait
   * for it: a broker that answers slowly must not delay other keys.
   */
  look(): Promise<void>
  /** The rows to publish now, in the given order; of each key the first ones. `rows`: the first ones of each key, in order. */
  admit<R extends { topic: string; key: string }>(rows: R[]): R[]
}

/** Rows to read in a pass while some are held back: few of them are published. */
export const heldRows = 64
/**
 * `records`: unprocessed records in a partition from which on a pass publishes only the first row of a key that bursts ({@link fewRows});
 * they take some 20 ms to process. `lookFrom`: from here on the lag is read, at most every `lookMs`, so one key fills a partition with 640 records a second.
 */
export const room = { records: 64, lookFrom: 32, lookMs: 100 }
/**
 * A key with no more rows than this in a pass is not a burst and is not held back: under ordinary full load groups lag by more than
 * `room`, too, and smaller batches would make that worse. While rows are held back a pass reads fewer of them.
 */
const fewRows = { atFirst: 32, whileHolding: 4 }
/** A group that lags without progress for so long is ignored. Longer than a killed member keeps its partitions. */
const standsStillMs = 15_000

const pacedTopics = new Map(topicDefinitions.flatMap(({ name, pacedBy }) => (pacedBy ? [[name, pacedBy]] : [])))

/** The lag of a partition, as far as it is known. */
interface Place {
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

export function createHoldBack(o: HoldBackOptions): HoldBack {
  const pacedBy: ReadonlyMap<string, string> = o.pacedBy ?? pacedTopics
  const now = o.now ?? (() => performance.now())
  const topics = new Map([...pacedBy.keys()].map((topic) => [topic, new Map<number, Place>()]))
  let lookedAt = Number.NEGATIVE_INFINITY
  let isLooking = false
  let holds = false
  let failed = false

  const lookAt = async (topic: string, places: Map<number, Place>): Promise<void> => {
    const movedBefore = new Map([...places].map(([partition, { moved }]) => [partition, moved]))
    const [taken, ends] = await Promise.all([o.log.takenIn(topic, pacedBy.get(topic) as string), o.log.ends(topic)])
    for (const [partition, place] of places) {
      const at = taken.get(partition)
      const behind = at === undefined ? 0 : Math.max(0, Number((ends.get(partition) ?? -1n) - at))
      const standsStill = place.isBehind && place.taken === at
      place.since = standsStill ? place.since : now()
      place.taken = at
      place.isBehind = behind > 0
      const isWaitedFor = now() - place.since < standsStillMs
      place.waiting = (isWaitedFor ? behind : 0) + place.moved - (movedBefore.get(partition) ?? 0)
    }
  }
  return {
    get holds() {
      return holds
    },
    async look() {
      const asked = [...topics].filter(([, places]) => [...places.values()].some((one) => one.waiting >= room.lookFrom))
      if (asked.length === 0 || now() - lookedAt < (isLooking ? standsStillMs : room.lookMs)) return
      // A log that does not answer at all holds nothing back.
      if (isLooking) for (const [, places] of asked) places.clear()
      lookedAt = now()
      isLooking = true
      try {
        await Promise.all(asked.map(([topic, places]) => lookAt(topic, places)))
        failed = false
      } catch (error) {
        if (!failed && !o.signal?.aborted)
          o.logger.warn({ err: error }, 'lag of consumer groups unknown, bursts are not held back')
        failed = true
        for (const [, places] of asked) places.clear()
      } finally {
        isLooking = false
      }
    },
    admit(rows) {
      const { ranked, size } = ranksOf(rows)
      const few = holds ? fewRows.whileHolding : fewRows.atFirst
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
      holds = admitted.size < 2 * heldRows && (isHeld || (holds && rows.length >= heldRows))
      return isHeld ? rows.filter((row) => admitted.has(row)) : rows
    },
  }
}

type Keyed = { topic: string; key: string }

/** The position of each row among those of its topic and key, from 0, and how many those are. */
function ranksOf<R extends Keyed>(rows: R[]): { ranked: { row: R; rank: number }[]; size(row: Keyed): number } {
  const seen = new Map<string, number>()
  const queueOf = (row: Keyed): string => `${row.topic} ${row.key}`
  const ranked = rows.map((row) => {
    const rank = seen.get(queueOf(row)) ?? 0
    seen.set(queueOf(row), rank + 1)
    return { row, rank }
  })
  return { ranked, size: (row) => seen.get(queueOf(row)) ?? 0 }
}
