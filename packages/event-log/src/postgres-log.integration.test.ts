import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals'
import { makeId } from '@wds/contracts/ids'
import type { TestDatabase } from '@wds/local-infra/test-database'
import { migrate } from '@wds/postgres/migrations'
import { createPool, type Pool, type Queryable } from '@wds/postgres/pool'
import { checkedInSchema, describeSchema } from '@wds/postgres/schema-description'
import { withTransaction } from '@wds/postgres/transaction'
import { runConformanceSuite } from './conformance.ts'
import { type ConformanceMember, until } from './conformance-harness.ts'
import { prepareConsumerDatabase, query, stallable } from './log.fixture.ts'
import { lostRecordsMessage } from './lost-records.ts'
import { partitionOf } from './partition.ts'
import type { EventLog, LogRecord, NewLogRecord, Position, PublishableRow } from './port.ts'
import { shareOf } from './postgres-assignment.ts'
import { createPostgresLog, logMigrations, maintainLog } from './postgres-log.ts'

const partitions = 4
const freshTopics = Array.from({ length: 20 }, (_, n) => `fresh.${n}`)
const topics = { ...Object.fromEntries(freshTopics.map((topic) => [topic, false])), 'fresh.compacted': true }

async function prepare(): Promise<TestDatabase> {
  const database = await prepareConsumerDatabase()
  const { owner } = database.urls.log
  await migrate({ connectionString: owner, schema: 'log', directories: logMigrations })
  await query(
    database.urls.services.delivery.owner,
    `create table pending (id bigint generated always as identity, topic text, key text, event_id text, headers json, payload bytea);
      grant select, insert, delete on pending to wds_delivery_worker`,
  )
  return database
}

runConformanceSuite({
  name: 'Postgres',
  async setUp() {
    const database = await prepare()
    const opened: { member: ConformanceMember; own: Pool }[] = []
    let used = 0
    return {
      partitions,
      compactedTopic: 'fresh.compacted',
      freshTopic: () => freshTopics[used++] ?? 'no topic left',
      async openMember() {
        const own = createPool({ connectionString: database.urls.services.delivery.worker, applicationName: 'test' })
        const { pool, stall, resume } = stallable(own)
        const member = { log: createPostgresLog({ pool, partitions, topics, leaseMs: 600 }), pool, stall, resume }
        opened.push({ member, own })
        return member
      },
      async close() {
        await Promise.all(opened.map(({ member }) => member.log.close()))
        await Promise.all(opened.map(({ own }) => own.end()))
        await database.drop()
      },
    }
  },
})

/** Puts records into a table and moves them into the log, as a relay does. */
async function moveIn(log: EventLog, tx: Queryable, records: NewLogRecord[]): Promise<void> {
  const { rows } = await tx.query<PublishableRow>(
    `insert into pending (topic, key, event_id, headers, payload)
      select r.topic, r.key, r."eventId", r.headers, convert_to('{}', 'UTF8')
        from json_to_recordset($1) r(topic text, key text, "eventId" text, headers json)
      returning id, topic, key, event_id as "eventId"`,
    [JSON.stringify(records)],
  )
  const removal =
    'delete from pending where id = any($1::bigint[]) returning id, topic, key, event_id, headers, payload'
  await log.publishInTransaction?.(tx, rows, removal)
}

