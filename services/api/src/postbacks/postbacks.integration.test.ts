// Postbacks through the public door: what is taken and what is refused, tokens and their rotation, and how they come into the stats.
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { createPool, type Pool } from '@wds/postgres/pool'
import fc from 'fast-check'
import { type Answer, type Fixture, startFixture } from '../api-service.fixture.ts'
import { scheduleOnce } from '../schedules/scheduler.ts'
import { dateOf, networkOf, nobody, pathOf } from './network.fixture.ts'

const minute = 60_000
const day = 86_400_000
let fixture: Fixture
const pools: Pool[] = []
beforeAll(async () => {
  fixture = await startFixture({ perSecond: 100_000 })
})
afterEach(async () => {
  for (const pool of pools.splice(0)) await pool.end()
})
afterAll(() => fixture?.stop())

const { connect, get, click, run, sums, age } = networkOf(() => fixture)

/** Opens and carries out what is due when the clock is moved forward by so much. */
async function tickAt(offsetMs: number): Promise<void> {
  const url = `${fixture.workerUrl}?options=-c%20app.clock_offset_ms%3D${offsetMs}`
  const pool = createPool({ connectionString: url, applicationName: 'test-later', max: 4 })
  pools.push(pool)
  while (await scheduleOnce({ ...fixture.worker, pool, attemptsMax: 1 }));
  await fixture.work(pool)
}

