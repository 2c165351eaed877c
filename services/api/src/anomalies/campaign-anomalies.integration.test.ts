// Anomalies of campaigns from uploaded rows, by the database's clock moved past the rest of a backfilled day.
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createPool, type Pool } from '@wds/postgres/pool'
import { type Fixture, startFixture } from '../api-service.fixture.ts'
import { addDays, localDate } from '../calendar/domain/calendar.ts'

let fixture: Fixture
let today: string
let later: Pool
beforeAll(async () => {
  fixture = await startFixture()
  const { rows } = await fixture.adminPool.query<{ ms: string }>('select extract(epoch from now()) * 1000 as ms')
  today = localDate(Number(rows[0]?.ms), 'UTC')
  const url = `${fixture.workerUrl}?options=-c%20app.clock_offset_ms%3D${6.1 * 3_600_000}`
  later = createPool({ connectionString: url, applicationName: 'test-later', max: 4 })
})
afterAll(async () => {
  await later?.end()
  await fixture?.stop()
})

/** About as many, without chance. */
const about = (level: number, ago: number) => level + ((ago * 7) % 11) - 5

/** Clicks of each campaign on each of the last 60 days, yesterday last: `level`, and `last` yesterday. */
async function upload(brand: string, campaigns: Record<string, { level: number; last: number }>): Promise<void> {
  const id = await fixture.createIntegration({ name: brand, brand_slug: brand })
  const lines = Array.from({ length: 60 }, (_, at) => 60 - at).flatMap((ago) =>
    Object.entries(campaigns).map(
      ([name, { level, last }]) => `${addDays(today, -ago)},${name},${ago === 1 ? last : about(level, ago)}`,
    ),
  )
  const csv = `date,campaign,clicks\n${lines.join('\n')}\n`
  const sent = await fixture.call('POST', `/v1/imports?type=stats&integration_id=${id}`, { csv })
  expect([sent.status, sent.text]).toEqual([202, expect.any(String)])
  await fixture.work()
}

test('8.3: a campaign that leaves its baseline is told with its brand, by itself where the brand is as usual', async () => {
  await upload('both', {
    first: { level: 200, last: 900 },
    second: { level: 200, last: 900 },
    third: { level: 200, last: 200 },
  })
  await upload('alone', { large: { level: 4_000, last: 4_002 }, small: { level: 200, last: 900 } })
  await fixture.days(later)
  await fixture.anomalies(later)
  const campaigns = await fixture.call('GET', '/v1/campaigns?limit=100')
  const nameOf = (id: unknown) =>
    (campaigns.body.data as { id: string; external_id: string }[]).find((one) => one.id === id)?.external_id ?? id
  const { body } = await fixture.call('GET', '/v1/anomalies?limit=100')
  const found = (
    body.data as { id: string; dimension: Record<string, unknown>; campaign_ids: string[]; observed: number }[]
  )
    .map(({ dimension, campaign_ids: ids, observed }) => ({
      brand: dimension.brand_slug,
      campaign: nameOf(dimension.campaign_id),
      observed,
      with: ids.map(nameOf).sort(),
    }))
    .sort((one, other) => String(one.brand).localeCompare(String(other.brand)))
  expect(found).toEqual([
    { brand: 'alone', campaign: 'small', observed: 900, with: [] },
    { brand: 'both', campaign: null, observed: 2_000, with: ['first', 'second'] },
  ])
  const { rows } = await fixture.adminPool.query<{ payload: Buffer }>('select payload from api.outbox order by id')
  const told = rows
    .map(({ payload }) => JSON.parse(payload.toString()))
    .filter(({ type }) => type === 'anomaly.detected')
  expect(told.map(({ data }) => nameOf(data.campaign_id)).sort()).toEqual([null, 'small'])
  // Looked at again, both are known.
  const again = "insert into api.anomaly_day_work (workspace_id, day, due) values ($1, $2, now() - interval '1 day')"
  await fixture.adminPool.query(again, [fixture.workspaces.a, addDays(today, -1)])
  await fixture.anomalies(later)
  expect((await fixture.call('GET', '/v1/anomalies?limit=100')).body.data).toHaveLength(2)
})

test('regression: 8.1: a campaign that was archived is watched no more: that it has ended is no news', async () => {
  await upload('ended', {
    large: { level: 20_000, last: 20_002 },
    gone: { level: 200, last: 900 },
    stays: { level: 200, last: 900 },
  })
  const campaigns = (await fixture.call('GET', '/v1/campaigns?limit=100')).body.data as {
    id: string
    external_id: string
  }[]
  const idOf = (name: string) => campaigns.find((one) => one.external_id === name)?.id
  expect((await fixture.call('POST', `/v1/campaigns/${idOf('gone')}/archive`)).status).toBe(200)
  await fixture.days(later)
  await fixture.anomalies(later)
  const { body } = await fixture.call('GET', '/v1/anomalies?brand=ended&limit=100')
  const found = body.data as { dimension: { campaign_id: string } }[]
  expect(found.map(({ dimension }) => dimension.campaign_id)).toEqual([idOf('stays')])
})
