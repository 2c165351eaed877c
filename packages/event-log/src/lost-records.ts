// Decides whether a log still holds what comes after a consumer's position. A log that began anew, was truncated or was
// restored from a backup looks healthy from outside; a consumer that trusted offsets alone would skip in silence.
import type { Position } from './port.ts'

/** What a log says of one partition. */
export interface PartitionBounds {
  /** Offset of the oldest record; `end` + 1 when there is none. */
  first: bigint
  /** Offset of the last record; -1n when there never was one. */
  end: bigint
}

/** Why a consumer cannot go on from its position, as the end of a sentence; null: it can, as far as offsets tell. */
export function lossByBounds(position: Position, bounds: PartitionBounds, compacted: boolean): string | null {
  if (position.offset < 0n) return null
  if (position.offset > bounds.end) {
    return `the log ends at offset ${bounds.end}, before the position: it began anew or lost its newest records`
  }
  if (!compacted && position.offset + 1n < bounds.first) {
    return `the oldest record has offset ${bounds.first}: the records from ${position.offset + 1n} on are gone`
  }
  return null
}

/** As above, from the event id that the log holds at the position's offset; null: no such record. */
export function lossByEventId(position: Position, found: string | null): string | null {
  if (position.eventId === null || found === null || position.eventId === found) return null
  return `another record (${found}) stands at the position: the log began anew or was truncated and went on`
}

/** What operators read in the log. */
export const lostRecordsMessage =
  'records are lost, the partition stands still: republish them from the producers, then let the consumer read again'

/** The same, where a producer finds it: consumers that had not read what is gone cannot know of it. */
export const regressedMessage = 'the log gives offsets once more: records that it acknowledged are lost, republish them'

/** A consumer that is new reads from here; one that only never had a record of the partition has missed some. */
export const behindRemovedMessage =
  'no record of the partition took effect yet, and its oldest ones are gone: republish them unless the consumer is new'