describe('a postback', () => {
  test('is taken once from the query, a form or JSON, and says that it is a duplicate the second time', async () => {
    const { id, path } = await connect()
    const sent = { event: 'deposit', tx_id: '7', amount: '10.00', unknown: 'ignored', other: '{macro}' }
    const headers = { ...nobody, 'content-type': 'application/x-www-form-urlencoded' }
    const form = { headers, csv: 'event=deposit&tx_id=8&amount=2.50' }
    const json = { event: 'deposit', tx_id: 9, amount: 0.1, deep: { not: 'read' } }
    const answers = [
      await get(path, sent),
      await get(path, { ...sent, amount: '99.00' }),
      await fixture.call('POST', path, form),
      await fixture.call('POST', path, form),
      await fixture.call('POST', path, { headers: nobody, json }),
      await fixture.call('POST', `${path}?event=deposit`, { headers: nobody, json: { tx_id: '9' } }),
      // Another event may have the same id.
      await get(path, { event: 'signup', tx_id: '7' }),
    ]
    const words = ['accepted', 'duplicate', 'accepted', 'duplicate', 'accepted', 'duplicate', 'accepted']
    expect(answers.map(({ status, body }) => [status, body.status])).toEqual(words.map((word) => [200, word]))
    expect(answers[0]?.headers.get('cache-control')).toBe('no-store')
    expect(await run(id)).toMatchObject({ status: 'succeeded', rows_inserted: 1, rows_rejected: 0 })
    expect(await sums(id, 'deposits,signups,deposits_amount')).toEqual({
      deposits: 3,
      signups: 1,
      deposits_amount: 1260,
    })
  })

  test('is refused with the code and the parameter that it names, and then nothing is stored', async () => {
    const { id, path } = await connect({ settings: { parameter_map: { amount: 'payout' } } })
    const refused = await get(path, { event: 'deposit', tx_id: '1', payout: 'ten' })
    expect([refused.status, refused.body.code, refused.body.errors]).toEqual([
      422,
      'invalid_value',
      [{ parameter: 'payout', code: 'invalid_value', detail: expect.any(String) }],
    ])
    const raw = (query: string) => fixture.call('GET', `${path}?${query}`, { headers: nobody })
    const twice = await raw('event=click&tx_id=1&tx_id=2')
    expect([twice.status, twice.body.code]).toEqual([400, 'duplicate_parameter'])
    // Of those that are not read nothing is refused.
    expect((await raw('event=click&tx_id=1&x=%ff&x=2')).body).toEqual({ status: 'accepted' })
    expect((await raw('event=click&tx_id=%ff')).body.code).toBe('invalid_parameter')
    const send = (body: string, type: string) =>
      fixture.call('POST', path, { csv: body, headers: { ...nobody, 'content-type': type } })
    expect([
      (await send('[1]', 'application/json')).body.code,
      (await send('{"event":', 'application/json')).body.code,
      (await send('{"event":"click","tx_id":"\\u0000"}', 'application/json')).body.code,
      (await send('event=click', 'text/plain')).body.code,
      (await send(`tx_id=${'x'.repeat(20_000)}`, 'application/x-www-form-urlencoded')).body.code,
    ]).toEqual([
      ...['invalid_type', 'malformed_json', 'invalid_character', 'unsupported_media_type', 'payload_too_large'],
    ])
    await run(id)
    expect(await sums(id, 'clicks,deposits')).toEqual({ clicks: 1, deposits: null })
  })

  test('is 404 for a token that is none, and for senders that the settings do not name', async () => {
    const { id, path } = await connect({ settings: { allowed_cidrs: ['192.0.2.0/24', '2001:db8::/32'] } })
    const [from, otherwise] = [{ 'x-forwarded-for': '192.0.2.9' }, { 'x-forwarded-for': '203.0.113.9' }]
    expect((await get(path, click(), from)).body.status).toBe('accepted')
    const refused = await get(path, click(), otherwise)
    const unknown = await get(`${path.slice(0, -3)}AAA`, click())
    const malformed = await get('/v1/postbacks/x', click())
    const seen = [refused, unknown, malformed].map(({ status, body: { instance, ...body } }) => [status, body])
    expect(seen[0]?.[0]).toBe(404)
    expect(new Set(seen.map((answer) => JSON.stringify(answer))).size).toBe(1)
    const patch = { json: { settings: { allowed_cidrs: null } } }
    expect((await fixture.call('PATCH', `/v1/integrations/${id}`, patch)).status).toBe(200)
    expect((await get(path, click(), otherwise)).body.status).toBe('accepted')
    expect((await fixture.call('DELETE', path, { headers: nobody })).status).toBe(405)
  })

  test('above the rate of one integration is 429, and others are not held up', async () => {
    // So few that a slow machine has more of them in a second, too.
    const own = await startFixture({ perSecond: 20 })
    try {
      const make = async (as: 'a' | 'b') => {
        const json = { name: 'Network', brand_slug: 'acme', provider: 'postback' }
        return pathOf((await own.call('POST', '/v1/integrations', { json, as })).body.postback_url)
      }
      const [flooded, other] = [await make('a'), await make('b')]
      const call = (path: string, n: number) => own.call('GET', `${path}?event=click&tx_id=${n}`, { headers: nobody })
      const answers: Answer[] = []
      const refused = () => answers.filter(({ status }) => status === 429)
      while (refused().length === 0 && answers.length < 2_000)
        answers.push(...(await Promise.all(Array.from({ length: 60 }, (_, n) => call(flooded, answers.length + n)))))
      expect(refused()[0]?.headers.get('retry-after')).toBe('1')
      expect([refused()[0]?.body.code, (await call(other, 1)).status]).toEqual(['quota_exceeded', 200])
      const { rows } = await own.adminPool.query('select count(*)::int as n from api.postback_conversions')
      expect(rows[0].n).toBe(answers.filter(({ status }) => status === 200).length + 1)
    } finally {
      await own.stop()
    }
  })
})

