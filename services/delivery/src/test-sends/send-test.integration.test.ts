// A test send over the real routes and tables: a real delivery of an example, to one subscription only (domain.md 3.13).
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { exampleOf } from '@wds/contracts/event-schemas'
import { defaultSchedule } from '../deliveries/domain/schedule.ts'
import { checkProjection } from '../deliveries/store-projection.ts'
import { newId } from '../engine.fixture.ts'
import { createFanOut } from '../fan-out/fan-out.ts'
import { type RoutesUnderTest, startRoutes } from '../routes.fixture.ts'
import { createClaimStore } from '../sending/store.ts'

let routes: RoutesUnderTest
beforeAll(async () => {
  routes = await startRoutes()
})
afterAll(() => routes?.stop())

async function subscribe(workspaceId: string, events: string[]) {
  const { body } = await routes.call(workspaceId, 'POST', '/v1/webhooks', { url: 'https://a.test/', events })
  const path = `/v1/webhooks/${body.id}`
  return { id: body.id, path, send: (json?: object) => routes.call(workspaceId, 'POST', `${path}/test`, json) }
}

async function claimOf(workspaceId: string) {
  const store = createClaimStore({ pool: routes.engine.worker, disableGone: async () => undefined })
  const limits = { slots: 64, lanes: 32, leaseMs: -1, busy: [], share: 64, slowLanes: [], slowRoom: 64 }
  return (await store.claim({ claimId: randomUUID(), ...limits })).filter((row) => row.workspaceId === workspaceId)
}

describe('POST /v1/webhooks/{id}/test', () => {
  test('makes one delivery of the example, due at once, to this subscription only; it stands in the history, not in the event log', async () => {
    const workspaceId = newId('wsp')
    const [mine, other] = [await subscribe(workspaceId, ['invoice.*']), await subscribe(workspaceId, ['*'])]
    const { status, body } = await mine.send({ type: 'invoice.paid' })
    expect([status, body]).toEqual([
      202,
      expect.objectContaining({
        object: 'delivery',
        webhook_id: mine.id,
        event_type: 'invoice.paid',
        status: 'pending',
      }),
    ])
    const fanOut = createFanOut({ pool: routes.engine.worker, onMade: () => undefined })
    while (await fanOut.turn());
    const [claimed, ...more] = await claimOf(workspaceId)
    expect(more).toEqual([])
    expect(claimed).toMatchObject({ deliveryId: body.id, subscriptionId: mine.id, epoch: 1, attempt: 1 })
    const sent = JSON.parse(String(claimed?.payload))
    const { type, data } = exampleOf('invoice.paid')
    expect(sent).toEqual({ id: claimed?.eventId, type, created: expect.any(String), data })
    const history = async (path: string) =>
      (await routes.call(workspaceId, 'GET', `${path}/deliveries`)).body.data.map(({ id }) => id)
    expect([await history(mine.path), await history(other.path)]).toEqual([[body.id], []])
    expect((await routes.call(workspaceId, 'GET', '/v1/events')).body.data).toEqual([])
    const differences: object[] = []
    const report = (difference: object) => void differences.push(difference)
    await checkProjection(routes.engine.worker, { schedule: defaultSchedule, rebuild: false, report })
    expect(differences).toEqual([])
  })

  test('without a type it is the first that the subscription asks for', async () => {
    const workspaceId = newId('wsp')
    const { send } = await subscribe(workspaceId, ['invoice.*', 'sync.started'])
    const sent = (await send()).body as unknown as { event: { type: string } }
    expect(sent.event.type).toBe('invoice.generated')
  })

  test('each test is told to the others, never with what was sent', async () => {
    const workspaceId = newId('wsp')
    const { id, send } = await subscribe(workspaceId, ['*'])
    await send()
    const { rows } = await routes.engine.worker.query<{ payload: Buffer }>(
      'select payload from outbox where workspace_id = $1',
      [workspaceId],
    )
    expect(rows.map(({ payload }) => JSON.parse(String(payload)))).toEqual([
      expect.objectContaining({ type: 'webhook.tested', data: { webhook_id: id, requested_by: 'api_key' } }),
    ])
  })

  test('an unknown type, a disabled subscription, another workspace: refused, and nothing is stored', async () => {
    const workspaceId = newId('wsp')
    const { path, send } = await subscribe(workspaceId, ['*'])
    const unknown = await send({ type: 'no.such' })
    expect([unknown.status, unknown.body.code, unknown.body.errors[0]?.pointer]).toEqual([
      422,
      'unknown_event_type',
      '/type',
    ])
    expect((await routes.call(newId('wsp'), 'POST', `${path}/test`)).status).toBe(404)
    await routes.call(workspaceId, 'POST', `${path}/disable`)
    const disabled = await send()
    expect([disabled.status, disabled.body.code]).toEqual([409, 'webhook_disabled'])
    expect((await routes.call(workspaceId, 'GET', `${path}/deliveries`)).body.data).toEqual([])
  })

  test('10 tests of a workspace in a minute, whichever subscription; the next is 429 and a minute later they go on', async () => {
    const workspaceId = newId('wsp')
    const [one, other] = [await subscribe(workspaceId, ['*']), await subscribe(workspaceId, ['*'])]
    for (let nth = 0; nth < 5; nth += 1) for (const { send } of [one, other]) expect((await send()).status).toBe(202)
    const refused = await one.send()
    expect([refused.status, refused.body.code]).toEqual([429, 'quota_exceeded'])
    await routes.engine.admin.query(
      "update delivery.workspaces set tests_since = tests_since - interval '61 s' where workspace_id = $1",
      [workspaceId],
    )
    expect((await one.send()).status).toBe(202)
  })
})
