// What happens to deliveries when their subscription is gone, disabled or deleted, and what a Retry refuses (decisions.md 4, 7, 8).
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { createLogger } from '@wds/telemetry/logger'
import { defaultSchedule } from '../domain/schedule.ts'
import { disableSubscription } from '../loops/disable-subscription.ts'
import { endOpenDeliveries } from '../loops/end-open.ts'
import { createFanOut } from '../loops/fan-out.ts'
import { maintenanceSteps } from '../loops/maintenance.ts'
import type { SettledAttempt } from '../loops/send/send-ports.ts'
import { startSender } from '../loops/send/sender.ts'
import { defaultSenderSettings } from '../loops/send/sender-settings.ts'
import { createClaimStore } from '../store/claim-store.ts'
import { newId, seedEvents } from '../store/engine-fixture.ts'
import { listFailing } from '../store/parked-lanes.ts'
import { checkProjection } from '../store/projection.ts'
import { type RoutesUnderTest, startRoutes } from './routes-fixture.ts'

let routes: RoutesUnderTest
beforeAll(async () => {
  routes = await startRoutes()
}, 60_000)
afterAll(() => routes?.stop())

const valid = { url: 'https://receiver.test/hook', events: ['*'] }

/** A workspace with one subscription and `count` deliveries to it, oldest event last. */
async function withDeliveries(count: number, atMs = Date.now()) {
  const workspaceId = newId('wsp')
  const webhook = (await routes.call(workspaceId, 'POST', '/v1/webhooks', valid)).body.id as string
  await seedEvents(routes.engine, { workspaceId, count, atMs })
  const fanOut = createFanOut({ pool: routes.engine.worker, onMade: () => undefined })
  while (await fanOut.turn());
  const { rows } = await routes.engine.worker.query<{ id: string }>(
    'select delivery_id as id from deliveries where workspace_id = $1 order by event_id desc',
    [workspaceId],
  )
  expect(rows).toHaveLength(count)
  return { workspaceId, webhook, ids: rows.map((row) => row.id) }
}

const retry = (workspaceId: string, id: string | undefined) =>
  routes.call(workspaceId, 'POST', `/v1/deliveries/${id}/retry`)

const claimStore = () =>
  createClaimStore({
    pool: routes.engine.worker,
    disableGone: (attempt) => disableSubscription(routes.engine.worker, { ...attempt, reason: 'gone' }),
  })

const claim = () =>
  claimStore().claim({
    claimId: randomUUID(),
    slots: 64,
    lanes: 32,
    leaseMs: 30_000,
    busy: [],
    share: 64,
    slowLanes: [],
    slowRoom: 64,
  })

async function statesOf(workspaceId: string): Promise<string[]> {
  const { rows } = await routes.engine.worker.query<{ state: string }>(
    "select status || ' ' || coalesce(dead_reason, '') as state from deliveries where workspace_id = $1",
    [workspaceId],
  )
  return rows.map((row) => row.state)
}

async function expectLogEqualsState(): Promise<void> {
  const found: object[] = []
  await checkProjection(routes.engine.worker, {
    schedule: defaultSchedule,
    rebuild: false,
    report: (d) => found.push(d),
  })
  expect(found).toEqual([])
}

/** Sends with every receiver answering 410 until nothing is open in the workspace; the end-open loop runs beside it. */
async function sendToGoneReceiver(workspaceId: string): Promise<number> {
  let sent = 0
  const sender = startSender({
    store: claimStore(),
    client: {
      async send() {
        sent += 1
        return {
          outcome: 'answered',
          status: 410,
          errorCode: 'http_status',
          durationMs: 1,
          excerpt: null,
          retryAfter: null,
          isRepeated: false,
        }
      },
    },
    secrets: { open: () => `whsec_${Buffer.alloc(24).toString('base64')}` },
    schedule: defaultSchedule,
    settings: defaultSenderSettings,
    logger: { warn: () => undefined, error: () => undefined },
  })
  try {
    const deadline = Date.now() + 15_000
    while ((await statesOf(workspaceId)).some((s) => !s.startsWith('dead')) && Date.now() < deadline) {
      const { rows } = await routes.engine.worker.query(
        "select 1 from subscriptions where workspace_id = $1 and status = 'disabled'",
        [workspaceId],
      )
      if (rows.length > 0) await endOpenDeliveries(routes.engine.worker)
    }
  } finally {
    await sender.stop(1_000)
  }
  return sent
}