describe('the address', () => {
  test('is shown once, and what is stored is no token', async () => {
    const headers = { 'idempotency-key': 'one' }
    const json = { name: 'Network', brand_slug: 'acme', provider: 'postback' }
    const made = await fixture.call('POST', '/v1/integrations', { json, headers })
    const again = await fixture.call('POST', '/v1/integrations', { json, headers })
    expect(made.headers.get('cache-control')).toBe('no-store')
    expect([again.status, again.body.postback_url]).toEqual([201, made.body.postback_url])
    const token = pathOf(made.body.postback_url).split('/').at(-1) ?? ''
    expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/)
    const found = await fixture.call('GET', `/v1/integrations/${made.body.id}`)
    expect(found.body.credentials).toMatchObject({ set: true, fingerprint: expect.stringMatching(/^…[0-9a-f]{4}$/) })
    const tables = ['postback_tokens', 'integrations', 'stream_events', 'outbox', 'idempotency_keys']
    for (const table of tables) {
      const { rows } = await fixture.adminPool.query(`select t::text as row from api.${table} t`)
      const dump = rows.map(({ row }) => row).join()
      expect([table, dump.includes(token), dump.includes(Buffer.from(token).toString('hex'))]).toEqual([
        ...[table, false, false],
      ])
    }
    expect([found.text.includes(token), found.text.includes('postback_url')]).toEqual([false, false])
  })

  test('that is rotated leaves the one before good for 24 hours; rotated again, the oldest is gone at once', async () => {
    const { id, path } = await connect()
    const rotate = (o: object = {}) => fixture.call('POST', `/v1/integrations/${id}/rotate-postback-token`, o)
    const before = (await fixture.call('GET', `/v1/integrations/${id}`)).body.credentials
    const rotated = await rotate()
    expect([rotated.status, rotated.headers.get('cache-control'), rotated.body.version]).toEqual([200, 'no-store', 2])
    expect(rotated.body.credentials).not.toEqual(before)
    const second = pathOf(rotated.body.postback_url)
    const status = async (at: string) => (await get(at, click())).status
    expect([await status(path), await status(second)]).toEqual([200, 200])
    const third = pathOf((await rotate()).body.postback_url)
    expect([await status(path), await status(second), await status(third)]).toEqual([404, 200, 200])
    const { rows } = await fixture.adminPool.query(
      `select round(extract(epoch from expires - api.app_now()) / 3600)::int as hours from api.postback_tokens
        where integration_id = $1 and expires is not null`,
      [id],
    )
    expect(rows).toEqual([{ hours: 24 }])
    const end = `update api.postback_tokens set expires = api.app_now() where integration_id = $1 and expires is not null`
    await fixture.adminPool.query(end, [id])
    expect([await status(second), await status(third)]).toEqual([404, 200])
    const stale = await rotate({ headers: { 'if-match': '"v1"' } })
    expect(stale.status).toBe(412)
  })

  test('regression: one that has ended, and a sender that is refused, take nothing of the rate of its integration', async () => {
    const own = await startFixture({ perSecond: 20 })
    try {
      const json = { name: 'Network', brand_slug: 'acme', provider: 'postback' }
      const { body } = await own.call('POST', '/v1/integrations', { json })
      const rotated = await own.call('POST', `/v1/integrations/${body.id}/rotate-postback-token`)
      await own.adminPool.query('update api.postback_tokens set expires = api.app_now() where expires is not null')
      const call = (url: unknown, n: number) =>
        own.call('GET', `${pathOf(url)}?event=click&tx_id=${n}`, { headers: nobody })
      const refused = await Promise.all(Array.from({ length: 60 }, (_, n) => call(body.postback_url, n)))
      expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([404]))
      expect((await call(rotated.body.postback_url, 1)).status).toBe(200)
      const patch = { json: { settings: { allowed_cidrs: ['192.0.2.0/24'] } } }
      expect((await own.call('PATCH', `/v1/integrations/${body.id}`, patch)).status).toBe(200)
      const { pathname } = new URL(String(rotated.body.postback_url))
      const callFrom = (from: string, n: number) =>
        own.call('GET', `${pathname}?event=click&tx_id=${n}`, { headers: { ...nobody, 'x-forwarded-for': from } })
      // The process learns of the new settings by the first one.
      expect((await callFrom('203.0.113.9', 2)).status).toBe(404)
      const others = await Promise.all(Array.from({ length: 60 }, (_, n) => callFrom('203.0.113.9', 2 + n)))
      expect(new Set(others.map(({ status }) => status))).toEqual(new Set([404]))
      expect((await callFrom('192.0.2.9', 2)).status).toBe(200)
    } finally {
      await own.stop()
    }
  })

  test('regression: one that has ended takes nothing of the rate by bodies that cannot be read, and is told nothing of them', async () => {
    const own = await startFixture({ perSecond: 20 })
    try {
      const json = { name: 'Network', brand_slug: 'acme', provider: 'postback' }
      const { body } = await own.call('POST', '/v1/integrations', { json })
      const { pathname: path } = new URL(String(body.postback_url))
      const unreadable = { headers: { ...nobody, 'content-type': 'text/plain' }, csv: 'event=click' }
      expect((await own.call('POST', path, unreadable)).status).toBe(415)
      const rotated = await own.call('POST', `/v1/integrations/${body.id}/rotate-postback-token`)
      await own.adminPool.query('update api.postback_tokens set expires = api.app_now() where expires is not null')
      // The process learns of its end by the first one.
      expect((await own.call('POST', path, unreadable)).status).toBe(404)
      const answers = await Promise.all(Array.from({ length: 60 }, () => own.call('POST', path, unreadable)))
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404]))
      const valid = `${pathOf(rotated.body.postback_url)}?event=click&tx_id=1`
      expect((await own.call('GET', valid, { headers: nobody })).status).toBe(200)
    } finally {
      await own.stop()
    }
  })

  test('is none of other providers, of other workspaces, and of an integration that is deleted', async () => {
    const upload = await fixture.createIntegration({ name: 'Upload' })
    const { id, path } = await connect()
    const rotate = (of: string, as: 'a' | 'b' = 'a') =>
      fixture.call('POST', `/v1/integrations/${of}/rotate-postback-token`, { as })
    const wrong = await rotate(upload)
    expect([wrong.status, wrong.body.code]).toEqual([422, 'no_postbacks'])
    expect((await rotate(id, 'b')).status).toBe(404)
    expect((await get(path, click())).status).toBe(200)
    await fixture.call('DELETE', `/v1/integrations/${id}`)
    expect([(await get(path, click())).status, (await rotate(id)).status]).toEqual([404, 404])
  })
})

