// What happens to deliveries when their subscription is disabled or deleted, and what a Retry refuses (settled-points.md 4, 8).
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createLogger } from '@wds/telemetry/logger'
import { newId, seedEvents, seedSubscription } from '../engine.fixture.ts'
import { createFanOut } from '../fan-out/fan-out.ts'
import { endOpenDeliveries } from '../lanes/loop.ts'
import { maintenanceSteps } from '../maintenance/loop.ts'
import { type RoutesUnderTest, startRoutes } from '../routes.fixture.ts'
import { endedAttempt } from '../sending/ended-attempt.fixture.ts'
import type { SettledAttempt } from '../sending/ports.ts'
import {
  claim,
  claimStore,
  projectionDifferences,
  retry,
  statesOf,
  validWebhook,
  withDeliveries,
} from './lifecycle.fixture.ts'

let routes: RoutesUnderTest
beforeAll(async () => {
  routes = await startRoutes()
})
afterAll(() => routes?.stop())

describe('DELETE', () => {
  test('ends open deliveries, also in the tables; a Retry of them is refused with invalid_state', async () => {
    const { workspaceId, webhook, ids } = await withDeliveries(routes, 5)
    expect((await routes.call(workspaceId, 'DELETE', `/v1/webhooks/${webhook}`)).status).toBe(204)
    expect((await routes.call(workspaceId, 'GET', `/v1/deliveries/${ids[0]}`)).body).toMatchObject({
      status: 'dead',
      dead_reason: 'subscription_deleted',
    })
    while (await endOpenDeliveries(routes.engine.worker));
    expect(await statesOf(routes, workspaceId)).toEqual(Array.from({ length: 5 }, () => 'dead subscription_deleted'))
    const refused = await retry(routes, workspaceId, ids[0])
    expect([refused.status, refused.body]).toEqual([
      409,
      expect.objectContaining({ code: 'invalid_state', current_status: 'dead' }),
    ])
    await seedEvents(routes.engine, { workspaceId, count: 1 })
    const fanOut = createFanOut({ pool: routes.engine.worker, onMade: () => undefined })
    while (await fanOut.turn());
    expect(await statesOf(routes, workspaceId)).toHaveLength(5)
    expect(await projectionDifferences(routes)).toEqual([])
  })
})

test('regression: lanes that stay full do not keep later ones from being emptied', async () => {
  const { engine } = routes
  const workspaceId = newId('wsp')
  const [full = '', later = ''] = [
    await seedSubscription(engine, { workspaceId }),
    await seedSubscription(engine, { workspaceId }),
  ]
  await seedEvents(engine, { workspaceId, count: 1 })
  const fanOut = createFanOut({ pool: engine.worker, onMade: () => undefined })
  while (await fanOut.turn());
  // Parked, though its subscription is enabled: its deliveries are left alone.
  await engine.admin.query("update delivery.lanes set ready_at = 'infinity' where subscription_id = $1", [full])
  await engine.admin.query("update delivery.subscriptions set status = 'deleted' where subscription_id = $1", [later])
  await engine.admin.query("update delivery.lanes set ready_at = 'infinity' where subscription_id = $1", [later])
  const round = { after: '' }
  for (let turn = 0; turn < 2; turn += 1) await endOpenDeliveries(engine.worker, round, 1)
  const { rows } = await engine.admin.query('select subscription_id as id from delivery.due where workspace_id = $1', [
    workspaceId,
  ])
  expect(rows).toEqual([{ id: full }])
  await engine.admin.query("update delivery.lanes set ready_at = '-infinity' where subscription_id = $1", [full])
})