describe('the log in Postgres', () => {
  let database: TestDatabase
  let pool: Pool
  const record = (key: string, o: Partial<NewLogRecord> = {}): NewLogRecord => ({
    topic: 'fresh.1',
    key,
    eventId: makeId('evt', Date.now(), randomBytes(10)),
    headers: {},
    payload: Buffer.from('{}'),
    ...o,
  })
  beforeAll(async () => {
    database = await prepare()
    pool = createPool({ connectionString: database.urls.services.delivery.worker, applicationName: 'test', max: 20 })
  })
  afterAll(async () => {
    await pool?.end()
    await database?.drop()
  })

  test('the migrations make the schema that is checked in', async () => {
    const described = await describeSchema(pool, 'log')
    expect(described).toBe(await checkedInSchema(new URL('./log-migrations/schema.txt', import.meta.url), described))
  })

  test('another number of partitions than at the first start is refused', async () => {
    await createPostgresLog({ pool, partitions, topics }).ensureTopics()
    const other = createPostgresLog({ pool, partitions: 5, topics })
    await expect(other.ensureTopics()).rejects.toThrow(/started with 4 partitions/)
  })

  test('records are append-only for the client role, the owner and everybody else', async () => {
    await createPostgresLog({ pool, partitions, topics }).publish([
      record('k'),
      record('k', { topic: 'fresh.compacted' }),
    ])
    const owner = database.urls.log.owner
    for (const table of ['log.records', 'log.compacted']) {
      for (const sql of [`update ${table} set key = 'x'`, `delete from ${table}`, `truncate ${table}`]) {
        await expect(pool.query(sql)).rejects.toMatchObject({ code: '42501' })
        const compactionByOwner = sql === 'delete from log.compacted'
        if (!compactionByOwner) await expect(query(owner, sql)).rejects.toMatchObject({ code: '42501' })
      }
    }
    await expect(pool.query(`update log.settings set value = '1'`)).rejects.toMatchObject({ code: '42501' })
    await expect(pool.query(`update log.heads set topic = 'x'`)).rejects.toMatchObject({ code: '42501' })
    const http = database.urls.services.delivery.http
    await expect(query(http, 'select from log.records')).rejects.toMatchObject({ code: '42501' })
    await expect(query(http, 'select from dead_letters')).rejects.toMatchObject({ code: '42501' })
  })

  test('8 writers, some of them rolled back: offsets have no gap, no repeat, and become visible in order', async () => {
    const topic = 'fresh.2'
    const log = createPostgresLog({ pool, partitions, topics })
    let writing = true
    const seen = Array.from({ length: partitions }, () => -1n)
    const watch = async () => {
      while (writing) {
        for (let p = 0; p < partitions; p += 1) {
          const { rows } = await pool.query<{ off: string }>(
            'select off from log.records where topic = $1 and partition = $2 and off > $3 order by off limit 500',
            [topic, p, seen[p]],
          )
          for (const row of rows) {
            expect(BigInt(row.off)).toBe((seen[p] ?? -1n) + 1n)
            seen[p] = BigInt(row.off)
          }
        }
      }
    }
    const watching = watch()
    let kept = 0
    const write = async (writer: number) => {
      for (let n = 0; n < 40; n += 1) {
        const records = Array.from({ length: 10 }, (_, k) => record(`wsp_${(k * 7 + writer) % 13}`, { topic }))
        const refused = (n + writer) % 5 === 0
        await withTransaction(pool, { workspaceId: null }, async (tx) => {
          await moveIn(log, tx, records)
          if (refused) throw new Error('rolled back')
        }).then(
          () => {
            kept += records.length
          },
          (error: Error) => expect(error.message).toBe('rolled back'),
        )
      }
    }
    try {
      await Promise.all(Array.from({ length: 8 }, (_, writer) => write(writer)))
    } finally {
      writing = false
    }
    await watching
    const { rows } = await pool.query(
      `select count(*)::integer as n, bool_and(dense) as dense from (select off = row_number() over (
        partition by partition order by off) - 1 as dense from log.records where topic = $1) r`,
      [topic],
    )
    expect(rows[0]).toEqual({ n: kept, dense: true })
  })

  test('a day without a partition gets one when it is needed, and is dropped only after every group passed it', async () => {
    const topic = 'fresh.3'
    const log = createPostgresLog({ pool, partitions, topics })
    const old = Date.now() - 9 * 86_400_000
    await log.publish([record('k', { topic, eventId: makeId('evt', old, randomBytes(10)) })])
    let position: LogRecord | null = null
    let allowed = false
    const subscription = await log.subscribe({
      group: 'days',
      topics: [topic],
      positionOf: async () => position,
      async onBatch(batch) {
        if (!allowed) throw new Error('not yet')
        position = batch.records.at(-1) ?? null
      },
    })
    await subscription.whenAssigned()
    expect((await maintainLog(pool)).droppedDays).toEqual([])
    allowed = true
    await until(async () => {
      const { rows } = await pool.query(`select max(off) as off from log.claims where group_name = 'days'`)
      return rows[0]?.off === '0'
    })
    await subscription.stop()
    expect((await maintainLog(pool)).droppedDays).toHaveLength(1)
    expect((await maintainLog(pool)).droppedDays).toEqual([])
    const { rows } = await pool.query('select count(*)::integer as n from log.records where topic = $1', [topic])
    expect(rows[0]?.n).toBe(0)
    // Nobody waits for what is gone.
    expect(new Set((await log.ends(topic)).values())).toEqual(new Set([-1n]))
  })

  test('regression: a group that has nothing to read keeps no old day', async () => {
    const topic = 'fresh.5'
    const log = createPostgresLog({ pool, partitions, topics })
    await log.publish([record('k', { topic, eventId: makeId('evt', Date.now() - 9 * 86_400_000, randomBytes(10)) })])
    const groups = {
      'idle.passed': { positionOf: async () => ({ offset: 0n, eventId: null }) },
      'idle.from-end': { from: 'end' as const },
    }
    const subscriptions = await Promise.all(
      Object.entries(groups).map(([group, options]) =>
        log.subscribe({
          group,
          topics: [topic],
          positionOf: async () => null,
          onBatch: async () => undefined,
          ...options,
        }),
      ),
    )
    await until(async () => {
      const { rows } = await pool.query(
        `select count(distinct group_name)::integer as n from log.claims where group_name like 'idle.%' and off = 0`,
      )
      return rows[0]?.n === 2
    })
    await Promise.all(subscriptions.map((subscription) => subscription.stop()))
    expect((await maintainLog(pool)).droppedDays).toHaveLength(1)
  })

  test('a log that was restored from an older backup is recognised: the group stands still until it reads again', async () => {
    const topic = 'fresh.6'
    const told: string[] = []
    const hear = (_: object, message: string) => void told.push(message)
    const logger = { info: hear, warn: hear, error: hear }
    const log = createPostgresLog({ pool, partitions, topics, logger })
    const sent = Array.from({ length: 3 }, () => record('k', { topic }))
    await log.publish(sent)
    const positions: Record<string, Position> = {
      beyond: { offset: 7n, eventId: null },
      replaced: { offset: 2n, eventId: sent[0]?.eventId ?? null },
    }
    for (const [what, lost] of Object.entries(positions)) {
      let position = lost
      const got: string[] = []
      const subscription = await log.subscribe({
        group: `restored.${what}`,
        topics: [topic],
        positionOf: async (_, partition) => (partition === partitionOf('k', partitions) ? position : null),
        async onBatch(batch) {
          got.push(...batch.records.map((one) => one.eventId))
          position = batch.records.at(-1) ?? position
        },
      })
      await until(async () => subscription.lost().length > 0)
      expect(subscription.lost()).toEqual([
        { topic, partition: partitionOf('k', partitions), position: lost.offset, reason: expect.any(String) },
      ])
      expect(got).toEqual([])
      position = { offset: -1n, eventId: null }
      await until(async () => got.length === 3)
      expect(subscription.lost()).toEqual([])
      await subscription.stop()
    }
    expect(told.filter((message) => message === lostRecordsMessage)).toHaveLength(2)
  })

  test('a reader in another process is woken long before its poll, whatever else is announced, and reads what came while its session was away', async () => {
    const topic = 'fresh.4'
    const reader = createPostgresLog({ pool, partitions, topics, pollMs: { min: 3_600_000, max: 3_600_000 } })
    let got = 0
    const subscription = await reader.subscribe({
      group: 'woken',
      topics: [topic],
      positionOf: async () => null,
      async onBatch(batch) {
        got += batch.records.length
      },
    })
    await subscription.whenAssigned()
    await until(
      async () =>
        (
          await query(
            database.adminUrl,
            `select from pg_stat_activity
      where query = 'listen wds_log'`,
          )
        ).rowCount === 1,
    )
    // What another process's relay does: a commit, then one notification.
    await withTransaction(pool, { workspaceId: null }, async (tx) => {
      await moveIn(reader, { query: (sql, values) => tx.query(sql, values) }, [record('k', { topic })])
    })
    // Any role of the database may notify: of what is no topic nothing comes, the name of an error among it, which had ended the process.
    await pool.query(`select pg_notify('wds_log', $1)`, [`error ${topic}`])
    await until(async () => got === 1)
    // The session that listens, which asks now and then whether it is there.
    const ended = await query(
      database.adminUrl,
      `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and query in ('listen wds_log', 'select 1')`,
    )
    expect(ended.rowCount).toBe(1)
    await withTransaction(pool, { workspaceId: null }, async (tx) => {
      await moveIn(reader, { query: (sql, values) => tx.query(sql, values) }, [record('k', { topic })])
    })
    await until(async () => got === 2)
    await subscription.stop()
  })

  test('a process that hears of new records reads once for each announcement, its own among them, and once a second besides', async () => {
    const topic = 'fresh.8'
    const own = createPool({
      connectionString: database.urls.services.delivery.worker,
      applicationName: 'reads',
      max: 6,
    })
    const asked = jest.spyOn(own, 'query')
    const log = createPostgresLog({ pool: own, partitions, topics })
    // As the relay of another process does: a commit, then one notification.
    const publishElsewhere = async (one: NewLogRecord) => {
      await withTransaction(pool, { workspaceId: null }, async (tx) => {
        await moveIn(log, { query: (sql, values) => tx.query(sql, values) }, [one])
      })
      await pool.query(`select pg_notify('wds_log', $1)`, [`another ${topic}`])
    }
    let got = 0
    const subscription = await log.subscribe({
      group: 'reads',
      topics: [topic],
      positionOf: async () => null,
      async onBatch(batch) {
        got += batch.records.length
      },
    })
    await subscription.whenAssigned()
    await log.publish([record('k', { topic })])
    await until(async () => got === 1)
    asked.mockClear()
    const startMs = performance.now()
    const each = 20
    for (let n = 0; n < each; n += 1) {
      for (const publish of [(one: NewLogRecord) => log.publish([one]), publishElsewhere]) {
        const before = got
        await publish(record('k', { topic }))
        await until(async () => got > before)
        await sleep(10)
      }
    }
    const reads = asked.mock.calls.filter(([one]) => (one as { name?: string }).name === 'log-read').length
    // What is announced while a look is under way is looked for once more.
    expect(reads).toBeLessThanOrEqual(2 * each + each / 4 + 1 + (performance.now() - startMs) / 1_000)
    await subscription.stop()
    await log.close()
    await own.end()
  })

  test('regression: partitions of a process that was killed are taken at once, those of one that lives are not', async () => {
    const topic = 'fresh.7'
    const options = { group: 'killed', topics: [topic], positionOf: async () => null, onBatch: async () => undefined }
    const killed = createPool({
      connectionString: database.urls.services.delivery.worker,
      applicationName: 'killed',
      max: 6,
    })
    const first = await createPostgresLog({ pool: killed, partitions, topics, leaseMs: 600_000 }).subscribe(options)
    await first.whenAssigned()
    const other = createPostgresLog({ pool, partitions, topics, leaseMs: 600_000 })
    const second = await other.subscribe(options)
    const membersOf = async () =>
      (await pool.query("select member_id from log.members where group_name = 'killed'")).rowCount
    await until(async () => (await membersOf()) === 2)
    expect(second.assignment()).toEqual([])
    // As kill -9 does: its sessions end, and nothing is given back. Its next heartbeat is minutes away.
    await query(
      database.adminUrl,
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'killed'",
    )
    await second.whenAssigned()
    expect(second.assignment()).toHaveLength(partitions)
    expect(await membersOf()).toBe(1)
    await second.stop()
    await first.stop()
    await killed.end()
  })

  test('rows that are moved keep their order, go to the table of their topic, and are moved once', async () => {
    const log = createPostgresLog({ pool, partitions, topics })
    await log.ensureTopics()
    const [plain, compacted] = ['fresh.13', 'fresh.compacted']
    const records = Array.from({ length: 40 }, (_, n) =>
      record('one key', { topic: n % 4 === 0 ? compacted : plain, headers: { n: String(n) } }),
    )
    const move = () => withTransaction(pool, { workspaceId: null }, (tx) => moveIn(log, tx, records))
    await move()
    // By their event ids the log knows them.
    await move()
    const stored = async (table: string, topic: string) => {
      const sql = `select event_id, headers, convert_from(payload, 'UTF8') as payload from log.${table} where topic = $1
        and key = 'one key' order by off`
      const { rows } = await pool.query<{ event_id: string; headers: unknown; payload: string }>(sql, [topic])
      return rows.map((row) => ({ eventId: row.event_id, headers: row.headers, payload: row.payload }))
    }
    const expected = (topic: string) =>
      records.filter((one) => one.topic === topic).map(({ eventId, headers }) => ({ eventId, headers, payload: '{}' }))
    expect(await stored('records', plain)).toEqual(expected(plain))
    expect(await stored('compacted', compacted)).toEqual(expected(compacted))
    const { rows } = await pool.query('select from pending')
    expect(rows).toEqual([])
  })

  test('a row that somebody else removed is not moved', async () => {
    const log = createPostgresLog({ pool, partitions, topics })
    await log.ensureTopics()
    const [gone, here] = [record('gone', { topic: 'fresh.14' }), record('here', { topic: 'fresh.14' })]
    await withTransaction(pool, { workspaceId: null }, async (tx) => {
      let asked = 0
      const deleting: Queryable = {
        query: async (statement, values) => {
          asked += 1
          // Between the putting in and the move.
          if (asked === 2) await tx.query('delete from pending where event_id = $1', [gone.eventId])
          return tx.query(statement as string, values)
        },
      }
      await moveIn(log, deleting, [gone, here])
    })
    const { rows } = await pool.query(`select event_id from log.records where topic = 'fresh.14'`)
    expect(rows).toEqual([{ event_id: here.eventId }])
  })

  test('compaction keeps the last record of each key', async () => {
    const topic = 'fresh.compacted'
    const records = Array.from({ length: 12 }, (_, n) => record(`key.${n % 3}`, { topic }))
    await createPostgresLog({ pool, partitions, topics }).publish(records)
    await query(database.urls.log.owner, `select log.compact('0 seconds')`)
    const { rows } = await pool.query(`select event_id from log.compacted where topic = $1 and key like 'key.%'`, [
      topic,
    ])
    expect(rows.map((row) => row.event_id).sort()).toEqual(
      records
        .slice(9)
        .map((one) => one.eventId)
        .sort(),
    )
  })

  test('all members together hold each partition once, and none holds two more than another', () => {
    for (let members = 1; members < 15; members += 1) {
      const ids = Array.from({ length: members }, (_, n) => `m${n}`)
      const shares = ids.map((id) => shareOf(ids, id, 12))
      expect(shares.reduce((sum, share) => sum + share, 0)).toBe(12)
      expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(1)
    }
    expect(shareOf(['a'], 'unknown', 12)).toBe(0)
  })
})