describe('the settings', () => {
  test.each([
    [{ settings: { parameter_map: { payout: 'amount' } } }, '/settings/parameter_map/payout'],
    [{ settings: { event_map: { lead: 'sale' } } }, '/settings/event_map/lead'],
    [{ settings: { allowed_cidrs: ['192.0.2.0/33'] } }, '/settings/allowed_cidrs/0'],
    [{ settings: { url: 'https://example.com' } }, '/settings/url'],
    [{ granularity: 'day' }, '/granularity'],
    [{ credentials: { token: 'mine' } }, '/credentials'],
  ])('%j are refused at %s', async (extra, pointer) => {
    const json = { name: 'Network', brand_slug: 'acme', provider: 'postback', ...extra }
    const { status, body } = await fixture.call('POST', '/v1/integrations', { json })
    expect([status, (body.errors as { pointer: string }[]).map((fault) => fault.pointer)]).toEqual([422, [pointer]])
  })
})

describe('a run', () => {
  test('folds the same conversions to the same rows, and shows them in a test of the integration', async () => {
    const { id, path } = await connect()
    await get(path, { event: 'ftd', tx_id: '1', amount: '20', campaign: 'c', country: 'DE', sub_id: 's' })
    await get(path, { event: 'qualified_ftd', tx_id: '1', commission: '5', campaign: 'c', country: 'DE' })
    const tested = await fixture.call('POST', `/v1/integrations/${id}/test`)
    expect(tested.body).toMatchObject({ ok: true, error_code: null, warnings: { unknown_sub_affiliate: 1 } })
    expect(tested.body.sample_rows).toEqual(
      expect.arrayContaining([expect.objectContaining({ campaign: 'c', ftds: 1, ftd_amount: 2000 })]),
    )
    expect(await run(id)).toMatchObject({ rows_inserted: 1, warnings: { unknown_sub_affiliate: 1 } })
    expect(await run(id)).toMatchObject({ rows_inserted: 0, rows_updated: 0, rows_unchanged: 1 })
    expect((await fixture.call('GET', `/v1/integrations/${id}`)).body.status).toBe('active')
  })

  test('tells conversions apart by the sub-ids of sub-affiliates, and those of nobody are one without any', async () => {
    const plan = { name: 'Share', type: 'revshare', revshare_bps: 5_000 }
    const { body: made } = await fixture.call('POST', '/v1/commission-plans', { json: plan })
    const who = { email: 'jane@example.com', payout_currency: 'EUR', plan_id: made.id, invite: false }
    for (const external_id of ['jane', '?']) {
      const json = { ...who, name: 'Jane', external_id }
      expect((await fixture.call('POST', '/v1/sub-affiliates', { json })).status).toBe(201)
    }
    const { id, path } = await connect({ schedule: null })
    const ts = `${dateOf(Date.now() - day)}T12:00:00Z`
    for (const sub_id of ['jane', 'jane', '?', 'click-1', 'click-2', ''])
      await get(path, { ...click(), campaign: 'c', sub_id, ts })
    const { body: tested } = await fixture.call('POST', `/v1/integrations/${id}/test`)
    const sample = (tested.sample_rows as { sub_id: string | null }[]).map(({ sub_id }) => sub_id)
    expect(sample.toSorted()).toEqual(['?', 'jane', null, null])
    expect(await run(id)).toMatchObject({ rows_inserted: 3, warnings: { unknown_sub_affiliate: 1 } })
    const query = `from=${ts.slice(0, 10)}&to=${ts.slice(0, 10)}&metrics=clicks&group_by=sub_affiliate&order_by=-clicks`
    const { body } = await fixture.call('GET', `/v1/stats?${query}&filter[integration]=${id}`)
    const rows = body.data as { sub_affiliate_id: string | null; clicks: number }[]
    expect(rows.map((row) => [row.sub_affiliate_id, row.clicks])).toEqual([
      [null, 3],
      ['jane', 2],
      ['?', 1],
    ])
  })

  test('regression: that rejects nearly all since nobody knows the campaigns has the rest, and tells the others', async () => {
    const { id, path } = await connect({ schedule: null, on_unknown_campaign: 'reject' })
    await get(path, click())
    const campaigns = Array.from({ length: 24 }, (_, nth) => `unknown-${nth}`)
    for (const campaign of campaigns) await get(path, { ...click(), campaign })
    const tested = await fixture.call('POST', `/v1/integrations/${id}/test`)
    expect(tested.body).toMatchObject({ ok: true, warnings: { unknown_campaign: campaigns.length } })
    expect(await run(id)).toMatchObject({ status: 'succeeded', rows_rejected: campaigns.length })
    expect(await sums(id, 'clicks')).toEqual({ clicks: 1 })
    expect((await fixture.call('GET', `/v1/integrations/${id}`)).body.status).toBe('active')
  })

  test('of no conversions at all succeeds', async () => {
    const { id } = await connect()
    expect(await run(id)).toMatchObject({ status: 'succeeded', rows_inserted: 0 })
  })

  test('reaches back to the day of what came late, once, and else keeps to its window', async () => {
    const { id, path } = await connect({ lookback_days: 1, schedule: null })
    const ago = (days: number) => new Date(Date.now() - days * day).toISOString()
    await get(path, { ...click(), ts: ago(40) })
    const windowOf = async () => ((await run(id)).window as { from: string }).from
    expect(await windowOf()).toBe(dateOf(Date.now() - 40 * day))
    expect(await windowOf()).toBe(dateOf(Date.now() - 40 * day))
    await age(id, { receivedHours: 2, foldedHours: 0 })
    expect(Date.parse(await windowOf())).toBeGreaterThanOrEqual(Date.parse(dateOf(Date.now() - 3 * day)))
    await get(path, { ...click(), ts: ago(20) })
    expect(await windowOf()).toBe(dateOf(Date.now() - 20 * day))
    expect(await sums(id, 'clicks')).toEqual({ clicks: 2 })
  })

  test('by hand over other days leaves what came late to the next one', async () => {
    const { id, path } = await connect({ lookback_days: 1, schedule: null })
    await run(id)
    await get(path, { ...click(), ts: new Date(Date.now() - 20 * day).toISOString() })
    // Each run looks at the last hour again: this was before it.
    await age(id, { receivedHours: 2, foldedHours: 3 })
    const today = dateOf(Date.now())
    for (const window of [
      { from: today, to: today },
      { from: dateOf(Date.now() - 20 * day), to: dateOf(Date.now() - 2 * day) },
    ]) {
      const clicks = (await sums(id, 'clicks')).clicks
      expect(clicks).toBeNull()
      await fixture.call('POST', `/v1/integrations/${id}/sync-runs`, { json: { window } })
      await fixture.work()
    }
    expect(await sums(id, 'clicks')).toEqual({ clicks: 1 })
    const { rows } = await fixture.adminPool.query(
      `select folded < api.app_now() - interval '2 hours' as is_old from api.postback_folds where integration_id = $1`,
      [id],
    )
    // Neither was over all days that lacked something: one left out the late one, the other today.
    expect(rows).toEqual([{ is_old: true }])
    await run(id)
    const { from } = (await run(id)).window as { from: string }
    expect(from >= dateOf(Date.now() - 2 * day)).toBe(true)
  })

  test('after a pause has what was received during it', async () => {
    const { id, path } = await connect({ lookback_days: 1 })
    await tickAt(0)
    await fixture.call('POST', `/v1/integrations/${id}/pause`)
    expect((await get(path, click())).body.status).toBe('accepted')
    await tickAt(9 * day)
    expect(await sums(id, 'clicks')).toEqual({ clicks: null })
    await fixture.call('POST', `/v1/integrations/${id}/resume`)
    await tickAt(9 * day)
    expect(await sums(id, 'clicks')).toEqual({ clicks: 1 })
  })

  test('regression: that waited for days in the queue leaves the days since to the next one', async () => {
    const { id, path } = await connect({ lookback_days: 1, schedule: { every_minutes: 60 } })
    while (await scheduleOnce({ ...fixture.worker, pool: fixture.workerPool, attemptsMax: 1 }));
    await tickAt(6 * day)
    // As if it had come on a day between, and not late.
    await get(path, click())
    await tickAt(6 * day + 120 * minute)
    expect(await sums(id, 'clicks')).toEqual({ clicks: 1 })
  })

  test('a rotation and other settings start none', async () => {
    const { id } = await connect({ schedule: { every_minutes: 60 } })
    await tickAt(0)
    await fixture.call('POST', `/v1/integrations/${id}/rotate-postback-token`)
    await fixture.call('PATCH', `/v1/integrations/${id}`, { json: { settings: { event_map: { a: 'click' } } } })
    await tickAt(minute)
    const { body } = await fixture.call('GET', `/v1/integrations/${id}/sync-runs`)
    expect(body.data).toHaveLength(1)
  })
})

