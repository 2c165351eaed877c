// Conformance: what a reader may rely on: order, ends, positions, compaction, amount.
import { randomBytes } from 'node:crypto'
import { expect, test } from '@jest/globals'
import {
  type ConformanceRun,
  caseTimeoutMs,
  expectRising,
  keysOfEach,
  newRecord,
  readAll,
  readUntil,
  unique,
  until,
} from './conformance-harness.ts'
import { partitionOf } from './partition.ts'
import type { LogRecord, Position } from './port.ts'

/** Declares the cases; `many` is the number of records of the long one. */
export function readingCases(run: ConformanceRun, many: number): void {
  test(
    'records of a key arrive in order, byte for byte, with their headers and trace context',
    async () => {
      const topic = run.harness().freshTopic()
      const headers = {
        event_type: 'sync.started',
        traceparent: `00-${'4b'.repeat(16)}-00f067aa0ba902b7-01`,
        tracestate: 'a=1,b=t:"ü"',
      }
      const sent = Array.from({ length: 700 }, (_, n) =>
        newRecord(topic, `wsp_${n % 7}`, { headers, payload: randomBytes(n % 300) }),
      )
      await run.a().log.publish(sent.slice(0, 300))
      await run.a().log.publish(sent.slice(300))
      const got = await readAll(run.b().log, topic, sent.length)
      for (const key of new Set(sent.map((record) => record.key))) {
        const mine = got.filter((record) => record.key === key)
        const wanted = sent.filter((record) => record.key === key)
        expect(mine.map((record) => record.eventId)).toEqual(wanted.map((record) => record.eventId))
        expect(
          mine.every((record, n) => Buffer.from(record.payload ?? []).equals(wanted[n]?.payload ?? Buffer.of(1))),
        ).toBe(true)
        expect(new Set(mine.map((record) => record.partition))).toEqual(
          new Set([partitionOf(key, run.harness().partitions)]),
        )
        expect(mine[0]?.headers).toMatchObject(headers)
      }
      expectRising(got)
    },
    caseTimeoutMs,
  )

  test(
    'ends names the last offset of each partition, -1 where there is none',
    async () => {
      const topic = run.harness().freshTopic()
      expect([...(await run.a().log.ends(topic)).values()]).toEqual(
        Array.from({ length: run.harness().partitions }, () => -1n),
      )
      await run.a().log.publish([newRecord(topic, 'k'), newRecord(topic, 'k')])
      expect((await run.b().log.ends(topic)).get(partitionOf('k', run.harness().partitions))).toBe(1n)
    },
    caseTimeoutMs,
  )

  test(
    'every group gets every record, and a position says where a reader goes on',
    async () => {
      const topic = run.harness().freshTopic()
      await run.a().log.publish(Array.from({ length: 20 }, () => newRecord(topic, 'k')))
      const [first, second] = await Promise.all([readAll(run.a().log, topic, 20), readAll(run.b().log, topic, 20)])
      expect(first.map((record) => record.eventId)).toEqual(second.map((record) => record.eventId))
      const rest = await readAll(run.b().log, topic, 5, async (_, partition) =>
        partition === first[0]?.partition ? { offset: 14n, eventId: first[14]?.eventId ?? null } : null,
      )
      expect(rest.map((record) => record.offset)).toEqual([15n, 16n, 17n, 18n, 19n])
    },
    caseTimeoutMs,
  )

  test(
    'a group shows how far it is, in every partition that it read',
    async () => {
      const topic = run.harness().freshTopic()
      const group = unique('shown')
      await run.a().log.publish(Array.from({ length: 40 }, () => newRecord(topic, 'k')))
      const subscription = await run.b().log.subscribe({
        group,
        topics: [topic],
        positionOf: async () => null,
        onBatch: async () => undefined,
      })
      const partition = partitionOf('k', run.harness().partitions)
      await until(async () => (await run.a().log.committedOffsets(topic, group)).get(partition) === 39n)
      await subscription.stop()
      expect((await run.a().log.committedOffsets(topic, unique('nobody'))).get(partition)).toBeUndefined()
    },
    caseTimeoutMs,
  )

  test(
    'a reader from the end gets only what comes later',
    async () => {
      const topic = run.harness().freshTopic()
      await run.a().log.publish([newRecord(topic, 'old')])
      const got: LogRecord[] = []
      const subscription = await run.b().log.subscribe({
        group: unique('end'),
        topics: [topic],
        from: 'end',
        positionOf: async () => null,
        onBatch: async (batch) => void got.push(...batch.records),
      })
      await subscription.whenAssigned()
      await until(async () => {
        // The reader decides where the end is when it first looks, so records are offered until one is taken.
        await run.a().log.publish([newRecord(topic, 'old')])
        return got.length > 0
      })
      await subscription.stop()
      expect(got.every((record) => record.offset > 0n)).toBe(true)
    },
    caseTimeoutMs,
  )

  test(
    'regression: a batch that takes long holds up no other partition, and reading goes on behind it',
    async () => {
      const topic = run.harness().freshTopic()
      const { partitions } = run.harness()
      const [long, ...others] = keysOfEach(partitions) as [string, ...string[]]
      const [begun, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const got: LogRecord[] = []
      const of = (keys: string[]) => got.filter(({ key }) => keys.includes(key))
      const positions = new Map<number, Position>()
      const subscription = await run.b().log.subscribe({
        group: unique('long batch'),
        topics: [topic],
        positionOf: async (_, partition) => positions.get(partition) ?? null,
        async onBatch(batch) {
          if (batch.partition === partitionOf(long, partitions)) {
            begun.resolve()
            await held.promise
          }
          if (batch.signal.aborted) return
          got.push(...batch.records)
          const last = batch.records.at(-1)
          if (last) positions.set(batch.partition, last)
        },
      })
      const publish = (keys: string[]) => run.a().log.publish(keys.map((key) => newRecord(topic, key)))
      try {
        await publish([long, long])
        await begun.promise
        for (let round = 1; round <= 3; round += 1) {
          await publish([...others, long])
          await until(async () => of(others).length === round * others.length)
        }
        expect(of([long])).toEqual([])
        held.resolve()
        await until(async () => of([long]).length === 5)
        await publish([long])
        await until(async () => of([long]).length === 6)
        expectRising(got)
      } finally {
        held.resolve()
        await subscription.stop()
      }
    },
    caseTimeoutMs,
  )

  test(
    'a compacted topic keeps at least the last record of each key',
    async () => {
      const topic = run.harness().compactedTopic
      const sent = Array.from({ length: 60 }, (_, n) =>
        newRecord(topic, `type.${n % 6}`, { payload: n >= 54 && n % 2 ? null : randomBytes(8) }),
      )
      await run.a().log.publish(sent)
      const lastIds = new Set(sent.slice(54).map((record) => record.eventId))
      const got = await readUntil(
        run.b().log,
        topic,
        (records) => records.filter((r) => lastIds.has(r.eventId)).length === 6,
      )
      for (const wanted of sent.slice(54)) {
        const last = got.filter((record) => record.key === wanted.key).at(-1)
        expect(last?.eventId).toBe(wanted.eventId)
        expect(last?.payload === null).toBe(wanted.payload === null)
      }
      expectRising(got)
    },
    caseTimeoutMs,
  )

  test(
    `${many} records arrive, each once, in order`,
    async () => {
      const topic = run.harness().freshTopic()
      const reading = readAll(run.b().log, topic, many)
      const payload = randomBytes(200)
      let n = 0
      while (n < many) {
        const size = Math.min(1000, many - n)
        await run.a().log.publish(Array.from({ length: size }, () => newRecord(topic, `wsp_${n++ % 97}`, { payload })))
      }
      const got = await reading
      expect(new Set(got.map((record) => record.eventId)).size).toBe(many)
      expectRising(got)
    },
    caseTimeoutMs,
  )
}
