// Payload filters on the way of an event: both ways of the fan out judge the same bytes, and a change counts from its commit on.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { withTransaction } from '@wds/postgres/transaction'
import { eventRecord, newId, seedEvents } from '../engine.fixture.ts'
import { type RoutesUnderTest, startRoutes } from '../routes.fixture.ts'
import { createIngestHandler } from './consumer.ts'
import { createFanOut } from './fan-out.ts'

let routes: RoutesUnderTest
beforeAll(async () => {
  routes = await startRoutes()
})
afterAll(() => routes?.stop())

const filter = { all: [{ pointer: '/data/status', op: 'eq', value: 'failed' }] }
const bodyOf = (status: string) => (id: string) => JSON.stringify({ id, type: 'sync.completed', data: { status } })

async function subscribe(workspaceId: string, o: object = {}) {
  const json = { url: 'https://a.test/', events: ['sync.*'], ...o }
  return routes.call(workspaceId, 'POST', '/v1/webhooks', json)
}

async function deliveriesOf(workspaceId: string, webhookId: string): Promise<string[]> {
  const { body } = await routes.call(workspaceId, 'GET', `/v1/webhooks/${webhookId}/deliveries`)
  return (body.data as unknown as { event_id: string }[]).map(({ event_id }) => event_id)
}

describe('a payload filter', () => {
  test('by the queue, and inline: only what it lets through is delivered; who has none gets all', async () => {
    const workspaceId = newId('wsp')
    const [filtered, plain] = [await subscribe(workspaceId, { filter }), await subscribe(workspaceId)]
    const fanOut = createFanOut({ pool: routes.engine.worker, onMade: () => undefined })
    const [wanted = ''] = await seedEvents(routes.engine, { workspaceId, count: 1, payloadOf: bodyOf('failed') })
    const [other = ''] = await seedEvents(routes.engine, { workspaceId, count: 1, payloadOf: bodyOf('success') })
    while (await fanOut.turn());
    expect(await deliveriesOf(workspaceId, filtered.body.id)).toEqual([wanted])
    expect((await deliveriesOf(workspaceId, plain.body.id)).sort()).toEqual([wanted, other].sort())
    const records = ['failed', 'success'].map((status) => {
      const record = eventRecord(workspaceId)
      return { ...record, payload: Buffer.from(bodyOf(status)(record.eventId)) }
    })
    const ingest = createIngestHandler(fanOut.ingest)
    await withTransaction(routes.engine.worker, { workspaceId: null }, (tx) => ingest(tx, records))
    const { rows } = await routes.engine.worker.query('select 1 from fan_out_queue where workspace_id = $1', [
      workspaceId,
    ])
    expect(rows).toEqual([])
    expect((await deliveriesOf(workspaceId, filtered.body.id)).sort()).toEqual([wanted, records[0]?.eventId].sort())
    expect(await deliveriesOf(workspaceId, plain.body.id)).toHaveLength(4)
  })

  test('is shown, changed and removed; the next event is judged by what was saved', async () => {
    const workspaceId = newId('wsp')
    const { body } = await subscribe(workspaceId, { filter })
    const path = `/v1/webhooks/${body.id}`
    expect(body).toMatchObject({ filter })
    const patch = (json: object) => routes.call(workspaceId, 'PATCH', path, json)
    const other = { all: [{ pointer: '/data/status', op: 'in', value: ['success', null] }] }
    expect((await patch({ filter: other })).body).toMatchObject({ filter: other, version: 2 })
    expect((await patch({ filter: other })).body.version).toBe(2)
    const fanOut = createFanOut({ pool: routes.engine.worker, onMade: () => undefined })
    const seed = async (status: string) => {
      const [id] = await seedEvents(routes.engine, { workspaceId, count: 1, payloadOf: bodyOf(status) })
      while (await fanOut.turn());
      return id
    }
    await seed('failed')
    const success = await seed('success')
    expect(await deliveriesOf(workspaceId, body.id)).toEqual([success])
    expect((await patch({ filter: null })).body).toMatchObject({ filter: null })
    const failed = await seed('failed')
    expect(await deliveriesOf(workspaceId, body.id)).toEqual([failed, success])
  })

  test.each<[string, unknown, string, string]>([
    [
      'a pointer that is none',
      { all: [{ pointer: 'x', op: 'eq', value: 1 }] },
      'invalid_filter',
      '/filter/all/0/pointer',
    ],
    [
      'a pointer 6 deep',
      { all: [{ pointer: '/a/b/c/d/e/f', op: 'eq', value: 1 }] },
      'invalid_filter',
      '/filter/all/0/pointer',
    ],
    ['an unknown operator', { all: [{ pointer: '/a', op: 'like', value: 1 }] }, 'invalid_filter', '/filter/all/0/op'],
    [
      'a value of another kind',
      { all: [{ pointer: '/a', op: 'gt', value: [1] }] },
      'invalid_filter',
      '/filter/all/0/value',
    ],
    ['no condition', { all: [] }, 'invalid_filter', '/filter/all'],
    ['11 conditions', { all: Array(11).fill({ pointer: '/a', op: 'eq', value: 1 }) }, 'invalid_filter', '/filter/all'],
    ['a condition without a value', { all: [{ pointer: '/a', op: 'eq' }] }, 'required', '/filter/all/0/value'],
    ['another member', { any: [] }, 'required', '/filter/all'],
    ['a list', [], 'invalid_type', '/filter'],
  ])('with %s is refused, and nothing is stored', async (_, wrong, code, pointer) => {
    const workspaceId = newId('wsp')
    const { status, body } = await subscribe(workspaceId, { filter: wrong })
    expect([status, body.errors.map((fault) => [fault.code, fault.pointer])]).toEqual([
      422,
      expect.arrayContaining([[code, pointer]]),
    ])
    expect((await routes.call(workspaceId, 'GET', '/v1/webhooks')).body.data).toEqual([])
  })
})
