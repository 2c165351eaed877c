// Notices a partition that stands still while its member seems well: records wait behind its position, nobody reads them and nothing
// is tried. It is the last line of defence behind what is known of kafkajs; a fault that is being retried is none of its business.
import type { PartitionBounds } from './lost-records.ts'

/** A partition as a look sees it; see `HeldPartition.standing`. */
export interface Standing {
  topic: string
  partition: number
  /** Offset of the next record as last known; null until it was found. */
  next: bigint | null
  /** Rises with every batch that took effect, and with every fault that is being retried. */
  moves: number
}

/** Looks in a row that find a partition where it was before it counts as standing still. */
export const looksMax = 3

/**
 * Returns the look, which is to be taken at an even pace: it gives what stands still, or null. Counted in looks, so that a process
 * that was stopped and goes on is not told to stand still. A log that cannot be asked begins the count anew; a look during another sees nothing.
 */
export function createStandstillLook(
  bounds: (topic: string) => Promise<Map<number, PartitionBounds>>,
): (all: Standing[]) => Promise<Standing | null> {
  let seen = new Map<string, { moves: number; looks: number }>()
  let isLooking = false
  const look = async (all: Standing[]): Promise<Standing | null> => {
    const before = seen
    seen = new Map()
    const topics = new Set(all.filter(({ next }) => next !== null).map(({ topic }) => topic))
    let found: Map<string, Map<number, PartitionBounds>>
    try {
      found = new Map(await Promise.all([...topics].map(async (topic) => [topic, await bounds(topic)] as const)))
    } catch {
      return null
    }
    for (const one of all) {
      if (!waits(one.next, found.get(one.topic)?.get(one.partition))) continue
      const place = `${one.topic}/${one.partition}`
      const known = before.get(place)
      const looks = known?.moves === one.moves ? known.looks + 1 : 1
      if (looks >= looksMax) return one
      seen.set(place, { moves: one.moves, looks })
    }
    return null
  }
  return async (all) => {
    if (isLooking) return null
    isLooking = true
    return look(all).finally(() => {
      isLooking = false
    })
  }
}

/** True where a record is to be read, and where nobody knows because the position is not found. */
function waits(next: bigint | null, bounds: PartitionBounds | undefined): boolean {
  if (next === null) return true
  return bounds !== undefined && bounds.first <= bounds.end && next <= bounds.end
}
