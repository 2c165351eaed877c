// How stored conversions come into the stats: folds in parts and in pages, what they reject, and what is kept of them.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createPool } from '@wds/postgres/pool'
import { type Transaction, withTransaction } from '@wds/postgres/transaction'
import fc from 'fast-check'
import { type Fixture, startFixture } from '../api-service.fixture.ts'
import { startOfHourMs } from '../calendar/domain/calendar.ts'
import { Fold } from '../conversions/fold.ts'
import { foldPlaces } from '../conversions/store-folds.ts'
import { lackingFrom } from '../integrations/fold-window.ts'
import type { RowRules } from '../sources/domain/check-row.ts'
import { workOnce } from '../sync-work/worker.ts'
import { dateOf, networkOf } from './network.fixture.ts'
import { sweepConversions } from './sweep-conversions.ts'

const day = 86_400_000
const hour = 3_600_000
/** Groups of a run, as few as a test can fill. */
const recordsMax = 6
let fixture: Fixture
beforeAll(async () => {
  fixture = await startFixture({ perSecond: 100_000, recordsMax })
})
afterAll(() => fixture?.stop())
const { connect, get, click, run, sums, age } = networkOf(() => fixture)

const ago = (days: number) => new Date(Date.now() - days * day).toISOString()
const makeCampaign = async (id: string, external_id: string) => {
  const { status } = await fixture.call('POST', '/v1/campaigns', {
    json: { name: external_id, integration_id: id, external_id },
  })
  expect(status).toBe(201)
}

interface Run {
  status: string
  trigger: string
  rows_rejected: number
  window: { from: string; to: string }
}
const runsOf = async (id: string): Promise<Run[]> =>
  ((await fixture.call('GET', `/v1/integrations/${id}/sync-runs?limit=100`)).body.data as Run[]).toReversed()

async function foldOf(id: string): Promise<{ folded: boolean; pass: boolean }> {
  const { rows } = await fixture.adminPool.query(
    'select folded is not null as folded, pass_at is not null as pass from api.postback_folds where integration_id = $1',
    [id],
  )
  return rows[0] ?? { folded: false, pass: false }
}

/** Five groups an hour, of some hours of a day that is over. */
async function sendHours(path: string, days: number, hours: readonly number[]): Promise<void> {
  const startMs = Date.parse(dateOf(Date.now() - days * day))
  for (const at of hours)
    for (const campaign of ['a', 'b', 'c', 'd', 'e'])
      await get(path, { ...click(), campaign, ts: new Date(startMs + at * hour).toISOString() })
}

describe('a fold of more than one run takes', () => {
  test('regression: is carried out by several, each of which moves the mark, within a day as well', async () => {
    const { id, path } = await connect({ lookback_days: 1, schedule: null })
    await sendHours(path, 9, [1, 2, 3, 4, 5])
    await sendHours(path, 5, [0, 23])
    await run(id)
    const found = await runsOf(id)
    expect([found.length >= 4, new Set(found.map(({ status }) => status))]).toEqual([true, new Set(['succeeded'])])
    const [first, next] = found
    const ninth = dateOf(Date.now() - 9 * day)
    // Two hours are folded whole, the third one begins with the next run.
    expect([first?.window, next?.window.from]).toEqual([{ from: ninth, to: ninth }, ninth])
    expect(found.at(-1)?.window.to).toBe(dateOf(Date.now()))
    expect(await sums(id, 'clicks')).toEqual({ clicks: 35 })
    expect(await foldOf(id)).toEqual({ folded: true, pass: false })
    // All of it again changes nothing.
    const window = { from: ninth, to: dateOf(Date.now() - 4 * day) }
    await fixture.call('POST', `/v1/integrations/${id}/sync-runs`, { json: { window } })
    await fixture.work()
    const again = (await runsOf(id)).slice(found.length)
    expect(new Set(again.map(({ trigger, status }) => `${trigger} ${status}`))).toEqual(new Set(['backfill succeeded']))
    expect([again.length >= 3, again[0]?.window.from, again.at(-1)?.window.to]).toEqual([true, ninth, window.to])
    expect(await sums(id, 'clicks')).toEqual({ clicks: 35 })
  })

  test('goes on where it was when one of them is canceled, and has what came late meanwhile', async () => {
    const { id, path } = await connect({ lookback_days: 1, schedule: null })
    await sendHours(path, 9, [1, 2])
    await sendHours(path, 5, [3, 4])
    await fixture.call('POST', `/v1/integrations/${id}/sync-runs`, { json: {} })
    await workOnce({ ...fixture.worker, signal: new AbortController().signal })
    expect(await foldOf(id)).toEqual({ folded: false, pass: true })
    const { body } = await fixture.call('GET', `/v1/integrations/${id}/sync-runs?status=queued`)
    const [queued] = body.data as { id: string }[]
    await fixture.call('POST', `/v1/sync-runs/${queued?.id}/cancel`)
    await sendHours(path, 9, [0])
    expect(((await run(id)).window as Run['window']).from).not.toBe(dateOf(Date.now() - 9 * day))
    expect(await foldOf(id)).toEqual({ folded: true, pass: false })
    expect(await sums(id, 'clicks')).toEqual({ clicks: 20 })
    // It was received after the pass had begun.
    await run(id)
    expect(await sums(id, 'clicks')).toEqual({ clicks: 25 })
  })
})

