// The port of the event log, kept by the Postgres and the Kafka adapter alike (architecture.md 7). It decides what
// services may rely on: order by key, at least once, positions in the consumer's own database. It must never show which
// broker is behind it.
import type { Queryable } from '@wds/postgres/pool'

/** A record as a consumer reads it. Offsets rise within (topic, partition); they start at 0. */
export interface LogRecord {
  topic: string
  partition: number
  offset: bigint
  key: string
  eventId: string
  headers: Record<string, string>
  /** The exact bytes that were published; null: the key of a compacted topic was removed. */
  payload: Uint8Array | null
}

/** A record to be published. The adapter computes the partition from the key. */
export interface NewLogRecord {
  topic: string
  key: string
  /** Unique in the whole log; its time decides the day it is kept under. */
  eventId: string
  headers: Record<string, string>
  payload: Uint8Array | null
}

/** Where a consumer is: the last record that took effect. */
export interface Position {
  /** -1n: before the oldest record that the log still holds. */
  offset: bigint
  /** Of the record at the offset. By it a log that lost or replaced records is recognised; null: cannot be compared. */
  eventId: string | null
}

/** Records of one partition in the order of their offsets, never empty. */
export interface Batch {
  topic: string
  partition: number
  records: LogRecord[]
  /** Aborted when the partition is lost to another member: stop, commit nothing more. */
  signal: AbortSignal
  /** Call at least every 2 s in long work; throws when the partition is lost. */
  heartbeat(): Promise<void>
}

export interface SubscribeOptions {
  /** The members of a group share the partitions of its topics. */
  group: string
  topics: string[]
  /** Default: a random one. */
  memberId?: string
  /** From the consumer's own database; null: nothing took effect yet. */
  positionOf(topic: string, partition: number): Promise<Position | null>
  /** Where to start when `positionOf` gives null. Default `beginning`. */
  from?: 'beginning' | 'end'
  /** The log answered this member, an empty answer included. */
  onAnswer?(): void
  /** Resolves when the batch took effect. When it throws, the position is asked again and reading goes on from there. */
  onBatch(batch: Batch): Promise<void>
}

/** A partition on which a group is stopped, since the log lost the records after the group's position. */
export interface LostRecords {
  topic: string
  partition: number
  position: bigint
  /** What was found instead, as the end of a sentence. */
  reason: string
}

export interface LogSubscription {
  assignment(): { topic: string; partition: number }[]
  /** Partitions of this member that are stopped because records are lost; nothing is skipped (README, 'Lost records'). */
  lost(): LostRecords[]
  /** Asks the consumer once more for its position of a partition that is held and reads from there, after the batch in progress. */
  lookAgain(place: { topic: string; partition: number }): void
  /** Resolves when this member holds its share of the partitions. */
  whenAssigned(): Promise<void>
  /** Waits for the batches in progress and releases the partitions. */
  stop(): Promise<void>
}

export interface EventLog {
  /**
   * Appends in the given order per topic and key. The log in Postgres leaves out event ids that it still holds; Kafka may repeat. Rejects when
   * not all were stored, with `PartlyPublished` where not every topic failed as a whole.
   */
  publish(records: NewLogRecord[]): Promise<void>
  subscribe(options: SubscribeOptions): Promise<LogSubscription>
  /** Makes missing topics. Throws `PartitionsDiffer` when the log was started with another number of partitions, `LogRefused`
   * when the broker does not let us; anything else may pass by itself. */
  ensureTopics(): Promise<void>
  /**
   * Partition to offset of the last record that is there; -1n when there is none, or none any more. Rejects where a partition cannot be
   * asked; with `isPartial` it is left out.
   */
  ends(topic: string, o?: { isPartial: boolean }): Promise<Map<number, bigint>>
  /**
   * Partition to offset of the last record that took effect in a group, as its members last reported: late by some 30 records or a few
   * seconds. No entry for a partition of which nothing was reported. For lag only; a consumer's position is in its own database.
   */
  committedOffsets(topic: string, group: string): Promise<Map<number, bigint>>
  close(): Promise<void>
  /**
   * Only where log and outbox share a database: turns rows of the outbox into records inside the relay's transaction, so that their
   * bytes never leave the database. `removal`: SQL that deletes and returns the rows. Its statements are sent with the commit, so it must
   * obey the rules of `Transaction.withCommit`.
   */
  publishInTransaction?(tx: Queryable, rows: readonly PublishableRow[], removal: string): Promise<void>
}

/** After so many records a member reports its position at once instead of at the next interval. */
export const reportPositionAfter = 32n

/** A row of the outbox that is to become a record; rows come in the order in which they do. */
export interface PublishableRow {
  id: string
  topic: string
  key: string
  eventId: string
}

/** What the packages of the log need of a logger; pino's fits. */
export interface LogLogger {
  debug?(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** The number of partitions is stored at the first start and refused when it differs (architecture.md 7). */
export class PartitionsDiffer extends Error {
  override name = 'PartitionsDiffer'
}

/** The broker answers and says no: missing topics, missing rights, wrong credentials. Trying again does not help. */
export class LogRefused extends Error {
  override name = 'LogRefused'
}

/**
 * Of a `publish` that failed: the records of `stored` are stored nevertheless, all of a key or none. Of `failedTopics` none is; of other
 * topics those of some keys are not, whose partition is away. The cause is the first fault.
 */
export class PartlyPublished extends Error {
  override name = 'PartlyPublished'
  readonly stored: ReadonlySet<NewLogRecord>
  readonly failedTopics: ReadonlySet<string>

  constructor(cause: Error, stored: ReadonlySet<NewLogRecord>, failedTopics: ReadonlySet<string> = new Set()) {
    super(cause.message, { cause })
    this.stored = stored
    this.failedTopics = failedTopics
  }
}

/** Thrown by `heartbeat` and by commits of a member that no longer holds the partition. */
export class PartitionLost extends Error {
  override name = 'PartitionLost'
}
