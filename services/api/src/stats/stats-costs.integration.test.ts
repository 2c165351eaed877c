// sub_affiliate_cost and margin (domain.md 3.5) against a computation from the rows as they were sent and the terms of the plans: any
// grouping and filter that the ledger knows, converted or not; what it does not know is refused.

import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { withoutUndefined } from '@wds/contracts/without-undefined'
import fc from 'fast-check'
import { exportsOf } from '../exports/exports.fixture.ts'
import { defaultMetrics, measuresOf } from './domain/stats-metrics.ts'
import { type Asking, days, iso, type Row as Shown, startAsking } from './stats-asking.fixture.ts'
import { groupsSql } from './store-groups.ts'

interface Row {
  day: string
  integration: number
  campaign: 'c1' | 'c2' | null
  country: string
  sub: 'one' | 'two' | null
  currency: 'EUR' | 'USD'
  commission: number
}

/** The last two days of a month and the first two of the next, the one before the present. */
const today = iso(Date.now()).slice(0, 10)
const dayMs = 86_400_000
const start = Date.UTC(Number(today.slice(0, 4)), Number(today.slice(5, 7)) - 2, 1)
const finalDays = days(iso(start - 2 * dayMs).slice(0, 10), 4)
const [first = '', last = ''] = [finalDays[0], finalDays.at(-1)]
/** Of a test of its own. */
const lone = iso(start - 10 * dayMs).slice(0, 10)
const row: fc.Arbitrary<Row> = fc.record({
  day: fc.constantFrom(...finalDays),
  integration: fc.nat(1),
  campaign: fc.constantFrom('c1', 'c2', null),
  country: fc.constantFrom('DE', 'SE'),
  sub: fc.constantFrom('one', 'two', null),
  currency: fc.constantFrom('EUR', 'USD'),
  commission: fc.integer({ min: -9_999, max: 99_999 }),
})
const keyOf = (one: Row) => Object.values({ ...one, commission: 0 }).join()
const rows = [...new Map(fc.sample(row, { numRuns: 60, seed: 7 }).map((one) => [keyOf(one), one])).values()]

/** Half to even, of numbers that stay exact. */
function rounded(part: number, whole: number): number {
  const below = Math.floor(part / whole)
  const rest = 2 * (part - below * whole)
  return rest > whole || (rest === whole && below % 2 !== 0) ? below + 1 : below
}

/** Basis points of the plans. Who is paid in yen has a cost in the currency of the rows all the same. */
const shares = { one: 2_505, two: 3_333, late: 1_000 }
const payoutCurrencies = { one: 'EUR', two: 'JPY', late: 'KWD' }
const brands = ['acme', 'other']

let asking: Asking
let fixture: Asking['fixture']
let ask: Asking['ask']
let integrations: string[]
const subs: Record<string, string> = {}

async function post(path: string, json: object, status = 201): Promise<Record<string, unknown>> {
  const answer = await fixture.call('POST', path, { json })
  expect([answer.text, answer.status]).toEqual([answer.text, status])
  return answer.body
}

const csvOf = (own: Row[]) =>
  `date,campaign,country,sub_id,currency,clicks,revshare_commission\n${own
    .map((one) => [one.day, one.campaign, one.country, one.sub, one.currency, 1, one.commission / 100].join())
    .join('\n')}\n`

beforeAll(async () => {
  asking = await startAsking()
  ;({ fixture, ask } = asking)
  const rates = [...finalDays, lone].map((day) => `${day},EUR,USD,1.25\n${day},EUR,JPY,160\n`).join('')
  await fixture.call('POST', '/v1/imports?type=fx_rates', { csv: `date,base,quote,rate\n${rates}` })
  await fixture.work()
  for (const [external_id, revshare_bps] of Object.entries(shares)) {
    const plan = await post('/v1/commission-plans', { name: external_id, type: 'revshare', revshare_bps })
    const who = { name: 'Jane', email: 'jane@example.com', invite: false, effective_from: lone }
    const own = { external_id, plan_id: plan.id, payout_currency: payoutCurrencies[external_id as keyof typeof shares] }
    subs[external_id] = String((await post('/v1/sub-affiliates', { ...who, ...own })).id)
  }
  integrations = []
  for (const [at, brand_slug] of brands.entries()) {
    const own = rows.filter(({ integration }) => integration === at)
    integrations.push(await asking.withRows({ brand_slug }, csvOf(own)))
  }
  await fixture.days(asking.later)
})
afterAll(() => asking?.stop())

