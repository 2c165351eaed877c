import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { makeId } from '@wds/contracts/ids'
import { createTestDatabase, type TestDatabase } from '@wds/local-infra/test-database'
import { migrate } from '@wds/postgres/migrations'
import { createPool, type Pool } from '@wds/postgres/pool'
import { type Transaction, withTransaction } from '@wds/postgres/transaction'
import type { HeldPositions } from './apply-batches.ts'
import { consumeBatch } from './consume-batch.ts'
import { migrationsDirectory } from './consumer.ts'
import { insertDeadLetter, movePositions, PositionBusy, PositionMoved, pruneInbox } from './consumer-store.ts'
import { countKeptDeadLetters, dismissDeadLetters, pruneDeadLetters, replayDeadLetters } from './dead-letters.ts'
import { query } from './log.fixture.ts'
import type { Batch, EventLog, LogRecord } from './port.ts'

const topic = 'workspace.events'
const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined }

let database: TestDatabase
let pool: Pool
beforeAll(async () => {
  database = await createTestDatabase()
  const { owner, worker } = database.urls.services.delivery
  const directories = [migrationsDirectory]
  await migrate({ connectionString: owner, schema: 'delivery', directories })
  pool = createPool({ connectionString: worker, applicationName: 'test' })
})
afterAll(async () => {
  await pool?.end()
  await database?.drop()
})