/** A campaign each, of one hour of the ninth day before. */
async function sendCampaigns(path: string, at: number, count: number): Promise<void> {
  const ts = `${dateOf(Date.now() - 9 * day)}T${String(at).padStart(2, '0')}:00:00Z`
  for (let nth = 0; nth < count; nth += 1)
    await get(path, { ...click(), campaign: `c${String(nth).padStart(2, '0')}`, ts })
}

test('regression: an hour of more groups than are taken of one holds up no other, and loses nothing that is stored', async () => {
  const { id, path } = await connect({ lookback_days: 1, schedule: null })
  await sendCampaigns(path, 3, 1)
  await get(path, { ...click(), campaign: 'z', ts: `${dateOf(Date.now() - 9 * day)}T03:00:00Z` })
  await run(id)
  await sendCampaigns(path, 3, 4 * recordsMax)
  await sendCampaigns(path, 5, 1)
  await run(id)
  const found = (await runsOf(id)).slice(-2)
  expect(found.map(({ status }) => status)).toEqual(['succeeded', 'succeeded'])
  const [cut] = found
  const told = [{ line: recordsMax + 1, code: 'hour_too_large', detail: expect.any(String) }]
  expect(cut).toMatchObject({ rows_rejected: 1, rows_deleted: 0, deletes_skipped: true, rejects_sample: told })
  // As many as are taken, the one that was there and is beyond them, and the one of the other hour.
  expect(await sums(id, 'clicks')).toEqual({ clicks: recordsMax + 3 })
  expect(await foldOf(id)).toEqual({ folded: true, pass: false })
})

const sent = fc.record({
  quarter: fc.nat(24),
  event: fc.constantFrom('click', 'signup'),
  campaign: fc.constantFrom(null, 'a', 'b', 'ä'),
  country: fc.constantFrom(null, 'DE'),
  sub_id: fc.constantFrom(null, 's', '?', 'none has it', 'nor this'),
})

