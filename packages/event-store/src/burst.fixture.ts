// A burst of one key while the reader of its partition takes nothing in, then goes on: what both logs have to do with it.
import { partitionOf } from '@wds/event-log/partition'
import type { EventLog } from '@wds/event-log/port'
import type { Pool } from '@wds/postgres/pool'
import { createBackpressure } from './backpressure.ts'
import type { OutboxRecord } from './outbox.ts'
import { relayAsLeader } from './relay.ts'

const burst = 1_000
const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined }

export interface BurstRun {
  pool: Pool
  log: EventLog
  partitions: number
  topic: string
  /** Of the group; unique. */
  group: string
  row(key: string): OutboxRecord
  put(rows: OutboxRecord[]): Promise<void>
  until(done: () => Promise<boolean>): Promise<void>
}

/** `before`: records of the partition up to a neighbour that came after the burst. `sent`, `arrived`: ids of the burst. */
export async function runBurst(run: BurstRun): Promise<{ before: number; sent: string[]; arrived: string[] }> {
  const { pool, log, partitions, topic, group } = run
  const [greedy, neighbour, elsewhere] = keysFor(partitions)
  const waiting = async () => (await pool.query('select from outbox')).rowCount ?? 0
  const arrived: { key: string; eventId: string }[] = []
  const released = Promise.withResolvers<void>()
  const subscription = await log.subscribe({
    group,
    topics: [topic],
    from: 'end',
    positionOf: async () => null,
    async onBatch(batch) {
      await released.promise
      arrived.push(...batch.records)
    },
  })
  await subscription.whenAssigned()
  const partition = partitionOf(greedy, partitions)
  await run.until(async () => (await log.committedOffsets(topic, group)).has(partition))

  let looks = 0
  const committedOffsets: EventLog['committedOffsets'] = (...place) => {
    looks += 1
    return log.committedOffsets(...place)
  }
  const ended = new AbortController()
  const pacedBy = new Map([[topic, group]])
  const backpressure = createBackpressure({ log: { ...log, committedOffsets }, partitions, logger: quiet, pacedBy })
  const rows = Array.from({ length: burst }, () => run.row(greedy))
  const base = (await log.ends(topic)).get(partition) ?? -1n
  await run.put(rows)
  const options = { connectionString: '', pool, log, partitions, signal: ended.signal, logger: quiet, backpressure }
  const running = relayAsLeader(options, { isFresh: () => true, signal: ended.signal })
  try {
    await run.until(async () => looks >= 5 || (await waiting()) === 0)
    const others = [run.row(neighbour), run.row(elsewhere)]
    await run.put(others)
    const otherIds = others.map(({ eventId }) => eventId)
    await run.until(
      async () => (await pool.query('select from outbox where event_id = any($1)', [otherIds])).rowCount === 0,
    )
    const before = Number(((await log.ends(topic)).get(partition) ?? -1n) - base)
    released.resolve()
    await run.until(async () => arrived.length >= burst + others.length)
    const ofGreedy = arrived.filter(({ key }) => key === greedy).map(({ eventId }) => eventId)
    return { before, sent: rows.map(({ eventId }) => eventId), arrived: ofGreedy }
  } finally {
    released.resolve()
    ended.abort()
    await running
    await subscription.stop()
  }
}

/** A key, another one of its partition, and one of another partition. */
function keysFor(partitions: number): [string, string, string] {
  const partition = partitionOf('greedy', partitions)
  const names = Array.from({ length: 1_000 }, (_, n) => `neighbour ${n}`)
  const isBeside = (name: string) => partitionOf(name, partitions) === partition
  return ['greedy', names.find(isBeside) as string, names.find((name) => !isBeside(name)) as string]
}
