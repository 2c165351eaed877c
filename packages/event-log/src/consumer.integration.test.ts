import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { makeId } from '@wds/contracts/ids'
import { createTestDatabase, type TestDatabase } from '@wds/local-infra/test-database'
import { baseMigrationsDirectory, migrate } from '@wds/postgres/migrations'
import { createPool, type Pool } from '@wds/postgres/pool'
import { type Transaction, withTransaction } from '@wds/postgres/transaction'
import { consumeBatch, type HeldPositions, migrationsDirectory } from './consumer.ts'
import { movePositions, PositionBusy, PositionMoved, pruneInbox } from './consumer-store.ts'
import type { Batch, EventLog, LogRecord } from './port.ts'

const topic = 'workspace.events'
const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined }

describe('a batch of a member that lost its partition without knowing', () => {
  let database: TestDatabase
  let pool: Pool
  beforeAll(async () => {
    database = await createTestDatabase()
    const { owner, worker } = database.urls.services.delivery
    const directories = [baseMigrationsDirectory, migrationsDirectory]
    await migrate({ connectionString: owner, schema: 'delivery', directories })
    pool = createPool({ connectionString: worker, applicationName: 'test' })
  }, 30_000)
  afterAll(async () => {
    await pool?.end()
    await database?.drop()
  })

  /** Consumes offsets from..to with the given idea of the position; gives the offsets that took effect. */
  const consume = async (name: string, held: bigint | null, range: [number, number], dedupe: 'natural' | 'inbox') => {
    const effects: bigint[] = []
    const positions: HeldPositions = new Map([[`${topic}/0`, held]])
    const options = { log: {} as EventLog, pool, name, topics: [topic], dedupe, logger: quiet, held: positions }
    const handleBatch = async (_: unknown, records: LogRecord[]) => {
      effects.push(...records.map((record) => record.offset))
    }
    await consumeBatch({ ...options, handleBatch }, batchOf(range))
    return effects
  }
  const positionIn = async (name: string) =>
    (await pool.query('select off from positions where consumer = $1', [name])).rows[0]?.off

  test('changes nothing: the position is moved by compare-and-set', async () => {
    expect(await consume('cas', null, [0, 9], 'natural')).toHaveLength(10)
    expect(await consume('cas', 9n, [10, 19], 'natural')).toHaveLength(10)
    await expect(consume('cas', 9n, [10, 14], 'natural')).rejects.toBeInstanceOf(PositionMoved)
    await expect(consume('cas', 9n, [10, 29], 'natural')).rejects.toBeInstanceOf(PositionMoved)
    await expect(consume('cas', null, [0, 9], 'natural')).rejects.toBeInstanceOf(PositionMoved)
    expect(await positionIn('cas')).toBe('19')
  })

  test('and says so, whatever its effect asks in the same message or behind it', async () => {
    await consume('told', null, [0, 9], 'natural')
    const effects: ((tx: Transaction) => Promise<unknown>)[] = [
      (tx) => tx.query('select 1'),
      async (tx) => tx.withCommit(() => tx.query('select 1')),
      (tx) => tx.query('select 1').then(() => tx.query('select 2')),
      async (tx) => {
        await tx.query('select 1').catch(() => undefined)
      },
      (tx) => tx.query('select 1 / 0'),
    ]
    for (const effect of effects) {
      const held: HeldPositions = new Map([[`${topic}/0`, 4n]])
      const options = { log: {} as EventLog, pool, name: 'told', topics: [topic], logger: quiet, held }
      const handleBatch = async (tx: Transaction) => void (await effect(tx))
      const attempt = consumeBatch({ ...options, dedupe: 'natural', handleBatch }, batchOf([5, 12]))
      await expect(attempt).rejects.toBeInstanceOf(PositionMoved)
    }
    expect(await positionIn('told')).toBe('9')
  })

  test('records at or below the position are skipped', async () => {
    await consume('skip', null, [0, 9], 'natural')
    expect(await consume('skip', 9n, [5, 12], 'natural')).toEqual([10n, 11n, 12n])
    expect(await consume('skip', 12n, [5, 12], 'natural')).toEqual([])
    expect(await positionIn('skip')).toBe('12')
  })

  test('an event at another offset is caught by the inbox', async () => {
    expect(await consume('inbox', null, [0, 4], 'inbox')).toHaveLength(5)
    const again = batchOf([5, 9], (offset) => ids[offset - 5])
    const effects: LogRecord[] = []
    const held: HeldPositions = new Map([[`${topic}/0`, 4n]])
    const options = { log: {} as EventLog, pool, name: 'inbox', topics: [topic], logger: quiet, held }
    const handleBatch = async (_: unknown, records: LogRecord[]) => void effects.push(...records)
    await consumeBatch({ ...options, dedupe: 'inbox', handleBatch }, again)
    expect(effects).toEqual([])
    expect(await positionIn('inbox')).toBe('9')
  })

  test('a position that another open transaction holds is waited for and counts against no record', async () => {
    await consume('busy', null, [0, 0], 'natural')
    await withTransaction(pool, { workspaceId: null }, async (holder) => {
      await movePositions(holder, 'busy', [{ topic, partition: 0, from: 0n, to: 1n, eventId: 'e' }])
      const waiting = withTransaction(pool, { workspaceId: null }, async (tx) => {
        await tx.query(`set local lock_timeout = '50ms'`)
        await movePositions(tx, 'busy', [{ topic, partition: 0, from: 0n, to: 2n, eventId: 'e' }])
      })
      await expect(waiting).rejects.toBeInstanceOf(PositionBusy)
    })
  })

  test('the inbox keeps 8 days', async () => {
    const idOf = (days: number) => makeId('evt', Date.now() - days * 86_400_000, randomBytes(10))
    const kept = [idOf(7), idOf(0)]
    for (const id of [idOf(9), idOf(30), ...kept]) {
      await pool.query(`insert into inbox (consumer, event_id) values ('prune', $1)`, [id])
    }
    expect(await pruneInbox(pool, 'prune')).toBe(2)
    const { rows } = await pool.query(`select event_id from inbox where consumer = 'prune' order by event_id`)
    expect(rows.map((row) => row.event_id)).toEqual(kept)
  })

  test('the web role reads none of it, and the worker removes no dead letter', async () => {
    const http = createPool({ connectionString: database.urls.services.delivery.http, applicationName: 'test', max: 1 })
    for (const table of ['positions', 'inbox', 'dead_letters']) {
      await expect(http.query(`select from ${table}`)).rejects.toMatchObject({ code: '42501' })
    }
    await http.end()
    await expect(pool.query('delete from dead_letters')).rejects.toMatchObject({ code: '42501' })
    await expect(pool.query(`update dead_letters set reason = ''`)).rejects.toMatchObject({ code: '42501' })
  })
})

const ids = Array.from({ length: 40 }, () => makeId('evt', Date.now(), randomBytes(10)))

function batchOf([from, to]: [number, number], idAt = (offset: number) => ids[offset]): Batch {
  const records = Array.from({ length: to - from + 1 }, (_, n) => ({
    topic,
    partition: 0,
    offset: BigInt(from + n),
    key: 'wsp_1',
    eventId: idAt(from + n) ?? '',
    headers: {},
    payload: null,
  }))
  return { topic, partition: 0, records, signal: new AbortController().signal, heartbeat: async () => undefined }
}