/** What was posted once: of a day, an integration, a campaign, a sub-affiliate and a currency, rounded once. */
interface Cost extends Row {
  cost: number
}
function costsOf(of: Row[]): Cost[] {
  const posted = Map.groupBy(of, (one) => keyOf({ ...one, country: '' }))
  return [...posted.values()].flatMap(([one, ...others]): Cost[] => {
    if (one === undefined || one.sub === null) return []
    const commission = [one, ...others].reduce((sum, { commission }) => sum + commission, 0)
    return [{ ...one, cost: rounded(commission * shares[one.sub], 10_000) }]
  })
}

/** Of the first integration, once it was merged. */
let hasMerged = false
const takerOf = ({ campaign, integration }: Row) =>
  hasMerged && integration === 0 && campaign === 'c1' ? 'c2' : campaign

const keys: Record<string, { field: string; of(one: Row): string | null }> = {
  day: { field: 'day', of: (one) => one.day },
  month: { field: 'month', of: (one) => one.day.slice(0, 7) },
  brand: { field: 'brand_slug', of: (one) => brands[one.integration] ?? '' },
  integration: { field: 'integration_id', of: (one) => integrations[one.integration] ?? '' },
  campaign: { field: 'campaign_external_id', of: takerOf },
  sub_affiliate: { field: 'sub_affiliate_id', of: (one) => one.sub },
}

/** By key: the cost and the margin. Converted are the sums of a group by day and currency, once each. */
function expected(of: Row[], groupBy: string[], isConverted: boolean): Record<string, number[]> {
  const textOf = (one: Row) => {
    const own = groupBy.map((name) => keys[name]?.of(one) ?? null)
    // Campaigns of one name in two integrations are two.
    const place = groupBy.includes('campaign') && one.campaign !== null ? integrations[one.integration] : null
    return JSON.stringify([...own, place, isConverted ? null : one.currency])
  }
  const sumOf = <T extends Row>(list: T[], of: (one: T) => number) => {
    const sums = Map.groupBy(list, (one) => (isConverted ? `${one.day} ${one.currency}` : ''))
    return [...sums.values()].reduce((all, group) => {
      const sum = group.reduce((total, one) => total + of(one), 0)
      return all + (isConverted && group[0]?.currency === 'USD' ? rounded(sum * 4, 5) : sum)
    }, 0)
  }
  const costs = Map.groupBy(costsOf(of), textOf)
  return Object.fromEntries(
    [...Map.groupBy(of, textOf)].map(([key, group]) => {
      const cost = sumOf(costs.get(key) ?? [], (one) => one.cost)
      return [key, [cost, sumOf(group, (one) => one.commission) - cost]]
    }),
  )
}

async function found(groupBy: string[], query: string, isConverted: boolean): Promise<Record<string, unknown[]>> {
  const by = groupBy.length === 0 ? '' : `&group_by=${groupBy.join()}`
  const range = `from=${first}&to=${last}`
  const asked = `${range}&metrics=sub_affiliate_cost,margin${by}${query}${isConverted ? '&currency=EUR' : ''}`
  const { data } = await ask(asked)
  const { body } = await fixture.call('GET', '/v1/campaigns?limit=100')
  const places = new Map((body.data as Shown[]).map((one) => [one.id, one.integration_id]))
  return Object.fromEntries(
    data.map((one) => {
      const own = groupBy.map((name) => one[keys[name]?.field ?? ''])
      const place = places.get(one.campaign_id) ?? null
      const key = JSON.stringify([...own, place, isConverted ? null : one.currency])
      return [key, [one.sub_affiliate_cost, one.margin]]
    }),
  )
}

const filters: Record<string, (one: Row) => boolean> = {
  '': () => true,
  '&filter[sub_affiliate]=one': ({ sub }) => sub === 'one',
  '&filter_not[sub_affiliate]=one': ({ sub }) => sub !== 'one',
  '&filter[brand]=other': ({ integration }) => integration === 1,
  '&filter[campaign]=c1': (one) =>
    one.campaign === 'c1' || (hasMerged && one.integration === 0 && one.campaign === 'c2'),
  '&filter[currency]=USD': ({ currency }) => currency === 'USD',
}

