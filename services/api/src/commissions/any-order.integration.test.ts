// Commissions in any order of final days, restatements, changes of plan, adjustments and months that close, compared after each step with an
// oracle that knows the rows, the plans' terms and arithmetic alone (domain.md 3.9).
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createPool, type Pool } from '@wds/postgres/pool'
import fc from 'fast-check'
import { type Fixture, startFixture } from '../api-service.fixture.ts'

let fixture: Fixture
/** Its clock is ahead: what is uploaded rests long enough. */
let later: Pool
beforeAll(async () => {
  fixture = await startFixture()
  const url = `${fixture.workerUrl}?options=-c%20app.clock_offset_ms%3D${7 * 3_600_000}`
  later = createPool({ connectionString: url, applicationName: 'test-later', max: 4 })
})
afterAll(async () => {
  await later?.end()
  await fixture?.stop()
})

// Past months close with their first final day; the present one stays open.
const present = new Date().toISOString().slice(0, 7)
const monthBack = (back: number) =>
  new Date(Date.UTC(+present.slice(0, 4), +present.slice(5) - 1 - back, 1)).toISOString().slice(0, 7)
const months = [monthBack(2), monthBack(1), present]
const days = months.flatMap((month) => [`${month}-01`, `${month}-02`])

interface Row {
  campaign: 'c1' | 'c2'
  currency: 'EUR' | 'USD'
  ftds: number
  commission: number
}
const plans = [
  {
    type: 'tiered',
    tiers: [
      { from_ftds: 3, revshare_bps: 1_111 },
      { from_ftds: 9, revshare_bps: 3_333 },
    ],
    negative_carryover: true,
  },
  { type: 'hybrid', cpa: { amount: 333, currency: 'USD' }, revshare_bps: 2_505, negative_carryover: false },
  { type: 'revshare', revshare_bps: 4_999, cap: { amount: 1_500, currency: 'EUR' }, negative_carryover: true },
] as const
type Step =
  | { do: 'day'; day: string; rows: Row[] }
  | { do: 'plan'; plan: number; from: string }
  | { do: 'adjust'; amount: number }

const day = fc.constantFrom(...days)
const row: fc.Arbitrary<Row> = fc.record({
  ...{ campaign: fc.constantFrom('c1', 'c2'), currency: fc.constantFrom('EUR', 'USD') },
  ...{ ftds: fc.nat(5), commission: fc.integer({ min: -9_000, max: 9_000 }) },
})
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
)

/** Half to even, of numbers that stay exact. */
function rounded(part: number, whole: number): number {
  const below = Math.floor(part / whole)
  const rest = 2 * (part - below * whole)
  return rest > whole || (rest === whole && below % 2 !== 0) ? below + 1 : below
}

/** Euros of an amount: one is 1.25 dollars in all of the test. */
const [euroOf, dollars] = [
  (currency: string) => (currency === 'USD' ? 4 : 1),
  (currency: string) => (currency === 'USD' ? 5 : 1),
]

class Oracle {
  readonly entries: { month: string; amount: number }[] = []
  readonly closed = new Set<string>()
  history = [{ plan: 0, from: days[0] ?? '' }]
  private readonly rows = new Map<string, Map<string, Row>>()
  private readonly terms = new Map<string, { plan: number; bps: number }>()
  private readonly posted = new Map<string, number>()

  final(on: string, given: Row[]): void {
    const isFirst = !this.rows.has(on)
    const rows = this.rows.get(on) ?? new Map<string, Row>()
    for (const one of given) rows.set(`${one.campaign} ${one.currency}`, one)
    this.rows.set(on, rows)
    this.post(on)
    const month = on.slice(0, 7)
    if (isFirst && month !== present && !this.closed.has(month)) this.close(month)
  }

  changePlan(plan: number, from: string): boolean {
    if (this.closed.has(from.slice(0, 7))) return false
    this.history = [...this.history.filter((one) => one.from < from), { plan, from }]
    for (const on of this.rows.keys()) if (on >= from && !this.closed.has(on.slice(0, 7))) this.post(on)
    return true
  }

  adjust(amount: number): void {
    this.entries.push({ month: present, amount })
  }

  sumOf(isWanted: (month: string) => boolean): number {
    return this.entries.filter(({ month }) => isWanted(month)).reduce((sum, { amount }) => sum + amount, 0)
  }

  private planOn(on: string): number {
    return this.history.findLast(({ from }) => from <= on)?.plan ?? -1
  }

  private openFrom(month: string): string {
    return months.find((one) => one >= month && !this.closed.has(one)) ?? ''
  }