test('regression: a deleted subscription is removed once its deliveries are, a day after their retention', async () => {
  const { engine } = routes
  const counts = async (id: string) => {
    const { rows } = await engine.admin.query(
      `select (select count(*)::int from delivery.subscriptions where subscription_id = $1) as subscriptions,
              (select count(*)::int from delivery.lanes where subscription_id = $1) as lanes,
              (select count(*)::int from delivery.subscription_secrets where subscription_id = $1) as secrets`,
      [id],
    )
    return rows[0]
  }
  const remove = () =>
    maintenanceSteps({ pool: engine.worker, logger: createLogger({ service: 'test', level: 'error' }) })
      .find(({ name }) => name === 'remove-deleted')
      ?.turn()
  const { workspaceId, webhook } = await withDeliveries(routes, 1)
  const { id: other } = (await routes.call(workspaceId, 'POST', '/v1/webhooks', validWebhook)).body
  for (const id of [webhook, other]) await routes.call(workspaceId, 'DELETE', `/v1/webhooks/${id}`)
  while (await endOpenDeliveries(engine.worker));
  await remove()
  expect(await counts(other)).toEqual({ subscriptions: 1, lanes: 1, secrets: 1 })
  await engine.admin.query(
    "update delivery.subscriptions set updated = updated - interval '34 days' where workspace_id = $1",
    [workspaceId],
  )
  await remove()
  expect(await counts(other)).toEqual({ subscriptions: 0, lanes: 0, secrets: 0 })
  expect(await counts(webhook)).toEqual({ subscriptions: 1, lanes: 1, secrets: 1 })
  expect((await routes.call(workspaceId, 'GET', `/v1/webhooks/${other}`)).status).toBe(404)
})

describe('enable', () => {
  const backlog = async (workspaceId: string) =>
    (await routes.engine.worker.query('select count(*)::int as n from due where workspace_id = $1', [workspaceId]))
      .rows[0]?.n

  test('regression: is refused while more than a batch of old deliveries waits for its end, and then opens', async () => {
    const { workspaceId, webhook } = await withDeliveries(routes, 2_500)
    const path = `/v1/webhooks/${webhook}`
    await routes.call(workspaceId, 'POST', `${path}/disable`)
    const refused = await routes.call(workspaceId, 'POST', `${path}/enable`)
    expect([refused.status, refused.body]).toEqual([
      409,
      expect.objectContaining({ code: 'invalid_state', current_status: 'disabled', allowed: [] }),
    ])
    expect(await backlog(workspaceId)).toBe(2_500)
    expect((await routes.call(workspaceId, 'GET', path)).body).toMatchObject({ status: 'disabled', version: 2 })
    while (await endOpenDeliveries(routes.engine.worker));
    expect((await routes.call(workspaceId, 'POST', `${path}/enable`)).body).toMatchObject({
      status: 'enabled',
      version: 3,
    })
    expect(new Set(await statesOf(routes, workspaceId))).toEqual(new Set(['dead subscription_disabled']))
    expect(await projectionDifferences(routes)).toEqual([])
  })

  test('ends a last batch itself: nothing from before comes alive again; what is open is told before and after', async () => {
    const { workspaceId, webhook } = await withDeliveries(routes, 30)
    const condition = async () => (await routes.call(workspaceId, 'GET', `/v1/webhooks/${webhook}/condition`)).body
    const calm = {
      object: 'webhook_condition',
      webhook_id: webhook,
      open_deliveries_complete: true,
      failing_deliveries: 0,
    }
    expect(await condition()).toEqual({ ...calm, open_deliveries: 30, disabled: null })
    const disabling = await routes.call(workspaceId, 'POST', `/v1/webhooks/${webhook}/disable`)
    const { updated } = disabling.body as unknown as { updated: string }
    expect((await condition()) as object).toMatchObject({ disabled: updated })
    const foreign = await routes.call(newId('wsp'), 'GET', `/v1/webhooks/${webhook}/condition`)
    expect(foreign.status).toBe(404)
    expect((await routes.call(workspaceId, 'POST', `/v1/webhooks/${webhook}/enable`)).status).toBe(200)
    expect(await backlog(workspaceId)).toBe(0)
    expect(new Set(await statesOf(routes, workspaceId))).toEqual(new Set(['dead subscription_disabled']))
  })
})

test('a delivery that is under way is open as well as one that waits', async () => {
  const { workspaceId, webhook } = await withDeliveries(routes, 3)
  const underWay = (await claim(routes)).filter((row) => row.workspaceId === workspaceId)
  expect(underWay.length).toBeGreaterThan(0)
  const { body } = await routes.call(workspaceId, 'GET', `/v1/webhooks/${webhook}/condition`)
  expect(body).toMatchObject({ open_deliveries: 3, open_deliveries_complete: true })
})

