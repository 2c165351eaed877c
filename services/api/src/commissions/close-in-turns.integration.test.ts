// The close of a month of more sub-affiliates than one transaction ends (decision 99): what is seen meanwhile, and a worker that is lost.
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createPool, type Pool } from '@wds/postgres/pool'
import { withTransaction } from '@wds/postgres/transaction'
import { type Fixture, startFixture } from '../api-service.fixture.ts'
import { appendEntry } from '../ledger/store-ledger.ts'
import { readPostingState } from '../stats/store-costs.ts'
import { lookedAtMax } from './close-month.ts'
import { readingLedgers } from './ledger-reading.fixture.ts'

let fixture: Fixture
const pools: Pool[] = []
beforeAll(async () => {
  fixture = await startFixture()
})
afterAll(async () => {
  for (const pool of pools) await pool.end()
  await fixture?.stop()
})

/** A worker whose clock is so much ahead. */
function later(hours: number): Pool {
  const url = `${fixture.workerUrl}?options=-c%20app.clock_offset_ms%3D${hours * 3_600_000}`
  const pool = createPool({ connectionString: url, applicationName: 'test-later', max: 4 })
  pools.push(pool)
  return pool
}

/** Each has an external id by its number. */
const accounts = lookedAtMax + 100
const month = '2026-01'

let calls = 0
async function post(path: string, json: object) {
  calls += 1
  const { status, body } = await fixture.call('POST', path, { json, headers: { 'idempotency-key': `call-${calls}` } })
  return { status, code: body.code, body }
}

async function upload(integration: string, lines: string[]): Promise<void> {
  const csv = `date,sub_id,currency,revshare_commission\n${lines.join('\n')}\n`
  const path = `/v1/imports?type=stats&integration_id=${integration}`
  expect((await fixture.call('POST', path, { csv })).status).toBe(202)
  await fixture.work()
}

async function one<T>(sql: string): Promise<T | undefined> {
  const { rows } = await fixture.adminPool.query<{ found: T }>(sql)
  return rows[0]?.found
}
const monthStatus = () => one<string>(`select status as found from api.stats_months where id = '${month}'`)
const ended = () =>
  one<number>(`select count(*)::integer as found from api.ledger_entries where source = 'stats_month'`)
const toldClosed = () =>
  one<number>(
    `select count(*)::integer as found from api.outbox where convert_from(payload, 'utf8')::jsonb->>'type' = 'stats.monthly_closed'`,
  )

/** Runs `fn` while whoever posts waits; it is given the connections that do. */
async function whilePostingIsHeld(fn: (waiting: () => Promise<number[]>) => Promise<void>): Promise<void> {
  const client = await fixture.adminPool.connect()
  try {
    await client.query('begin')
    // On a busy machine it is held for longer than a session may be silent.
    await client.query('set local idle_in_transaction_session_timeout = 0')
    await client.query('lock table api.ledger_accounts in share row exclusive mode')
    const { rows: own } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    await fn(async () => {
      // Not by the holder itself, whose transaction sees the connections that were there before.
      const { rows } = await fixture.adminPool.query<{ pid: number }>(
        'select pid from pg_stat_activity where $1::integer = any(pg_blocking_pids(pid))',
        [own[0]?.pid],
      )
      return rows.map(({ pid }) => pid)
    })
  } finally {
    await client.query('rollback')
    client.release()
  }
}

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 60_000
  while (!(await holds())) if (Date.now() > deadline) throw new Error(`not in time: ${what}`)
}

/** The worker is cut off while it waits to post. */
const cutAmid = (work: () => Promise<void>) =>
  whilePostingIsHeld(async (waiting) => {
    const cut = work()
    await until('somebody posts', async () => (await waiting()).length > 0)
    for (const pid of await waiting()) await fixture.adminPool.query('select pg_terminate_backend($1)', [pid])
    await cut
  })