describe('a receiver that answers 410', () => {
  test('is disabled as gone and announced once; what is open ends; Retry is refused until it is enabled', async () => {
    const { workspaceId, webhook, ids } = await withDeliveries(30)
    await routes.engine.admin.query('update delivery.lanes set cap = 8 where subscription_id = $1', [webhook])
    const sent = await sendToGoneReceiver(workspaceId)
    expect(sent).toBeGreaterThan(0)
    expect(sent).toBeLessThanOrEqual(8)
    expect(new Set(await statesOf(workspaceId))).toEqual(new Set(['dead subscription_disabled']))
    expect((await routes.call(workspaceId, 'GET', `/v1/webhooks/${webhook}`)).body).toMatchObject({
      status: 'disabled',
      disabled_reason: 'gone',
    })
    const announced = async () => {
      const { rows } = await routes.engine.worker.query(
        "select headers->>'event_type' as type, payload from outbox where workspace_id = $1 order by event_id",
        [workspaceId],
      )
      return rows.map((row) => [row.type, JSON.parse(String(row.payload)).data])
    }
    expect(await announced()).toEqual([
      [
        'webhook.disabled',
        { webhook_id: webhook, reason: 'gone', failing_since: expect.any(String), failed_deliveries: 1 },
      ],
    ])
    const refused = await retry(workspaceId, ids[0])
    expect([refused.status, refused.body.code]).toEqual([409, 'webhook_disabled'])
    expect((await routes.call(workspaceId, 'POST', `/v1/webhooks/${webhook}/enable`)).body).toMatchObject({
      status: 'enabled',
      disabled_reason: null,
    })
    expect(await claim()).toEqual([])
    const opened = await retry(workspaceId, ids[0])
    expect([opened.status, opened.body.status, opened.body.epoch]).toEqual([202, 'replay', 2])
    expect(await claim()).toEqual([expect.objectContaining({ deliveryId: ids[0], epoch: 2, attempt: 1 })])
    expect((await announced()).map(([type]) => type)).toEqual(['webhook.disabled', 'webhook.enabled'])
    await expectLogEqualsState()
  }, 30_000)
})

/** Claims what is due in the workspace and ends it. */
const attempt = async (workspaceId: string, outcomeOf: (nth: number) => 'attempt_failed' | 'attempt_succeeded') => {
  const mine = (await claim()).filter((row) => row.workspaceId === workspaceId)
  await claimStore().settle(
    mine.map((row, nth) => {
      const kind = outcomeOf(nth)
      const isFailed = kind === 'attempt_failed'
      return {
        ...{ ...row, attemptId: newId('att'), kind, durationMs: 1, traceId: null, signedAt: 1, excerpt: null },
        ...{ status: isFailed ? 500 : 200, errorCode: isFailed ? 'http_status' : null, isRepeated: false },
        ...{ delayMs: isFailed ? 0 : null, startedMs: Date.now() },
      }
    }),
  )
  return mine.length
}

describe('a receiver that fails for longer than 5 days', () => {
  /** Moves the database's clock. */
  const shift = (days: number) =>
    routes.engine.admin.query(
      `create or replace function delivery.app_now() returns timestamptz language sql stable parallel safe as 'select clock_timestamp() + interval ''${days} days'''`,
    )
  afterEach(() => shift(0))

  test('regression: is disabled once, as failing, when it fails after them; not while nothing is sent to it', async () => {
    const { workspaceId, webhook } = await withDeliveries(1)
    const path = `/v1/webhooks/${webhook}`
    const disableFailing = async () => {
      const logger = createLogger({ service: 'test', level: 'error' })
      const steps = maintenanceSteps({ pool: routes.engine.worker, logger })
      for (let round = 0; round < 2; round += 1) await steps.find(({ name }) => name === 'disable-failing')?.turn()
      return (await routes.call(workspaceId, 'GET', path)).body
    }
    expect(await attempt(workspaceId, () => 'attempt_failed')).toBe(1)
    const since = (await routes.call(workspaceId, 'GET', path)).body.failing_since
    await shift(6)
    expect(await disableFailing()).toMatchObject({ status: 'enabled', failing_since: since })
    expect(await attempt(workspaceId, () => 'attempt_failed')).toBe(1)
    expect(await disableFailing()).toMatchObject({ status: 'disabled', disabled_reason: 'failing' })
    const { rows } = await routes.engine.worker.query('select payload from outbox where workspace_id = $1', [
      workspaceId,
    ])
    expect(rows.map((row) => JSON.parse(String(row.payload)))).toEqual([
      expect.objectContaining({
        type: 'webhook.disabled',
        data: { webhook_id: webhook, reason: 'failing', failing_since: since, failed_deliveries: 1 },
      }),
    ])
  })
})

