// Days of events, deliveries and their log on the real Postgres: made ahead, dropped by age and only when nothing waits in them.
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createEngine, type Engine, newId, seedEvents, seedSubscription } from '../engine.fixture.ts'
import { createFanOut } from '../fan-out/fan-out.ts'
import { dropOldDays, existingDays, makeDays } from './store.ts'

let engine: Engine
beforeAll(async () => {
  engine = await createEngine()
})
afterAll(() => engine?.stop())

const dayMs = 86_400_000
const nowMs = Date.now()
const dayOf = (ago: number) => new Date(nowMs - ago * dayMs).toISOString().slice(0, 10)
const make = (ago: number) => engine.worker.query('select make_partitions($1)', [dayOf(ago)])

test('a week back and three days ahead are there, and made once', async () => {
  const days = await makeDays(engine.worker, nowMs)
  for (let ago = 8; ago >= -3; ago -= 1) expect([ago, days.has(dayOf(ago))]).toEqual([ago, true])
  expect(await makeDays(engine.worker, nowMs)).toEqual(days)
  expect(await existingDays(engine.worker)).toEqual(days)
})

test('days older than 32 are dropped, all tables of them, but for one in which something waits', async () => {
  for (const ago of [32, 33, 34, 35]) await make(ago)
  const workspaceId = newId('wsp')
  await seedSubscription(engine, { workspaceId })
  await seedEvents(engine, { workspaceId, count: 1, atMs: nowMs - 34 * dayMs })
  expect(await dropOldDays(engine.worker, nowMs)).toEqual([dayOf(35), dayOf(33)])
  const fanOut = createFanOut({ pool: engine.worker, onMade: () => undefined })
  while (await fanOut.turn());
  // The delivery waits now, no longer its event.
  expect(await dropOldDays(engine.worker, nowMs)).toEqual([])
  await engine.admin.query('delete from delivery.due where workspace_id = $1', [workspaceId])
  expect(await dropOldDays(engine.worker, nowMs)).toEqual([dayOf(34)])
  const days = await existingDays(engine.worker)
  expect([32, 33, 34, 35].map((ago) => days.has(dayOf(ago)))).toEqual([true, false, false, false])
  const { rows } = await engine.admin.query<{ name: string }>(
    "select relname as name from pg_class where relnamespace = 'delivery'::regnamespace and relname like any($1)",
    [[33, 34, 35].map((ago) => `%${dayOf(ago).replaceAll('-', '')}%`)],
  )
  expect(rows).toEqual([])
})

test('the database refuses to drop a day that is kept', async () => {
  await expect(engine.worker.query('select drop_partitions($1)', [dayOf(31)])).rejects.toThrow('retention is 32 days')
})