test('F01: a month of many sub-affiliates is closed in turns: until the last one nothing of it can be paid, nothing new is posted in it, and others post; whoever is lost meanwhile, each account is ended once', async () => {
  const terms = { name: 'Half', type: 'revshare', revshare_bps: 5_000, negative_carryover: true }
  const { body: plan } = await post('/v1/commission-plans', terms)
  const who = { name: 'Jane', email: 'jane@example.com', payout_currency: 'EUR', invite: false, external_id: 's0' }
  const { body } = await post('/v1/sub-affiliates', { ...who, plan_id: plan.id, effective_from: `${month}-01` })
  const [first, last] = [String(body.id), `sub_y${accounts - 1}`]
  await fixture.adminPool.query(
    `insert into api.sub_affiliates select c.* from api.sub_affiliates b, generate_series(1, $1::integer) n, jsonb_populate_record(b,
       jsonb_build_object('id', 'sub_y' || n, 'external_id', 's' || n,
         'state', jsonb_set(b.state, '{fields,external_id}', to_jsonb('s' || n)))) c`,
    [accounts - 1],
  )
  const integration = await fixture.createIntegration({ name: 'Many' })
  await upload(
    integration,
    Array.from({ length: accounts }, (_, at) => `${month}-05,s${at},EUR,${at === 0 ? '2.00' : '-1.00'}`),
  )
  await fixture.days(later(7))
  expect([await monthStatus(), await toldClosed(), await ended()]).toEqual(['closing', 0, 2 * (lookedAtMax - 1)])

  const ledgers = readingLedgers(fixture)
  await ledgers.expectBalance(first, { available: 0, paidTotal: 0 })
  const refused = [
    await post(`/v1/sub-affiliates/${first}/adjustments`, { amount: 5, month }),
    await post(`/v1/sub-affiliates/${first}/plan`, { plan_id: plan.id, effective_from: `${month}-09` }),
    await post('/v1/payouts', { sub_affiliate_id: first }),
  ]
  expect(refused.map(({ code }) => code)).toEqual(['period_closed', 'period_closed', 'insufficient_balance'])
  expect((await post(`/v1/sub-affiliates/${first}/adjustments`, { amount: 7 })).status).toBe(201)
  const workspaceId = fixture.workspaces.a
  const ranges = [{ from: '2025-12-31', to: `${month}-31` }]
  const costs = await withTransaction(fixture.pool, { workspaceId }, (tx) =>
    readPostingState(tx, { workspaceId, ranges }),
  )
  // A month that is closing is no day that waits: what the days have cost is final.
  expect(costs.isWaiting).toBe(false)
  // Release 0.1.0, which may run beside, takes the month for an open one (decision 105).
  const byOlder = {
    subAffiliateId: first,
    kind: 'adjustment',
    reason: 'manual',
    amount: 9n,
    currency: 'EUR',
    month,
  } as const
  const from = { about: null, note: null, source: 'manual', sourceId: 'older', nowMs: Date.now() } as const
  const posted = await withTransaction(fixture.pool, { workspaceId }, (tx) => appendEntry(tx, { ...byOlder, ...from }))
  expect(posted.month).toBe(new Date().toISOString().slice(0, 7))
  // A number that changes of one whose account is not ended yet.
  await upload(integration, [`${month}-05,s${accounts - 1},EUR,-3.00`])
  await fixture.days(later(15))

  await cutAmid(() => fixture.subAffiliates(later(16)))
  expect([await monthStatus(), await toldClosed(), await ended()]).toEqual(['closing', 0, 2 * (lookedAtMax - 1)])
  await fixture.subAffiliates(later(17))
  await fixture.subAffiliates(later(18))
  expect([await monthStatus(), await toldClosed(), await ended()]).toEqual(['closed', 1, 2 * (accounts - 1)])
  await ledgers.expectBalance(first, { available: 100, paidTotal: 0 })

  const { rows: sums } = await fixture.adminPool.query(
    'select amount::integer, count(*)::integer as accounts from api.ledger_months where month = $1 group by 1 order by 1',
    [month],
  )
  expect(sums).toEqual([
    { amount: 0, accounts: accounts - 1 },
    { amount: 100, accounts: 1 },
  ])
  const present = new Date().toISOString().slice(0, 7)
  const { rows: entries } = await fixture.adminPool.query(
    'select kind, amount::integer, month from api.ledger_entries where sub_affiliate_id = $1 order by number',
    [last],
  )
  expect(entries).toEqual([
    { kind: 'accrual', amount: -50, month },
    { kind: 'adjustment', amount: -100, month: present },
    { kind: 'carryover', amount: 50, month },
    { kind: 'carryover', amount: -50, month: present },
  ])
})

