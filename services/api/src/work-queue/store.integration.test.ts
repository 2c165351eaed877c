// Who gets which piece of sync work, and what metrics say of the work that waits.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import { VersionConflict } from '@wds/event-store/event-store'
import type { TestDatabase } from '@wds/local-infra/test-database'
import { createPool, type Pool } from '@wds/postgres/pool'
import { type Transaction, withTransaction } from '@wds/postgres/transaction'
import { createApiDatabase } from '../api-database.fixture.ts'
import { breakingOnce } from './breaking-pool.fixture.ts'
import { carryOutInTurn } from './carry-out-in-turn.ts'
import { claimWork, endWork, type Work } from './store.ts'
import { readWaitingWork } from './store-waiting.ts'

let database: TestDatabase
let worker: Pool
let admin: Pool
beforeAll(async () => {
  database = await createApiDatabase()
  const urls = database.urls.services.api
  worker = createPool({ connectionString: urls.worker, applicationName: 'test-worker', max: 8 })
  admin = createPool({
    connectionString: database.adminUrl,
    applicationName: 'test-admin',
    max: 2,
    statementTimeoutMs: 0,
  })
})
afterAll(async () => {
  await Promise.all([worker?.end(), admin?.end()])
  await database?.drop()
})
afterEach(() => admin.query('truncate api.due_work, api.work_turns'))

interface Piece {
  workspace?: string
  id: string
  /** Seconds from now. */
  due: number
  lease?: number | null
  kind?: Work['kind']
}

/** Rows of the queue alone, each of an integration of its own: what they belong to is not looked at. */
async function put(pieces: Piece[]): Promise<void> {
  const client = await admin.connect()
  await client.query('set session_replication_role = replica')
  for (const { workspace = 'wsp_x', id, due, lease = null, kind = 'run' } of pieces) {
    await client.query(
      `insert into api.due_work (workspace_id, work_id, kind, integration_id, correlation, traceparent, due, lease_until)
       values ($4, $1, $5, 'int_' || $1, 'req_x', '', now() + $2 * interval '1 s', now() + $3 * interval '1 s')`,
      [id, due, lease, workspace, kind],
    )
  }
  client.release(true)
}

const many = (workspace: string, n: number): Piece[] =>
  Array.from({ length: n }, (_, index) => ({ workspace, id: `${workspace}_${index}`, due: index - 1000 }))

const claim = (before: (tx: Transaction) => Promise<unknown> = async () => undefined): Promise<Work | null> =>
  withTransaction(worker, { workspaceId: null }, async (tx) => {
    await before(tx)
    return claimWork(tx, { leaseMs: 60_000, leaseToken: 'test', perWorkspace: 2 })
  })

async function leased(): Promise<number> {
  const { rowCount } = await admin.query('select from api.due_work where lease_until > now()')
  return rowCount ?? 0
}

test.each([
  ['nested loops', ['hashjoin', 'mergejoin', 'material', 'memoize']],
  ['nested loops over the whole table', ['hashjoin', 'mergejoin', 'material', 'indexscan', 'bitmapscan']],
  ['merge joins', ['hashjoin', 'nestloop']],
  ['hash joins', ['mergejoin', 'nestloop']],
])('regression: a claim leases one piece of work, also by %s', async (_name, off) => {
  const [first, ...others] = many('wsp_x', 6)
  await put([first as Piece])
  // As they are after a quiet time: with statistics of one row every join looks alike.
  await admin.query('analyze api.due_work')
  await put(others)
  const work = await claim((tx) =>
    tx.query(`select ${off.map((way) => `set_config('enable_${way}', 'off', true)`).join(', ')}`),
  )
  expect([work?.workId, await leased()]).toEqual(['wsp_x_0', 1])
})

test('regression: workspaces take turns, however much one of them has queued before the others', async () => {
  await put([
    ...many('wsp_greedy', 20),
    { workspace: 'wsp_b', id: 'b', due: -2 },
    { workspace: 'wsp_c', id: 'c', due: -1 },
  ])
  const served: string[] = []
  for (let turn = 0; turn < 6; turn++) {
    const work = await claim()
    served.push(work?.workId ?? '')
    await withTransaction(worker, { workspaceId: null }, (tx) =>
      endWork(tx, work?.workspaceId ?? '', work?.workId ?? ''),
    )
  }
  expect(served).toEqual(['wsp_greedy_0', 'b', 'c', 'wsp_greedy_1', 'wsp_greedy_2', 'wsp_greedy_3'])
})