describe('failed_deliveries of webhook.disabled', () => {
  const told = async (workspaceId: string) => {
    const { rows } = await routes.engine.worker.query(
      "select payload from outbox where workspace_id = $1 and headers->>'event_type' = 'webhook.disabled' order by event_id desc limit 1",
      [workspaceId],
    )
    return JSON.parse(String(rows[0]?.payload)).data
  }

  test('regression: each delivery that failed since the receiver does counts once, whatever its number of attempts', async () => {
    const { workspaceId, webhook } = await withDeliveries(3)
    await routes.engine.admin.query('update delivery.lanes set cap = 8 where subscription_id = $1', [webhook])
    for (let round = 0; round < 3; round += 1) expect(await attempt(workspaceId, () => 'attempt_failed')).toBe(3)
    await routes.call(workspaceId, 'POST', `/v1/webhooks/${webhook}/disable`)
    expect(await told(workspaceId)).toMatchObject({ failed_deliveries: 3, failing_since: expect.any(String) })
  })

  test('what failed before a success does not count until it fails again', async () => {
    const { workspaceId, webhook } = await withDeliveries(4)
    const path = `/v1/webhooks/${webhook}`
    await routes.engine.admin.query('update delivery.lanes set cap = 8 where subscription_id = $1', [webhook])
    await attempt(workspaceId, () => 'attempt_failed')
    await attempt(workspaceId, (nth) => (nth === 0 ? 'attempt_succeeded' : 'attempt_failed'))
    await routes.engine.admin.query('update delivery.lanes set cap = 2 where subscription_id = $1', [webhook])
    expect(await attempt(workspaceId, () => 'attempt_failed')).toBe(2)
    await routes.call(workspaceId, 'POST', `${path}/disable`)
    expect(await told(workspaceId)).toMatchObject({ failed_deliveries: 2 })
    await routes.call(workspaceId, 'POST', `${path}/enable`)
    await routes.call(workspaceId, 'POST', `${path}/disable`)
    expect(await told(workspaceId)).toMatchObject({ failed_deliveries: 0, failing_since: null })
  })
})

test('regression: a subscription whose receiver answered after it was listed as failing stays enabled', async () => {
  const { workspaceId, webhook } = await withDeliveries(1)
  const since = new Date(Date.now() - 6 * 86_400_000)
  await routes.engine.admin.query(
    'update delivery.lanes set failing_since = $2, last_failed = now() where subscription_id = $1',
    [webhook, since],
  )
  expect((await listFailing(routes.engine.worker)).map((lane) => lane.subscriptionId)).toContain(webhook)
  // A settle that holds the lane's row: its success is not committed yet when the disable begins.
  const settle = await routes.engine.worker.connect()
  try {
    await settle.query('begin')
    await settle.query('update lanes set failing_since = null where subscription_id = $1', [webhook])
    const disabling = disableSubscription(routes.engine.worker, {
      workspaceId,
      subscriptionId: webhook,
      reason: 'failing',
    })
    await untilBlocked()
    await settle.query('commit')
    await disabling
  } finally {
    settle.release()
  }
  expect((await routes.call(workspaceId, 'GET', `/v1/webhooks/${webhook}`)).body).toMatchObject({ status: 'enabled' })
})

