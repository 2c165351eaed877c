// Commissions and payouts in any order of final days, restatements, changes of plan, adjustments, months that close and transactions that are
// ended from outside, compared after each step with an oracle (domain.md 3.9).
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createPool, type Pool } from '@wds/postgres/pool'
import fc from 'fast-check'
import { type Fixture, startFixture } from '../api-service.fixture.ts'
import { paying } from '../payouts/payouts.fixture.ts'
import { brokenCalls } from './broken-calls.fixture.ts'
import { days, type Ending, endings, months, Oracle, plans, type Row } from './ledger-oracle.fixture.ts'
import { type Entry, readingLedgers } from './ledger-reading.fixture.ts'

let fixture: Fixture
/** Its clock is ahead: what is uploaded rests long enough. */
let later: Pool
let p: ReturnType<typeof paying>
let calledThrough: ReturnType<typeof brokenCalls>
let ledgers: ReturnType<typeof readingLedgers>
beforeAll(async () => {
  fixture = await startFixture()
  p = paying(fixture)
  calledThrough = brokenCalls(fixture)
  ledgers = readingLedgers(fixture)
  const url = `${fixture.workerUrl}?options=-c%20app.clock_offset_ms%3D${7 * 3_600_000}`
  later = createPool({ connectionString: url, applicationName: 'test-later', max: 4 })
})
afterAll(async () => {
  await later?.end()
  await fixture?.stop()
})

/** Where a transaction is ended: it has stored nothing of the ledger yet; all of it, and nothing of the payout. */
const places = ['ledger_accounts', 'payouts'] as const
type Killed = (typeof places)[number] | null
type Step =
  | { do: 'day'; day: string; rows: Row[] }
  | { do: 'plan'; plan: number; from: string }
  | { do: 'adjust'; amount: number }
  | { do: 'pay'; percent: number; killed: Killed }
  | { do: 'end'; which: number; how: Ending; killed: Killed }

const day = fc.constantFrom(...days)
const row: fc.Arbitrary<Row> = fc.record({
  campaign: fc.constantFrom('c1', 'c2', ''),
  currency: fc.constantFrom('EUR', 'USD'),
  ftds: fc.nat(5),
  commission: fc.integer({ min: -9_000, max: 9_000 }),
})
const killed = fc.constantFrom<Killed>(null, null, ...places)
const how = fc.constantFrom(...(Object.keys(endings) as Ending[]))
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('day'), day, rows: fc.array(row, { minLength: 1, maxLength: 3 }) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('plan'), plan: fc.nat(2), from: day }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('adjust'), amount: fc.integer({ min: -900, max: 900 }).filter(Boolean) }),
  },
  // Above 100 it is more than there is.
  { weight: 2, arbitrary: fc.record({ do: fc.constant('pay'), percent: fc.integer({ min: 1, max: 120 }), killed }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('end'), which: fc.nat(9), how, killed }) },
)
/** Something is available, and each kind of killing is met. */
const first: Step[] = [
  { do: 'day', day: days[0] ?? '', rows: [{ campaign: 'c1', currency: 'EUR', ftds: 5, commission: 9_000 }] },
  { do: 'pay', percent: 40, killed: 'payouts' },
  { do: 'pay', percent: 100, killed: 'ledger_accounts' },
  { do: 'end', which: 0, how: 'cancel', killed: 'payouts' },
  { do: 'end', which: 1, how: 'mark-paid', killed: null },
  { do: 'end', which: 1, how: 'record-return', killed: 'ledger_accounts' },
]

const csvOf = (on: string, rows: Row[]) => {
  const lines = new Map(rows.map((one) => [`${one.campaign} ${one.currency}`, one]))
  const records = [...lines.values()].map(
    (one) => `${on},${one.campaign},sub1,${one.currency},${one.ftds},${(one.commission / 100).toFixed(2)}\n`,
  )
  return `date,campaign,sub_id,currency,qualified_ftds,revshare_commission\n${records.join('')}`
}

/** That of the first integration. */
const present = months.at(-1)
let calls = 0
async function post(path: string, json: object, status: number): Promise<Record<string, unknown>> {
  calls += 1
  const answer = await fixture.call('POST', path, { json, headers: { 'idempotency-key': `call-${calls}` } })
  expect([path, answer.status, answer.body.code]).toEqual([path, status, status < 300 ? undefined : 'period_closed'])
  return answer.body
}