async function compareAll(numRuns: number): Promise<void> {
  const dimensions = fc.subarray(['brand', 'integration', 'campaign', 'sub_affiliate'], { maxLength: 3 })
  const groupBy = dimensions.chain((some) => fc.constantFrom(some, ['day', ...some], [...some, 'month']))
  const filter = fc.constantFrom(...Object.keys(filters))
  const property = fc.asyncProperty(groupBy, fc.boolean(), filter, async (groups, isConverted, query) => {
    const own = rows.filter(filters[query] ?? (() => false))
    expect([query, await found(groups, query, isConverted)]).toEqual([query, expected(own, groups, isConverted)])
  })
  await fc.assert(property, { numRuns, seed: 11 })
}

test('any grouping and filter that the ledger knows gives the cost and the margin that rows and terms say', () =>
  compareAll(25))

test('the costs of a period are the entries of the ledger that name its days, in the currency of the rows', async () => {
  const ledgers = await Promise.all(
    Object.values(subs).map((id) => fixture.call('GET', `/v1/sub-affiliates/${id}/ledger?limit=100`)),
  )
  const entries = ledgers.flatMap(({ body }) => body.data as Shown[]).filter(({ day }) => day !== null)
  const sumOf = (currency: unknown) =>
    entries.filter((one) => one.row_currency === currency).reduce((sum, one) => sum + Number(one.row_amount), 0)
  const { totals } = await ask(`from=${first}&to=${last}&metrics=sub_affiliate_cost`)
  expect(totals).toHaveLength(2)
  for (const total of totals) expect(total.sub_affiliate_cost).toBe(sumOf(total.currency))
})

test('the cost of a day is not known before it is final, and counts as nothing beside days that are', async () => {
  await asking.withRows(
    { brand_slug: 'third' },
    csvOf([{ ...(rows[0] as Row), day: today, sub: 'one', currency: 'EUR' }]),
  )
  const metrics = 'metrics=commission,sub_affiliate_cost,margin'
  const byDay = await ask(`from=${today}&to=${today}&${metrics}&group_by=day`)
  expect(byDay.data).toMatchObject([{ day: today, sub_affiliate_cost: null, margin: null }])
  const [known, all, final] = await Promise.all([
    ask(`from=${first}&to=${last}&${metrics}&filter[currency]=EUR`),
    ask(`from=${first}&to=${today}&${metrics}&filter[currency]=EUR`),
    ask(`from=${first}&to=${today}&${metrics}&filter[currency]=EUR&finality=final_only`),
  ])
  expect(all?.totals[0]?.sub_affiliate_cost).toBe(known?.totals[0]?.sub_affiliate_cost)
  expect(final?.totals).toEqual(known?.totals)
  expect(all?.meta.is_final).toBe(false)
})

test('costs are compared, ordered by, paged through and exported like any sum', async () => {
  const query = { from: finalDays[2], to: last, metrics: ['sub_affiliate_cost', 'margin'], group_by: ['sub_affiliate'] }
  const compared = { ...query, currency: 'EUR', compare: 'previous_period', order_by: '-margin' }
  const whole = (await post('/v1/stats/query', compared, 200)).data as Shown[]
  expect(whole.map(({ sub_affiliate_id }) => sub_affiliate_id).sort()).toEqual(['one', 'two', null].sort())
  expect(whole.map(({ margin }) => Number(margin))).toEqual(
    whole.map((one) => Number(one.margin)).sort((a, b) => b - a),
  )
  const earlier = (await post('/v1/stats/query', { ...query, currency: 'EUR', from: first, to: finalDays[1] }, 200))
    .data
  for (const one of earlier as Shown[]) {
    const same = whole.find(({ sub_affiliate_id }) => sub_affiliate_id === one.sub_affiliate_id)
    const value = one.sub_affiliate_cost
    expect(same?.compare).toMatchObject({ sub_affiliate_cost: { value }, margin: { value: one.margin } })
  }
  const pages: Shown[] = []
  for (let cursor: unknown; cursor !== null; ) {
    const page = await post(
      '/v1/stats/query',
      withoutUndefined({ ...compared, limit: 1, cursor: cursor ?? undefined }),
      200,
    )
    pages.push(...(page.data as Shown[]))
    cursor = page.next_cursor
  }
  expect(pages).toEqual(whole)
  const lines = (await exportsOf(fixture).textOf(compared, { format: 'ndjson' })).trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line))).toEqual(whole)
})

