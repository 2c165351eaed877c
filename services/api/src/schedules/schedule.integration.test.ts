// Scheduled runs by the database's clock, moved forward where a story needs it: ticks, broken integrations, delays, PATCH.
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createPool, type Pool } from '@wds/postgres/pool'
import { type Fixture, startFixture } from '../api-service.fixture.ts'
import { scheduleOnce } from './scheduler.ts'

let fixture: Fixture
const pools: Pool[] = []
beforeAll(async () => {
  fixture = await startFixture()
})
afterAll(async () => {
  for (const pool of pools) await pool.end()
  await fixture?.stop()
})

const minute = 60_000
const small = { campaigns: 1, countries: ['DE'] }

async function demo(extra: object = {}): Promise<string> {
  const json = {
    name: 'Demo',
    brand_slug: 'acme',
    provider: 'demo',
    initial_backfill_days: 1,
    settings: small,
    ...extra,
  }
  const answer = await fixture.call('POST', '/v1/integrations', { json })
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)])
  return String(answer.body.id)
}

/** Opens and carries out all that is due when the clock is moved forward by so much. */
async function tickAt(offsetMs: number): Promise<void> {
  const url = `${fixture.workerUrl}?options=-c%20app.clock_offset_ms%3D${offsetMs}`
  const pool = createPool({ connectionString: url, applicationName: 'test-later', max: 4 })
  pools.push(pool)
  while (await scheduleOnce({ ...fixture.worker, pool, attemptsMax: 1 }));
  await fixture.work(pool)
}

async function runsOf(id: string): Promise<{ trigger: string; status: string }[]> {
  const { body } = await fixture.call('GET', `/v1/integrations/${id}/sync-runs?limit=100`)
  return (body.data as { trigger: string; status: string }[]).map(({ trigger, status }) => ({ trigger, status }))
}

async function announced(id: string): Promise<{ type: string; data: Record<string, unknown> }[]> {
  const { rows } = await fixture.workerPool.query<{ payload: Buffer }>('select payload from outbox order by id')
  return rows.map((row) => JSON.parse(row.payload.toString('utf8'))).filter(({ data }) => data.integration_id === id)
}

const broken = { settings: { ...small, failures: { every_runs: 1, attempts: 9, code: 'access_denied' } } }

test('the first run is due at once, the next after every_minutes, and missed ticks are run once', async () => {
  const id = await demo({ schedule: { every_minutes: 60 } })
  await tickAt(0)
  await tickAt(59 * minute)
  expect(await runsOf(id)).toHaveLength(1)
  await tickAt(600 * minute)
  expect(await runsOf(id)).toEqual([
    { trigger: 'schedule', status: 'succeeded' },
    { trigger: 'schedule', status: 'succeeded' },
  ])
})

test('a broken integration is tried every 6 hours, one that works again by its schedule', async () => {
  const id = await demo({ schedule: { every_minutes: 60 }, ...broken })
  await tickAt(0)
  expect((await fixture.call('GET', `/v1/integrations/${id}`)).body.status).toBe('broken')
  await tickAt(359 * minute)
  expect(await runsOf(id)).toHaveLength(1)
  await tickAt(361 * minute)
  expect(await runsOf(id)).toHaveLength(2)
  // Other settings are tried at once; then the schedule of a working integration holds again.
  await fixture.call('PATCH', `/v1/integrations/${id}`, { json: { settings: { failures: null } } })
  await tickAt(362 * minute)
  expect((await fixture.call('GET', `/v1/integrations/${id}`)).body.status).toBe('active')
  await tickAt(421 * minute)
  expect(await runsOf(id)).toHaveLength(3)
  await tickAt(423 * minute)
  expect(await runsOf(id)).toHaveLength(4)
})

