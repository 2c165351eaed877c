// What bounds the work of replays, over the real Postgres: bytes of a page, turns of the count of outcomes, the rows that are kept.
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { checkRows, type RowDifference } from '@wds/aggregate/row-check'
import { withTransaction } from '@wds/postgres/transaction'
import { seedEvents } from '../engine.fixture.ts'
import { createOutcomesTurn } from './count-outcomes.ts'
import { firstPlace, type Place, type Selection } from './domain/selection.ts'
import { createReplayTurn } from './loop.ts'
import { period, type ReplaysUnderTest, startReplays } from './replays.fixture.ts'
import { replays as replayRows } from './resource.ts'
import { removeOldReplays } from './store.ts'
import { type Page, readPage } from './walk.ts'

let replays: ReplaysUnderTest
beforeAll(async () => {
  replays = await startReplays()
})
afterAll(() => replays?.stop())

test('regression: older replays of another workspace whose deliveries are still retried do not keep one from being counted', async () => {
  const [other, mine] = [replays.newWorkspace(), replays.newWorkspace()]
  await other.withDead(3)
  const { data } = (await other.call('GET', '/v1/dead-letters')).body
  for (const { id } of data) {
    const { body } = await other.call('POST', '/v1/replays', { delivery_ids: [id] })
    await other.untilEnded(body.id)
  }
  const webhookId = await mine.withDead(1)
  const { body } = await mine.call('POST', `/v1/webhooks/${webhookId}/replays`, period())
  await mine.untilEnded(body.id)
  const count = createOutcomesTurn(replays.engine.worker, 2)
  const goRound = async () => {
    for (let turns = 0; turns < 3; turns += 1) await count()
  }
  await goRound()
  await mine.attempt()
  await goRound()
  expect((await mine.call('GET', `/v1/replays/${body.id}`)).body).toMatchObject({ opened: 1, delivered: 1 })
})

test('regression: a replay whose row is damaged does not keep later ones from being counted', async () => {
  const [damaged, mine] = [replays.newWorkspace(), replays.newWorkspace()]
  const ids: string[] = []
  for (const { withDead, call, untilEnded, attempt } of [damaged, mine]) {
    const { body } = await call('POST', `/v1/webhooks/${await withDead(1)}/replays`, period())
    ids.push((await untilEnded(body.id)).id)
    await attempt()
  }
  const { admin, worker } = replays.engine
  const moveVersion = (by: number) =>
    admin.query('update delivery.replays set version = version + $2::int where id = $1', [ids[0], by])
  await moveVersion(-1)
  const count = createOutcomesTurn(worker)
  await expect(count()).rejects.toThrow(AggregateError)
  expect((await mine.call('GET', `/v1/replays/${ids[1]}`)).body).toMatchObject({ opened: 1, delivered: 1 })
  await moveVersion(1)
  await count()
  expect((await damaged.call('GET', `/v1/replays/${ids[0]}`)).body).toMatchObject({ opened: 1, delivered: 1 })
})

test('regression: workspaces whose replays are always due do not keep later ones from their turn', async () => {
  const workspaces = [replays.newWorkspace(), replays.newWorkspace(), replays.newWorkspace()]
  for (const { withDead, call } of workspaces) {
    const webhookId = await withDead(2)
    expect((await call('POST', `/v1/webhooks/${webhookId}/replays`, { ...period(), rate: 1 })).status).toBe(202)
  }
  const turn = createReplayTurn({ pool: replays.engine.worker, onDue: () => undefined, most: 1 })
  for (const _ of workspaces) {
    await turn()
    await replays.engine.admin.query("update delivery.replays set next_turn = now() - interval '1 hour'")
  }
  const begun = await Promise.all(workspaces.map(async ({ call }) => (await call('GET', '/v1/replays')).body.data))
  expect(begun.map(([one]) => one?.opened)).toEqual([1, 1, 1])
})