const sent = fc.record({
  event: fc.constantFrom('click', 'signup', 'deposit', 'ftd'),
  tx: fc.nat(30),
  daysAgo: fc.integer({ min: 0, max: 44 }),
  amount: fc.nat(500),
  campaign: fc.constantFrom('', 'a', 'b'),
})
const step = fc.oneof(
  { weight: 3, arbitrary: fc.array(sent, { minLength: 1, maxLength: 12 }) },
  { weight: 2, arbitrary: fc.constantFrom('run', 'pause', 'resume', 'window') },
)

test('whatever comes when, doubly and in parallel, and whatever runs between: the stats are the sums of what was accepted', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 8 }), async (steps) => {
      const { id, path } = await connect({ lookback_days: 1, schedule: null, source_time_zone: 'Asia/Kathmandu' })
      const expected = { clicks: 0, signups: 0, ftds: 0, deposits: 0, deposits_amount: 0 }
      const counts = {
        click: ['clicks'],
        signup: ['signups'],
        deposit: ['deposits'],
        ftd: ['ftds', 'deposits'],
      } as const
      for (const given of steps) {
        if (given === 'run') await run(id).catch(() => undefined)
        else if (given === 'window') {
          const json = { window: { from: dateOf(Date.now() - 9 * day), to: dateOf(Date.now() - 5 * day) } }
          await fixture.call('POST', `/v1/integrations/${id}/sync-runs`, { json })
          await fixture.work()
        } else if (!Array.isArray(given)) await fixture.call('POST', `/v1/integrations/${id}/${given}`)
        else
          await Promise.all(
            given.map(async ({ event, tx, daysAgo, amount, campaign }) => {
              const ts = new Date(Date.now() - daysAgo * day).toISOString()
              const money = event === 'deposit' || event === 'ftd' ? { amount: `${amount}.25` } : {}
              const { body } = await get(path, { event, tx_id: `${tx}`, ts, campaign, ...money })
              if (body.status === 'duplicate') return
              expect(body).toEqual({ status: 'accepted' })
              for (const name of counts[event]) expected[name] += 1
              if (event === 'deposit' || event === 'ftd') expected.deposits_amount += amount * 100 + 25
            }),
          )
      }
      await fixture.call('POST', `/v1/integrations/${id}/resume`)
      await run(id)
      const found = await sums(id, Object.keys(expected).join(','))
      expect(Object.fromEntries(Object.entries(found).map(([name, value]) => [name, value ?? 0]))).toEqual(expected)
    }),
    { numRuns: 5 },
  )
})
