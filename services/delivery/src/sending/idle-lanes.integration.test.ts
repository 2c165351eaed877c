// What 10,000 idle lanes cost a claim, by rows and buffers read and by plan, never by time (stack.md 7).
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createEngine, type Engine, newId, seedEvents, seedSubscription } from '../engine.fixture.ts'
import { createFanOut } from '../fan-out/fan-out.ts'

const idle = 10_000

let engine: Engine
let subscription: string
const workspaceId = newId('wsp')
beforeAll(async () => {
  engine = await createEngine()
  const idleWorkspace = newId('wsp')
  await engine.admin.query('insert into delivery.workspaces (workspace_id) values ($1)', [idleWorkspace])
  await engine.admin.query(
    `insert into delivery.subscriptions (workspace_id, subscription_id, status, url, events, headers, version, state, created, updated)
     select $1, 'whk_' || n, 'enabled', 'https://receiver.test/', '{*}', '{}', 1, '{}', now(), now() from generate_series(1, $2::int) n`,
    [idleWorkspace, idle],
  )
  await engine.admin.query(
    'insert into delivery.lanes (workspace_id, subscription_id) select workspace_id, subscription_id from delivery.subscriptions',
  )
  subscription = await seedSubscription(engine, { workspaceId })
  await engine.admin.query('vacuum analyze')
})
afterAll(() => engine?.stop())

const call = `select * from claim($1::uuid, 64, 32, 30000, '{}'::text[], '{}'::int[], 64, '{}'::text[], 64)`

interface Cost {
  claimed: number
  rows: Record<string, { scanned: number; fetched: number }>
  buffers: number
}

/** What one claim reads; each is rolled back. Buffers of the third, when catalogs and plans are cached. */
async function costOfClaim(): Promise<Cost> {
  const client = await engine.worker.connect()
  try {
    const explained: number[] = []
    for (let round = 0; round < 3; round += 1) {
      await client.query('begin')
      const { rows } = await client.query<{ 'QUERY PLAN': { Plan: Record<string, number> }[] }>(
        `explain (analyze, buffers, timing off, format json) ${call}`,
        [randomUUID()],
      )
      const plan = rows[0]?.['QUERY PLAN'][0]?.Plan ?? {}
      explained.push((plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0))
      await client.query('rollback')
    }
    await client.query('begin')
    const read = async () =>
      (
        await client.query<{ name: string; scanned: number; fetched: number }>(
          `select relname as name, seq_tup_read::int as scanned, coalesce(idx_tup_fetch, 0)::int as fetched
             from pg_stat_xact_user_tables where schemaname = 'delivery' and relname in ('lanes', 'subscriptions', 'due', 'leases')`,
        )
      ).rows
    const before = await read()
    const { rowCount } = await client.query(call, [randomUUID()])
    const rows: Cost['rows'] = {}
    for (const after of await read()) {
      const start = before.find((row) => row.name === after.name)
      rows[after.name] = {
        scanned: after.scanned - (start?.scanned ?? 0),
        fetched: after.fetched - (start?.fetched ?? 0),
      }
    }
    await client.query('rollback')
    return { claimed: rowCount ?? 0, rows, buffers: explained.at(-1) ?? Number.POSITIVE_INFINITY }
  } finally {
    client.release()
  }
}