test('regression: a day that is posted while its rates are imported is looked at again at once', async () => {
  const { body: plan } = await post('/v1/commission-plans', { name: 'All', type: 'revshare', revshare_bps: 10_000 })
  const who = { name: 'Joe', email: 'joe@example.com', payout_currency: 'EUR', invite: false, external_id: 'joe' }
  const { body } = await post('/v1/sub-affiliates', { ...who, plan_id: plan.id, effective_from: '2025-11-01' })
  const integration = await fixture.createIntegration({ name: 'Dinars' })
  // The month is not closed with it.
  await upload(integration, ['2025-11-05,joe,EUR,1.00', '2025-11-05,joe,KWD,1.000', '2025-11-06,joe,EUR,1.00'])
  let done = Promise.resolve()
  await whilePostingIsHeld(async (waiting) => {
    const posted = fixture.days(later(7), 1)
    await until('the day is posted', async () => (await waiting()).length > 0)
    const csv = 'date,base,quote,rate\n2025-11-05,EUR,KWD,0.4\n'
    expect((await fixture.call('POST', '/v1/imports?type=fx_rates', { csv })).status).toBe(202)
    let isRead = false
    const read = fixture.work().then(() => {
      isRead = true
    })
    const lockWaits = () =>
      one<number>(
        `select count(*)::integer as found from pg_locks where locktype = 'advisory' and not granted and database = (select oid from pg_database where datname = current_database())`,
      )
    await until('the rates are read, or wait', async () => isRead || ((await lockWaits()) ?? 0) > 0)
    done = Promise.all([posted, read]).then(() => undefined)
  })
  await done
  await fixture.subAffiliates(later(7))
  const entries = await readingLedgers(fixture).ledgerOf(String(body.id))
  expect(entries.map(({ row_currency, amount }) => [row_currency, amount])).toEqual([
    ['EUR', 100],
    ['KWD', 250],
  ])
})

test('regression: a day is posted again, also where a statement of it takes longer than one of a request may', async () => {
  const { body: plan } = await post('/v1/commission-plans', { name: 'All', type: 'revshare', revshare_bps: 10_000 })
  const who = { name: 'Kim', email: 'kim@example.com', payout_currency: 'EUR', invite: false, external_id: 'kim' }
  const { body } = await post('/v1/sub-affiliates', { ...who, plan_id: plan.id, effective_from: '2025-09-01' })
  const integration = await fixture.createIntegration({ name: 'Slow' })
  await upload(integration, ['2025-09-05,kim,KWD,1.000'])
  await fixture.days(later(7))
  const csv = 'date,base,quote,rate\n2025-09-05,EUR,KWD,0.4\n'
  expect((await fixture.call('POST', '/v1/imports?type=fx_rates', { csv })).status).toBe(202)
  await fixture.work()
  const asLarge = `create function api.takes_long() returns trigger language plpgsql as
    $$begin perform pg_sleep(5.5); return new; end$$`
  await fixture.adminPool.query(asLarge)
  await fixture.adminPool.query(
    'create trigger takes_long before insert on api.ledger_entries for each row execute function api.takes_long()',
  )
  try {
    await fixture.subAffiliates(later(7))
  } finally {
    await fixture.adminPool.query('drop function api.takes_long cascade')
  }
  const entries = await readingLedgers(fixture).ledgerOf(String(body.id))
  expect(entries.map(({ row_currency, amount }) => [row_currency, amount])).toEqual([['KWD', 250]])
})
