import { type ChildProcess, fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { makeId } from '@wds/contracts/ids'
import type { EventLog } from '@wds/event-log/port'
import { createPostgresLog, logMigrations } from '@wds/event-log/postgres-log'
import { createTestDatabase, type TestDatabase } from '@wds/local-infra/test-database'
import { migrate } from '@wds/postgres/migrations'
import { createPool, type Pool } from '@wds/postgres/pool'
import { type Transaction, withTransaction } from '@wds/postgres/transaction'
import pg from 'pg'
import { createBackpressure, room } from './backpressure.ts'
import { runBurst } from './burst.fixture.ts'
import { appendEvents, loadStream, migrationsDirectory } from './event-store.ts'
import { type OutboxRecord, putInOutbox } from './outbox.ts'
import { relayAsLeader, runRelay } from './relay.ts'
import { LeadershipLost, relayBatch } from './relay-batch.ts'

const partitions = 4
const topic = 'workspace.events'
const fresh = { isFresh: () => true }
const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined }

let database: TestDatabase
let pool: Pool
let log: EventLog
const clients: pg.Client[] = []
const children = new Set<ChildProcess>()

function migrateAll({ urls }: TestDatabase): Promise<unknown> {
  const directories = [migrationsDirectory]
  return Promise.all([
    migrate({ connectionString: urls.log.owner, schema: 'log', directories: logMigrations }),
    migrate({ connectionString: urls.services.api.owner, schema: 'api', directories }),
  ])
}

beforeEach(async () => {
  database = await createTestDatabase({ name: 'relay', make: migrateAll })
  const { api } = database.urls.services
  pool = createPool({ connectionString: api.worker, applicationName: 'test', max: 20 })
  log = createPostgresLog({ pool, partitions })
  await log.ensureTopics()
})
afterEach(async () => {
  await Promise.all([...children].map(end))
  await Promise.all(clients.splice(0).map((client) => client.end()))
  await pool?.end()
  await database?.drop()
})

/** A transaction on a connection of its own, left open until `commit`. */
async function openTransaction(): Promise<
  Transaction & { commit(): Promise<void>; takeTransactionId(): Promise<void> }
> {
  const client = new pg.Client({ connectionString: database.urls.services.api.worker })
  clients.push(client)
  await client.connect()
  await client.query(`begin; select set_config('app.workspace_id', 'wsp_1', true)`)
  return {
    workspaceId: 'wsp_1',
    query: (sql, values) => client.query(sql as string, values),
    afterCommit: () => undefined,
    withCommit: (ask) => void ask().catch(() => undefined),
    takeTransactionId: async () => void (await client.query('select pg_current_xact_id()')),
    commit: async () => void (await client.query('commit')),
  }
}

function row(key: string, o: Partial<OutboxRecord> = {}): OutboxRecord {
  const eventId = makeId('evt', Date.now(), randomBytes(10))
  return { workspaceId: 'wsp_1', topic, key, eventId, headers: { event_id: eventId }, payload: Buffer.from('{}'), ...o }
}

const put = (records: OutboxRecord[]) =>
  withTransaction(pool, { workspaceId: 'wsp_1' }, (tx) => putInOutbox(tx, records))

/** Our relay, one pass. */
const pass = () => relayBatch({ pool, log }, fresh)

async function sent(): Promise<
  { event_id: string; key: string; partition: number; off: string; headers: Record<string, string> }[]
> {
  const { rows } = await pool.query(
    'select event_id, key, partition, off, headers from log.records order by partition, off',
  )
  return rows
}

async function outboxIds(where = 'true', order = 'id'): Promise<number[]> {
  const { rows } = await pool.query(`select id from outbox where ${where} order by ${order}`)
  return rows.map((found) => Number(found.id))
}

