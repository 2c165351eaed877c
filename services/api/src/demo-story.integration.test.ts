// The story of the demo workspace (domain.md 3.7 to 3.10, 7, 9), told in virtual time: two months of stats become final and close, one is
// invoiced, paid in part, falls overdue and is paid; a day of it is restated, which the next invoice and the ledger make good; a sub-affiliate on
// tiers is paid out; a rule hears of an anomaly. Every amount is that of an oracle that knows the uploaded rows alone.
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createPool, type Pool } from '@wds/postgres/pool'
import { createLogger } from '@wds/telemetry/logger'
import { type Fixture, startFixture } from './api-service.fixture.ts'
import { automationOn } from './automation-rules/automation.fixture.ts'
import {
  carriedCampaign,
  csvOf,
  daysOf,
  oddDay,
  ratesCsvOf,
  rowsOf,
  StoryOracle,
  subAffiliate,
  tiers,
} from './demo-story-oracle.fixture.ts'
import { fallOverdueOnce } from './invoices/fall-overdue.ts'
import { type Invoicing, invoicing } from './invoices/invoices.fixture.ts'
import { paying } from './payouts/payouts.fixture.ts'

type Row = Record<string, unknown>
const backfill = daysOf('2025-12-01', '2026-01-31')
const february = daysOf('2026-02-01', '2026-02-28')
/** Of January, and restated when that is closed. */
const restatedDay = '2026-01-10'
const oracle = new StoryOracle()
const pools: Pool[] = []
let fixture: Fixture
let rules: ReturnType<typeof automationOn>
let integration = ''
let sub = ''
let rule = ''
const invoiceIds = { january: '', february: '' }

beforeAll(async () => {
  fixture = await startFixture()
  rules = automationOn(fixture)
})
afterAll(async () => {
  for (const pool of pools) await pool.end()
  await fixture?.stop()
})

/** The service and the worker at an instant of the story. Everything that is due is done twice, as by two workers. */
async function at(instant: string) {
  const offsetMs = Date.parse(instant) - Date.now()
  const url = `${fixture.workerUrl}?options=-c%20app.clock_offset_ms%3D${offsetMs}`
  const pool = createPool({ connectionString: url, applicationName: 'test-story', max: 4 })
  pools.push(pool)
  const call = await fixture.callerAt(offsetMs)
  const here = { ...fixture, call }
  const ok = async (method: string, path: string, o: Parameters<typeof call>[2] = {}): Promise<Row> => {
    const { status, body, text } = await call(method, path, o)
    if (status > 299) throw new Error(`${method} ${path}: ${text}`)
    return body
  }
  return {
    ok,
    invoices: invoicing(here),
    payouts: paying(here),
    async upload(query: string, csv: string): Promise<void> {
      const { id } = await ok('POST', `/v1/imports?${query}`, { csv })
      await fixture.work(pool)
      expect(await ok('GET', `/v1/imports/${id}`)).toMatchObject({ status: 'completed', rejected: 0 })
    },
    async work(): Promise<void> {
      const logger = createLogger({ service: 'api', level: 'error' })
      const turns = { last: '' }
      for (let nth = 0; nth < 2; nth += 1) {
        await fixture.days(pool)
        await fixture.anomalies(pool)
        await rules.hear(pool)
        await fixture.automate(pool)
        await fixture.subAffiliates(pool)
        while (await fallOverdueOnce({ pool, logger, turns }));
      }
    },
  }
}
type Moment = Awaited<ReturnType<typeof at>>

async function expectBalance({ ok }: Moment, o: { pending: number; available: number; paid: number }): Promise<void> {
  const { body } = await fixture.call('GET', `/v1/sub-affiliates/${sub}/ledger?limit=1`)
  const [last] = body.data as Row[]
  const { pending, available, paid_total } = await ok('GET', `/v1/sub-affiliates/${sub}/balance`)
  expect({ pending, available, paid: paid_total }).toEqual(o)
  expect(last?.balance_after).toBe(o.pending + o.available)
}

/** Whatever was earned stands in the ledger by its day, its month and the rate of its tier. */
async function expectEntries(): Promise<void> {
  const entries: Row[] = []
  for (let cursor = ''; ; ) {
    const { body } = await fixture.call('GET', `/v1/sub-affiliates/${sub}/ledger?limit=100${cursor}`)
    entries.push(...(body.data as Row[]))
    if (body.next_cursor == null) break
    cursor = `&cursor=${body.next_cursor}`
  }
  const lineOf = ({ day, month, kind, rate_bps, amount }: Row) => `${day} ${month} ${kind} ${rate_bps} ${amount}`
  const earned = entries.filter(({ kind }) => kind !== 'payout')
  expect(earned.map(lineOf).sort()).toEqual(oracle.entries.map((entry) => lineOf({ ...entry })).sort())
}