test('a cost that waits for a rate keeps the answer from being final, and what is posted later makes it younger', async () => {
  await asking.withRows({ brand_slug: 'late' }, `date,sub_id,currency,revshare_commission\n${lone},late,EUR,10\n`)
  await fixture.days(asking.later)
  const asked = (metrics: string) => ask(`from=${lone}&to=${lone}&metrics=${metrics}`)
  const [before, without] = [await asked('commission,sub_affiliate_cost'), await asked('commission')]
  expect([before.totals, before.meta.is_final]).toEqual([
    [{ currency: 'EUR', commission: 1_000, sub_affiliate_cost: 0 }],
    false,
  ])
  await fixture.call('POST', '/v1/imports?type=fx_rates', { csv: `date,base,quote,rate\n${lone},EUR,KWD,0.3337\n` })
  await fixture.work()
  await fixture.subAffiliates(asking.later)
  const after = await asked('margin,sub_affiliate_cost')
  expect(after.totals).toEqual([{ currency: 'EUR', margin: 900, sub_affiliate_cost: 100 }])
  expect([without.meta.is_final, after.meta.is_final]).toEqual([true, true])
  expect(Date.parse(String(after.meta.generated))).toBeGreaterThan(Date.parse(String(without.meta.generated)))
})

test('a query that asks for no cost reads nothing of the ledger', () => {
  const source = { workspaceId: 'wsp_1', days: { from: first, to: last }, rolledUp: finalDays }
  const whole = { ...source, cuts: null, only: null, cut: null, pairs: null }
  const sqlOf = (metrics: string[]) => {
    const grouping = { source: whole, groupBy: ['currency' as const], metrics, filters: [], hasMerged: false, fx: null }
    return groupsSql({ ...grouping, limit: null, hasTotal: false }, measuresOf(metrics), () => '$1')
  }
  expect(sqlOf([...defaultMetrics])).not.toContain('ledger')
  expect(sqlOf(['margin'])).toContain('ledger_entries')
})

test('what the ledger does not know is refused by its name: countries, and days of another zone', async () => {
  const range = `from=${first}&to=${last}`
  const refused = async (query: string) => {
    const { status, body } = await fixture.call('GET', `/v1/stats?${range}&${query}`)
    return [status, body.code, (body.errors as { parameter: string }[])[0]?.parameter]
  }
  for (const [query, parameter] of [
    ['metrics=margin&group_by=country', 'group_by'],
    ['metrics=sub_affiliate_cost&filter[country]=DE', 'filter[country]'],
    ['order_by=-margin&filter_not[country]=DE', 'filter_not[country]'],
    ['metrics=margin&time_zone=Asia/Tokyo', 'time_zone'],
  ] as const)
    expect([query, await refused(query)]).toEqual([query, [400, 'invalid_parameter', parameter]])
  const query = { from: first, to: last, metrics: ['margin'], filter: { country: ['DE'] } }
  const posted = await post('/v1/stats/query', query, 422)
  const exported = await post('/v1/exports', { type: 'stats', format: 'csv', query }, 422)
  expect([posted.errors, exported.errors]).toMatchObject([
    [{ pointer: '/filter/country', code: 'invalid_value' }],
    [{ pointer: '/query/filter/country', code: 'invalid_value' }],
  ])
  expect((await fixture.call('GET', `/v1/stats?${range}&group_by=country`)).status).toBe(200)
})

test('what a merged campaign costs counts for the one that took it up, also what is posted of its rows later', async () => {
  const { body } = await fixture.call('GET', `/v1/campaigns?integration_id=${integrations[0]}`)
  const idOf = (name: string) => (body.data as Shown[]).find((one) => one.external_id === name)?.id
  const before = await found(['sub_affiliate'], '', true)
  await post(`/v1/campaigns/${idOf('c1')}/merge`, { into: idOf('c2') }, 200)
  hasMerged = true
  await compareAll(15)
  expect(await found(['sub_affiliate'], '', true)).toEqual(before)
  const restated = rows.filter((one) => one.integration === 0 && one.campaign === 'c1' && one.sub !== null)
  expect(restated.length).toBeGreaterThan(1)
  for (const one of restated) one.commission += 1_111
  const csv = csvOf(restated)
  expect((await fixture.call('POST', `/v1/imports?type=stats&integration_id=${integrations[0]}`, { csv })).status).toBe(
    202,
  )
  await fixture.work()
  await fixture.days(asking.later)
  await compareAll(15)
  expect(await found(['sub_affiliate'], '', true)).not.toEqual(before)
})