async function upload(query: string, csv: string): Promise<void> {
  expect((await fixture.call('POST', `/v1/imports?${query}`, { csv })).status).toBe(202)
  await fixture.work()
}

async function compare(sub: string, oracle: Oracle): Promise<void> {
  const entries = await ledgers.expectBalance(sub, oracle)
  const earned = entries.filter(({ kind }) => !kind.startsWith('payout'))
  const sumOf = (month: string) => earned.filter((one) => one.month === month).reduce((sum, one) => sum + one.amount, 0)
  expect(months.map(sumOf)).toEqual(months.map((month) => oracle.sumOf((one) => one === month)))
  const { body } = await fixture.call('GET', `/v1/sub-affiliates/${sub}/payouts?limit=100`)
  const payouts = (body.data as { id: string; amount: number; status: string; returned: string | null }[]).map(
    (one) => ({ id: one.id, amount: one.amount, state: one.returned === null ? one.status : 'returned' }),
  )
  expect(payouts.toReversed()).toEqual(oracle.payouts)
  await compareCosts(oracle, entries)
}

/** Stats say what each group has cost, and of all days what the entries of the ledger come to that name one. */
async function compareCosts(oracle: Oracle, entries: readonly Entry[]): Promise<void> {
  const to = new Date().toISOString().slice(0, 10)
  const query = `from=${days[0]}&to=${to}&metrics=sub_affiliate_cost,commission,margin`
  const { text, body } = await fixture.call('GET', `/v1/stats?${query}&group_by=day,campaign&limit=1000`)
  const { data, totals } = body as unknown as Record<'data' | 'totals', Record<string, string | number | null>[]>
  const found = data.map((one) => [
    `${one.day} ${one.campaign_external_id ?? ''} ${one.currency}`,
    one.sub_affiliate_cost,
  ])
  expect([text, Object.fromEntries(found)]).toEqual([text, Object.fromEntries(oracle.costs)])
  for (const one of [...data, ...totals])
    expect(one.margin).toBe(Number(one.commission) - Number(one.sub_affiliate_cost))
  for (const { currency, sub_affiliate_cost } of totals) {
    const own = entries.filter((one) => one.day !== null && one.row_currency === currency)
    expect(sub_affiliate_cost).toBe(own.reduce((sum, one) => sum + one.row_amount, 0))
  }
}

async function pay(sub: string, oracle: Oracle, one: Extract<Step, { do: 'pay' }>): Promise<void> {
  const amount = Math.ceil((oracle.available * one.percent) / 100) || 1
  const isEnough = amount <= oracle.available
  calls += 1
  const headers = { 'idempotency-key': `call-${calls}` }
  const answer = await calledThrough(isEnough ? one.killed : null, () => p.pay(sub, { amount }, { headers }))
  expect([answer.status, answer.body.code]).toEqual(isEnough ? [201, undefined] : [422, 'insufficient_balance'])
  if (isEnough) oracle.payouts.push({ id: String(answer.body.id), amount, state: 'scheduled' })
}

async function end(oracle: Oracle, one: Extract<Step, { do: 'end' }>): Promise<void> {
  const payout = oracle.payouts[one.which]
  if (payout === undefined) return
  const isAllowed = oracle.end(one.which, one.how)
  const isPosted = isAllowed && one.how !== 'mark-paid'
  const json = one.how === 'mark-failed' ? { failure_code: 'limit' } : {}
  const at = isPosted ? one.killed : isAllowed && one.killed !== null ? 'payouts' : null
  const { status } = await calledThrough(at, () => p.act(payout.id, one.how, json))
  expect([one, status]).toEqual([one, isAllowed ? 200 : 409])
}