describe('designs that fail, and what ours does in the same interleaving (stack.md 6)', () => {
  test('1: a cursor on id never reads a row that commits late; ours sends it', async () => {
    const [late, early] = [row('late'), row('early')]
    const t1 = await openTransaction()
    await putInOutbox(t1, [late])
    await put([early])
    const cursor = Math.max(...(await outboxIds()))
    expect(await pass()).toBe(1)
    await t1.commit()
    expect(await outboxIds(`id > ${cursor}`)).toEqual([])
    expect(await pass()).toBe(1)
    expect((await sent()).map((record) => record.event_id).sort()).toEqual([late.eventId, early.eventId].sort())
  })

  test('2: reading below the oldest running transaction with a cursor on id loses a row; ours sends it', async () => {
    const belowOldest = 'xmin::text::bigint < pg_snapshot_xmin(pg_current_snapshot())::text::bigint'
    const [first, second] = [row('first'), row('second')]
    const older = await openTransaction()
    await older.takeTransactionId()
    const younger = await openTransaction()
    await younger.takeTransactionId()
    await putInOutbox(younger, [first])
    await putInOutbox(older, [second])
    await older.commit()
    // A transaction of another suite on the same server may be older still; it ends.
    let read: number[] = []
    await until(async () => {
      read = await outboxIds(belowOldest)
      return read.length === 1
    })
    expect(await pass()).toBe(1)
    await younger.commit()
    expect(await outboxIds(`${belowOldest} and id > ${read[0]}`)).toEqual([])
    expect(await pass()).toBe(1)
    expect((await sent()).map((record) => record.event_id).sort()).toEqual([first.eventId, second.eventId].sort())
  })

  test('3: order by (transaction id, row id) reads version 2 before version 1; ours sends them in order', async () => {
    const append = (tx: Transaction, expectedVersion: number) =>
      appendEvents(tx, {
        context: {
          workspaceId: 'wsp_1',
          actor: { type: 'system', id: 's' },
          correlation: 'c',
          trace: { traceparent: 't' },
        },
        streamType: 'counter',
        streamId: 'one',
        expectedVersion,
        nowMs: Date.now(),
        lastCreatedMs: null,
        events: [{ type: 'Counted', data: {} }],
        announce: (event, meta) => [
          {
            topic,
            key: 'wsp_1',
            type: event.type,
            payload: Buffer.from('{}'),
            headers: { version: String(meta.version) },
          },
        ],
      })
    const early = await openTransaction()
    await early.takeTransactionId()
    await withTransaction(pool, { workspaceId: 'wsp_1' }, (tx) => append(tx, 0))
    const decider = { initialState: 0, evolve: (n: number) => n + 1 }
    const read = await loadStream(early, decider, { workspaceId: 'wsp_1', streamType: 'counter', streamId: 'one' })
    await append(early, read.version)
    await early.commit()
    const { rows } = await pool.query(
      `select headers->>'version' as version from outbox order by xmin::text::bigint, id`,
    )
    expect(rows.map((found) => found.version)).toEqual(['2', '1'])
    await pass()
    expect((await sent()).map((record) => record.headers.version)).toEqual(['1', '2'])
  })
})