test('regression: a claim locks the turn of one workspace, so that a claim beside it takes the next one', async () => {
  await put(['a', 'b', 'c'].flatMap((name) => many(`wsp_${name}`, 2)))
  const o = { leaseMs: 60_000, leaseToken: 'test', perWorkspace: 2 }
  const served = await withTransaction(worker, { workspaceId: null }, async (tx) => {
    const work = await claimWork(tx, o)
    return [work, await claim(), await claim()].map((taken) => taken?.workspaceId)
  })
  expect(served.sort()).toEqual(['wsp_a', 'wsp_b', 'wsp_c'])
})

test('regression: one workspace never has more pieces under way than its share, also when all slots claim at once', async () => {
  await put(many('wsp_greedy', 20))
  await Promise.all(Array.from({ length: 8 }, () => claim()))
  expect(await leased()).toBeLessThanOrEqual(2)
  while (await claim());
  expect(await leased()).toBe(2)
  await put([{ workspace: 'wsp_b', id: 'b', due: -1 }])
  expect((await claim())?.workId).toBe('b')
})

test('regression: files wait neither behind sources that are slow nor for the share of their own workspace that those hold', async () => {
  // As many pulls under way as one workspace may have, for as long as their sources take.
  await put(many('wsp_slow', 2).map((piece) => ({ ...piece, lease: 600 })))
  await put([
    { workspace: 'wsp_slow', id: 'pull', due: -9 },
    { workspace: 'wsp_slow', id: 'own_file', due: -8, kind: 'import' },
    { workspace: 'wsp_b', id: 'file', due: -7, kind: 'import' },
    { workspace: 'wsp_b', id: 'other_pull', due: -6 },
  ])
  const claimOf = (kind: Work['kind']) =>
    withTransaction(worker, { workspaceId: null }, async (tx) => {
      const claimed = await claimWork(tx, { leaseMs: 60_000, leaseToken: 'test', perWorkspace: 2, kind })
      return claimed?.workId ?? null
    })
  const files = [await claimOf('import'), await claimOf('import'), await claimOf('import')]
  expect(new Set(files)).toEqual(new Set(['file', 'own_file', null]))
  expect([await claimOf('run'), await claimOf('run')]).toEqual(['other_pull', null])
})

test('waiting, running and deferred work are told apart; the age is that of the oldest waiting piece', async () => {
  expect(await readWaitingWork(worker, ['run', 'import'])).toEqual({
    waiting: 0,
    running: 0,
    deferred: 0,
    oldestWaitingSeconds: 0,
  })
  await put([
    { id: 'lost', due: -95, lease: -5 },
    { id: 'waits', due: -25 },
    { id: 'runs', due: -500, lease: 30 },
    { id: 'later', due: 60 },
  ])
  const work = await readWaitingWork(worker, ['run', 'import'])
  expect(work).toMatchObject({ waiting: 2, running: 1, deferred: 1 })
  expect(Math.floor(work.oldestWaitingSeconds / 10)).toBe(9)
})

test('regression: a piece is put off for what its own work failed of, never for a look that failed after it', async () => {
  const pieces: ({ workspaceId: string } | Error)[] = [{ workspaceId: 'wsp_x' }, new Error('the look failed')]
  const putOff: string[] = []
  const turn = carryOutInTurn<{ workspaceId: string }>({
    pool: worker,
    turns: { last: '' },
    async take() {
      const next = pieces.shift()
      if (next instanceof Error || next === undefined) throw next
      return next
    },
    handle: async () => Promise.reject(new VersionConflict('somebody was faster')),
    report: ({ workspaceId }) => putOff.push(workspaceId),
    async defer() {},
  })
  await expect(turn).rejects.toThrow('the look failed')
  expect(putOff).toEqual([])
})

test('regression: a piece whose connection broke behind the commit is not put off: it has set itself when it is due next', async () => {
  const failed: unknown[] = []
  const putOff: string[] = []
  const turn = carryOutInTurn<{ workspaceId: string }>({
    pool: breakingOnce(worker),
    turns: { last: '' },
    take: async (tx) => {
      await tx.query('select')
      return { workspaceId: 'wsp_x' }
    },
    handle: async (tx, { workspaceId }) => {
      await tx.query('insert into work_turns (workspace_id, last_served) values ($1, app_now())', [workspaceId])
    },
    report: (_piece, error) => failed.push(error),
    defer: async (_tx, { workspaceId }) => void putOff.push(workspaceId),
  })
  expect(await turn).toBe(true)
  expect(failed).toMatchObject([{ code: 'commit_unknown' }])
  expect(putOff).toEqual([])
  // The server has heard of the commit, and may be at it.
  while ((await worker.query('select from work_turns')).rowCount !== 1) await sleep(20)
})
