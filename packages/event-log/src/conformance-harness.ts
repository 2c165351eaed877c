// What the cases of the conformance suite share: the members they run on, records, readers and waits.
import { randomBytes } from 'node:crypto'
import { expect } from '@jest/globals'
import { makeId } from '@wds/contracts/ids'
import type { Pool } from '@wds/postgres/pool'
import { partitionOf } from './partition.ts'
import type { EventLog, LogRecord, NewLogRecord, Position } from './port.ts'

/** A member of a group as a process of its own would be: its log and its pool can be stopped and resumed together. */
export interface ConformanceMember {
  log: EventLog
  /** Worker role of a service with this package's tables and the table `effects` (`conformanceEffectsSql`). */
  pool: Pool
  /** From now on nothing of this member reaches the log or the database, until `resume`. */
  stall(): void
  resume(): void
}

export interface ConformanceHarness {
  /** Leases (session time-outs) of 1 s at most, so that a stalled member is noticed soon. */
  openMember(): Promise<ConformanceMember>
  partitions: number
  /** A topic that no test used yet. */
  freshTopic(): string
  compactedTopic: string
  close(): Promise<void>
}

/** What the cases use: two members, and the harness for more. */
export interface ConformanceRun {
  harness(): ConformanceHarness
  a(): ConformanceMember
  b(): ConformanceMember
}

/** Far above what a case needs: deadlines end a run that hangs, and measure nothing. */
export const caseTimeoutMs = 300_000

const run = randomBytes(4).toString('hex')
let serial = 0
/** A name that no other case and no other run on the same broker has. */
export const unique = (what: string): string => `conformance.${run}.${what}.${serial++}`

/** One key in each partition. */
export function keysOfEach(partitions: number): string[] {
  const keys = new Map<number, string>()
  for (let n = 0; keys.size < partitions; n += 1) keys.set(partitionOf(`wsp_${n}`, partitions), `wsp_${n}`)
  return [...keys.values()]
}

export function newRecord(topic: string, key: string, o: Partial<NewLogRecord> = {}): NewLogRecord {
  const eventId = makeId('evt', Date.now(), randomBytes(10))
  return { topic, key, eventId, headers: { event_id: eventId }, payload: Buffer.from(eventId), ...o }
}

export function readAll(
  log: EventLog,
  topic: string,
  count: number,
  positionOf?: (topic: string, partition: number) => Promise<Position | null>,
): Promise<LogRecord[]> {
  return readUntil(log, topic, (records) => records.length >= count, positionOf)
}

/** A reader that keeps its positions in memory. */
export async function readUntil(
  log: EventLog,
  topic: string,
  enough: (records: LogRecord[]) => boolean,
  start: (topic: string, partition: number) => Promise<Position | null> = async () => null,
): Promise<LogRecord[]> {
  const got: LogRecord[] = []
  const positions = new Map<number, Position>()
  const subscription = await log.subscribe({
    group: unique('read'),
    topics: [topic],
    positionOf: async (name, partition) => positions.get(partition) ?? start(name, partition),
    async onBatch(batch) {
      got.push(...batch.records)
      const last = batch.records.at(-1)
      if (last) positions.set(batch.partition, last)
    },
  })
  await until(async () => enough(got), 240_000)
  await subscription.stop()
  return got
}

/** Offsets rise within each partition, no offset twice. */
export function expectRising(records: LogRecord[]): void {
  const last = new Map<number, bigint>()
  const wrong = records.filter((record) => {
    const before = last.get(record.partition) ?? -1n
    last.set(record.partition, record.offset)
    return record.offset <= before
  })
  expect(wrong).toEqual([])
}

/** Polls with a deadline. */
export async function until(done: () => Promise<boolean>, limitMs = 120_000): Promise<void> {
  const deadline = performance.now() + limitMs
  while (!(await done())) {
    if (performance.now() > deadline) throw new Error('not in time')
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