test('in pages of any size each group is read once, in whole hours of the source, also where its clock changes', async () => {
  const zones = { 'Europe/Berlin': '2025-10-25T22:00:00Z', 'Australia/Lord_Howe': '2026-04-04T12:30:00Z' }
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...(Object.keys(zones) as (keyof typeof zones)[])),
      fc.array(sent, { minLength: 1, maxLength: 40 }),
      fc.integer({ min: 1, max: 9 }),
      fc.integer({ min: 1, max: 12 }),
      async (zone, all, pageGroups, some) => {
        const { id } = await connect({ schedule: null, source_time_zone: zone })
        const startMs = Date.parse(zones[zone])
        const place = [fixture.workspaces.a, id]
        await fixture.adminPool.query(
          `insert into api.postback_conversions (workspace_id, integration_id, event, tx_id, occurred, received, late, campaign, sub_id,
             country, currency)
           select $1, $2, event, nth::text, $4::timestamptz + quarter * interval '15 minutes', now(), true, campaign, sub_id, country, 'EUR'
           from rows from (jsonb_to_recordset($3) as (quarter int, event text, campaign text, sub_id text, country text))
             with ordinality as t(quarter, event, campaign, sub_id, country, nth)`,
          [...place, JSON.stringify(all), zones[zone]],
        )
        const read = <T>(fn: (tx: Transaction) => Promise<T>) =>
          withTransaction(fixture.workerPool, { workspaceId: fixture.workspaces.a, readOnly: true }, fn)
        const rules: RowRules = {
          granularity: 'hour',
          zone,
          currency: 'EUR',
          onUnknownCampaign: 'create',
          today: '2026-06-01',
          knowsCampaign: () => true,
        }
        const [from, to] = [dateOf(startMs - day), dateOf(startMs + 2 * day)]
        const hourOf = (quarter: number) => startOfHourMs(startMs + quarter * 900_000, zone)
        const subIds = ['s', '?', 'other']
        // Those that nobody has are one.
        const told = all.map((one) => ({
          ...one,
          sub_id: one.sub_id && (subIds.includes(one.sub_id) ? one.sub_id : ''),
        }))
        const groupsOfHours = Map.groupBy(new Set(told.map((one) => JSON.stringify(one))), (group) =>
          hourOf(JSON.parse(group).quarter),
        )
        // No hour has more than are taken of one.
        const groupsMax = Math.max(some, ...[...groupsOfHours.values()].map((groups) => groups.length))
        const seen: number[] = []
        let groups = 0
        for (let goOnMs: number | null = null; ; ) {
          const limits = { goOnMs, keptFromMs: null, subIds, groupsMax, pageGroups }
          const fold = new Fold({ integrationId: id, window: { from, to }, zone, ...limits })
          for await (const { checked } of fold.records(read, rules)) {
            groups += 1
            if (!checked?.ok) throw new Error('rejected')
            const hourMs = checked.row.hourMs ?? 0
            expect(hourMs >= startOfHourMs(fold.fromMs, zone) && hourMs < fold.toMs).toBe(true)
            const count = Number(checked.row.values.clicks ?? checked.row.values.signups)
            for (let nth = 0; nth < count; nth += 1) seen.push(hourMs)
          }
          if (fold.isWhole) break
          goOnMs = fold.toMs
        }
        const expected = all.map(({ quarter }) => hourOf(quarter))
        expect(seen.toSorted()).toEqual(expected.toSorted())
        expect(groups).toBe([...groupsOfHours.values()].flat().length)
      },
    ),
    { numRuns: 30 },
  )
})

test('of more late conversions than are looked at a run reaches as far back as any may lie', async () => {
  const { id, path } = await connect({ lookback_days: 1, schedule: null })
  await run(id)
  for (const days of [9, 20, 3]) await get(path, { ...click(), ts: ago(days) })
  const from = (lateMax: number) =>
    withTransaction(fixture.workerPool, { workspaceId: fixture.workspaces.a }, (tx) =>
      lackingFrom(tx, id, { zone: 'UTC', receivedBeforeMs: Date.now() + hour, lateMax }),
    )
  const all = dateOf(Date.now() - 45 * day - hour)
  expect([await from(3), await from(2), await from(1)]).toEqual([dateOf(Date.now() - 20 * day), all, all])
})