const repeats = Number(process.env.WDS_COMMISSION_STEPS ?? 24)
test('in any order of days, restatements, plans, month ends and payouts the ledger and the costs in stats are what rows and terms say, and a closed month never changes', async () => {
  const ids = await Promise.all(plans.map((terms) => post('/v1/commission-plans', { name: 'Any', ...terms }, 201)))
  const planIds = ids.map(({ id }) => String(id))
  const integration = await fixture.createIntegration({ name: 'Any' })
  const rates = days.map((on) => `${on},EUR,USD,1.25\n`).join('')
  await upload('type=fx_rates', `date,base,quote,rate\n${rates}`)
  const who = { name: 'Jane', email: 'jane@example.com', payout_currency: 'EUR', external_id: 'sub1', invite: false }
  const made = await post('/v1/sub-affiliates', { ...who, plan_id: planIds[0], effective_from: days[0] }, 201)
  const sub = String(made.id)
  const oracle = new Oracle()
  const [steps = []] = fc.sample(fc.array(step, { minLength: repeats, maxLength: repeats }), {
    numRuns: 1,
    seed: Number(process.env.WDS_COMMISSION_SEED ?? 2),
  })
  for (const one of [...first, ...steps]) {
    if (one.do === 'day') {
      await upload(`type=stats&integration_id=${integration}`, csvOf(one.day, one.rows))
      await fixture.days(later)
      oracle.final(one.day, one.rows)
    } else if (one.do === 'plan') {
      const isTaken = oracle.changePlan(one.plan, one.from)
      await post(
        `/v1/sub-affiliates/${sub}/plan`,
        { plan_id: planIds[one.plan], effective_from: one.from },
        isTaken ? 200 : 422,
      )
      await fixture.subAffiliates()
      oracle.process()
    } else if (one.do === 'adjust') {
      await post(`/v1/sub-affiliates/${sub}/adjustments`, { amount: one.amount }, 201)
      oracle.adjust(one.amount)
    } else if (one.do === 'pay') await pay(sub, oracle, one)
    else await end(oracle, one)
    await compare(sub, oracle)
  }
  await post(`/v1/sub-affiliates/${sub}/adjustments`, { amount: 1 }, 201)
  await fixture.subAffiliates()
  for (const { id, state } of oracle.payouts)
    if (state === 'scheduled' || state === 'processing') await p.act(id, 'mark-paid')
  const refused = await fixture.call('POST', `/v1/sub-affiliates/${sub}/remove`, { json: { reason: 'left' } })
  expect([refused.status, refused.body.code]).toEqual([409, 'balance_not_zero'])
  await fixture.call('POST', `/v1/sub-affiliates/${sub}/remove`, { json: { reason: 'left', write_off: true } })
  const { body } = await fixture.call('GET', `/v1/sub-affiliates/${sub}/balance`)
  expect(Number(body.available) + Number(body.pending)).toBe(0)
})

test.each([
  ['after the other', '2021-05', '2021-06', '2021-07'],
  ['at once', '2020-05', '2020-06', '2020-07'],
])(
  'regression: a month that closes before an earlier one: a change of plan that waits then counts in it, one of the earlier month does not; its workers one %s',
  async (how, earlier, month, next) => {
    const plan = async (revshare_bps: number) =>
      String((await post('/v1/commission-plans', { name: 'Any', type: 'revshare', revshare_bps }, 201)).id)
    const [tenth, half, third] = [await plan(1_000), await plan(5_000), await plan(3_000)]
    const who = { name: 'Jane', email: 'jane@example.com', payout_currency: 'EUR', invite: false }
    const begin = { plan_id: tenth, effective_from: `${earlier}-01` }
    const sub = String((await post('/v1/sub-affiliates', { ...who, ...begin, external_id: month }, 201)).id)
    const changeTo = (plan_id: string, effective_from: string) =>
      post(`/v1/sub-affiliates/${sub}/plan`, { plan_id, effective_from }, 200)
    const work =
      how === 'at once'
        ? () => Promise.all([fixture.subAffiliates(later), fixture.days(later), fixture.subAffiliates(later)])
        : async () => {
            await fixture.days(later)
            await fixture.subAffiliates(later)
          }
    const rows = async (...lines: string[]) => {
      const own = lines.map((line) => `${month}-${line.replace(' ', `,${month},`)}\n`).join('')
      await upload(`type=stats&integration_id=${integration}`, `date,sub_id,currency,revshare_commission\n${own}`)
    }
    const integration = await fixture.createIntegration({ name: month })
    await rows('01 EUR,100', '01 KWD,10', '02 EUR,100', '03 KWD,10')
    await fixture.days(later, 2)
    expect((await ledgers.ledgerOf(sub)).map(({ day, amount }) => [day, amount])).toEqual([
      [`${month}-01`, 1_000],
      [`${month}-02`, 1_000],
    ])
    await changeTo(half, `${month}-02`)
    await work()
    await changeTo(third, `${earlier}-10`)
    await rows('02 EUR,120')
    await work()
    await upload('type=fx_rates', `date,base,quote,rate\n${month}-01,EUR,KWD,0.4\n${month}-03,EUR,KWD,0.4\n`)
    await work()
    const entries = await ledgers.ledgerOf(sub)
    expect(entries.map((one) => [one.day?.slice(-2), one.reason, one.rate_bps, one.amount, one.month])).toEqual([
      ['01', null, 1_000, 1_000, month],
      ['02', null, 1_000, 1_000, month],
      ['02', 'plan_changed', 5_000, 4_000, month],
      // No month between them and the first integration has a day.
      ['02', 'restated', 5_000, 1_000, present],
      ['01', null, 1_000, 250, present],
      ['03', null, 5_000, 1_250, present],
    ])
    const { body } = await fixture.call('GET', `/v1/sub-affiliates/${sub}`)
    // Behind these stand those of months that other tests have closed.
    expect((body.plan_history as object[]).slice(0, 5).map((one) => Object.values(one))).toEqual([
      [tenth, `${earlier}-01`],
      [third, `${earlier}-10`],
      [tenth, `${month}-01`],
      [half, `${month}-02`],
      [third, `${next}-01`],
    ])
  },
)