/** The invoice's total, and what its lines of these kinds come to, as the oracle says. */
function expectBilled({ status, body }: Awaited<ReturnType<Invoicing['act']>>, month: string): number {
  const { total, carryover, correction } = oracle.bill(month)
  const lines = body.line_items as { kind: string; description: string; amount: number }[]
  const amountOf = (isWanted: (line: (typeof lines)[number]) => boolean) =>
    lines.filter(isWanted).reduce((sum, { amount }) => sum + amount, 0)
  expect([status, body.total, amountOf(() => true)]).toEqual([200, total, total])
  expect(amountOf(({ kind }) => kind === 'carryover')).toBe(carryover)
  expect(amountOf(({ description }) => description.startsWith('Correction of'))).toBe(correction)
  return total
}

test('1 February, morning: a sub-affiliate on tiers, a rule and the rows of two months; no day of them is final, so nothing is invoiced', async () => {
  const now = await at('2026-02-01T07:00:00Z')
  await now.ok('PATCH', '/v1/settings', { as: 'owner', json: { time_zone: 'Europe/Malta' } })
  await now.upload('type=fx_rates', ratesCsvOf(backfill))
  const made = await now.ok('POST', '/v1/integrations', {
    json: { name: 'Acme', brand_slug: 'acme', provider: 'csv_upload', currency: 'EUR' },
  })
  integration = String(made.id)
  const plan = await now.ok('POST', '/v1/commission-plans', { json: { name: 'Tiers', type: 'tiered', tiers } })
  sub = await now.payouts.subAffiliate({
    external_id: subAffiliate,
    payout_currency: 'USD',
    plan_id: plan.id,
    effective_from: backfill[0],
  })
  await rules.setKey(['campaigns:write'])
  const json = {
    name: 'Odd clicks',
    trigger: { type: 'anomaly', metric: 'clicks' },
    subject_type: 'brand',
    window: 'yesterday',
    conditions: [],
    min_sample: {},
    actions: [{ type: 'notify_webhook' }],
  }
  rule = String((await now.ok('POST', '/v1/automation-rules', { json })).id)
  await now.upload(`type=stats&integration_id=${integration}`, csvOf(rowsOf(backfill)))
  const { data } = await now.ok('GET', `/v1/campaigns?external_id=${carriedCampaign}`)
  const deal = { type: 'revshare', revshare_bps: 3_000, negative_carryover: true }
  await now.ok('PATCH', `/v1/campaigns/${(data as Row[])[0]?.id}`, { json: { deal } })
  await now.work()
  invoiceIds.january = await now.invoices.draftOf('acme')
  expect((await now.invoices.act(invoiceIds.january, 'generate')).body.code).toBe('period_not_final')
})

test('regression: 1 February, evening: days are final in their order, so each has the tier of its month so far; both months close, January is invoiced', async () => {
  // Rows of a table have no order of their own.
  await fixture.adminPool.query("update api.stats_day_work set due = due where day < '2026-01-20'")
  const now = await at('2026-02-01T13:30:00Z')
  await now.work()
  oracle.final(rowsOf(backfill))
  await expectEntries()
  await expectBalance(now, { pending: 0, available: oracle.sumOf('2025-12', '2026-01'), paid: 0 })
  const generated = await now.invoices.act(invoiceIds.january, 'generate')
  expectBilled(generated, '2026-01')
  expect(generated.body).toMatchObject({ number: '2026-000001', due: '2026-03-03', status: 'generated' })
  expect((await rules.firingsOf(rule)).map(({ status, brand_slug }) => [status, brand_slug])).toEqual([
    ['succeeded', 'acme'],
  ])
})

test('2 and 3 February: a part of the invoice is paid; what closed months earned is paid out on its day', async () => {
  const earned = oracle.sumOf('2025-12', '2026-01')
  const noon = await at('2026-02-02T11:00:00Z')
  const payment = { amount: 100_000, received: '2026-02-02', method: 'sepa', reference: 'first' }
  expect((await noon.invoices.act(invoiceIds.january, 'record-payment', payment)).body.status).toBe('generated')
  const { body: payout } = await noon.payouts.pay(sub, { scheduled_for: '2026-02-03' })
  expect(payout).toMatchObject({ amount: earned, currency: 'USD', period: { from: '2025-12-01', to: '2026-01-31' } })
  await expectBalance(noon, { pending: 0, available: 0, paid: 0 })
  const eve = await at('2026-02-02T22:59:00Z')
  await eve.work()
  expect((await eve.payouts.read(payout.id)).status).toBe('scheduled')
  const day = await at('2026-02-02T23:01:00Z')
  await day.work()
  expect((await day.payouts.read(payout.id)).status).toBe('processing')
  expect((await day.payouts.act(payout.id, 'mark-paid')).body.status).toBe('paid')
  await expectBalance(day, { pending: 0, available: 0, paid: earned })
})

