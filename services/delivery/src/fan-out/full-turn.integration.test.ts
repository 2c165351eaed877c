// A turn of the fan out that cannot take something of every workspace that waits.
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createEngine, type Engine, newId, seedEvents, seedSubscription } from '../engine.fixture.ts'
import { createFanOut } from './fan-out.ts'

let engine: Engine
beforeAll(async () => {
  engine = await createEngine()
})
afterAll(() => engine?.stop())

/** 49 more of each subscription, so that one event of a workspace makes 50 deliveries. */
async function copySubscriptions(): Promise<void> {
  await engine.admin.query(`with more as (
      insert into delivery.subscriptions (workspace_id, subscription_id, status, url, events, headers, version, state, created, updated)
      select workspace_id, subscription_id || n, status, url, events, headers, version, state, created, updated
        from delivery.subscriptions cross join generate_series(1, 49) n returning workspace_id, subscription_id)
    insert into delivery.lanes (workspace_id, subscription_id, max_in_flight, cap) select workspace_id, subscription_id, 8, 2 from more`)
}

test('regression: whoever gets nothing of a full turn is the first of the next one, however much waits before it', async () => {
  const workspaces = Array.from({ length: 12 }, () => newId('wsp')).sort()
  const last = workspaces.pop() as string
  for (const workspaceId of workspaces) {
    await seedSubscription(engine, { workspaceId })
    await seedEvents(engine, { workspaceId, count: 3 })
  }
  await copySubscriptions()
  await seedSubscription(engine, { workspaceId: last })
  await seedEvents(engine, { workspaceId: last, count: 1 })
  const fanOut = createFanOut({ pool: engine.worker, onMade: () => undefined })
  expect([await fanOut.turn(), await fanOut.turn()]).toEqual([true, true])
  const { rows } = await engine.worker.query<{ id: string; n: number }>(
    'select workspace_id as id, count(distinct event_id)::int as n from deliveries group by 1 order by 1',
  )
  // The second turn began with the two that were left out, and took all of theirs.
  expect(rows).toEqual([...workspaces, last].map((id, nth) => ({ id, n: nth < 10 || id === last ? 1 : 3 })))
})