test('regression: a page whose bodies a filter judges ends with the one that fills 1 MiB, and none is passed over', async () => {
  const { id: workspaceId, publish, subscribe, call } = replays.newWorkspace()
  const id = await subscribe(['invoice.paid'])
  const large = (eventId: string) => JSON.stringify({ id: eventId, data: { number: 1, text: 'x'.repeat(300_000) } })
  const event = { workspaceId, count: 1, type: 'sync.completed', payloadOf: large }
  const events: string[] = []
  for (let nth = 0; nth < 7; nth += 1) events.push(...(await seedEvents(replays.engine, event)))
  await publish({ type: 'campaign.created' })
  const filter = { all: [{ pointer: '/data/number', op: 'eq', value: 1 }] }
  await call('PATCH', `/v1/webhooks/${id}`, { events: ['sync.*'], filter })

  const until = new Date(Date.now() + 60_000).toISOString()
  const selection: Selection = { scope: 'period', ...period(), until, status: ['missing'], types: ['*'] }
  const pageAt = (place: Place): Promise<Page> =>
    withTransaction(replays.engine.worker, { workspaceId }, (tx) =>
      readPage(tx, { webhookId: id, selection }, place, { look: 5_000, rows: 5_000 }),
    )
  const first = await pageAt(firstPlace(selection))
  expect([first.rows.length, first.looked]).toEqual([4, 4])
  if (first.next === null) throw new Error('there are more')
  const second = await pageAt(first.next)
  expect([second.rows.length, second.next]).toEqual([3, null])
  expect([...first.rows, ...second.rows].map(({ eventId }) => eventId)).toEqual(events)
  const counted = await call('POST', `/v1/webhooks/${id}/replays`, { ...period(), dry_run: true })
  expect(counted.body).toMatchObject({ matched: 7, complete: true })
})

test('regression: a replay is shown for 90 days after its last change, then its row and its stream go, one by one, unless what it opened has not ended', async () => {
  const { id: workspaceId, call, withDead, untilEnded, attempt } = replays.newWorkspace()
  await withDead(4)
  const { data } = (await call('GET', '/v1/dead-letters')).body
  const ids: string[] = []
  for (const { id } of data) {
    const { body } = await call('POST', '/v1/replays', { delivery_ids: [id] })
    await untilEnded(body.id)
    ids.push(body.id)
    if (ids.length === 3) {
      await attempt()
      await replays.countOutcomes()
    }
  }
  const { admin, worker } = replays.engine
  const age = (id: string | undefined, days: number) =>
    admin.query(
      "update delivery.replays set updated = now() - $3::int * interval '1 day' where workspace_id = $1 and id = $2",
      [workspaceId, id, days],
    )
  const [older, old, young, open] = ids
  await age(older, 92)
  await age(old, 91)
  await age(young, 89)
  await age(open, 91)
  const left = async () => {
    const { rows } = await admin.query<{ id: string; type: string }>(
      'select distinct stream_id as id, stream_type as type from delivery.stream_events where workspace_id = $1',
      [workspaceId],
    )
    expect(rows.filter(({ type }) => type !== 'replay')).not.toEqual([])
    return rows.flatMap(({ id, type }) => (type === 'replay' ? [id] : [])).toSorted()
  }
  expect(await removeOldReplays(worker, 1)).toBe(true)
  expect(await left()).toEqual([old, young, open].toSorted())
  expect(await removeOldReplays(worker)).toBe(false)
  const list = (await call('GET', '/v1/replays')).body.data
  expect(list.map(({ id }) => id).toSorted()).toEqual([young, open].toSorted())
  expect(await left()).toEqual([young, open].toSorted())
  const found: RowDifference[] = []
  const report = (difference: RowDifference) => void found.push(difference)
  await checkRows({ pool: worker, aggregates: [replayRows], rebuild: true, workspaceId, report })
  // Their ages, which this test has changed, and no row or stream that lacks the other.
  expect(found.map(({ columns }) => columns)).toEqual([['updated'], ['updated']])
})

test('the worker removes events of replays that have no row, and no others', async () => {
  const { id: workspaceId, call, withDead } = replays.newWorkspace()
  await withDead(1)
  const { data } = (await call('GET', '/v1/dead-letters')).body
  await call('POST', '/v1/replays', { delivery_ids: [data[0]?.id] })
  const { worker, http, admin } = replays.engine
  const remove = (pool: typeof worker) =>
    withTransaction(pool, { workspaceId }, async (tx) => (await tx.query('delete from stream_events')).rowCount)
  expect(await remove(worker)).toBe(0)
  await expect(remove(http)).rejects.toMatchObject({ code: '42501' })
  const refused = `delete from delivery.stream_events where workspace_id = $1 and stream_type <> 'replay'`
  await expect(admin.query(refused, [workspaceId])).rejects.toMatchObject({ code: '42501' })
})