describe('10,000 idle lanes', () => {
  test('an empty claim reads none of them', async () => {
    const cost = await costOfClaim()
    expect(cost.claimed).toBe(0)
    expect(cost.rows.lanes).toEqual({ scanned: 0, fetched: 0 })
    expect(cost.rows.subscriptions).toEqual({ scanned: 0, fetched: 0 })
    expect(cost.buffers).toBeLessThan(20)
  })

  test('a claim of the one due row reads a handful of rows', async () => {
    await seedEvents(engine, { workspaceId, count: 1 })
    const fanOut = createFanOut({ pool: engine.worker, onMade: () => undefined })
    while (await fanOut.turn());
    const cost = await costOfClaim()
    expect(cost.claimed).toBe(1)
    expect(cost.rows.lanes?.scanned).toBe(0)
    expect(cost.rows.lanes?.fetched).toBeGreaterThan(0)
    expect(cost.rows.lanes?.fetched).toBeLessThan(20)
    expect(cost.rows.subscriptions?.scanned).toBe(0)
    expect(cost.rows.subscriptions?.fetched).toBeLessThan(5)
    expect((cost.rows.due?.scanned ?? 0) + (cost.rows.due?.fetched ?? 0)).toBeLessThan(20)
    expect(cost.buffers).toBeLessThan(200)
  })

  test('the candidates come from the partial index under a generic plan, with sequential scans allowed', async () => {
    await engine.admin.query(
      `update delivery.lanes set next_due = now() where subscription_id in (select 'whk_' || n from generate_series(1, 20) n)`,
    )
    await engine.admin.query('analyze delivery.lanes')
    const { rows: functions } = await engine.admin.query<{ source: string }>(
      "select prosrc as source from pg_proc where pronamespace = 'delivery'::regnamespace and proname = 'claim'",
    )
    const condition =
      /where (l\.next_due <= t and l\.next_due < 'infinity').*\n\s*(and l\.ready_at <= t and l\.in_flight < least\(l\.cap, l\.max_in_flight\))\)/.exec(
        functions[0]?.source ?? '',
      )
    const text = `${condition?.[1]} ${condition?.[2]}`.replaceAll(' t ', ' $1 ')
    expect(text).toContain("next_due < 'infinity'")
    const client = await engine.admin.connect()
    try {
      await client.query('set plan_cache_mode = force_generic_plan')
      await client.query(
        `prepare candidates (timestamptz) as select l.subscription_id, l.last_served from delivery.lanes l where ${text}`,
      )
      const plan = await client.query('explain execute candidates (now())')
      expect(JSON.stringify(plan.rows)).toContain('lanes_due')
      expect(JSON.stringify(plan.rows)).not.toContain('Seq Scan')
    } finally {
      client.release(true)
      await engine.admin.query(
        `update delivery.lanes set next_due = 'infinity' where subscription_id <> $1 and next_due < 'infinity'`,
        [subscription],
      )
    }
  })

  test('regression: the slow lanes of a worker are looked up by a hash: it may have thousands under way, and thousands may be due', async () => {
    const { rows } = await engine.admin.query<{ source: string }>(
      "select prosrc as source from pg_proc where pronamespace = 'delivery'::regnamespace and proname = 'claim'",
    )
    const isSlow = /lateral \((select l\.timed_out or .+)\) s\(is_slow\)/.exec(rows[0]?.source ?? '')?.[1]
    const client = await engine.admin.connect()
    try {
      await client.query('set plan_cache_mode = force_generic_plan')
      const text = `select s.is_slow from delivery.lanes l cross join lateral (${isSlow?.replace('p_slow', '$1')}) s(is_slow)`
      await client.query(`prepare slow (text[]) as ${text}`)
      const { rows: plan } = await client.query("explain (verbose) execute slow('{}')")
      expect(JSON.stringify(plan)).toContain('hashed SubPlan')
    } finally {
      client.release(true)
    }
  })

  test('a claim that does not name the bound of the partial index reads all of them', async () => {
    const { rows } = await engine.admin.query<{ sql: string }>(
      "select pg_get_functiondef(oid) as sql from pg_proc where pronamespace = 'delivery'::regnamespace and proname = 'claim'",
    )
    const sql = rows[0]?.sql ?? ''
    const bound = "l.next_due <= t and l.next_due < 'infinity'"
    expect(sql).toContain(bound)
    await engine.admin.query(sql.replaceAll(bound, 'l.next_due <= t'))
    try {
      expect((await costOfClaim()).rows.lanes?.scanned).toBeGreaterThanOrEqual(idle)
    } finally {
      await engine.admin.query(sql)
    }
  })
})
