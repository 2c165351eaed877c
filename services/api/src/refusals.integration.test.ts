// Refusals that need more than a wrong value to come about. Each code of the published table is produced by a test (C14).
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type Fixture, startFixture } from './api-service.fixture.ts'

let fixture: Fixture
beforeAll(async () => {
  fixture = await startFixture()
})
afterAll(() => fixture?.stop())

const create = (extra: object) => {
  const json = { name: 'One', brand_slug: 'acme', provider: 'csv_upload', ...extra }
  return fixture.call('POST', '/v1/integrations', { json })
}

test('brand_exists: an integration cannot give its brand other values than it has', async () => {
  const brand = { name: 'Acme', vertical: 'casino', default_currency: 'EUR' }
  expect((await create({ brand_slug: 'taken', brand })).status).toBe(201)
  expect((await create({ brand_slug: 'taken', brand })).status).toBe(201)
  const refused = await create({ brand_slug: 'taken', brand: { ...brand, default_currency: 'USD' } })
  expect([refused.status, refused.body.code]).toEqual([422, 'brand_exists'])
})

test('unknown_currency: a currency that is not in ISO 4217', async () => {
  const refused = await create({ brand_slug: 'odd', brand: { name: 'Odd', default_currency: 'XYZ' } })
  expect([refused.status, refused.body.code]).toEqual([422, 'unknown_currency'])
  const left = await fixture.adminPool.query("select 1 from api.brands where slug = 'odd'")
  expect(left.rows).toEqual([])
})

test('metric_not_additive: unique clicks of several days cannot be summed', async () => {
  const ask = (query: string) =>
    fixture.call('GET', `/v1/stats?from=2026-01-01&to=2026-01-02&metrics=unique_clicks${query}`)
  const refused = await ask('')
  expect([refused.status, refused.body.code]).toEqual([400, 'metric_not_additive'])
  expect((await ask('&group_by=day')).status).toBe(200)
})

test('result_too_large: more than 10,000 groups are refused, 10,000 are not', async () => {
  const { body } = await create({ brand_slug: 'many' })
  const csv = 'date,clicks\n2026-01-05,1\n'
  await fixture.call('POST', `/v1/imports?type=stats&integration_id=${body.id}`, { csv })
  await fixture.work()
  const copy = (from: number, to: number) =>
    fixture.adminPool.query(
      `insert into api.stats_rows select copied.*
         from api.stats_rows r, generate_series($2::int, $3::int) n,
              jsonb_populate_record(r, jsonb_build_object('sub_affiliate_id', n::text, 'row_key', n::text)) copied
        where r.integration_id = $1 and r.sub_affiliate_id is null`,
      [body.id, from, to],
    )
  const ask = () =>
    fixture.call('GET', `/v1/stats?from=2026-01-05&to=2026-01-05&group_by=sub_affiliate&filter[integration]=${body.id}`)
  await copy(1, 9_999)
  const most = await ask()
  expect([most.status, most.body.has_more]).toEqual([200, true])
  await copy(10_000, 10_000)
  const refused = await ask()
  expect([refused.status, refused.body.code]).toEqual([422, 'result_too_large'])
})
