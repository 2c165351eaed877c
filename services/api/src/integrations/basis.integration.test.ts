// Time zone and granularity of a source: what rows are keyed by cannot change under them, in whatever order uploads, runs and
// changes come. Sums are compared with a computation from the raw input.
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { type Fixture, startFixture } from '../api-service.fixture.ts'

let fixture: Fixture
beforeAll(async () => {
  fixture = await startFixture()
})
afterAll(() => fixture?.stop())

const integration = (extra: object = {}) => fixture.createIntegration({ name: 'Basis', ...extra })

const patch = (id: string, json: object) => fixture.call('PATCH', `/v1/integrations/${id}`, { json })
const queue = (id: string, csv: string, covers = '') =>
  fixture.call('POST', `/v1/imports?type=stats&integration_id=${id}${covers}`, { csv })

async function ingest(id: string, csv: string, covers = ''): Promise<void> {
  expect((await queue(id, csv, covers)).status).toBe(202)
  await fixture.work()
}

async function clicksByDay(id: string): Promise<Record<string, number>> {
  const query = `from=2026-01-01&to=2026-01-31&metrics=clicks&group_by=day&filter[integration]=${id}`
  const { body } = await fixture.call('GET', `/v1/stats?${query}`)
  return Object.fromEntries((body.data as { day: string; clicks: number }[]).map((row) => [row.day, row.clicks]))
}

const hours = Array.from({ length: 24 }, (_, hour) => new Date(Date.UTC(2026, 0, 5, hour)).toISOString())
const hourly = `hour,clicks\n${hours.map((hour) => `${hour},1`).join('\n')}\n`

test('regression: another zone or granularity is refused once there are stats, by the fields, and nothing is lost or doubled', async () => {
  const id = await integration({ granularity: 'hour' })
  await ingest(id, hourly)
  for (const [json, pointers] of [
    [{ source_time_zone: 'America/New_York' }, ['/source_time_zone']],
    [{ granularity: 'day' }, ['/granularity']],
    [{ name: 'Two', source_time_zone: 'Asia/Tokyo', granularity: 'day' }, ['/source_time_zone', '/granularity']],
  ] as const) {
    const refused = await patch(id, json)
    expect([refused.status, refused.body.code]).toEqual([409, 'stats_exist'])
    expect((refused.body.errors as { pointer: string }[]).map(({ pointer }) => pointer)).toEqual(pointers)
  }
  await ingest(id, hourly)
  expect(await clicksByDay(id)).toEqual({ '2026-01-05': 24 })
  // What is no change of it is taken: the same values, another name of the zone.
  expect((await patch(id, { name: 'Two', granularity: 'hour', source_time_zone: 'Etc/UTC' })).status).toBe(200)
})

test('the way out that the refusal names: another integration, and zeros over the days of the old one', async () => {
  const old = await integration({ window_mode: 'replace' })
  await ingest(old, 'date,campaign,clicks\n2026-01-05,a,10\n2026-01-06,a,14\n')
  const other = await integration({ granularity: 'hour', source_time_zone: 'America/New_York' })
  await ingest(other, hourly)
  await ingest(old, 'date,clicks\n2026-01-05,0\n', '&covers_from=2026-01-01&covers_to=2026-01-31')
  expect(await clicksByDay(`${old},${other}`)).toEqual({ '2026-01-05': 24 })
})

test('regression: the basis waits for work that has it, and a run beside a change is of the one or the other', async () => {
  const id = await integration()
  await queue(id, 'date,clicks\n2026-01-05,1\n')
  const waits = await patch(id, { source_time_zone: 'Asia/Tokyo' })
  expect([waits.status, waits.body.code]).toEqual([409, 'sync_already_running'])
  const tries = Array.from({ length: 8 }, () => patch(id, { source_time_zone: 'Asia/Tokyo' }))
  const [beside] = await Promise.all([Promise.all(tries), fixture.work()])
  expect(beside.filter(({ status }) => status !== 409)).toEqual([])
  for (let round = 0; round < 4; round++) {
    const demo = await integration({ provider: 'demo', schedule: null, settings: { campaigns: 1, countries: ['DE'] } })
    const window = { from: '2026-01-05', to: '2026-01-05' }
    const [run, changed] = await Promise.all([
      fixture.call('POST', `/v1/integrations/${demo}/sync-runs`, { json: { window } }),
      patch(demo, { source_time_zone: 'Asia/Tokyo' }),
    ])
    expect([run.status, changed.status]).toEqual([202, expect.any(Number)])
    expect([200, 409]).toContain(changed.status)
    await fixture.work()
    const found = await fixture.call('GET', `/v1/integrations/${demo}`)
    const done = await fixture.call('GET', `/v1/sync-runs/${run.body.id}`)
    expect(done.body).toMatchObject({ status: 'succeeded', rows_inserted: 24 })
    const zone = changed.status === 200 ? 'Asia/Tokyo' : 'UTC'
    const startMs = Date.UTC(2026, 0, 5, zone === 'UTC' ? 0 : -9)
    const sql = `select min(extract(epoch from hour) * 1000)::bigint::text as first, count(*)::int as n
      from api.stats_rows where integration_id = $1`
    const { rows } = await fixture.adminPool.query(sql, [demo])
    expect([found.body.source_time_zone, rows[0]]).toEqual([zone, { first: String(startMs), n: 24 }])
  }
})

