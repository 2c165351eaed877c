// What kafkajs hands over after it moved by itself is never taken for what comes next.
import { afterEach, describe, expect, jest, test } from '@jest/globals'
import type { EachBatchPayload } from 'kafkajs'
import { until } from './conformance-harness.ts'
import { HeldPartition } from './kafka-partition.ts'
import { behindRemovedMessage, lostRecordsMessage, type PartitionBounds } from './lost-records.ts'
import type { Position } from './port.ts'

const place = { topic: 'a.topic', partition: 0 }

interface Given {
  position: Position | null
  from?: 'beginning' | 'end'
  compacted?: boolean
  /** Null: nobody leads it. */
  bounds: PartitionBounds | null
}

const all: HeldPartition[] = []
afterEach(() => {
  for (const held of all.splice(0)) held.revoke()
})

function hold(given: Given) {
  const taken: bigint[] = []
  const sought: bigint[] = []
  const told: string[] = []
  const asked = { bounds: 0 }
  const tell = (_: object, message: string) => void told.push(message)
  const held = new HeldPartition(
    place,
    {
      options: {
        group: 'g',
        topics: [place.topic],
        from: given.from ?? 'beginning',
        positionOf: async () => given.position,
        onBatch: async ({ records }) => void taken.push(...records.map(({ offset }) => offset)),
      },
      compacted: given.compacted ?? false,
      heartbeatMs: 1_000,
      bounds: async () => {
        asked.bounds += 1
        return given.bounds
      },
      seek: (offset) => void sought.push(offset),
      pause: () => undefined,
      resume: () => undefined,
      advanced: () => undefined,
      failed: () => undefined,
      logger: { info: tell, warn: tell, error: tell },
    },
    undefined,
  )
  all.push(held)
  return { held, given, taken, sought, told, asked }
}

/** Records with the ids `id-<offset>`, fetched at `fetchedOffset`. */
function batchOf(fetchedOffset: number, offsets: number[]): EachBatchPayload {
  const messages = offsets.map((offset) => ({
    offset: String(offset),
    key: Buffer.from('k'),
    value: Buffer.from('{}'),
    timestamp: '0',
    headers: { event_id: Buffer.from(`id-${offset}`) },
  }))
  return {
    batch: { ...place, fetchedOffset: String(fetchedOffset), messages },
    heartbeat: async () => undefined,
    isRunning: () => true,
    isStale: () => false,
    resolveOffset: () => undefined,
  } as unknown as EachBatchPayload
}

const known = { offset: 5n, eventId: 'id-5' }

describe('a partition of a plain topic', () => {
  test('takes what follows its position, which it compares first', async () => {
    const { held, taken, sought } = hold({ position: known, bounds: { first: 0n, end: 9n } })
    await held.settled
    expect(sought).toEqual([5n])
    await held.take(batchOf(5, [5, 6, 7]))
    expect(taken).toEqual([6n, 7n])
  })

  test('regression: takes nothing fetched behind its position before the position was compared, however often it comes', async () => {
    const { held, taken, sought } = hold({ position: known, bounds: { first: 0n, end: 9n } })
    await held.settled
    for (let n = 0; n < 3; n += 1) await held.take(batchOf(6, [6, 7]))
    expect(taken).toEqual([])
    expect(sought).toEqual([5n, 5n, 5n, 5n])
  })

  test('regression: takes nothing where the record at its position is missing', async () => {
    const { held, taken } = hold({ position: known, bounds: { first: 0n, end: 9n } })
    await held.settled
    await held.take(batchOf(5, [7, 8]))
    expect(taken).toEqual([])
  })

  test('regression: begins at the first record of a log that began anew before anything took effect', async () => {
    const { held, given, taken, sought } = hold({ position: null, from: 'end', bounds: { first: 0n, end: 9n } })
    await held.settled
    given.bounds = { first: 0n, end: 1n }
    held.verifyPosition()
    await held.take(batchOf(0, [0, 1]))
    expect(sought).toEqual([10n, 0n])
    expect(taken).toEqual([0n, 1n])
  })

  test('regression: is lost until its position was compared, so that nobody is told in between that it goes on', async () => {
    const { held, given, taken, sought, told } = hold({ position: known, bounds: { first: 0n, end: 2n } })
    await held.settled
    expect(held.loss).not.toBeNull()
    // The log that began anew is further than the position by now: only the event tells.
    given.bounds = { first: 0n, end: 9n }
    await until(async () => sought.length > 0)
    expect(held.loss).not.toBeNull()
    await held.take(batchOf(5, [5, 6]))
    expect(told).toEqual([lostRecordsMessage, 'partition resumed'])
    expect(held.loss).toBeNull()
    expect(taken).toEqual([6n])
  })

  test('regression: that no record took effect of says where it begins when the oldest ones are gone', async () => {
    const behind = hold({ position: null, bounds: { first: 7n, end: 9n } })
    const whole = hold({ position: null, bounds: { first: 0n, end: 9n } })
    await Promise.all([behind.held.settled, whole.held.settled])
    expect(behind.told).toEqual([behindRemovedMessage])
    expect(whole.told).toEqual([])
  })
})

describe('a partition without a leader', () => {
  test('regression: is looked for by one look at a time, however often connections were cut meanwhile', async () => {
    jest.useFakeTimers()
    try {
      const { held, given, sought, asked } = hold({ position: known, bounds: null })
      const lookMs = 500
      await jest.advanceTimersByTimeAsync(lookMs)
      for (let n = 0; n < 20; n += 1) held.verifyPosition()
      await jest.advanceTimersByTimeAsync(lookMs)
      const before = asked.bounds
      await jest.advanceTimersByTimeAsync(10 * lookMs)
      expect(asked.bounds - before).toBe(10)
      given.bounds = { first: 0n, end: 9n }
      await jest.advanceTimersByTimeAsync(lookMs)
      expect(sought).toEqual([5n])
    } finally {
      jest.useRealTimers()
    }
  })
})

describe('a partition of a compacted topic', () => {
  test('goes on behind records that were compacted away, at the second look', async () => {
    const { held, taken } = hold({ position: known, compacted: true, bounds: { first: 0n, end: 9n } })
    await held.settled
    await held.take(batchOf(8, [8]))
    expect(taken).toEqual([])
    await held.take(batchOf(8, [8]))
    expect(taken).toEqual([8n])
  })
})
