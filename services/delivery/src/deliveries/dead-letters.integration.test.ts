// Dead letters over a real listener and the real Postgres: their filters, and their causes with counts.
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { idDay, makeId } from '@wds/contracts/ids'
import { withTransaction } from '@wds/postgres/transaction'
import { newId, seedSubscription, withRowsRead } from '../engine.fixture.ts'
import { type RoutesUnderTest, startRoutes } from '../routes.fixture.ts'
import { countCauses, listDeadLetters } from './store-dead-letters.ts'

let routes: RoutesUnderTest
let first: string
let second: string
const workspaceId = newId('wsp')
/** Noon, so that minutes before it lie on the same day; yesterday, whose partition is there. */
const noonMs = (Math.floor(Date.now() / 86_400_000) - 0.5) * 86_400_000
let made = 0

interface Dead {
  subscriptionId: string
  minutes: number
  reason?: string
  code?: string | null
  status?: number | null
  type?: string
}

/** A dead delivery of an event so many minutes before noon, as the engine leaves it. */
async function die({ subscriptionId, minutes, ...o }: Dead): Promise<string> {
  made += 1
  const random = Buffer.alloc(10)
  random.writeUInt32BE(made, 6)
  const [deliveryId, eventId] = (['dlv', 'evt'] as const).map((prefix) =>
    makeId(prefix, noonMs - minutes * 60_000, random),
  ) as [string, string]
  await routes.engine.admin.query(
    `with dead as (
       insert into delivery.deliveries (event_day, workspace_id, delivery_id, event_id, event_type, subscription_id, status, dead_reason, last_status, last_error_code)
       values ($1, $2, $3, $4, $5, $6, 'dead', $7, $8, $9) returning *)
     insert into delivery.dead_deliveries (event_day, workspace_id, delivery_id, subscription_id, event_type, dead_reason, last_status, last_error_code)
     select event_day, workspace_id, delivery_id, subscription_id, event_type, dead_reason, last_status, last_error_code from dead`,
    [
      ...[idDay(eventId), workspaceId, deliveryId, eventId, o.type ?? 'sync.completed', subscriptionId],
      ...[o.reason ?? 'attempts_exhausted', o.status ?? null, o.code ?? null],
    ],
  )
  return deliveryId
}

beforeAll(async () => {
  routes = await startRoutes()
  first = await seedSubscription(routes.engine, { workspaceId })
  second = await seedSubscription(routes.engine, { workspaceId })
  for (const minutes of [1, 2, 3]) await die({ subscriptionId: first, minutes, code: 'http_status', status: 500 })
  await die({ subscriptionId: second, minutes: 4, code: 'http_status', status: 503, type: 'invoice.paid' })
  await die({ subscriptionId: first, minutes: 5, code: 'http_status', status: 404 })
  for (const minutes of [6, 7]) await die({ subscriptionId: second, minutes, code: 'timeout' })
  await die({ subscriptionId: first, minutes: 8, reason: 'subscription_disabled', code: 'timeout' })
  await die({ subscriptionId: first, minutes: 9, reason: 'subscription_disabled' })
})
afterAll(() => routes?.stop())

interface Cause {
  reason: string
  error_code: string | null
  status_class: string | null
  count: number
  oldest: string
  newest: string
  webhooks: { webhook_id: string; count: number }[]
}

const instant = (minutes: number) => new Date(noonMs - minutes * 60_000).toISOString()

async function causes(query = ''): Promise<Cause[]> {
  const { status, body } = await routes.call(workspaceId, 'GET', `/v1/dead-letters/causes${query}`)
  expect([status, body]).toMatchObject([200, { object: 'dead_letter_causes', counted_since: null }])
  return body.data as unknown as Cause[]
}

test('dead letters are grouped by reason, error class and class of status, most first, with the oldest and the newest', async () => {
  const found = await causes()
  expect(found[0]).toEqual({
    object: 'dead_letter_cause',
    reason: 'attempts_exhausted',
    error_code: 'http_status',
    status_class: '5xx',
    count: 4,
    oldest: instant(4),
    newest: instant(1),
    webhooks: [
      { webhook_id: first, count: 3 },
      { webhook_id: second, count: 1 },
    ],
  })
  const told = found.map((c) => [c.reason, c.error_code, c.status_class, c.count].join(' '))
  expect(told[1]).toBe('attempts_exhausted timeout  2')
  expect(told.slice(2).toSorted()).toEqual([
    'attempts_exhausted http_status 4xx 1',
    'subscription_disabled   1',
    'subscription_disabled timeout  1',
  ])
})

test('regression: a type that no event has, such as a pattern, is refused and does not match nothing in silence', async () => {
  for (const list of ['/v1/dead-letters', '/v1/dead-letters/causes', `/v1/webhooks/${first}/deliveries`]) {
    for (const type of ['invoice.*', 'no.such']) {
      const answer = await routes.call(workspaceId, 'GET', `${list}?type=${type}`)
      const errors = [{ parameter: 'type', code: 'invalid_parameter' }]
      expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_parameter', errors } })
    }
  }
})

