// An export whose maker is killed, stopped or too slow: another one goes on where the last piece ended, and the file has the same bytes.
import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import { type Fixture, startFixture } from '../api-service.fixture.ts'
import { copiesOf, type Exports, exportsOf, subAffiliatesOf } from './exports.fixture.ts'
import { sweepExports } from './sweep.ts'

let fixture: Fixture
let exports: Exports
const running = new Set<ChildProcess>()
beforeAll(async () => {
  fixture = await startFixture()
  exports = exportsOf(fixture)
})
afterEach(async () => {
  await Promise.all([...running].map(kill))
})
afterAll(() => fixture?.stop())

function startMaker(): ChildProcess {
  const file = fileURLToPath(new URL('./export-maker.fixture.ts', import.meta.url))
  const child = spawn(process.execPath, [file, fixture.workerUrl], { stdio: ['ignore', 'inherit', 'inherit'] })
  running.add(child)
  return child
}

async function kill(child: ChildProcess): Promise<void> {
  running.delete(child)
  const ended = new Promise((resolve) => child.once('exit', resolve))
  if (child.kill('SIGKILL')) await ended
}

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 60_000
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`not in time: ${what}`)
    await sleep(10)
  }
}

/** Connections of one name that wait for a lock. */
async function waiting(name: string): Promise<number> {
  const { rows } = await fixture.adminPool.query<{ n: number }>(
    `select count(*)::int as n from pg_stat_activity
      where datname = current_database() and application_name = $1 and wait_event_type = 'Lock'`,
    [name],
  )
  return rows[0]?.n ?? 0
}

async function connections(name: string): Promise<number> {
  const { rows } = await fixture.adminPool.query<{ n: number }>(
    'select count(*)::int as n from pg_stat_activity where datname = current_database() and application_name = $1',
    [name],
  )
  return rows[0]?.n ?? 0
}

/** Runs `fn` while whoever writes this piece of the export waits. */
async function whilePieceIsHeld(id: string, seq: number, fn: () => Promise<void>): Promise<void> {
  const client = await fixture.adminPool.connect()
  try {
    await client.query('begin')
    await client.query('insert into api.export_pieces values ($1, $2, $3, $4)', [
      ...[fixture.workspaces.a, id, seq, Buffer.alloc(1)],
    ])
    await fn()
  } finally {
    await client.query('rollback')
    client.release()
  }
}

const loseLease = () =>
  fixture.adminPool.query(`update api.due_work set lease_until = clock_timestamp() - interval '1 second'`)

const heldRows = async (id: string) => {
  const { rows } = await fixture.adminPool.query('select 1 from api.export_rows where export_id = $1', [id])
  return rows.length
}

const queryOf = (integration: string) => ({
  from: '2026-01-05',
  to: '2026-01-05',
  filter: { integration: [integration] },
  group_by: ['campaign'],
  metrics: ['clicks', 'ngr', 'epc'],
  order_by: '-clicks',
})

/** Rows of a type to be exported, the query that finds them, and what changes them. */
async function rowsOf(type: string) {
  if (type === 'stats') {
    const integration = await exports.rowsOf(3_500)
    const text = 'update api.stats_rows set clicks = clicks + 1 where integration_id = $1'
    return { query: queryOf(integration), change: () => fixture.adminPool.query(text, [integration]) }
  }
  if (type === 'sub_affiliates' || type === 'ledger_entries') {
    const month = type === 'sub_affiliates' ? '2026-01' : '2026-02'
    const { plan, change } = await subAffiliatesOf(fixture, { count: 3_500, month })
    return { query: type === 'sub_affiliates' ? { plan_id: [plan] } : { month: [month] }, change }
  }
  const json = { brand_slug: 'acme', period: { from: '2026-01-01', to: '2026-01-31' }, currency: 'EUR' }
  const { body } = await fixture.call('POST', '/v1/invoices', { json })
  await copiesOf(fixture, { id: String(body.id), count: 3_499 })
  const text = `update api.invoices set summary = jsonb_set(summary, '{fields,memo}', '"changed"')`
  return { query: {}, change: () => fixture.adminPool.query(text) }
}