test('3 February: a final day is restated; the invoice stays as it is, and the ledger has an adjustment in the open month', async () => {
  const corrected = rowsOf([restatedDay]).map((row) => ({
    ...row,
    cpa: 3 * row.cpa,
    ftds: 3 * row.ftds,
    revshare: row.campaign === 'spring' ? row.revshare - 333 : row.revshare,
  }))
  const now = await at('2026-02-03T10:00:00Z')
  const billed = await now.ok('GET', `/v1/invoices/${invoiceIds.january}`)
  await now.upload(`type=stats&integration_id=${integration}`, csvOf(corrected))
  const later = await at('2026-02-03T10:11:00Z')
  await later.work()
  oracle.final(corrected, '2026-02')
  expect(await later.ok('GET', `/v1/invoices/${invoiceIds.january}`)).toEqual(billed)
  const pending = oracle.sumOf('2026-02')
  expect(pending).toBeGreaterThan(0)
  await expectBalance(later, { pending, available: 0, paid: oracle.sumOf('2025-12', '2026-01') })
})

test('1 March: February closes; its invoice makes good what was restated, and takes back what was carried over', async () => {
  const morning = await at('2026-03-01T07:00:00Z')
  await morning.upload('type=fx_rates', ratesCsvOf(february))
  await morning.upload(`type=stats&integration_id=${integration}`, csvOf(rowsOf(february)))
  const evening = await at('2026-03-01T13:30:00Z')
  await evening.work()
  oracle.final(rowsOf(february))
  await expectBalance(evening, {
    pending: 0,
    available: oracle.sumOf('2026-02'),
    paid: oracle.sumOf('2025-12', '2026-01'),
  })
  invoiceIds.february = await evening.invoices.draftOf('acme', { from: '2026-02-01', to: '2026-02-28' })
  const generated = await evening.invoices.act(invoiceIds.february, 'generate')
  expectBilled(generated, '2026-02')
  expect(generated.body).toMatchObject({ number: '2026-000002', status: 'generated' })
})

test('4 March: the first instant after its due day makes the invoice overdue; what is left is paid', async () => {
  const eve = await at('2026-03-03T22:59:00Z')
  await eve.work()
  expect((await eve.ok('GET', `/v1/invoices/${invoiceIds.january}`)).status).toBe('generated')
  const day = await at('2026-03-03T23:01:00Z')
  await day.work()
  const { status, amount_due } = await day.ok('GET', `/v1/invoices/${invoiceIds.january}`)
  expect(status).toBe('overdue')
  const rest = { amount: amount_due, received: '2026-03-04', method: 'sepa', reference: 'rest' }
  const { body } = await day.invoices.act(invoiceIds.january, 'record-payment', rest)
  expect([body.status, body.amount_due, body.amount_paid]).toEqual(['paid', 0, body.total])
})

test('each step was told once, in its order; the ledger is made of the entries of the oracle', async () => {
  const { rows } = await fixture.adminPool.query<{ told: { id: string; type: string; data: Row } }>(
    `select convert_from(payload, 'utf8')::jsonb as told from api.outbox where workspace_id = $1 order by id`,
    [fixture.workspaces.a],
  )
  const told = rows.map(({ told }) => told)
  expect(new Set(told.map(({ id }) => id)).size).toBe(told.length)
  const ready = told.filter(({ type }) => type === 'stats.daily_ready').map(({ data }) => String(data.date))
  expect(ready.filter((day) => day < '2026-03').sort()).toEqual([...backfill, ...february])
  const { january: first, february: second } = invoiceIds
  const steps = told
    .filter(
      ({ type }) => /^(invoice|stats|sub_affiliate|automation|anomaly)\./.test(type) && type !== 'stats.daily_ready',
    )
    .map(({ type, data }) => [
      type,
      data.invoice_id ?? data.month ?? data.date ?? data.rule_id ?? data.sub_affiliate_id,
    ])
  expect(steps).toEqual([
    ['sub_affiliate.joined', sub],
    ['automation.created', rule],
    ['stats.monthly_closed', '2025-12'],
    ['stats.monthly_closed', '2026-01'],
    ['anomaly.detected', oddDay],
    ['automation.fired', rule],
    ['invoice.generated', first],
    ['invoice.partially_paid', first],
    ['sub_affiliate.payout_scheduled', sub],
    ['sub_affiliate.paid', sub],
    ['stats.restated', restatedDay],
    ['stats.monthly_closed', '2026-02'],
    // Of which three usual days have followed.
    ['anomaly.resolved', oddDay],
    ['invoice.generated', second],
    ['invoice.overdue', first],
    ['invoice.paid', first],
  ])
  await expectEntries()
})
