// After the log lost records, what is announced once more is what was announced the first time.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { makeId } from '@wds/contracts/ids'
import { pruneKept } from '@wds/event-store/kept-announcements'
import { rangeOf } from '@wds/event-store/republish'
import { newId, seedEvents } from './engine.fixture.ts'
import { createFanOut } from './fan-out/fan-out.ts'
import { republishAnnouncements } from './republish.ts'
import { type RoutesUnderTest, startRoutes } from './routes.fixture.ts'
import { endedAttempt, exhausted } from './sending/ended-attempt.fixture.ts'
import { createClaimStore } from './sending/store.ts'
import { disableSubscription } from './subscriptions/disable-subscription.ts'

let routes: RoutesUnderTest
beforeAll(async () => {
  routes = await startRoutes()
})
afterAll(() => routes?.stop())

const range = rangeOf('2020-01-01T00:00:00Z', '2199-01-01T00:00:00Z')
const workspaceId = newId('wsp')

/** Takes what a relay would carry. */
async function takeOutbox() {
  const { rows } = await routes.engine.worker.query(
    'delete from outbox returning event_id, workspace_id, topic, key, headers, payload::text as payload',
  )
  return rows.sort((a, b) => (a.event_id < b.event_id ? -1 : 1))
}

/** Ends every open delivery of the workspace by its last attempt, which fails. */
async function exhaustAll(): Promise<void> {
  const pool = routes.engine.worker
  const fanOut = createFanOut({ pool, onMade: () => undefined })
  while (await fanOut.turn());
  const store = createClaimStore({ pool, disableGone: async () => undefined })
  const limits = { slots: 64, lanes: 32, leaseMs: 30_000, busy: [], share: 64, slowLanes: [], slowRoom: 64 }
  const claimed = await store.claim({ claimId: randomUUID(), ...limits })
  await store.settle(claimed.map((row) => endedAttempt(row, exhausted)))
}

test('webhook.disabled, .enabled and .delivery_exhausted come again byte for byte, with their ids and headers', async () => {
  const url = 'https://receiver.test/hook'
  const webhook = (await routes.call(workspaceId, 'POST', '/v1/webhooks', { url, events: ['*'] })).body.id as string
  await seedEvents(routes.engine, { workspaceId, count: 2 })
  await exhaustAll()
  await routes.call(workspaceId, 'POST', `/v1/webhooks/${webhook}/disable`)
  await routes.call(workspaceId, 'POST', `/v1/webhooks/${webhook}/enable`)
  await disableSubscription(routes.engine.worker, {
    workspaceId,
    subscriptionId: webhook,
    reason: 'gone',
    deliveryId: newId('dlv'),
  })
  const first = await takeOutbox()
  const types = first.map(({ headers }) => headers.event_type).sort()
  const twice = (type: string) => [type, type]
  expect(types).toEqual([...twice('webhook.delivery_exhausted'), ...twice('webhook.disabled'), 'webhook.enabled'])
  // What a lane knew of its failing receiver is gone once it was enabled: the announcement tells it all the same.
  const told = first.map(({ payload }) => JSON.parse(Buffer.from(payload.slice(2), 'hex').toString('utf8')).data)
  expect(told).toContainEqual(expect.objectContaining({ reason: 'user', failed_deliveries: 2 }))

  const again = () => republishAnnouncements({ pool: routes.engine.worker, topic: 'workspace.events', ...range })
  expect((await again()).records).toBe(first.length)
  expect((await again()).records).toBe(0)
  expect(await takeOutbox()).toEqual(first)
  expect((await republishAnnouncements({ pool: routes.engine.worker, topic: 'auth.events', ...range })).records).toBe(0)
})

test('a copy is kept for 8 days, out of reach of the HTTP role', async () => {
  const kept = async () =>
    (await routes.engine.worker.query('select event_id from kept_announcements')).rows.map(({ event_id }) => event_id)
  const young = await kept()
  expect(young).toHaveLength(2)
  const idOf = (days: number) => makeId('evt', Date.now() - days * 86_400_000, new Uint8Array(10))
  const [old, fresh] = [idOf(8.01), idOf(7.9)]
  await routes.engine.worker.query(
    `insert into kept_announcements select unnest($2::text[]), $1, 't', 'k', '{}', ''::bytea`,
    [workspaceId, [old, fresh]],
  )
  await pruneKept(routes.engine.worker)
  expect((await kept()).sort()).toEqual([...young, fresh].sort())
  await expect(routes.engine.http.query('select 1 from kept_announcements')).rejects.toThrow(/permission denied/)
})