describe('what a fold rejects', () => {
  test('regression: is told as a rejected row, and comes into the stats once its campaign is made, however old it is', async () => {
    const { id, path } = await connect({ lookback_days: 1, schedule: null, on_unknown_campaign: 'reject' })
    await get(path, { ...click(), ts: ago(20) })
    await get(path, { ...click(), campaign: 'x', ts: ago(20) })
    const first = await run(id)
    const told = [{ line: expect.any(Number), code: 'unknown_campaign', detail: expect.stringContaining('x') }]
    expect(first).toMatchObject({ status: 'succeeded', rows_rejected: 1, rejects_sample: told })
    await age(id, { receivedHours: 5, foldedHours: 0 })
    // As long as nobody knows its campaign, it is not looked at again.
    await fixture.adminPool.query(
      `update api.postback_rejected_days set looked = looked - interval '2 hours' where integration_id = $1`,
      [id],
    )
    expect((await run(id)).rows_rejected).toBe(0)
    expect(await sums(id, 'clicks')).toEqual({ clicks: 1 })
    await makeCampaign(id, 'x')
    expect((await run(id)).window).toMatchObject({ from: dateOf(Date.now() - 20 * day) })
    expect(await sums(id, 'clicks')).toEqual({ clicks: 2 })
    expect(((await run(id)).window as Run['window']).from).not.toBe(dateOf(Date.now() - 20 * day))
  })

  test('is remembered of a day that several runs fold, whichever of them rejected it', async () => {
    const { id, path } = await connect({ lookback_days: 1, schedule: null, on_unknown_campaign: 'reject' })
    const ninth = dateOf(Date.now() - 9 * day)
    await sendHours(path, 9, [1, 2])
    await get(path, { ...click(), ts: `${ninth}T05:00:00Z` })
    await run(id)
    const rejects = (await runsOf(id)).map(({ rows_rejected }) => rows_rejected)
    expect([rejects, await sums(id, 'clicks')]).toEqual([[10, 0], { clicks: 1 }])
    await age(id, { receivedHours: 9 * 24, foldedHours: 0 })
    await makeCampaign(id, 'a')
    await run(id)
    expect(await sums(id, 'clicks')).toEqual({ clicks: 3 })
  })

  test.each([
    ['that is kept by upsert', { window_mode: 'upsert', on_unknown_campaign: 'unassigned' }, 'unassigned', 2],
    ['beside what is rejected', { on_unknown_campaign: 'unassigned' }, 'reject', 1],
  ])(
    'regression: a conversion whose campaign becomes known is not counted twice, for a row %s',
    async (_, given, later, clicks) => {
      const { id, path } = await connect({ schedule: null, ...given })
      await get(path, { ...click(), campaign: 'x' })
      await get(path, { ...click(), campaign: 'y' })
      await run(id)
      await makeCampaign(id, 'x')
      await fixture.call('PATCH', `/v1/integrations/${id}`, { json: { on_unknown_campaign: later } })
      await run(id)
      expect(await sums(id, 'clicks')).toEqual({ clicks })
    },
  )
})