describe('a relay', () => {
  test('sends nothing unless its leadership is fresh, with and without a shared database', async () => {
    await put([row('k')])
    const stale = { isFresh: () => false }
    const { publishInTransaction: _, ...apart } = log
    await expect(relayBatch({ pool, log }, stale)).rejects.toBeInstanceOf(LeadershipLost)
    await expect(relayBatch({ pool, log: apart }, stale)).rejects.toBeInstanceOf(LeadershipLost)
    expect(await sent()).toEqual([])
    expect(await outboxIds()).toHaveLength(1)
  })

  test('keeps rows whose publish fails before it reaches the database, or asks too late', async () => {
    await put([row('k'), { ...row('k'), topic: 'no.such.topic' }])
    await expect(pass()).rejects.toThrow('the log has no topic')
    const late: EventLog = {
      ...log,
      publishInTransaction: async (...move) => setImmediate().then(() => log.publishInTransaction?.(...move)),
    }
    await expect(relayBatch({ pool, log: late }, fresh)).rejects.toThrow('ask before it waits')
    expect(await sent()).toEqual([])
    expect(await outboxIds()).toHaveLength(2)
  })

  test('of a log apart repeats after a crash between send and delete, and the log keeps each event once', async () => {
    const records = Array.from({ length: 30 }, (_, n) => row(`wsp_${n % 3}`))
    await put(records)
    const { publishInTransaction: _, ...apart } = log
    const crashing: EventLog = {
      ...apart,
      async publish(batch) {
        await apart.publish(batch)
        throw new Error('crash')
      },
    }
    await expect(relayBatch({ pool, log: crashing }, fresh)).rejects.toThrow('crash')
    expect(await outboxIds()).toHaveLength(30)
    expect(await relayBatch({ pool, log: apart }, fresh)).toBe(30)
    expect(await outboxIds()).toEqual([])
    expect((await sent()).map((record) => record.event_id).sort()).toEqual(
      records.map((record) => record.eventId).sort(),
    )
  })

  test('does not let 20,000 rows of one key stand before the others, and keeps the order within each key', async () => {
    const big = Array.from({ length: 20_000 }, () => row('wsp_big'))
    for (let n = 0; n < big.length; n += 5000) await put(big.slice(n, n + 5000))
    const small = Array.from({ length: 40 }, (_, n) => row(`wsp_${n}`))
    await put(small)
    await pass()
    const first = await sent()
    expect(first.filter((record) => record.key !== 'wsp_big')).toHaveLength(40)
    expect(first).toHaveLength(500)
    const bigSent = first.filter((record) => record.key === 'wsp_big').map((record) => record.event_id)
    expect(bigSent).toEqual(big.slice(0, bigSent.length).map((record) => record.eventId))
  })

  test('regression: a burst waits in the outbox while its partition lags, and a neighbour is not behind all of it', async () => {
    const { before, sent, arrived } = await runBurst({ pool, log, partitions, topic, group: 'burst', row, put, until })
    expect(before).toBeLessThan(sent.length / 3)
    expect(arrived).toEqual(sent)
  })

  test('regression: rows that keep coming do not hurry a burst that waits for a reader that stands still', async () => {
    const committedOffsets = async () => new Map(Array.from({ length: partitions }, (_, n) => [n, -1n]))
    const backpressure = createBackpressure({ log: { ...log, committedOffsets }, partitions, logger: quiet })
    const ended = new AbortController()
    const options = { connectionString: '', pool, log, partitions, signal: ended.signal, logger: quiet, backpressure }
    await put(Array.from({ length: 200 }, () => row('greedy')))
    const startedMs = performance.now()
    const running = relayAsLeader(options, { isFresh: () => true, signal: ended.signal })
    while (performance.now() - startedMs < 1_000) await put([row('greedy')])
    ended.abort()
    await running
    // One row in 10 ms, behind those for which there is room.
    expect((await sent()).length).toBeLessThan(room.records + (performance.now() - startedMs) / 9)
  })

  test('wakes by the signal of an append, long before its poll', async () => {
    const ended = new AbortController()
    const pollMs = { min: 600_000, max: 600_000 }
    const o = { connectionString: '', pool, log, partitions, signal: ended.signal, logger: quiet, pollMs }
    const running = relayAsLeader(o, { isFresh: () => true, signal: new AbortController().signal })
    try {
      for (let n = 0; n < 10; n += 1) {
        await put([row('k')])
        await until(async () => (await sent()).length === n + 1)
      }
    } finally {
      ended.abort()
      await running
    }
  })

  test('regression: it plans by keys on a connection of its own, whose statements are never compiled', async () => {
    const settings = `select name, setting from pg_settings where name in ('enable_seqscan', 'enable_sort', 'jit') order by 1`
    const found: Promise<pg.QueryResult>[] = []
    const told: EventLog = {
      ...log,
      async publishInTransaction(tx, rows, removal) {
        found.push(tx.query(settings))
        await log.publishInTransaction?.(tx, rows, removal)
      },
    }
    const ended = new AbortController()
    const connectionString = database.urls.services.api.worker
    const running = runRelay({ connectionString, pool, log: told, partitions, signal: ended.signal, logger: quiet })
    await put([row('one')])
    await until(async () => (await outboxIds()).length === 0)
    ended.abort()
    await running
    expect((await found[0])?.rows.map(({ setting }) => setting)).toEqual(['off', 'off', 'off'])
    expect((await pool.query(settings)).rows.map(({ setting }) => setting)).toEqual(['on', 'on', expect.anything()])
  })

  test('a row whose event id the log holds already does not stop it', async () => {
    const record = row('k')
    await log.publish([record])
    await put([record, row('k')])
    expect(await pass()).toBe(2)
    expect(await sent()).toHaveLength(2)
  })
})