test('an integration says when it runs next and whether its runs are late', async () => {
  const id = await demo({ schedule: { every_minutes: 60 }, ...broken })
  const told = async () => {
    const { body } = await fixture.call('GET', `/v1/integrations/${id}`)
    const { next_run, health, created } = body as { next_run: string | null; health: object; created: string }
    return { next_run, created, delayed: (health as { delayed: boolean }).delayed }
  }
  const first = await told()
  expect(first).toEqual({ next_run: first.created, created: first.created, delayed: false })
  await tickAt(0)
  await tickAt(121 * minute)
  const { next_run, created, delayed } = await told()
  // It broke at its first run: six hours lie between its tries.
  expect([delayed, Math.round((Date.parse(String(next_run)) - Date.parse(created)) / 3_600_000)]).toEqual([true, 6])
  await fixture.call('POST', `/v1/integrations/${id}/pause`)
  expect(await told()).toEqual({ next_run: null, created, delayed: false })
})

test('sync.delayed comes once per episode and not while paused', async () => {
  const id = await demo({ schedule: { every_minutes: 60 }, ...broken })
  const delays = async () => (await announced(id)).filter(({ type }) => type === 'sync.delayed').map(({ data }) => data)
  await tickAt(119 * minute)
  expect(await delays()).toEqual([])
  await tickAt(121 * minute)
  await tickAt(900 * minute)
  const never = { integration_id: id, brand_slug: 'acme', last_completed: null, expected_every_minutes: 60 }
  expect(await delays()).toEqual([never])
  await fixture.call('PATCH', `/v1/integrations/${id}`, { json: { settings: { failures: null } } })
  await tickAt(901 * minute)
  const { body } = await fixture.call('GET', `/v1/integrations/${id}`)
  const { last_success } = body.health as { last_success: string }
  await fixture.call('PATCH', `/v1/integrations/${id}`, { json: broken })
  await tickAt(1020 * minute)
  expect(await delays()).toHaveLength(1)
  await tickAt(1022 * minute)
  expect(await delays()).toEqual([never, { ...never, last_completed: last_success }])
  await fixture.call('POST', `/v1/integrations/${id}/pause`)
  await tickAt(5000 * minute)
  expect(await delays()).toHaveLength(2)
})

test('a PATCH of settings is tried at once, also while a run is open and without a schedule', async () => {
  const id = await demo({ schedule: null })
  await tickAt(0)
  expect(await runsOf(id)).toEqual([])
  await fixture.call('POST', `/v1/integrations/${id}/sync-runs`, { json: {} })
  await fixture.call('PATCH', `/v1/integrations/${id}`, { json: { settings: { seed: 2 } } })
  await tickAt(0)
  expect((await runsOf(id)).map(({ trigger }) => trigger)).toEqual(['manual'])
  await tickAt(11_000)
  expect((await runsOf(id)).map(({ trigger }) => trigger)).toEqual(['schedule', 'manual'])
  await tickAt(9_000 * minute)
  expect(await runsOf(id)).toHaveLength(2)
})

test('an integration that somebody holds stops no other', async () => {
  const [held, free] = [await demo(), await demo()]
  const client = await fixture.adminPool.connect()
  try {
    await client.query('begin')
    await client.query('select 1 from api.integrations where id = $1 for update', [held])
    await tickAt(0)
    expect([await runsOf(held), (await runsOf(free)).length]).toEqual([[], 1])
  } finally {
    await client.query('rollback')
    client.release()
  }
  await tickAt(0)
  expect(await runsOf(held)).toHaveLength(1)
})

test('regression: an integration whose run cannot be opened stops no other, and is tried again', async () => {
  const [poison, free] = [await demo(), await demo()]
  const setZone = (zone: string) =>
    fixture.adminPool.query(
      `update api.integrations set state = jsonb_set(state, '{fields,source_time_zone}', to_jsonb($2::text)) where id = $1`,
      [poison, zone],
    )
  // As where the machine's table of zones has lost one.
  await setZone('Nowhere/Atlantis')
  await tickAt(0)
  expect([await runsOf(free), await runsOf(poison)].map(({ length }) => length)).toEqual([1, 0])
  await setZone('UTC')
  await tickAt(2 * minute)
  expect(await runsOf(poison)).toHaveLength(1)
})