test.each([
  ['stats', 'csv', 'none'],
  ['stats', 'ndjson', 'gzip'],
  ['invoices', 'csv', 'gzip'],
  ['sub_affiliates', 'ndjson', 'none'],
  ['ledger_entries', 'csv', 'none'],
])(
  'C72: a maker that is killed amid the file loses no row and writes none twice: %s, %s, %s',
  async (type, format, compression) => {
    const { query, change } = await rowsOf(type)
    const fetched = async (id: string) =>
      compression === 'gzip' ? exports.unpackedOf(id) : (await exports.file(id)).text
    const whole = await exports.create(query, { type, format, compression })
    await fixture.makeExports()
    const id = await exports.create(query, { type, format, compression })
    await whilePieceIsHeld(id, 2, async () => {
      const child = startMaker()
      await until('the third piece is written', async () => (await waiting('export-maker')) > 0)
      expect(await exports.read(id)).toMatchObject({ status: 'running', rows: 2_000, rows_total: 3_500 })
      await kill(child)
    })
    await until('the killed maker is gone', async () => (await connections('export-maker')) === 0)
    expect(await heldRows(id)).toBe(1_500)
    // What changes meanwhile is not of the instant that the export is of.
    await change()
    await loseLease()
    await fixture.makeExports()
    expect(await exports.read(id)).toMatchObject({ status: 'completed', rows: 3_500 })
    expect(await fetched(id)).toBe(await fetched(whole))
    expect(await heldRows(id)).toBe(0)
  },
)

test('a maker that is stopped ends behind its piece and gives the export back: the next one goes on at once', async () => {
  const id = await exports.create(queryOf(await exports.rowsOf(2_500)))
  const stop = new AbortController()
  let making: Promise<void> = Promise.resolve()
  await whilePieceIsHeld(id, 1, async () => {
    making = fixture.makeExports({ signal: stop.signal })
    await until('the second piece is written', async () => (await waiting('test-worker')) > 0)
    stop.abort()
  })
  await making
  expect(await exports.read(id)).toMatchObject({ status: 'running', rows: 2_000 })
  await fixture.makeExports()
  expect(await exports.read(id)).toMatchObject({ status: 'completed', rows: 2_500 })
})

test('one that was slow and has lost its lease, and the next one beside it, lose no row and write none twice', async () => {
  const id = await exports.create(queryOf(await exports.rowsOf(2_500)))
  const making: Promise<void>[] = []
  await whilePieceIsHeld(id, 1, async () => {
    making.push(fixture.makeExports())
    await until('the second piece is written', async () => (await waiting('test-worker')) === 1)
    await loseLease()
    making.push(fixture.makeExports())
    await until('two of them write it', async () => (await waiting('test-worker')) === 2)
  })
  await Promise.all(making)
  const { text } = await exports.file(id)
  expect(text.split('\r\n')).toHaveLength(2_502)
  expect(await exports.read(id)).toMatchObject({ status: 'completed', rows: 2_500, bytes: text.length })
})

test('one that has lost its lease fails nothing: what it finds wrong is not the export’s, which the next one makes', async () => {
  const query = queryOf(await exports.rowsOf(2_500))
  const whole = await exports.create(query)
  await fixture.makeExports()
  const { bytes } = await exports.read(whole)
  const id = await exports.create(query)
  const making: Promise<void>[] = []
  await whilePieceIsHeld(id, 1, async () => {
    // Two pieces, and not the third.
    making.push(fixture.makeExports({ limits: { rows: 2_500, bytes: Number(bytes) - 1 } }))
    await until('the second piece is written', async () => (await waiting('test-worker')) === 1)
    await loseLease()
    making.push(fixture.makeExports())
    await until('two of them write it', async () => (await waiting('test-worker')) === 2)
  })
  await Promise.all(making)
  expect(await exports.read(id)).toMatchObject({ status: 'completed', rows: 2_500, bytes })
})

test('a cancel amid the file does not wait for the piece that is written, and nothing of the file is kept', async () => {
  const id = await exports.create(queryOf(await exports.rowsOf(2_500)))
  let making: Promise<void> = Promise.resolve()
  await whilePieceIsHeld(id, 1, async () => {
    making = fixture.makeExports()
    await until('the second piece is written', async () => (await waiting('test-worker')) > 0)
    const { status, body } = await fixture.call('POST', `/v1/exports/${id}/cancel`)
    expect([status, body.status, body.rows, body.bytes]).toEqual([200, 'canceled', 1_000, 0])
  })
  await making
  expect(await exports.read(id)).toMatchObject({ status: 'canceled', rows: 1_000 })
  await sweepExports(fixture.workerPool)
  const { rows } = await fixture.adminPool.query('select 1 from api.export_pieces where export_id = $1', [id])
  expect([rows.length, await heldRows(id)]).toEqual([0, 0])
})
