// Decides which of the found rows go into the log now (decision 22). Order is fair in the outbox and is lost in the log, so a burst of
// one tenant waits in the outbox while its partition lags. It must never hold back the first row of a key, nor for a reader that does
// not get on.
import { topicDefinitions } from '@wds/contracts/topics'
import { partitionOf } from '@wds/event-log/partition'
import type { EventLog, LogLogger } from '@wds/event-log/port'

export interface HoldBackOptions {
  log: Pick<EventLog, 'ends' | 'takenIn'>
  partitions: number
  logger: LogLogger
  /** Topic to the group that it must not run ahead of. Default: as in `contracts`. */
  pacedBy?: ReadonlyMap<string, string>
  /** Once aborted, a look that fails is nothing to speak of. */
  signal?: AbortSignal
  /** Monotonic clock, ms. */
  now?(): number
}

export interface HoldBack {
  /** True from an `admit` that left rows in the outbox on, until one is given fewer than `heldRows`, and all of them go. */
  readonly holds: boolean
  /**
   * Asks how far the readers are, where it matters and it was not asked just now. Never rejects, and nobody has to wait for it: a broker
   * that is slow to answer must not hold up the first rows of the others.
   */
  look(): Promise<void>
  /** Those that go now, in the given order; of a key the first ones. `rows`: of each key the first ones, in order. */
  admit<R extends { topic: string; key: string }>(rows: R[]): R[]
}

/** Rows to look at while some are held back: few of them go. */
export const heldRows = 64
/**
 * Records that may wait in a partition before only the first row of each key goes: as many as are taken in within some 20 ms. From
 * half of them on it is asked how far the reader is, at most every `lookMs`: a partition is filled with 640 records a second at most.
 */
export const room = { records: 64, lookFrom: 32, lookMs: 100 }
/** A reader that is behind and takes nothing in for so long is not waited for: longer than a killed member keeps its partitions. */
const standsStillMs = 15_000

const pacedTopics = new Map(topicDefinitions.flatMap(({ name, pacedBy }) => (pacedBy ? [[name, pacedBy]] : [])))

/** What is known of a partition. */
interface Place {
  /** Records that the reader has before it as of the last look, and those moved since; 0 where it is not waited for. */
  waiting: number
  /** Records moved, ever. */
  moved: number
  /** As of the last look. */
  isBehind: boolean
  taken: bigint | undefined
  /** Since when the reader is behind and at `taken`. */
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
          o.logger.warn({ err: error }, 'the log does not say how far its readers are: bursts are not held back')
        failed = true
        for (const [, places] of asked) places.clear()
      } finally {
        isLooking = false
      }
    },
    admit(rows) {
      const ranked = ranksOf(rows)
      const admitted = new Set<(typeof rows)[number]>()
      for (const { row, rank } of ranked.sort((a, b) => a.rank - b.rank)) {
        const places = topics.get(row.topic)
        if (places === undefined) {
          admitted.add(row)
          continue
        }
        const partition = partitionOf(row.key, o.partitions)
        const place = places.get(partition) ?? { waiting: 0, moved: 0, isBehind: false, taken: undefined, since: 0 }
        if (rank > 0 && place.waiting >= room.records) continue
        place.waiting += 1
        place.moved += 1
        places.set(partition, place)
        admitted.add(row)
      }
      const isHeld = admitted.size < rows.length
      // Where many go all the same, the next look is at a full batch.
      holds = admitted.size < 2 * heldRows && (isHeld || (holds && rows.length >= heldRows))
      return isHeld ? rows.filter((row) => admitted.has(row)) : rows
    },
  }
}

/** The how-manieth of its key in its topic each row is, from 0. */
function ranksOf<R extends { topic: string; key: string }>(rows: R[]): { row: R; rank: number }[] {
  const seen = new Map<string, number>()
  return rows.map((row) => {
    const queue = `${row.topic} ${row.key}`
    const rank = seen.get(queue) ?? 0
    seen.set(queue, rank + 1)
    return { row, rank }
  })
}