// Clocks that do not change in January 2026: minutes east of UTC.
const zones: Record<string, number> = {
  UTC: 0,
  'Asia/Kathmandu': 345,
  'America/New_York': -300,
  'America/St_Johns': -210,
}
const upload = fc.array(
  fc.record({
    minute: fc.integer({ min: 0, max: 2_880 }),
    east: fc.integer({ min: -40, max: 40 }),
    clicks: fc.nat(99),
  }),
  { minLength: 1, maxLength: 40 },
)
const change = fc.record(
  { source_time_zone: fc.constantFrom(...Object.keys(zones)), granularity: fc.constantFrom('hour', 'day') },
  { requiredKeys: [] },
)

test('regression: after any uploads and changes each day has the clicks that the raw rows give it', async () => {
  const steps = fc.array(fc.oneof(upload, change), { minLength: 2, maxLength: 5 })
  await fc.assert(
    fc.asyncProperty(steps, async (given) => {
      const id = await integration({ granularity: 'hour' })
      const basis = { source_time_zone: 'UTC', granularity: 'hour' }
      const stored = new Map<string, { day: string; clicks: number }>()
      for (const step of given) {
        if (!Array.isArray(step)) {
          const wanted = { ...basis, ...step }
          const differs = JSON.stringify(wanted) !== JSON.stringify(basis)
          expect((await patch(id, step)).status).toBe(differs && stored.size > 0 ? 409 : 200)
          if (stored.size === 0) Object.assign(basis, wanted)
          continue
        }
        const rows = step.map((row) => ({ ...row, ms: Date.UTC(2026, 0, 5) + row.minute * 60_000 }))
        const lines = rows.map(({ ms, east, clicks }) => `${isoAt(ms, east * 15)},${clicks}`)
        await ingest(id, `hour,clicks\n${lines.join('\n')}\n`)
        const sent = new Map<string, { day: string; clicks: number }>()
        for (const { ms, clicks } of rows) {
          const { key, day } = placeOf(ms, basis)
          sent.set(key, { day, clicks: clicks + (sent.get(key)?.clicks ?? 0) })
        }
        for (const [key, row] of sent) stored.set(key, row)
      }
      const expected: Record<string, number> = {}
      for (const { day, clicks } of stored.values()) expected[day] = (expected[day] ?? 0) + clicks
      expect(await clicksByDay(id)).toEqual(expected)
    }),
    { numRuns: 8 },
  )
})

/** ISO 8601 on a clock so many minutes east of UTC. */
function isoAt(ms: number, east: number): string {
  const size = Math.abs(east)
  const pad = (value: number) => String(value).padStart(2, '0')
  const local = new Date(ms + east * 60_000).toISOString().slice(0, 19)
  return `${local}${east < 0 ? '-' : '+'}${pad(Math.floor(size / 60))}:${pad(size % 60)}`
}

/** The key of an instant and the workspace's (UTC) day of its row, by its zone's constant offset. */
function placeOf(ms: number, basis: { source_time_zone: string; granularity: string }): { key: string; day: string } {
  const offset = (zones[basis.source_time_zone] ?? 0) * 60_000
  if (basis.granularity === 'day') {
    const day = new Date(ms + offset).toISOString().slice(0, 10)
    return { key: day, day }
  }
  const start = Math.floor((ms + offset) / 3_600_000) * 3_600_000 - offset
  return { key: String(start), day: new Date(start).toISOString().slice(0, 10) }
}