describe('conversions', () => {
  const keepMs = 400 * day
  const kept = async (id: string): Promise<number> => {
    const counted = 'select count(*)::int as n from api.postback_conversions where integration_id = $1'
    return (await fixture.adminPool.query(counted, [id])).rows[0].n
  }

  test('are removed once they are old and in the stats, which stay as they are', async () => {
    const { id, path } = await connect({ lookback_days: 1, schedule: null })
    const unfolded = await connect({ lookback_days: 1, schedule: null })
    for (const to of [path, unfolded.path]) await get(to, { ...click(), ts: ago(30) })
    await run(id)
    await get(path, click())
    await run(id)
    await age(id, { receivedHours: 30 * 24, foldedHours: 0 })
    await sweepConversions(fixture.workerPool, keepMs)
    expect(await kept(id)).toBe(2)
    // As if it were kept for 20 days: what is kept is a matter of the clock.
    await sweepConversions(fixture.workerPool, 20 * day)
    expect([await kept(id), await kept(unfolded.id), await sums(id, 'clicks')]).toEqual([1, 1, { clicks: 2 }])
    // Until another day is old it is not looked at again.
    const places = await foldPlaces(fixture.workerPool, { keepMs: 20 * day, after: null, limit: 100 })
    expect(places.map(({ integrationId }) => integrationId)).not.toContain(id)
    const start = (from: number, to: number) =>
      fixture.call('POST', `/v1/integrations/${id}/sync-runs`, {
        json: { window: { from: dateOf(Date.now() - from * day), to: dateOf(Date.now() - to * day) } },
      })
    const refused = await start(31, 29)
    expect([refused.status, refused.body.errors]).toEqual([
      422,
      [{ pointer: '/window', code: 'validation_failed', detail: expect.stringContaining('kept from') }],
    ])
    const { body } = await start(31, 0)
    await fixture.work()
    const done = (await fixture.call('GET', `/v1/sync-runs/${body.id}`)).body
    expect(done).toMatchObject({ status: 'succeeded', rows_unchanged: 1, rows_deleted: 0 })
    expect((done.window as Run['window']).from).toBe(dateOf(Date.now() - 20 * day))
    expect(await sums(id, 'clicks')).toEqual({ clicks: 2 })
  })

  test('of a deleted integration are removed whether they are in the stats or not', async () => {
    const { id, path } = await connect({ schedule: null })
    await get(path, { ...click(), ts: ago(30) })
    await get(path, click())
    await fixture.call('DELETE', `/v1/integrations/${id}`)
    await sweepConversions(fixture.workerPool, 20 * day)
    expect(await kept(id)).toBe(1)
  })

  test('regression: that cannot be removed keep those of no other integration', async () => {
    const made = [await connect({ schedule: null }), await connect({ schedule: null })].toSorted((a, b) =>
      a.id < b.id ? -1 : 1,
    )
    for (const { id, path } of made) {
      await get(path, { ...click(), ts: ago(30) })
      await fixture.call('DELETE', `/v1/integrations/${id}`)
    }
    const [stuck, other] = made.map(({ id }) => id)
    await fixture.adminPool.query(`create trigger stuck before delete on api.postback_conversions for each row
      when (old.integration_id = '${stuck}') execute function api.refuse_change()`)
    try {
      await expect(sweepConversions(fixture.workerPool, 20 * day)).rejects.toThrow('postback_conversions')
    } finally {
      await fixture.adminPool.query('drop trigger stuck on api.postback_conversions')
    }
    expect([await kept(stuck ?? ''), await kept(other ?? '')]).toEqual([1, 0])
  })

  test('that go while a run folds them end its attempt, and the next one leaves their days out', async () => {
    const { id, path } = await connect({ lookback_days: 1, schedule: null })
    await get(path, { ...click(), ts: ago(30) })
    await run(id)
    await age(id, { receivedHours: 30 * 24, foldedHours: 0 })
    const window = { from: dateOf(Date.now() - 31 * day), to: dateOf(Date.now()) }
    await fixture.call('POST', `/v1/integrations/${id}/sync-runs`, { json: { window } })
    // Between the reading and the end of the attempt: its rows wait for a lock that is held here.
    const client = await fixture.adminPool.connect()
    const pool = createPool({ connectionString: fixture.workerUrl, applicationName: 'test-sweep', max: 1 })
    try {
      await client.query('begin')
      await client.query("select pg_advisory_xact_lock(hashtextextended('stats_rows:' || $1 || ':' || $2, 0))", [
        ...[fixture.workspaces.a, id],
      ])
      const attempt = workOnce({ ...fixture.worker, signal: new AbortController().signal })
      const waits = "select 1 from pg_locks where locktype = 'advisory' and not granted"
      while ((await client.query(waits)).rowCount === 0);
      await sweepConversions(pool, 20 * day)
      await client.query('commit')
      await attempt
    } finally {
      client.release()
      await pool.end()
    }
    expect(await sums(id, 'clicks')).toEqual({ clicks: 1 })
    await fixture.workUntil(async () => (await runsOf(id)).at(-1)?.status === 'succeeded')
    expect(await sums(id, 'clicks')).toEqual({ clicks: 1 })
  })
})