describe('a Retry', () => {
  test('while an attempt is under way is refused with invalid_state and opens nothing', async () => {
    const { workspaceId, ids } = await withDeliveries(routes, 1)
    expect((await claim(routes)).map((row) => row.deliveryId)).toContain(ids[0])
    const refused = await retry(routes, workspaceId, ids[0])
    expect([refused.status, refused.body.code]).toEqual([409, 'invalid_state'])
    expect((await routes.call(workspaceId, 'GET', `/v1/deliveries/${ids[0]}`)).body).toMatchObject({
      epoch: 1,
      attempt_under_way: true,
    })
  })

  test('of an event older than 30 days is refused with event_expired', async () => {
    const atMs = Date.now() - 31 * 86_400_000
    await routes.engine.worker.query('select make_partitions($1)', [new Date(atMs).toISOString().slice(0, 10)])
    const { workspaceId, webhook, ids } = await withDeliveries(routes, 1, atMs)
    await routes.call(workspaceId, 'POST', `/v1/webhooks/${webhook}/disable`)
    while (await endOpenDeliveries(routes.engine.worker));
    await routes.call(workspaceId, 'POST', `/v1/webhooks/${webhook}/enable`)
    const refused = await retry(routes, workspaceId, ids[0])
    expect([refused.status, refused.body.code]).toEqual([409, 'event_expired'])
  })
})

test('XB09: a workspace has at most 50 subscriptions; a deleted one makes room', async () => {
  const workspaceId = newId('wsp')
  const answers = []
  for (let n = 0; n < 51; n += 1) answers.push(await routes.call(workspaceId, 'POST', '/v1/webhooks', validWebhook))
  expect(answers.slice(0, 50).filter((answer) => answer.status !== 201)).toEqual([])
  expect(answers[50]?.body.code).toBe('limit_reached')
  await routes.call(workspaceId, 'DELETE', `/v1/webhooks/${answers[0]?.body.id}`)
  expect((await routes.call(workspaceId, 'POST', '/v1/webhooks', validWebhook)).status).toBe(201)
})

test('regression: no instant of a delivery tells more of how long an attempt took than its rounded duration', async () => {
  const { workspaceId, webhook } = await withDeliveries(routes, 3)
  const one = 'update delivery.lanes set cap = 1, max_in_flight = 1 where workspace_id = $1'
  await routes.engine.admin.query(one, [workspaceId])
  const startedMs = Date.now()
  const durationMs = 3_600_050
  const end = new Date(startedMs + durationMs).toISOString()
  /** The next delivery, once an attempt of it ended so. */
  const after = async (outcome: Pick<SettledAttempt, 'kind' | 'status' | 'errorCode' | 'delayMs'>) => {
    const row = (await claim(routes)).find((claimed) => claimed.workspaceId === workspaceId)
    if (!row) throw new Error('nothing was claimed')
    await claimStore(routes).settle([endedAttempt(row, { ...outcome, startedMs, durationMs })])
    const { body } = await routes.call(workspaceId, 'GET', `/v1/deliveries/${row.deliveryId}`)
    const started = new Date(startedMs).toISOString()
    expect(body).toMatchObject({ updated: end, attempts: [{ started, finished: end, duration_ms: durationMs }] })
    return body
  }
  const failed = { kind: 'attempt_failed', status: 500, errorCode: 'http_status' } as const
  const next = new Date(Date.parse(end) + 30_000).toISOString()
  expect(await after({ ...failed, delayMs: 30_000 })).toMatchObject({ status: 'retry', next_attempt: next })
  expect(await after({ ...failed, delayMs: null })).toMatchObject({ status: 'dead', dead: end })
  const succeeded = { kind: 'attempt_succeeded', status: 200, errorCode: null, delayMs: null } as const
  expect(await after(succeeded)).toMatchObject({ status: 'delivered', delivered: end })
  const { body } = await routes.call(workspaceId, 'GET', `/v1/webhooks/${webhook}`)
  expect(body).toMatchObject({ last_delivered: expect.stringMatching(/:\d\d\.000Z$/) })
})