test('the fields of each cause, as filters, list as many dead letters as it counts', async () => {
  for (const cause of await causes()) {
    const { reason, error_code: code, status_class: status } = cause
    const query = `reason=${reason}&error_code=${code ?? 'none'}${status === null ? '' : `&status_class=${status}`}`
    const { body } = await routes.call(workspaceId, 'GET', `/v1/dead-letters?${query}`)
    expect([query, body.data.length]).toEqual([query, cause.count])
    expect((await causes(`?${query}`)).map((one) => one.count)).toEqual([cause.count])
  }
})

test('subscription, event type and period bound list and causes alike', async () => {
  for (const [query, count] of [
    [`webhook_id=${second}`, 3],
    ['type=invoice.paid', 1],
    [`since=${instant(3)}`, 3],
    [`until=${instant(7)}`, 3],
    [`since=${instant(6)}&until=${instant(5)}`, 2],
    ['error_code=none', 1],
    ['status_class=2xx', 0],
  ] as const) {
    const { body } = await routes.call(workspaceId, 'GET', `/v1/dead-letters?${query}`)
    expect([query, body.data.length]).toEqual([query, count])
    expect([query, (await causes(`?${query}`)).reduce((sum, one) => sum + one.count, 0)]).toEqual([query, count])
  }
  const refused = await routes.call(workspaceId, 'GET', '/v1/dead-letters/causes?status_class=6xx')
  expect([refused.status, refused.body.code]).toEqual([400, 'invalid_parameter'])
  expect((await routes.call(newId('wsp'), 'GET', '/v1/dead-letters/causes')).body.data).toEqual([])
})

test('no more than so many are looked at, the newest first, and it says how far back they go', async () => {
  const all = {
    subscriptionId: null,
    type: null,
    reason: null,
    errorCode: null,
    statusClass: null,
    from: null,
    to: null,
  }
  const four = await countCauses(routes.engine.worker, { workspaceId, ...all }, 4)
  expect(four.causes.map(({ count }) => count).toSorted()).toEqual([1, 3])
  expect(idDay(four.lookedTo ?? '')).toBe(instant(4).slice(0, 10))
  const nobody = await countCauses(routes.engine.worker, { workspaceId, ...all, type: 'sync.started' }, 4)
  expect([nobody.causes, nobody.lookedTo]).toEqual([[], four.lookedTo])
})

test('regression: the single answer has the newest 500 entries of a history, however often it was replayed', async () => {
  const id = await die({ subscriptionId: first, minutes: 400 })
  await routes.engine.admin.query(
    `insert into delivery.delivery_log (event_day, workspace_id, delivery_id, seq, kind, epoch, attempt, at, requested_by)
     select $1, $2, $3, n, case when n % 2 = 1 then 'replay_requested' else 'attempt_failed' end, n / 2, 1, now(), 'api_key:key_1'
       from generate_series(1, 1000) n`,
    [idDay(id), workspaceId, id],
  )
  const { status, body } = await routes.call(workspaceId, 'GET', `/v1/deliveries/${id}`)
  const { attempts, epochs } = body as unknown as Record<'attempts' | 'epochs', { epoch: number }[]>
  expect([status, attempts.length, epochs.length]).toEqual([200, 250, 250])
  expect([attempts.at(0)?.epoch, attempts.at(-1)?.epoch]).toEqual([251, 500])
})

test('regression: a page looks up what it shows, and reads no other delivery of the workspace', async () => {
  const of = newId('wsp')
  const subscriptionId = await seedSubscription(routes.engine, { workspaceId: of })
  const day = idDay(makeId('evt', noonMs, Buffer.alloc(10)))
  await routes.engine.admin.query(
    `insert into delivery.deliveries (event_day, workspace_id, delivery_id, event_id, event_type, subscription_id, status)
     select $1, $2, 'dlv_' || lpad(n::text, 26, '0'), 'evt_' || lpad(n::text, 26, '0'), 'sync.completed', $3, case when n % 10 = 0 then 'dead' else 'delivered' end
       from generate_series(1, 5000) n`,
    [day, of, subscriptionId],
  )
  await routes.engine.admin.query(
    `insert into delivery.dead_deliveries (event_day, workspace_id, delivery_id, subscription_id, event_type)
     select event_day, workspace_id, delivery_id, subscription_id, event_type from delivery.deliveries where workspace_id = $1 and status = 'dead'`,
    [of],
  )
  await routes.engine.admin.query('vacuum analyze delivery.deliveries, delivery.dead_deliveries')
  const filter = {
    subscriptionId: null,
    type: null,
    reason: null,
    errorCode: null,
    statusClass: null,
    from: null,
    to: null,
  }
  const { result, read } = await withTransaction(routes.engine.http, { workspaceId: of, readOnly: true }, (tx) =>
    withRowsRead(tx, 'deliveries', () => listDeadLetters(tx, { workspaceId: of, ...filter, after: null, limit: 50 })),
  )
  expect([result.rows.length, read]).toEqual([50, 50])
})
