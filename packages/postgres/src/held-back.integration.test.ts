// Who holds back what vacuum may remove, and WAL, as a role without rights of its own sees it.
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { createTestDatabase, type TestDatabase } from '@wds/local-infra/test-database'
import pg from 'pg'
import { type HeldBack, readHeldBack } from './held-back.ts'
import { createPool, type Pool } from './pool.ts'

let database: TestDatabase
let pool: Pool
const open: pg.Client[] = []
beforeAll(async () => {
  database = await createTestDatabase()
  pool = createPool({ connectionString: database.urls.services.api.worker, applicationName: 'test', max: 1 })
})
beforeEach(async () => {
  await Promise.all(open.splice(0).map((client) => client.end()))
  await eventually(({ next, oldest }) => oldest.transaction === next)
})
afterAll(async () => {
  await Promise.all(open.map((client) => client.end()))
  await pool?.end()
  await database?.drop()
})

/** A session of the superuser. */
async function session(url = database.adminUrl): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: 'psql' })
  await client.connect()
  open.push(client)
  return client
}

async function eventually(holds: (seen: HeldBack) => boolean): Promise<HeldBack> {
  const deadline = performance.now() + 30_000
  for (;;) {
    const seen = await readHeldBack(pool)
    if (holds(seen)) return seen
    if (performance.now() > deadline) throw new Error(`not within 30 s: ${JSON.stringify(seen)}`)
    await new Promise((settle) => setTimeout(settle, 20))
  }
}

/** So many transactions that write. */
async function write(count: number): Promise<void> {
  for (let nth = 0; nth < count; nth += 1) await pool.query('select pg_current_xact_id()')
}
const behind = ({ next, oldest }: HeldBack) => next - oldest.transaction

test('a snapshot holds what is removed after it, whoever took it, until it is let go', async () => {
  const reader = await session()
  await reader.query('begin isolation level repeatable read')
  await reader.query('select count(*) from pg_class')
  const { oldest } = await readHeldBack(pool)
  await write(5)
  const seen = await readHeldBack(pool)
  expect(seen.oldest.transaction).toBe(oldest.transaction)
  expect(behind(seen)).toBeGreaterThanOrEqual(5)
  expect(seen.oldest.slot).toBe(seen.next)
  await reader.query('commit')
  await eventually((now) => behind(now) === 0)
})

test('so does a transaction that has written and reads nothing', async () => {
  const writer = await session()
  await writer.query('begin')
  await writer.query('select pg_current_xact_id()')
  await write(5)
  expect(behind(await readHeldBack(pool))).toBeGreaterThanOrEqual(5)
  await writer.query('rollback')
  await eventually((now) => behind(now) === 0)
})

test('one that reads from snapshot to snapshot holds nothing while it waits', async () => {
  const reader = await session()
  await reader.query('begin')
  await reader.query('select count(*) from pg_class')
  await write(5)
  await eventually((now) => behind(now) === 0)
})

test('a snapshot of another database holds nothing here', async () => {
  const other = await session(Object.assign(new URL(database.adminUrl), { pathname: '/postgres' }).href)
  await other.query('begin isolation level repeatable read')
  await other.query('select count(*) from pg_class')
  await write(5)
  await eventually((now) => behind(now) === 0)
})

test('a slot keeps the WAL since it was made', async () => {
  const name = `held_back_${database.name}`
  const admin = await session()
  await admin.query('select pg_create_physical_replication_slot($1, true)', [name])
  try {
    await admin.query("select pg_logical_emit_message(false, 'test', repeat('x', 100000))")
    const { slotWalBytes } = await eventually((now) => now.slotWalBytes > 100_000)
    expect(slotWalBytes).toBeGreaterThan(100_000)
  } finally {
    await admin.query('select pg_drop_replication_slot($1)', [name])
  }
})
