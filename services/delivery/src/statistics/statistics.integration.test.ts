// The numbers that settle counts, over a real listener and the real Postgres: what the log says, hour by hour.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { withTransaction } from '@wds/postgres/transaction'
import { newId, seedEvents, seedSubscription, withRowsRead } from '../engine.fixture.ts'
import { createFanOut } from '../fan-out/fan-out.ts'
import { type RoutesUnderTest, startRoutes } from '../routes.fixture.ts'
import { endedAttempt } from '../sending/ended-attempt.fixture.ts'
import type { ClaimStore, SettledAttempt } from '../sending/ports.ts'
import { createClaimStore } from '../sending/store.ts'
import { dropOldCounts, readNumbers } from './store.ts'

let routes: RoutesUnderTest
let store: ClaimStore
beforeAll(async () => {
  routes = await startRoutes()
  store = createClaimStore({ pool: routes.engine.worker, disableGone: async () => undefined })
})
afterAll(() => routes?.stop())

const path = '/v1/deliveries/statistics'
const dayMs = 86_400_000
const hourMs = 3_600_000

/** Claims every due delivery of the workspace and settles each as `ends` says, in turn. Returns what was settled. */
async function settle(workspaceId: string, ends: Partial<SettledAttempt>[]): Promise<SettledAttempt[]> {
  const fanOut = createFanOut({ pool: routes.engine.worker, onMade: () => undefined })
  while (await fanOut.turn());
  await routes.engine.admin.query('update delivery.lanes set cap = 64, max_in_flight = 64')
  const room = { lanes: 32, leaseMs: 30_000, busy: [], slowLanes: [], slots: 64, share: 64, slowRoom: 64 }
  const claimed = await store.claim({ claimId: randomUUID(), ...room })
  const mine = claimed.filter((row) => row.workspaceId === workspaceId)
  const rows = mine.map((row, nth) => endedAttempt(row, { durationMs: 50, ...ends[nth % ends.length] }))
  await store.settle(rows)
  return rows
}

const get = (workspaceId: string, query = '') => routes.call(workspaceId, 'GET', `${path}${query}`)

test('each attempt is counted once where it ended, by outcome, error class and duration; released ones are not', async () => {
  const workspaceId = newId('wsp')
  const subscriptionId = await seedSubscription(routes.engine, { workspaceId, events: ['invoice.paid'] })
  const idle = await seedSubscription(routes.engine, { workspaceId, events: ['sync.started'] })
  const other = await seedSubscription(routes.engine, { workspaceId, events: ['sync.completed'] })
  await seedEvents(routes.engine, { workspaceId, count: 12, type: 'invoice.paid' })
  const rows = await settle(workspaceId, [
    { durationMs: 50 },
    { durationMs: 51 },
    { kind: 'attempt_failed', status: 500, errorCode: 'http_status', durationMs: 120, delayMs: dayMs },
    { kind: 'attempt_failed', status: null, errorCode: 'timeout', durationMs: 10_001, delayMs: dayMs },
    { kind: 'attempt_unknown', status: null, durationMs: null, delayMs: dayMs },
    { kind: 'attempt_released', status: null, durationMs: 0, delayMs: dayMs },
  ])
  expect(rows).toHaveLength(12)
  // The leases are gone: a second settle counts nothing.
  await store.settle(rows)
  await seedEvents(routes.engine, { workspaceId, count: 3, type: 'sync.completed' })
  await settle(workspaceId, [{ durationMs: 60_000 }])

  const first = { attempts: 10, succeeded: 4, failed: 4, unknown: 2, errors: { http_status: 2, timeout: 2 } }
  const second = { attempts: 3, succeeded: 3, failed: 0, unknown: 0, errors: {}, p50_ms: 60_000, p95_ms: 60_000 }
  const none = { attempts: 0, succeeded: 0, failed: 0, unknown: 0, errors: {}, p50_ms: null, p95_ms: null }
  for (const interval of ['hour', 'day']) {
    const { status, body } = await get(workspaceId, `?interval=${interval}`)
    expect([status, body]).toMatchObject([
      200,
      {
        object: 'delivery_statistics',
        interval,
        total: { ...first, attempts: 13, succeeded: 7, p50_ms: 150, p95_ms: 60_000 },
        webhooks: [
          { webhook_id: subscriptionId, total: { ...first, p50_ms: 100, p95_ms: 15_000 } },
          { webhook_id: idle, total: none, periods: [] },
          { webhook_id: other, total: second },
        ],
      },
    ])
  }
  const only = await get(workspaceId, `?webhook_id=${other}&interval=day`)
  expect(only.body).toMatchObject({ total: second, webhooks: [{ webhook_id: other, total: second }] })
  expect((await get(newId('wsp'))).body).toMatchObject({ total: none, webhooks: [] })
  expect((await get(newId('wsp'), `?webhook_id=${other}`)).body).toMatchObject({ total: none, webhooks: [] })
})

