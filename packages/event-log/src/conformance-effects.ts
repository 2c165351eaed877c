// Conformance: what a consumer may rely on: each record takes effect once, in order, whatever happens to its members.
import { randomBytes } from 'node:crypto'
import { afterAll, expect, test } from '@jest/globals'
import type { Transaction } from '@wds/postgres/transaction'
import {
  type ConformanceMember,
  type ConformanceRun,
  caseTimeoutMs,
  newRecord,
  unique,
  until,
} from './conformance-harness.ts'
import { type ConsumerOptions, PoisonRecord, type RunningConsumer, readAgain, runConsumer } from './consumer.ts'
import { replayDeadLetters } from './dead-letters.ts'
import { noteEffects } from './effects-table.ts'
import type { LogRecord } from './port.ts'

const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined }

/** Declares the cases. */
export function effectCases(run: ConformanceRun): void {
  const running = new Set<RunningConsumer>()
  afterAll(async () => {
    await Promise.all([...running].map((consumer) => consumer.stop()))
  }, caseTimeoutMs)

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
    'F13: members share the partitions while busy: each record takes effect once, in order',
    async () => {
      const topic = run.harness().freshTopic()
      const name = unique('share')
      const options = (member: string) => ({
        name,
        topics: [topic],
        handleBatch: (tx: Transaction, records: LogRecord[]) => noteEffects(tx, name, records, member),
      })
      const first = await consume(run.a(), options('a'))
      const publishing = (async () => {
        for (let n = 0; n < 60; n += 1)
          await run.a().log.publish(Array.from({ length: 50 }, (_, k) => newRecord(topic, `wsp_${k}`)))
      })()
      const second = await consume(run.b(), options('b'))
      await until(async () => {
        await run.a().log.publish(Array.from({ length: 24 }, (_, k) => newRecord(topic, `wsp_${k}`)))
        const { rows } = await run
          .a()
          .pool.query('select count(distinct member) as n from effects where consumer = $1', [name])
        return Number(rows[0]?.n) === 2
      })
      await publishing
      await first.stop()
      await run.a().log.publish([newRecord(topic, 'after'), newRecord(topic, 'others')])
      await second.whenCaughtUp()
      await expectOnceInOrder(run.b(), name, topic)
      await second.stop()
    },
    caseTimeoutMs,
  )

  test(
    'F13: a member that was stopped, lost its partitions and comes back changes nothing',
    async () => {
      const topic = run.harness().freshTopic()
      const name = unique('stopped')
      const victim = await run.harness().openMember()
      await run.a().log.publish(Array.from({ length: 40 }, (_, k) => newRecord(topic, `wsp_${k}`)))
      let stalled = 0
      const slow = await consume(victim, {
        name,
        topics: [topic],
        handleBatch: (tx, records) => noteEffects(tx, name, records, 'victim'),
      })
      await slow.whenCaughtUp()
      victim.stall()
      await run.a().log.publish(Array.from({ length: 40 }, (_, k) => newRecord(topic, `wsp_${k}`)))
      const heir = await consume(run.b(), { name, topics: [topic] })
      await heir.whenCaughtUp()
      stalled = await countEffects(run.b(), name)
      victim.resume()
      await run.a().log.publish([newRecord(topic, 'later')])
      await heir.whenCaughtUp()
      await expectOnceInOrder(run.b(), name, topic)
      expect(stalled).toBe(80)
      await Promise.all([slow.stop(), heir.stop()])
      await expectOnceInOrder(run.b(), name, topic)
    },
    caseTimeoutMs,
  )

  test(
    'a crash between effect and commit leaves no effect and no position: both come together later',
    async () => {
      const topic = run.harness().freshTopic()
      const name = unique('crash')
      let crashes = 0
      const consumer = await consume(run.a(), {
        name,
        topics: [topic],
        async handleBatch(tx, records) {
          await noteEffects(tx, name, records, 'a')
          if (crashes++ < 3) await tx.query('select pg_terminate_backend(pg_backend_pid())')
        },
      })
      await run.a().log.publish(Array.from({ length: 30 }, () => newRecord(topic, 'k')))
      await consumer.whenCaughtUp()
      expect(crashes).toBeGreaterThan(3)
      await expectOnceInOrder(run.a(), name, topic)
      await consumer.stop()
    },
    caseTimeoutMs,
  )

  test(
    'regression: a member that runs reads again when it is told to, also where nothing new arrives',
    async () => {
      const topic = run.harness().freshTopic()
      const name = unique('again')
      await run.a().log.publish(Array.from({ length: 40 }, (_, k) => newRecord(topic, `wsp_${k}`)))
      const consumer = await consume(run.a(), { name, topics: [topic], dedupe: 'inbox' })
      await consumer.whenCaughtUp()
      expect(await readAgain(run.a().pool, { consumer: name, topic })).toBeGreaterThan(1)
      await consumer.whenCaughtUp()
      await expectOnceInOrder(run.a(), name, topic)
      await consumer.stop()
    },
    caseTimeoutMs,
  )

  test(
    'regression: a stop does not wait for a database that can take nothing for now',
    async () => {
      const topic = run.harness().freshTopic()
      const name = unique('full')
      let tries = 0
      const consumer = await consume(run.a(), {
        name,
        topics: [topic],
        async handleBatch(tx) {
          tries += 1
          await tx.query(`do $$ begin raise 'full' using errcode = '53100'; end $$`)
        },
      })
      await run.a().log.publish([newRecord(topic, 'k')])
      await until(async () => tries > 1)
      const late = AbortSignal.timeout(60_000)
      await Promise.race([consumer.stop(), new Promise((resolve) => late.addEventListener('abort', resolve))])
      expect(late.aborted).toBe(false)
      const heir = await consume(run.b(), { name, topics: [topic] })
      await heir.whenCaughtUp()
      await expectOnceInOrder(run.b(), name, topic)
      await heir.stop()
    },
    caseTimeoutMs,
  )

  test(
    'F15: a poisoned record is put aside with its reason, its neighbours take effect, and it can be replayed',
    async () => {
      const topic = run.harness().freshTopic()
      const name = unique('poison')
      const records = Array.from({ length: 30 }, () => newRecord(topic, 'k', { headers: { workspace_id: 'wsp_1' } }))
      const [poison, broken] = [records[10]?.eventId, records[20]?.eventId]
      let tries = 0
      const consumer = await consume(run.a(), {
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
      await run.a().log.publish(records)
      await consumer.whenCaughtUp()
      expect(await countEffects(run.a(), name)).toBe(28)
      const dead = await run
        .a()
        .pool.query('select event_id, workspace_id, reason, tries from dead_letters where consumer = $1 order by off', [
          name,
        ])
      expect(dead.rows).toEqual([
        { event_id: poison, workspace_id: 'wsp_1', reason: 'PoisonRecord: no such thing', tries: 1 },
        { event_id: broken, workspace_id: 'wsp_1', reason: expect.stringContaining('division by zero'), tries: 3 },
      ])
      expect(tries).toBe(3)
      const handleBatch = (tx: Transaction, batch: LogRecord[]) => noteEffects(tx, name, batch, 'a')
      expect(await replayDeadLetters(run.a().pool, { consumer: name, handleBatch })).toEqual({ replayed: 2, failed: 0 })
      expect(await replayDeadLetters(run.a().pool, { consumer: name, handleBatch })).toEqual({ replayed: 0, failed: 0 })
      expect(await countEffects(run.a(), name)).toBe(30)
      await consumer.stop()
    },
    caseTimeoutMs,
  )

  test(
    'F15: regression: records that cannot be stored as they are stop nothing; a log that keeps none of them refuses them when they are published',
    async () => {
      const topic = run.harness().freshTopic()
      const name = unique('hostile')
      const long = randomBytes(4_500).toString('hex')
      const odd = [
        { key: 'k\0' },
        { eventId: 'evt\0' },
        { eventId: long },
        { headers: { workspace_id: 'w\0' } },
        { headers: { workspace_id: long } },
      ]
      const consumer = await consume(run.a(), {
        name,
        topics: [topic],
        dedupe: 'inbox',
        async handleBatch(tx, batch) {
          if (batch.some(({ key, headers }) => key !== 'k' || headers.workspace_id)) throw new PoisonRecord('odd')
          await noteEffects(tx, name, batch, 'a')
        },
      })
      let kept = 0
      for (const part of odd) {
        const record = newRecord(topic, 'k', part)
        await run
          .a()
          .log.publish([record])
          .then(() => (kept += 1))
          .catch(() => undefined)
        await run.a().log.publish([newRecord(topic, 'k')])
      }
      await consumer.whenCaughtUp()
      expect(await countEffects(run.a(), name)).toBe(odd.length)
      const dead = await run.a().pool.query('select from dead_letters where consumer = $1', [name])
      expect(dead.rowCount).toBe(kept)
      expect(kept).toBeGreaterThanOrEqual(2)
      await consumer.stop()
    },
    caseTimeoutMs,
  )

  test(
    'an event that was published twice takes effect once',
    async () => {
      const topic = run.harness().freshTopic()
      const name = unique('twice')
      const consumer = await consume(run.a(), { name, topics: [topic], dedupe: 'inbox' })
      const records = Array.from({ length: 10 }, () => newRecord(topic, 'k'))
      await run.a().log.publish(records)
      await consumer.whenCaughtUp()
      await run.b().log.publish([...records, newRecord(topic, 'k')])
      await consumer.whenCaughtUp()
      expect(await countEffects(run.a(), name)).toBe(11)
      await consumer.stop()
    },
    caseTimeoutMs,
  )
}

async function countEffects(member: ConformanceMember, consumer: string): Promise<number> {
  const { rows } = await member.pool.query('select count(*)::integer as n from effects where consumer = $1', [consumer])
  return rows[0]?.n
}

/** Every record up to the end took effect once, and in the order of the offsets. */
export async function expectOnceInOrder(
  member: Pick<ConformanceMember, 'log' | 'pool'>,
  consumer: string,
  topic: string,
): Promise<void> {
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
