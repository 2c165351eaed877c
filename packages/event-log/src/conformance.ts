// The contract of the event log as tests that every adapter runs (architecture.md, rule 7). It must never know which
// broker is behind the port.
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { makeId } from '@wds/contracts/ids'
import type { Pool } from '@wds/postgres/pool'
import type { Transaction } from '@wds/postgres/transaction'
import { type ConsumerOptions, PoisonRecord, type RunningConsumer, runConsumer } from './consumer.ts'
import { replayDeadLetters } from './dead-letters.ts'
import { partitionOf } from './partition.ts'
import type { EventLog, LogRecord, NewLogRecord } from './port.ts'

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

/** Made by the harness in the schema of the service; no unique key, so that a second effect shows. */
export const conformanceEffectsSql = `create table effects (n bigint generated always as identity, consumer text not null,
  topic text not null, partition integer not null, off bigint not null, event_id text not null, member text not null)`

const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined }
const timeoutMs = 60_000

/** Runs the suite. `records` is the size of its long test, 100,000 unless told (a million by hand). */
export function runConformanceSuite(o: { name: string; records?: number; setUp(): Promise<ConformanceHarness> }): void {
  describe(`event log: ${o.name}`, () => {
    let h: ConformanceHarness
    let a: ConformanceMember
    let b: ConformanceMember
    const running = new Set<RunningConsumer>()
    beforeAll(async () => {
      h = await o.setUp()
      a = await h.openMember()
      b = await h.openMember()
      await a.log.ensureTopics()
    }, timeoutMs)
    afterAll(async () => {
      await Promise.all([...running].map((consumer) => consumer.stop()))
      await h?.close()
    }, timeoutMs)

    const consume = async (member: ConformanceMember, options: Partial<ConsumerOptions> & { name: string }) => {
      const consumer = await runConsumer({
        log: member.log,
        pool: member.pool,
        topics: [],
        dedupe: 'natural',
        logger: quiet,
        handleBatch: (tx, records) => noteEffects(tx, options.name, records, 'a'),
        ...options,
      })
      running.add(consumer)
      return consumer
    }

    test(
      'records of a key arrive in order, byte for byte, with their headers and trace context',
      async () => {
        const topic = h.freshTopic()
        const headers = {
          event_type: 'sync.started',
          traceparent: `00-${'4b'.repeat(16)}-00f067aa0ba902b7-01`,
          tracestate: 'a=1,b=t:"ü"',
        }
        const sent = Array.from({ length: 700 }, (_, n) =>
          newRecord(topic, `wsp_${n % 7}`, { headers, payload: randomBytes(n % 300) }),
        )
        await a.log.publish(sent.slice(0, 300))
        await a.log.publish(sent.slice(300))
        const got = await readAll(b.log, topic, sent.length)
        for (const key of new Set(sent.map((record) => record.key))) {
          const mine = got.filter((record) => record.key === key)
          const wanted = sent.filter((record) => record.key === key)
          expect(mine.map((record) => record.eventId)).toEqual(wanted.map((record) => record.eventId))
          expect(
            mine.every((record, n) => Buffer.from(record.payload ?? []).equals(wanted[n]?.payload ?? Buffer.of(1))),
          ).toBe(true)
          expect(new Set(mine.map((record) => record.partition))).toEqual(new Set([partitionOf(key, h.partitions)]))
          expect(mine[0]?.headers).toMatchObject(headers)
        }
        expectRising(got)
      },
      timeoutMs,
    )

    test(
      'ends names the last offset of each partition, -1 where there is none',
      async () => {
        const topic = h.freshTopic()
        expect([...(await a.log.ends(topic)).values()]).toEqual(Array.from({ length: h.partitions }, () => -1n))
        await a.log.publish([newRecord(topic, 'k'), newRecord(topic, 'k')])
        expect((await b.log.ends(topic)).get(partitionOf('k', h.partitions))).toBe(1n)
      },
      timeoutMs,
    )

    test(
      'every group gets every record, and a position says where a reader goes on',
      async () => {
        const topic = h.freshTopic()
        await a.log.publish(Array.from({ length: 20 }, () => newRecord(topic, 'k')))
        const [first, second] = await Promise.all([readAll(a.log, topic, 20), readAll(b.log, topic, 20)])
        expect(first.map((record) => record.eventId)).toEqual(second.map((record) => record.eventId))
        const rest = await readAll(b.log, topic, 5, async (_, partition) =>
          partition === first[0]?.partition ? 14n : null,
        )
        expect(rest.map((record) => record.offset)).toEqual([15n, 16n, 17n, 18n, 19n])
      },
      timeoutMs,
    )

    test(
      'a reader from the end gets only what comes later',
      async () => {
        const topic = h.freshTopic()
        await a.log.publish([newRecord(topic, 'old')])
        const got: LogRecord[] = []
        const subscription = await b.log.subscribe({
          group: unique('end'),
          topics: [topic],
          from: 'end',
          positionOf: async () => null,
          onBatch: async (batch) => void got.push(...batch.records),
        })
        await subscription.whenAssigned()
        await until(async () => {
          // The reader decides where the end is when it first looks, so records are offered until one is taken.
          await a.log.publish([newRecord(topic, 'old')])
          return got.length > 0
        })
        await subscription.stop()
        expect(got.every((record) => record.offset > 0n)).toBe(true)
      },
      timeoutMs,
    )

    test(
      'members share the partitions while busy: each record takes effect once, in order',
      async () => {
        const topic = h.freshTopic()
        const name = unique('share')
        const options = (member: string) => ({
          name,
          topics: [topic],
          handleBatch: (tx: Transaction, records: LogRecord[]) => noteEffects(tx, name, records, member),
        })
        const first = await consume(a, options('a'))
        const publishing = (async () => {
          for (let n = 0; n < 60; n += 1)
            await a.log.publish(Array.from({ length: 50 }, (_, k) => newRecord(topic, `wsp_${k}`)))
        })()
        const second = await consume(b, options('b'))
        await until(async () => {
          await a.log.publish(Array.from({ length: 24 }, (_, k) => newRecord(topic, `wsp_${k}`)))
          const { rows } = await a.pool.query('select count(distinct member) as n from effects where consumer = $1', [
            name,
          ])
          return Number(rows[0]?.n) === 2
        })
        await publishing
        await first.stop()
        await a.log.publish([newRecord(topic, 'after'), newRecord(topic, 'others')])
        await second.whenCaughtUp()
        await expectOnceInOrder(b, name, topic)
        await second.stop()
      },
      timeoutMs,
    )

    test(
      'a member that was stopped, lost its partitions and comes back changes nothing',
      async () => {
        const topic = h.freshTopic()
        const name = unique('stopped')
        const victim = await h.openMember()
        await a.log.publish(Array.from({ length: 40 }, (_, k) => newRecord(topic, `wsp_${k}`)))
        let stalled = 0
        const slow = await consume(victim, {
          name,
          topics: [topic],
          handleBatch: (tx, records) => noteEffects(tx, name, records, 'victim'),
        })
        await slow.whenCaughtUp()
        victim.stall()
        await a.log.publish(Array.from({ length: 40 }, (_, k) => newRecord(topic, `wsp_${k}`)))
        const heir = await consume(b, { name, topics: [topic] })
        await heir.whenCaughtUp()
        stalled = await countEffects(b, name)
        victim.resume()
        await a.log.publish([newRecord(topic, 'later')])
        await heir.whenCaughtUp()
        await expectOnceInOrder(b, name, topic)
        expect(stalled).toBe(80)
        await Promise.all([slow.stop(), heir.stop()])
        await expectOnceInOrder(b, name, topic)
      },
      timeoutMs,
    )

    test(
      'a crash between effect and commit leaves no effect and no position: both come together later',
      async () => {
        const topic = h.freshTopic()
        const name = unique('crash')
        let crashes = 0
        const consumer = await consume(a, {
          name,
          topics: [topic],
          async handleBatch(tx, records) {
            await noteEffects(tx, name, records, 'a')
            if (crashes++ < 3) await tx.query('select pg_terminate_backend(pg_backend_pid())')
          },
        })
        await a.log.publish(Array.from({ length: 30 }, () => newRecord(topic, 'k')))
        await consumer.whenCaughtUp()
        expect(crashes).toBeGreaterThan(3)
        await expectOnceInOrder(a, name, topic)
        await consumer.stop()
      },
      timeoutMs,
    )

    test(
      'a poisoned record is put aside with its reason, its neighbours take effect, and it can be replayed',
      async () => {
        const topic = h.freshTopic()
        const name = unique('poison')
        const records = Array.from({ length: 30 }, () => newRecord(topic, 'k', { headers: { workspace_id: 'wsp_1' } }))
        const [poison, broken] = [records[10]?.eventId, records[20]?.eventId]
        let tries = 0
        const consumer = await consume(a, {
          name,
          topics: [topic],
          dedupe: 'inbox',
          async handleBatch(tx, batch) {
            for (const record of batch) {
              if (record.eventId === poison) throw new PoisonRecord('no such thing')
              if (record.eventId === broken && batch.length === 1) tries += 1
              if (record.eventId === broken) await tx.query('select 1 / 0')
            }
            await noteEffects(tx, name, batch, 'a')
          },
        })
        await a.log.publish(records)
        await consumer.whenCaughtUp()
        expect(await countEffects(a, name)).toBe(28)
        const dead = await a.pool.query(
          'select event_id, workspace_id, reason, tries from dead_letters where consumer = $1 order by off',
          [name],
        )
        expect(dead.rows).toEqual([
          { event_id: poison, workspace_id: 'wsp_1', reason: 'PoisonRecord: no such thing', tries: 1 },
          { event_id: broken, workspace_id: 'wsp_1', reason: expect.stringContaining('division by zero'), tries: 3 },
        ])
        expect(tries).toBe(3)
        const handleBatch = (tx: Transaction, batch: LogRecord[]) => noteEffects(tx, name, batch, 'a')
        expect(await replayDeadLetters(a.pool, { consumer: name, handleBatch })).toBe(2)
        expect(await replayDeadLetters(a.pool, { consumer: name, handleBatch })).toBe(0)
        expect(await countEffects(a, name)).toBe(30)
        await consumer.stop()
      },
      timeoutMs,
    )

    test(
      'an event that was published twice takes effect once',
      async () => {
        const topic = h.freshTopic()
        const name = unique('twice')
        const consumer = await consume(a, { name, topics: [topic], dedupe: 'inbox' })
        const records = Array.from({ length: 10 }, () => newRecord(topic, 'k'))
        await a.log.publish(records)
        await consumer.whenCaughtUp()
        await b.log.publish([...records, newRecord(topic, 'k')])
        await consumer.whenCaughtUp()
        expect(await countEffects(a, name)).toBe(11)
        await consumer.stop()
      },
      timeoutMs,
    )

    test(
      'a compacted topic keeps at least the last record of each key',
      async () => {
        const topic = h.compactedTopic
        const sent = Array.from({ length: 60 }, (_, n) =>
          newRecord(topic, `type.${n % 6}`, { payload: n >= 54 && n % 2 ? null : randomBytes(8) }),
        )
        await a.log.publish(sent)
        const lastIds = new Set(sent.slice(54).map((record) => record.eventId))
        const got = await readUntil(
          b.log,
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
      timeoutMs,
    )

    test('health is good', async () => {
      expect(await a.log.health()).toEqual({ ok: true })
    })

    const many = o.records ?? 100_000
    test(`${many} records arrive, each once, in order`, async () => {
      const topic = h.freshTopic()
      const reading = readAll(b.log, topic, many)
      const payload = randomBytes(200)
      let n = 0
      while (n < many) {
        const size = Math.min(1000, many - n)
        await a.log.publish(Array.from({ length: size }, () => newRecord(topic, `wsp_${n++ % 97}`, { payload })))
      }
      const got = await reading
      expect(new Set(got.map((record) => record.eventId)).size).toBe(many)
      expectRising(got)
    }, 180_000)
  })
}

let serial = 0
const unique = (what: string): string => `conformance.${what}.${serial++}`

function newRecord(topic: string, key: string, o: Partial<NewLogRecord> = {}): NewLogRecord {
  const eventId = makeId('evt', Date.now(), randomBytes(10))
  return { topic, key, eventId, headers: { event_id: eventId }, payload: Buffer.from(eventId), ...o }
}

function readAll(
  log: EventLog,
  topic: string,
  count: number,
  positionOf?: (topic: string, partition: number) => Promise<bigint | null>,
): Promise<LogRecord[]> {
  return readUntil(log, topic, (records) => records.length >= count, positionOf)
}

/** A reader that keeps its positions in memory. */
async function readUntil(
  log: EventLog,
  topic: string,
  enough: (records: LogRecord[]) => boolean,
  start: (topic: string, partition: number) => Promise<bigint | null> = async () => null,
): Promise<LogRecord[]> {
  const got: LogRecord[] = []
  const positions = new Map<number, bigint>()
  const subscription = await log.subscribe({
    group: unique('read'),
    topics: [topic],
    positionOf: async (name, partition) => positions.get(partition) ?? start(name, partition),
    async onBatch(batch) {
      got.push(...batch.records)
      positions.set(batch.partition, batch.records.at(-1)?.offset ?? -1n)
    },
  })
  await until(async () => enough(got), 170_000)
  await subscription.stop()
  return got
}

/** Offsets rise within each partition, no offset twice. */
function expectRising(records: LogRecord[]): void {
  const last = new Map<number, bigint>()
  const wrong = records.filter((record) => {
    const before = last.get(record.partition) ?? -1n
    last.set(record.partition, record.offset)
    return record.offset <= before
  })
  expect(wrong).toEqual([])
}

async function noteEffects(tx: Transaction, consumer: string, records: LogRecord[], member: string): Promise<void> {
  await tx.query(
    `insert into effects (consumer, topic, partition, off, event_id, member)
      select $1, $2, p, o, e, $6 from unnest($3::integer[], $4::bigint[], $5::text[]) as u(p, o, e)`,
    [
      consumer,
      records[0]?.topic,
      records.map((record) => record.partition),
      records.map((record) => record.offset),
      records.map((record) => record.eventId),
      member,
    ],
  )
}

async function countEffects(member: ConformanceMember, consumer: string): Promise<number> {
  const { rows } = await member.pool.query('select count(*)::integer as n from effects where consumer = $1', [consumer])
  return rows[0]?.n
}

/** Every record up to the end took effect once, and in the order of the offsets. */
async function expectOnceInOrder(member: ConformanceMember, consumer: string, topic: string): Promise<void> {
  const { rows } = await member.pool.query<{ partition: number; off: string }>(
    'select partition, off from effects where consumer = $1 order by n',
    [consumer],
  )
  const ends = await member.log.ends(topic)
  for (const [partition, end] of ends) {
    const offsets = rows.filter((row) => row.partition === partition).map((row) => BigInt(row.off))
    expect(offsets).toEqual([...offsets].sort((x, y) => (x < y ? -1 : 1)))
    expect(new Set(offsets).size).toBe(offsets.length)
    expect(offsets.at(-1) ?? -1n).toBe(end)
  }
}

/** Polls with a deadline. */
async function until(done: () => Promise<boolean>, limitMs = 30_000): Promise<void> {
  const deadline = performance.now() + limitMs
  while (!(await done())) {
    if (performance.now() > deadline) throw new Error('not in time')
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