test('regression: what is carried over goes to a month that will close: one of history without a day never does', async () => {
  const terms = { name: 'Any', type: 'revshare', revshare_bps: 5_000, negative_carryover: true }
  const { id: plan_id } = await post('/v1/commission-plans', terms, 201)
  const who = { name: 'Jane', email: 'jane@example.com', payout_currency: 'EUR', invite: false, external_id: 'gap' }
  const sub = String((await post('/v1/sub-affiliates', { ...who, plan_id, effective_from: '2019-01-01' }, 201)).id)
  const integration = await fixture.createIntegration({ name: 'Gap' })
  for (const [on, amount] of [
    ['2019-02-01', -100],
    ['2019-04-01', 100],
  ]) {
    const csv = `date,sub_id,currency,revshare_commission\n${on},gap,EUR,${amount}\n`
    await upload(`type=stats&integration_id=${integration}`, csv)
    await fixture.days(later)
  }
  const entries = await ledgers.ledgerOf(sub)
  expect(entries.map(({ kind, amount, month }) => [kind, amount, month])).toEqual([
    ['accrual', -5_000, '2019-02'],
    ['carryover', 5_000, '2019-02'],
    ['carryover', -5_000, present],
    ['accrual', 5_000, '2019-04'],
  ])
})

/** A payout that is taken and given back. */
async function payAndCancel(): Promise<void> {
  const sub = await p.subAffiliate()
  await p.earn(sub, 100)
  const { body } = await p.pay(sub, { amount: 60 })
  await ledgers.expectBalance(sub, { available: 40, paidTotal: 0 })
  await p.act(body.id, 'cancel')
  await ledgers.expectBalance(sub, { available: 100, paidTotal: 0 })
}

test.each([
  ['a payout that counts as earned less in its month', "new.kind not in ('payout', 'payout_reversal')", 'true'],
  [
    'a reversal that changes no balance',
    '+ excluded.balance',
    "+ case new.kind when 'payout_reversal' then 0 else excluded.balance end",
  ],
])('mutant: %s is found', async (_, from, to) => {
  await payAndCancel()
  const { rows } = await fixture.adminPool.query<{ sql: string }>(
    "select pg_get_functiondef('api.keep_ledger_sums'::regproc) as sql",
  )
  const sql = rows[0]?.sql ?? ''
  expect(sql).toContain(from)
  await fixture.adminPool.query(sql.replace(from, to))
  try {
    await expect(payAndCancel()).rejects.toThrow('Expected values to be strictly')
  } finally {
    await fixture.adminPool.query(sql)
  }
})

test('the ledger refuses changes, whoever makes them, and sums that are not those of its entries', async () => {
  const changes = [
    'update api.ledger_entries set amount = 1',
    'delete from api.ledger_entries',
    'update api.ledger_accounts set balance = 0',
    'update api.ledger_months set amount = 0',
  ]
  for (const change of changes) await expect(fixture.adminPool.query(change)).rejects.toMatchObject({ code: '42501' })
})