test('the counts of an hour are what the log says', async () => {
  const { rows } = await routes.engine.admin.query<{ counted: object; logged: object }>(
    `select (select jsonb_object_agg(k, n) from (
               select concat_ws(' ', subscription_id, hour, result) as k, sum(attempts) as n
                 from delivery.attempt_counts group by 1) c) as counted,
            (select jsonb_object_agg(k, n) from (
               select concat_ws(' ', subscription_id, date_trunc('hour', at, 'UTC'),
                                case kind when 'attempt_succeeded' then 'succeeded' when 'attempt_unknown' then 'unknown' else error_code end) as k,
                      count(*) as n
                 from delivery.delivery_log join delivery.deliveries using (event_day, delivery_id, workspace_id)
                where kind in ('attempt_succeeded', 'attempt_failed', 'attempt_unknown') group by 1) l) as logged`,
  )
  expect(Object.keys(rows[0]?.counted ?? {})).not.toEqual([])
  expect(rows[0]?.counted).toEqual(rows[0]?.logged)
})

/** Counts of an hour in the past, as settle would have written them then. */
function count(o: { workspaceId: string; subscriptionId: string; hour: Date; attempts: number }) {
  return routes.engine.admin.query(
    `insert into delivery.attempt_counts (workspace_id, subscription_id, hour, result, within_ms, attempts)
     values ($1, $2, $3, 'succeeded', 100, $4)`,
    [o.workspaceId, o.subscriptionId, o.hour, o.attempts],
  )
}

test('periods are whole UTC hours or days, oldest first, of what was asked for', async () => {
  const workspaceId = newId('wsp')
  const subscriptionId = await seedSubscription(routes.engine, { workspaceId })
  const day = Math.floor(Date.now() / dayMs) * dayMs - 2 * dayMs
  const at = (hours: number) => new Date(day + hours * hourMs)
  for (const [hours, attempts] of [
    [-1, 1],
    [0, 2],
    [5, 4],
    [23, 8],
    [24, 16],
  ] as const)
    await count({ workspaceId, subscriptionId, hour: at(hours), attempts })
  const period = `since=${at(0.5).toISOString()}&until=${at(23.5).toISOString()}`
  const byHour = await get(workspaceId, `?interval=hour&${period}`)
  expect(byHour.body).toMatchObject({
    since: at(0).toISOString(),
    until: at(24).toISOString(),
    total: { attempts: 14 },
    periods: [0, 5, 23].map((hours, nth) => ({ start: at(hours).toISOString(), attempts: 2 << nth })),
  })
  const byDay = await get(workspaceId, `?interval=day&${period}`)
  expect(byDay.body).toMatchObject({ total: { attempts: 14 }, periods: [{ start: at(0).toISOString(), attempts: 14 }] })
  expect((await get(workspaceId, '?interval=day')).body).toMatchObject({ total: { attempts: 31 } })
})