describe('a batch of a consumer', () => {
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

  /** Offsets of what was put aside. */
  const deadLetters = async (name: string) => {
    const { rows } = await pool.query('select off from dead_letters where consumer = $1 order by id', [name])
    return rows.map((row) => row.off)
  }

  test('of a member that lost its partition without knowing changes nothing: the position is moved by compare-and-set', async () => {
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

  test('regression: a state of the server that passes costs no record: the effect is tried until it does', async () => {
    const meet = async (code: string) => {
      const effects: bigint[] = []
      let tries = 0
      const options = { log: {} as EventLog, pool, name: code, topics: [topic], logger: quiet, held: new Map() }
      const handleBatch = async (tx: Transaction, records: LogRecord[]) => {
        tries += 1
        // So that it is met by a record alone as well.
        if (tries === 2) throw new Error('not all of them')
        if (tries < 7) await tx.query(`do $$ begin raise exception using errcode = '${code}'; end $$`)
        effects.push(...records.map((record) => record.offset))
      }
      await consumeBatch({ ...options, dedupe: 'natural', handleBatch }, batchOf([0, 1]))
      return [code, effects, await positionIn(code), await deadLetters(code)]
    }
    const codes = ['53100', '53200', '58030', '25006', '0A000']
    expect(await Promise.all(codes.map(meet))).toEqual(codes.map((code) => [code, [0n, 1n], '1', []]))
  })

  test('regression: where a record cannot be put aside, its effect is tried again', async () => {
    await query(
      database.urls.services.delivery.owner,
      `create function disk_is_full() returns trigger language plpgsql as
        $$ begin raise exception using errcode = '53100'; end $$;
      create trigger disk_is_full before insert on dead_letters for each row when (new.consumer = 'aside') execute function disk_is_full()`,
    )
    let tries = 0
    const options = { log: {} as EventLog, pool, name: 'aside', topics: [topic], logger: quiet, held: new Map() }
    const handleBatch = async () => {
      tries += 1
      if (tries < 6) throw new Error('whatever the full disk made of it')
    }
    await consumeBatch({ ...options, dedupe: 'natural', handleBatch }, batchOf([0, 0]))
    expect([tries, await positionIn('aside'), await deadLetters('aside')]).toEqual([6, '0', []])
  })

  test.each([
    ['key', { key: 'wsp\0' }],
    ['event id', { eventId: 'evt\0' }],
    ['long event id', { eventId: randomBytes(4_500).toString('hex') }],
    ['long key', { key: randomBytes(4_500).toString('hex') }],
    ['header', { headers: { workspace_id: 'wsp\0', 'na\0me': '\0' } }],
    ['long header', { headers: { workspace_id: randomBytes(4_500).toString('hex') } }],
  ])(
    'F15: regression: a record whose %s cannot be stored is put aside, and its partition goes on',
    async (what, part) => {
      for (const dedupe of ['inbox', 'natural'] as const) {
        const name = `${what} ${dedupe}`
        const batch = batchOf([0, 2])
        batch.records[1] = { ...(batch.records[1] as LogRecord), ...part }
        const effects: bigint[] = []
        const options = { log: {} as EventLog, pool, name, topics: [topic], logger: quiet, held: new Map() }
        const handleBatch = async (_: unknown, records: LogRecord[]) => {
          if (records.some(({ offset }) => offset === 1n)) throw new Error('no \0')
          effects.push(...records.map((record) => record.offset))
        }
        await consumeBatch({ ...options, dedupe, handleBatch }, batch)
        expect([effects, await positionIn(name), await deadLetters(name)]).toEqual([[0n, 2n], '2', ['1']])
        const again: LogRecord[] = []
        await replayDeadLetters(pool, {
          consumer: name,
          handleBatch: async (_, records) => void again.push(...records),
        })
        expect(again).toEqual([batch.records[1]])
      }
    },
  )

  test('regression: the position behind a record whose id cannot be stored is moved, and names no event', async () => {
    const batch = batchOf([0, 0], () => 'evt\0')
    const options = { log: {} as EventLog, pool, name: 'nameless', topics: [topic], logger: quiet, held: new Map() }
    await consumeBatch({ ...options, dedupe: 'natural', handleBatch: async () => undefined }, batch)
    const { rows } = await pool.query(`select off, event_id from positions where consumer = 'nameless'`)
    expect(rows).toEqual([{ off: '0', event_id: null }])
  })

  test('regression: the inbox keeps 8 days, and all that is older goes at once, in bounded statements', async () => {
    const idOf = (days: number) => makeId('evt', Date.now() - days * 86_400_000, randomBytes(10))
    const kept = [idOf(7), idOf(0)]
    for (const id of [...Array.from({ length: 7 }, (_, n) => idOf(9 + n)), ...kept]) {
      await pool.query(`insert into inbox (consumer, event_id) values ('prune', $1)`, [id])
    }
    expect(await pruneInbox(pool, 'prune', { batchRows: 3 })).toBe(7)
    const { rows } = await pool.query(`select event_id from inbox where consumer = 'prune' order by event_id`)
    expect(rows.map((row) => row.event_id)).toEqual(kept)
  })

  test('the web role reads none of it, and the worker changes no dead letter', async () => {
    const http = createPool({ connectionString: database.urls.services.delivery.http, applicationName: 'test', max: 1 })
    for (const table of ['positions', 'inbox', 'dead_letters']) {
      await expect(http.query(`select from ${table}`)).rejects.toMatchObject({ code: '42501' })
    }
    await http.end()
    await expect(pool.query(`update dead_letters set reason = ''`)).rejects.toMatchObject({ code: '42501' })
  })
})

describe('dead letters', () => {
  const inTx = <T>(fn: (tx: Transaction) => Promise<T>) => withTransaction(pool, { workspaceId: null }, fn)
  const putAside = async (consumer: string, count: number) => {
    for (const record of batchOf([0, count - 1]).records)
      await inTx((tx) => insertDeadLetter(tx, consumer, record, { reason: 'r', tries: 3 }))
  }
  const open = async (consumer: string) => {
    const { rows } = await pool.query(
      'select off from dead_letters where consumer = $1 and replayed_at is null order by id',
      [consumer],
    )
    return rows.map((row) => row.off)
  }

  test('F15: are replayed oldest first; one that fails again stays, and those behind it are tried', async () => {
    await putAside('again', 5)
    const told: unknown[] = []
    const onFailure = (_id: string, error: unknown) => told.push((error as Error).message)
    const tried: bigint[] = []
    const handleBatch = async (tx: Transaction, [record]: LogRecord[]) => {
      tried.push(record?.offset ?? -1n)
      if (record?.offset === 1n) await tx.query('select 1 / 0')
    }
    const replay = (limit: number) => replayDeadLetters(pool, { consumer: 'again', limit, handleBatch, onFailure })
    expect(await replay(3)).toEqual({ replayed: 2, failed: 1 })
    expect([tried, told, await open('again')]).toEqual([[0n, 1n, 2n], ['division by zero'], ['1', '3', '4']])
    expect(await replay(3)).toEqual({ replayed: 2, failed: 1 })
    expect(await open('again')).toEqual(['1'])
  })

  test('stay where the database cannot do it for now, and the replay ends with its error', async () => {
    await putAside('full', 2)
    const handleBatch = async (tx: Transaction) =>
      void (await tx.query(`do $$ begin raise exception using errcode = '53100'; end $$`))
    await expect(replayDeadLetters(pool, { consumer: 'full', handleBatch })).rejects.toMatchObject({ code: '53100' })
    expect(await open('full')).toEqual(['0', '1'])
  })

  test('regression: are counted as kept until each is replayed or dismissed, those of other consumers apart', async () => {
    await putAside('kept', 3)
    const count = () => countKeptDeadLetters(pool, 'kept')
    expect([await count(), await countKeptDeadLetters(pool, 'none.such')]).toEqual([3, 0])
    const once = { consumer: 'kept', limit: 1, handleBatch: async () => undefined }
    await replayDeadLetters(pool, once)
    expect(await count()).toBe(2)
    expect(await dismissDeadLetters(pool, { consumer: 'kept', id: null, limit: 1 })).toBe(1)
    expect(await count()).toBe(1)
    expect(await replayDeadLetters(pool, { ...once, limit: 9 })).toEqual({ replayed: 1, failed: 0 })
    expect([await count(), await open('kept')]).toEqual([0, ['1']])
  })

  test('regression: go after 30 days, replayed or not, and nobody removes a younger one', async () => {
    await putAside('old', 6)
    const age = `update dead_letters set died_at = now() - off * interval '10 days' - interval '1 minute' where consumer = 'old'`
    await query(database.adminUrl, age.replace('dead_letters', 'delivery.dead_letters'))
    await replayDeadLetters(pool, { consumer: 'old', limit: 4, handleBatch: async () => undefined })
    await pool.query("delete from dead_letters where died_at > now() - interval '29 days'")
    expect(await pruneDeadLetters(pool, 2)).toEqual({ removed: 3, unreplayed: 2 })
    const { rows } = await pool.query(`select off from dead_letters where consumer = 'old' order by off`)
    expect(rows.map((row) => row.off)).toEqual(['0', '1', '2'])
    expect(await pruneDeadLetters(pool, 2)).toEqual({ removed: 0, unreplayed: 0 })
  })
})

const ids = Array.from({ length: 40 }, () => makeId('evt', Date.now(), randomBytes(10)))

function batchOf(
  [from, to]: [number, number],
  idAt: (offset: number) => string | undefined = (offset) => ids[offset],
): Batch {
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
