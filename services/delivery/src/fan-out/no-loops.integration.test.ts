// Operational events about subscriptions that fail: each goes to the others only, and they end by themselves (domain.md 5, Loop rule).
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { LogRecord } from '@wds/event-log/port'
import { withTransaction } from '@wds/postgres/transaction'
import { newId } from '../engine.fixture.ts'
import { type RoutesUnderTest, startRoutes } from '../routes.fixture.ts'
import { endedAttempt, exhausted } from '../sending/ended-attempt.fixture.ts'
import { createClaimStore } from '../sending/store.ts'
import { createIngestHandler } from './consumer.ts'
import { createFanOut } from './fan-out.ts'

let routes: RoutesUnderTest
beforeAll(async () => {
  routes = await startRoutes()
})
afterAll(() => routes?.stop())

/** What the outbox holds goes through the log to the fan-out. */
async function relay(): Promise<void> {
  const { worker } = routes.engine
  const { rows } = await worker.query<LogRecord>(
    `delete from outbox returning topic, 0 as partition, 0 as offset, key, event_id as "eventId", headers, payload`,
  )
  const fanOut = createFanOut({ pool: worker, onMade: () => undefined })
  const ingest = createIngestHandler(fanOut.ingest)
  if (rows.length > 0) await withTransaction(worker, { workspaceId: null }, (tx) => ingest(tx, rows))
  while (await fanOut.turn());
}

/** Every delivery that is due fails for the last time; gives the types that were sent. */
async function failAll(): Promise<string[]> {
  const store = createClaimStore({ pool: routes.engine.worker, disableGone: async () => undefined })
  const limits = { slots: 64, lanes: 32, leaseMs: 60_000, busy: [], share: 64, slowLanes: [], slowRoom: 64 }
  const claimed = await store.claim({ claimId: randomUUID(), ...limits })
  await store.settle(claimed.map((row) => endedAttempt(row, exhausted)))
  return claimed.map(({ subscriptionId, payload }) => {
    const { type, data } = JSON.parse(String(payload)) as { type: string; data: { webhook_id?: string } }
    if (data.webhook_id === subscriptionId) throw new Error(`${type} went to the subscription it speaks of`)
    return type
  })
}

test('two subscriptions to webhook.* that both fail: what they are told ends, and nothing goes to whom it speaks of', async () => {
  const workspaceId = newId('wsp')
  const json = { url: 'https://a.test/', events: ['webhook.*'] }
  const subscribe = async () => (await routes.call(workspaceId, 'POST', '/v1/webhooks', json)).body.id
  const ids = [await subscribe(), await subscribe()]
  // Lanes begin with two at a time.
  await routes.engine.admin.query('update delivery.lanes set cap = 8 where workspace_id = $1', [workspaceId])
  await routes.call(workspaceId, 'POST', `/v1/webhooks/${ids[0]}/rotate-secret`)
  for (const id of ids) {
    const sent = await routes.call(workspaceId, 'POST', `/v1/webhooks/${id}/test`, { type: 'sync.completed' })
    expect(sent.status).toBe(202)
  }
  const sent: string[][] = []
  for (let round = 0; round < 20 && sent.at(-1)?.length !== 0; round += 1) {
    await relay()
    sent.push(await failAll())
  }
  expect(sent.at(-1)).toEqual([])
  // Two tests, each told to the other one, and a rotation; then the deaths of these five, and nothing of the deaths of those.
  const types = Map.groupBy(sent.flat(), (type) => type)
  expect(Object.fromEntries([...types].map(([type, all]) => [type, all.length]))).toEqual({
    'sync.completed': 2,
    'webhook.tested': 2,
    'webhook.secret_rotated': 1,
    'webhook.delivery_exhausted': 5,
  })
})