test('no write transaction notifies', async () => {
  const statements: string[] = []
  await withTransaction(pool, { workspaceId: 'wsp_1' }, async (tx) => {
    const spied: Transaction = {
      ...tx,
      query: (sql, values) => {
        statements.push(typeof sql === 'string' ? sql : sql.text)
        return tx.query(sql, values)
      },
    }
    await putInOutbox(spied, [row('k')])
  })
  expect(statements).toHaveLength(1)
  const folder = new URL('./', import.meta.url)
  const sources = (await readdir(folder, { recursive: true })).filter((name) =>
    /(?<!\.test|\.fixture)\.(ts|sql)$/.test(name),
  )
  expect(sources.length).toBeGreaterThan(5)
  for (const name of sources)
    expect(await readFile(new URL(name, folder), 'utf8')).not.toMatch(/pg_notify\(|\bnotify\s+\w/)
  const { rows } = await pool.query(
    `select proname from pg_proc where pronamespace in ('api'::regnamespace, 'log'::regnamespace) and prosrc ~* 'notify'`,
  )
  expect(rows).toEqual([])
})

describe('relays as processes', () => {
  test('8 writers and a relay killed at random: offsets have no gap and no repeat, each stream arrives in order', async () => {
    let writing = true
    const expected = new Map<string, string[]>()
    const write = async (writer: number) => {
      const key = `wsp_${writer}`
      expected.set(key, [])
      for (let n = 0; n < 150; n += 1) {
        const records = Array.from({ length: 1 + (n % 4) }, () => row(key))
        const refused = n % 7 === 0
        await withTransaction(pool, { workspaceId: 'wsp_1' }, async (tx) => {
          await putInOutbox(tx, records)
          if (refused) throw new Error('rolled back')
        }).catch((error: Error) => expect(error.message).toBe('rolled back'))
        if (!refused) expected.get(key)?.push(...records.map((record) => record.eventId))
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 20))
      }
    }
    let kills = 0
    const kill = async () => {
      while (writing || kills < 4) {
        const relay = start(`relay-${kills}`)
        await until(async () => relay.heard.includes('inside'))
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 100))
        await end(relay.child)
        kills += 1
        if (kills >= 4) return
        if (!writing) await put([row('wsp_late', { workspaceId: 'wsp_1' })])
      }
    }
    const killing = kill()
    await Promise.all(Array.from({ length: 8 }, (_, writer) => write(writer)))
    writing = false
    await killing
    start('last')
    await until(async () => (await outboxIds()).length === 0)
    const records = await sent()
    for (const [key, ids] of expected) {
      expect(records.filter((record) => record.key === key).map((record) => record.event_id)).toEqual(ids)
    }
    for (let partition = 0; partition < partitions; partition += 1) {
      const offsets = records.filter((record) => record.partition === partition).map((record) => Number(record.off))
      expect(offsets).toEqual(offsets.map((_, n) => n))
    }
    expect(kills).toBeGreaterThanOrEqual(4)
  })

  test('a leader stopped inside its transaction is taken over, and sends nothing when it goes on', async () => {
    const leader = start('leader', 300)
    await until(async () => leader.heard.includes('relay became leader'))
    await put([row('k'), row('k')])
    await until(async () => leader.heard.includes('inside'))
    leader.child.kill('SIGSTOP')
    const heir = start('heir')
    await until(async () => (await sent()).length === 2)
    expect(heir.heard).toContain('relay became leader')
    leader.child.kill('SIGCONT')
    await until(async () => leader.heard.includes('relay lost leadership'))
    for (let n = 0; n < 5; n += 1) {
      await put([row('k')])
      await until(async () => (await sent()).length === 3 + n)
    }
    expect((await sent()).map((record) => record.headers.relay)).toEqual(Array.from({ length: 7 }, () => 'heir'))
  })
})

function start(name: string, hangMs = 0): { child: ChildProcess; heard: string[] } {
  const heard: string[] = []
  const file = new URL('./relay-process.fixture.ts', import.meta.url)
  const args = [database.urls.services.api.worker, name, String(hangMs), String(partitions)]
  const child = fork(file, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], execArgv: [] })
  child.on('message', (message) => heard.push((message as { message: string }).message))
  children.add(child)
  return { child, heard }
}

async function end(child: ChildProcess): Promise<void> {
  children.delete(child)
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await gone
}

async function until(done: () => Promise<boolean>, limitMs = 60_000): Promise<void> {
  const deadline = performance.now() + limitMs
  while (!(await done())) {
    if (performance.now() > deadline) throw new Error('not in time')
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
