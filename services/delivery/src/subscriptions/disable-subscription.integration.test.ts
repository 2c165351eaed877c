// A subscription that the engine disables, since its receiver is gone or has failed for 5 days (settled-points.md 7).
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { createLogger } from '@wds/telemetry/logger'
import { defaultSchedule } from '../deliveries/domain/schedule.ts'
import { endOpenDeliveries } from '../lanes/loop.ts'
import { listFailing } from '../lanes/store-parked.ts'
import { maintenanceSteps } from '../maintenance/loop.ts'
import { type RoutesUnderTest, startRoutes } from '../routes.fixture.ts'
import { endedAttempt, exhausted } from '../sending/ended-attempt.fixture.ts'
import { startSender } from '../sending/sender.ts'
import { defaultSenderSettings } from '../sending/sender-settings.ts'
import { disableSubscription } from './disable-subscription.ts'
import { claim, claimStore, projectionDifferences, retry, statesOf, withDeliveries } from './lifecycle.fixture.ts'

let routes: RoutesUnderTest
beforeAll(async () => {
  routes = await startRoutes()
})
afterAll(() => routes?.stop())

/** Sends with every receiver answering 410 until nothing is open in the workspace; the end-open loop runs beside it. */
async function sendToGoneReceiver(workspaceId: string): Promise<number> {
  let sent = 0
  const sender = startSender({
    store: claimStore(routes),
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
    logger: { info: () => undefined, warn: () => undefined, error: () => undefined },
  })
  try {
    const deadline = Date.now() + 60_000
    while ((await statesOf(routes, workspaceId)).some((s) => !s.startsWith('dead')) && Date.now() < deadline) {
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
  test('F38: is disabled as gone and announced once; what is open ends; Retry is refused until it is enabled', async () => {
    const { workspaceId, webhook, ids } = await withDeliveries(routes, 30)
    await routes.engine.admin.query('update delivery.lanes set cap = 8 where subscription_id = $1', [webhook])
    const sent = await sendToGoneReceiver(workspaceId)
    expect(sent).toBeGreaterThan(0)
    expect(sent).toBeLessThanOrEqual(8)
    expect(new Set(await statesOf(routes, workspaceId))).toEqual(new Set(['dead subscription_disabled']))
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
    const refused = await retry(routes, workspaceId, ids[0])
    expect([refused.status, refused.body.code]).toEqual([409, 'webhook_disabled'])
    expect((await routes.call(workspaceId, 'POST', `/v1/webhooks/${webhook}/enable`)).body).toMatchObject({
      status: 'enabled',
      disabled_reason: null,
    })
    expect(await claim(routes)).toEqual([])
    const opened = await retry(routes, workspaceId, ids[0])
    expect([opened.status, opened.body.status, opened.body.epoch]).toEqual([202, 'replay', 2])
    expect(await claim(routes)).toEqual([expect.objectContaining({ deliveryId: ids[0], epoch: 2, attempt: 1 })])
    expect((await announced()).map(([type]) => type)).toEqual(['webhook.disabled', 'webhook.enabled'])
    expect(await projectionDifferences(routes)).toEqual([])
  })
})

/** Claims what is due in the workspace and ends it. */
const attempt = async (workspaceId: string, outcomeOf: (nth: number) => 'attempt_failed' | 'attempt_succeeded') => {
  const mine = (await claim(routes)).filter((row) => row.workspaceId === workspaceId)
  await claimStore(routes).settle(
    mine.map((row, nth) => endedAttempt(row, outcomeOf(nth) === 'attempt_failed' ? { ...exhausted, delayMs: 0 } : {})),
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
    const { workspaceId, webhook } = await withDeliveries(routes, 1)
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
    const { workspaceId, webhook } = await withDeliveries(routes, 3)
    await routes.engine.admin.query('update delivery.lanes set cap = 8 where subscription_id = $1', [webhook])
    for (let round = 0; round < 3; round += 1) expect(await attempt(workspaceId, () => 'attempt_failed')).toBe(3)
    await routes.call(workspaceId, 'POST', `/v1/webhooks/${webhook}/disable`)
    expect(await told(workspaceId)).toMatchObject({ failed_deliveries: 3, failing_since: expect.any(String) })
  })

  test('what failed before a success does not count until it fails again', async () => {
    const { workspaceId, webhook } = await withDeliveries(routes, 4)
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
  const { workspaceId, webhook } = await withDeliveries(routes, 1)
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
  const deadline = Date.now() + 60_000
  for (;;) {
    const { rows } = await routes.engine.admin.query(
      "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    )
    if (rows.length > 0) return
    if (Date.now() > deadline) throw new Error('nothing waits for the lock')
  }
}