  private post(on: string): void {
    const plan = this.planOn(on)
    const isNothing = [...(this.rows.get(on)?.values() ?? [])].every((one) => one.ftds === 0 && one.commission === 0)
    if (this.terms.get(on)?.plan !== plan) {
      if (isNothing && !this.terms.has(on)) return
      this.terms.set(on, { plan, bps: this.rateOn(on, plan) })
    }
    const terms = plans[plan]
    const bps = this.terms.get(on)?.bps ?? 0
    for (const [key, one] of this.rows.get(on) ?? []) {
      const share = rounded(one.commission * bps * euroOf(one.currency), 10_000 * dollars(one.currency))
      const fixed = terms?.type === 'hybrid' ? rounded(one.ftds * terms.cpa.amount * 4, 5) : 0
      const before = this.posted.get(`${on} ${key}`) ?? 0
      this.posted.set(`${on} ${key}`, share + fixed)
      if (share + fixed !== before)
        this.entries.push({ month: this.openFrom(on.slice(0, 7)), amount: share + fixed - before })
    }
  }

  private rateOn(on: string, plan: number): number {
    const terms = plans[plan]
    if (terms?.type !== 'tiered') return terms?.revshare_bps ?? 0
    let ftds = 0
    for (const [other, rows] of this.rows)
      if (other.slice(0, 7) === on.slice(0, 7) && other <= on) for (const one of rows.values()) ftds += one.ftds
    return ftds >= 9 ? 3_333 : ftds >= 3 ? 1_111 : 0
  }

  private close(month: string): void {
    this.closed.add(month)
    const sum = this.sumOf((one) => one === month)
    const terms = plans[this.planOn(`${month}-99`)]
    if (sum < 0) {
      this.entries.push({ month, amount: -sum })
      if (terms?.negative_carryover) this.entries.push({ month: this.openFrom(month), amount: sum })
    } else if (terms?.type === 'revshare' && sum > terms.cap.amount)
      this.entries.push({ month, amount: terms.cap.amount - sum })
  }
}

const csvOf = (on: string, rows: Row[]) => {
  const lines = new Map(rows.map((one) => [`${one.campaign} ${one.currency}`, one]))
  const records = [...lines.values()].map(
    (one) => `${on},${one.campaign},sub1,${one.currency},${one.ftds},${(one.commission / 100).toFixed(2)}\n`,
  )
  return `date,campaign,sub_id,currency,qualified_ftds,revshare_commission\n${records.join('')}`
}

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

interface Entry {
  amount: number
  month: string
  balance_after: number
  source: string
  source_id: string
}

async function compare(sub: string, oracle: Oracle): Promise<void> {
  const entries: Entry[] = []
  for (let cursor = ''; ; ) {
    const { body } = await fixture.call('GET', `/v1/sub-affiliates/${sub}/ledger?limit=100${cursor}`)
    entries.unshift(...(body.data as Entry[]).toReversed())
    if (body.next_cursor == null) break
    cursor = `&cursor=${body.next_cursor}`
  }
  let balance = 0
  for (const one of entries) {
    balance += one.amount
    expect(one.balance_after).toBe(balance)
  }
  const sumOf = (month: string) =>
    entries.filter((one) => one.month === month).reduce((sum, one) => sum + one.amount, 0)
  expect(months.map(sumOf)).toEqual(months.map((month) => oracle.sumOf((one) => one === month)))
  const { body } = await fixture.call('GET', `/v1/sub-affiliates/${sub}/balance`)
  const available = oracle.sumOf((month) => oracle.closed.has(month))
  expect([body.available, body.pending]).toEqual([available, oracle.sumOf((month) => !oracle.closed.has(month))])
  expect(available).toBeGreaterThanOrEqual(0)
}

const repeats = Number(process.env.WDS_COMMISSION_STEPS ?? 20)
test('in any order of days, restatements, plans and month ends the ledger is what rows and terms say, and a closed month never changes', async () => {
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
    ...{ numRuns: 1, seed: Number(process.env.WDS_COMMISSION_SEED ?? 2) },
  })
  for (const one of steps) {
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
    } else {
      await post(`/v1/sub-affiliates/${sub}/adjustments`, { amount: one.amount }, 201)
      oracle.adjust(one.amount)
    }
    await compare(sub, oracle)
  }
  const refused = await fixture.call('POST', `/v1/sub-affiliates/${sub}/remove`, { json: { reason: 'left' } })
  expect([refused.status, refused.body.code]).toEqual([409, 'balance_not_zero'])
  await fixture.call('POST', `/v1/sub-affiliates/${sub}/remove`, { json: { reason: 'left', write_off: true } })
  const { body } = await fixture.call('GET', `/v1/sub-affiliates/${sub}/balance`)
  expect(Number(body.available) + Number(body.pending)).toBe(0)
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