test('numbers are those of all attempts put in a row, for each period and subscription, and in all', async () => {
  const workspaceId = newId('wsp')
  const ids = [
    await seedSubscription(routes.engine, { workspaceId }),
    await seedSubscription(routes.engine, { workspaceId }),
  ]
  const hourAgo = Math.floor(Date.now() / hourMs) * hourMs - hourMs
  // One of twenty is beyond p95, two are not; one without a duration is in no percentile.
  const counts = ids.flatMap((id, one) =>
    [0, 1, 2].flatMap((ago) => [
      { id, ago, result: 'succeeded', within: 50, attempts: 18 + one },
      { id, ago, result: 'timeout', within: 10_000, attempts: 1 + (ago === 1 ? 1 : 0) },
      { id, ago, result: 'http_status', within: 200 * (ago + 1), attempts: 3 * ago },
      { id, ago, result: 'unknown', within: 0, attempts: 7 },
    ]),
  )
  const given = counts.filter(({ attempts }) => attempts > 0)
  await routes.engine.admin.query(
    `insert into delivery.attempt_counts (workspace_id, subscription_id, hour, result, within_ms, attempts)
     select $1, id, $2::timestamptz - ago * interval '1 hour', result, within, attempts
       from json_to_recordset($3) c(id text, ago int, result text, within int, attempts int)`,
    [workspaceId, new Date(hourAgo), JSON.stringify(given)],
  )
  const expected = (of: typeof given) => {
    const sum = (some: typeof given) => some.reduce((total, { attempts }) => total + attempts, 0)
    const row = of
      .filter(({ within }) => within > 0)
      .flatMap(({ within, attempts }) => Array<number>(attempts).fill(within))
      .sort((a, b) => a - b)
    const resultOf = (result: string) => sum(of.filter((one) => one.result === result))
    const errors = { timeout: resultOf('timeout'), http_status: resultOf('http_status') }
    return {
      attempts: sum(of),
      succeeded: resultOf('succeeded'),
      unknown: resultOf('unknown'),
      failed: errors.timeout + errors.http_status,
      errors: Object.fromEntries(Object.entries(errors).filter(([, n]) => n > 0)),
      p50_ms: row[Math.ceil(row.length * 0.5) - 1],
      p95_ms: row[Math.ceil(row.length * 0.95) - 1],
    }
  }
  const series = (of: typeof given) => ({
    total: expected(of),
    periods: [2, 1, 0].map((ago) => ({
      start: new Date(hourAgo - ago * hourMs).toISOString(),
      ...expected(of.filter((one) => one.ago === ago)),
    })),
  })
  const { body } = await get(workspaceId)
  expect(body).toMatchObject({
    ...series(given),
    webhooks: ids.toSorted().map((id) => ({ webhook_id: id, ...series(given.filter((one) => one.id === id)) })),
  })
  // regression: a week of 50 subscriptions was read as 800,000 counts, which held the event loop for a second
  const period = { from: new Date(hourAgo - dayMs), to: new Date(hourAgo + hourMs), interval: 'hour' as const }
  const rows = await withTransaction(routes.engine.http, { workspaceId, readOnly: true }, (tx) =>
    readNumbers(tx, { workspaceId, subscriptionIds: ids, ...period }),
  )
  expect(rows).toHaveLength((ids.length + 1) * (3 + 1))
})

test('a period that is too long, empty or no period is refused', async () => {
  const at = (ago: number) => new Date(Date.now() - ago).toISOString()
  for (const query of [
    `?since=${at(8 * dayMs)}`,
    `?interval=day&since=${at(92 * dayMs)}`,
    `?since=${at(0)}&until=${at(2 * hourMs)}`,
    '?interval=week',
    '?webhook_id=whk_1',
  ]) {
    const { status, body } = await get(newId('wsp'), query)
    expect([query, status, body.code]).toEqual([query, 400, 'invalid_parameter'])
  }
})

test('counts are kept for 90 days, longer than what they count', async () => {
  const workspaceId = newId('wsp')
  for (let nth = 0; nth < 3; nth += 1) {
    const subscriptionId = await seedSubscription(routes.engine, { workspaceId })
    for (const days of [89, 91])
      await count({ workspaceId, subscriptionId, hour: new Date(Date.now() - days * dayMs), attempts: days })
  }
  while (await dropOldCounts(routes.engine.worker));
  const { rows } = await routes.engine.admin.query(
    'select attempts from delivery.attempt_counts where workspace_id = $1',
    [workspaceId],
  )
  expect(rows).toEqual([{ attempts: 89 }, { attempts: 89 }, { attempts: 89 }])
})

test('regression: the numbers of a workspace read its own counts alone, also by a plan that knows none of its values', async () => {
  const workspaceId = newId('wsp')
  const subscriptionIds = Array.from({ length: 10 }, (_, nth) => `whk_${nth}`)
  await routes.engine.admin.query(
    `insert into delivery.attempt_counts (workspace_id, subscription_id, hour, result, within_ms, attempts)
     select case when s < 10 then $1 else 'wsp_of_others' end, 'whk_' || s, date_trunc('hour', now(), 'UTC') - h * interval '1 hour', 'succeeded', 50, 1
       from generate_series(0, 99) s cross join generate_series(1, 100) h order by h desc, s`,
    [workspaceId],
  )
  await routes.engine.admin.query('vacuum analyze delivery.attempt_counts')
  const period = { from: new Date(Date.now() - 7 * dayMs), to: new Date(), interval: 'hour' as const }
  const o = { workspaceId, subscriptionIds, ...period }
  const { result, read } = await withTransaction(routes.engine.http, { workspaceId, readOnly: true }, async (tx) => {
    await tx.query('set local plan_cache_mode = force_generic_plan')
    return withRowsRead(tx, 'attempt_counts', () => readNumbers(tx, o))
  })
  expect([result.length, read]).toEqual([11 * 101, 1_000])
})

test('regression: a period whose last interval ends in the year 10000 is refused: RFC 3339 has no name for its end', async () => {
  for (const interval of ['hour', 'day']) {
    const query = `?interval=${interval}&since=9999-12-31T00:00:00Z&until=9999-12-31T23:59:59Z`
    const { status, body } = await get(newId('wsp'), query)
    expect([status, body.code]).toEqual([400, 'invalid_parameter'])
  }
})