async function untilBlocked(): Promise<void> {
  const deadline = Date.now() + 5_000
  for (;;) {
    const { rows } = await routes.engine.admin.query(
      "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    )
    if (rows.length > 0) return
    if (Date.now() > deadline) throw new Error('nothing waits for the lock')
  }
}

describe('DELETE', () => {
  test('ends open deliveries, also in the tables; a Retry of them is refused with invalid_state', async () => {
    const { workspaceId, webhook, ids } = await withDeliveries(5)
    expect((await routes.call(workspaceId, 'DELETE', `/v1/webhooks/${webhook}`)).status).toBe(204)
    expect((await routes.call(workspaceId, 'GET', `/v1/deliveries/${ids[0]}`)).body).toMatchObject({
      status: 'dead',
      dead_reason: 'subscription_deleted',
    })
    while (await endOpenDeliveries(routes.engine.worker));
    expect(await statesOf(workspaceId)).toEqual(Array.from({ length: 5 }, () => 'dead subscription_deleted'))
    const refused = await retry(workspaceId, ids[0])
    expect([refused.status, refused.body]).toEqual([
      409,
      expect.objectContaining({ code: 'invalid_state', current_status: 'dead' }),
    ])
    await seedEvents(routes.engine, { workspaceId, count: 1 })
    const fanOut = createFanOut({ pool: routes.engine.worker, onMade: () => undefined })
    while (await fanOut.turn());
    expect(await statesOf(workspaceId)).toHaveLength(5)
    await expectLogEqualsState()
  })
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
  const { workspaceId, webhook } = await withDeliveries(1)
  const { id: other } = (await routes.call(workspaceId, 'POST', '/v1/webhooks', valid)).body
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
    const { workspaceId, webhook } = await withDeliveries(2_500)
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
    expect(new Set(await statesOf(workspaceId))).toEqual(new Set(['dead subscription_disabled']))
    await expectLogEqualsState()
  }, 30_000)

  test('ends a last batch itself: nothing from before comes alive again', async () => {
    const { workspaceId, webhook } = await withDeliveries(30)
    await routes.call(workspaceId, 'POST', `/v1/webhooks/${webhook}/disable`)
    expect((await routes.call(workspaceId, 'POST', `/v1/webhooks/${webhook}/enable`)).status).toBe(200)
    expect(await backlog(workspaceId)).toBe(0)
    expect(new Set(await statesOf(workspaceId))).toEqual(new Set(['dead subscription_disabled']))
  })
})

describe('a Retry', () => {
  test('while an attempt is under way is refused with invalid_state and opens nothing', async () => {
    const { workspaceId, ids } = await withDeliveries(1)
    expect((await claim()).map((row) => row.deliveryId)).toContain(ids[0])
    const refused = await retry(workspaceId, ids[0])
    expect([refused.status, refused.body.code]).toEqual([409, 'invalid_state'])
    expect((await routes.call(workspaceId, 'GET', `/v1/deliveries/${ids[0]}`)).body).toMatchObject({
      epoch: 1,
      attempt_under_way: true,
    })
  })

  test('of an event older than 30 days is refused with event_expired', async () => {
    const atMs = Date.now() - 31 * 86_400_000
    await routes.engine.worker.query('select make_partitions($1)', [new Date(atMs).toISOString().slice(0, 10)])
    const { workspaceId, webhook, ids } = await withDeliveries(1, atMs)
    await routes.call(workspaceId, 'POST', `/v1/webhooks/${webhook}/disable`)
    while (await endOpenDeliveries(routes.engine.worker));
    await routes.call(workspaceId, 'POST', `/v1/webhooks/${webhook}/enable`)
    const refused = await retry(workspaceId, ids[0])
    expect([refused.status, refused.body.code]).toEqual([409, 'event_expired'])
  })
})

test('a workspace has at most 50 subscriptions; a deleted one makes room', async () => {
  const workspaceId = newId('wsp')
  const answers = []
  for (let n = 0; n < 51; n += 1) answers.push(await routes.call(workspaceId, 'POST', '/v1/webhooks', valid))
  expect(answers.slice(0, 50).filter((answer) => answer.status !== 201)).toEqual([])
  expect(answers[50]?.body.code).toBe('limit_reached')
  await routes.call(workspaceId, 'DELETE', `/v1/webhooks/${answers[0]?.body.id}`)
  expect((await routes.call(workspaceId, 'POST', '/v1/webhooks', valid)).status).toBe(201)
}, 30_000)

test('regression: no instant of a delivery tells more of how long an attempt took than its rounded duration', async () => {
  const { workspaceId, webhook } = await withDeliveries(3)
  const one = 'update delivery.lanes set cap = 1, max_in_flight = 1 where workspace_id = $1'
  await routes.engine.admin.query(one, [workspaceId])
  const startedMs = Date.now()
  const durationMs = 3_600_050
  const end = new Date(startedMs + durationMs).toISOString()
  /** The next delivery, once an attempt of it ended so. */
  const after = async (outcome: Pick<SettledAttempt, 'kind' | 'status' | 'errorCode' | 'delayMs'>) => {
    const row = (await claim()).find((claimed) => claimed.workspaceId === workspaceId)
    if (!row) throw new Error('nothing was claimed')
    const attempt = { startedMs, durationMs, attemptId: newId('att'), traceId: null, signedAt: 1, excerpt: null }
    await claimStore().settle([{ ...row, ...outcome, ...attempt, isRepeated: false }])
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
