// For tests: subscriptions with deliveries, over the real routes and tables. It never stands in a running service.
import { randomUUID } from 'node:crypto'
import { defaultSchedule } from '../deliveries/domain/schedule.ts'
import { checkProjection } from '../deliveries/store-projection.ts'
import { newId, seedEvents } from '../engine.fixture.ts'
import { createFanOut } from '../fan-out/fan-out.ts'
import type { RoutesUnderTest } from '../routes.fixture.ts'
import { createClaimStore } from '../sending/store.ts'
import { disableSubscription } from './disable-subscription.ts'

export const validWebhook = { url: 'https://receiver.test/hook', events: ['*'] }

/** A workspace with one subscription and `count` deliveries to it, oldest event last. */
export async function withDeliveries(routes: RoutesUnderTest, count: number, atMs = Date.now()) {
  const workspaceId = newId('wsp')
  const webhook = (await routes.call(workspaceId, 'POST', '/v1/webhooks', validWebhook)).body.id as string
  await seedEvents(routes.engine, { workspaceId, count, atMs })
  const fanOut = createFanOut({ pool: routes.engine.worker, onMade: () => undefined })
  while (await fanOut.turn());
  const { rows } = await routes.engine.worker.query<{ id: string }>(
    'select delivery_id as id from deliveries where workspace_id = $1 order by event_id desc',
    [workspaceId],
  )
  if (rows.length !== count) throw new Error(`${rows.length} deliveries instead of ${count}`)
  return { workspaceId, webhook, ids: rows.map((row) => row.id) }
}

export const retry = (routes: RoutesUnderTest, workspaceId: string, id: string | undefined) =>
  routes.call(workspaceId, 'POST', `/v1/deliveries/${id}/retry`)

export const claimStore = (routes: RoutesUnderTest) =>
  createClaimStore({
    pool: routes.engine.worker,
    disableGone: (attempt) => disableSubscription(routes.engine.worker, { ...attempt, reason: 'gone' }),
  })

export const claim = (routes: RoutesUnderTest) =>
  claimStore(routes).claim({
    claimId: randomUUID(),
    slots: 64,
    lanes: 32,
    leaseMs: 30_000,
    busy: [],
    share: 64,
    slowLanes: [],
    slowRoom: 64,
  })

export async function statesOf(routes: RoutesUnderTest, workspaceId: string): Promise<string[]> {
  const { rows } = await routes.engine.worker.query<{ state: string }>(
    "select status || ' ' || coalesce(dead_reason, '') as state from deliveries where workspace_id = $1",
    [workspaceId],
  )
  return rows.map((row) => row.state)
}

/** Where rows differ from what their log folds to. */
export async function projectionDifferences(routes: RoutesUnderTest): Promise<object[]> {
  const found: object[] = []
  const report = (difference: object) => void found.push(difference)
  await checkProjection(routes.engine.worker, { schedule: defaultSchedule, rebuild: false, report })
  return found
}
