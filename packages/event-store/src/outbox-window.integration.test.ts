import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { createTestDatabase, type TestDatabase } from '@wds/local-infra/test-database'
import { wait } from '@wds/pacing/wait'
import { migrate } from '@wds/postgres/migrations'
import { createPool, type Pool } from '@wds/postgres/pool'
import { withTransaction } from '@wds/postgres/transaction'
import pg from 'pg'
import { migrationsDirectory } from './event-store.ts'
import { putInOutbox } from './outbox.ts'
import { findPart, findRows, findsRows, readOthers, readRows, relayConnection, removeSql } from './outbox-window.ts'

const workspaceId = 'wsp_1'
const size = 64

let database: TestDatabase
let owner: pg.Client
let pool: Pool
let relay: Pool

beforeEach(async () => {
  const make = ({ urls }: TestDatabase) =>
    migrate({ connectionString: urls.services.api.owner, schema: 'api', directories: [migrationsDirectory] })
  database = await createTestDatabase({ name: 'outbox', make })
  const { api } = database.urls.services
  pool = createPool({ connectionString: api.worker, applicationName: 'test', max: 1 })
  relay = relayConnection(pool)
  // The plan of a statement with parameters would be kept from the sixth execution on.
  await relay.query('set plan_cache_mode = force_generic_plan')
  owner = new pg.Client({ connectionString: api.owner })
  await owner.connect()
  // The server would plan anew behind it.
  await owner.query('alter table outbox set (autovacuum_enabled = false)')
})
afterEach(async () => {
  await owner?.end()
  await pool?.end()
  await database?.drop()
})

const put = (keys: string[]) => {
  const topic = 'workspace.events'
  const payload = Buffer.alloc(200)
  const records = keys.map((key) => {
    return { workspaceId, topic, key, eventId: randomBytes(12).toString('hex'), headers: {}, payload }
  })
  return withTransaction(pool, { workspaceId }, (tx) => putInOutbox(tx, records))
}
const putBurst = async (count: number) => {
  await put(Array<string>(count).fill('greedy'))
  await put(Array.from({ length: 10 }, (_, n) => `neighbour ${n}`))
}
const empty = () => pool.query('delete from outbox')

/** Everything that a relay asks of the outbox, planned now. */
async function plan(): Promise<void> {
  await findsRows(relay)
  await findRows(relay, size)
  await readRows(relay, size)
  // The burst is held, as where its partition has no leader.
  await readOthers(relay, size, { ...(await findPart(relay, '0')), without: ['workspace.events greedy'] })
  await relay.query({ name: 'outbox-remove', text: removeSql, values: [[]] })
}

/** Of 64 rows out of 20,000, of which the table has 600 blocks and an index 100. */
const blocksAtMost = new Map([
  ['outbox-find-64', 400],
  ['outbox-look', 20],
  ['outbox-part', 700],
  ['outbox-read-64', 400],
  ['outbox-read-64-others', 600],
  ['outbox-remove', 10],
])

/** Blocks that the kept plan of each statement touches: name to count. `id`: of the row to remove. */
async function blocksByPlan(id: string): Promise<Map<string, number>> {
  const given = new Map([
    ['outbox-part', `('0')`],
    ['outbox-read-64-others', `('{workspace.events greedy}', '0', '${(await findPart(relay, '0')).upTo}')`],
    ['outbox-remove', `('{${id}}')`],
  ])
  const { rows } = await relay.query<{ name: string }>('select name from pg_prepared_statements order by name')
  const blocks = new Map<string, number>()
  for (const { name } of rows) {
    const explained = await relay.query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
      `explain (analyze, buffers, format json) execute ${pg.escapeIdentifier(name)}${given.get(name) ?? ''}`,
    )
    const { Plan } = explained.rows[0]?.['QUERY PLAN'][0] ?? { Plan: {} }
    blocks.set(name, (Plan['Shared Hit Blocks'] ?? 0) + (Plan['Shared Read Blocks'] ?? 0))
  }
  return blocks
}

/**
 * Statements that touch more blocks than they may. Dead rows are passed once and known as dead then, unless a transaction of
 * anybody (autovacuum's, of another database) began before they died: it is waited for, 20 s at most.
 */
async function dearStatements(id: string): Promise<{ names: string[]; dear: [string, number][] }> {
  for (let looks = 1; ; looks += 1) {
    await plan()
    const blocks = await blocksByPlan(id)
    const dear = [...blocks].filter(([name, count]) => count > (blocksAtMost.get(name) ?? 0))
    if (dear.length === 0 || looks === 40) return { names: [...blocks.keys()], dear }
    await wait(500)
  }
}

describe('regression: what a pass touches does not grow with a burst, whatever the outbox held when it was planned', () => {
  test.each([
    ['nothing ever', async () => undefined],
    ['nothing, and its statistics say so', () => owner.query('vacuum analyze outbox')],
    [
      'nothing, and its statistics tell of another burst',
      async () => {
        await putBurst(5_000)
        await owner.query('analyze outbox')
        await empty()
        await owner.query('vacuum outbox')
      },
    ],
    ['a burst of many keys', () => put(Array.from({ length: 3_000 }, (_, n) => `key ${n}`))],
  ])('%s', async (_, prepare) => {
    await prepare()
    await plan()
    await empty()
    await putBurst(20_000)
    const { rows } = await pool.query<{ id: string }>('select max(id) as id from outbox')
    const { dear, names } = await dearStatements(rows[0]?.id ?? '')
    expect({ names, dear }).toEqual({ names: [...blocksAtMost.keys()], dear: [] })
  })
})
