// What metrics say of work that waits: every due lane is counted, under the one reason that keeps it (stack.md 8.8).
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { createEngine, type Engine, newId, seedEvents, seedSubscription } from '../engine.fixture.ts'
import { breakerFailures } from '../lanes/domain/lane.ts'
import { readEngineCounts, readWaitingLanes, waitReasons } from './store.ts'

let engine: Engine
const workspaceId = newId('wsp')
beforeAll(async () => {
  engine = await createEngine()
})
afterAll(() => engine?.stop())
beforeEach(async () => {
  await engine.admin.query("update delivery.lanes set next_due = 'infinity', cap = 2, failures = 0")
})

/** A lane whose oldest delivery fell due so many seconds ago, with further columns set. */
async function lane(dueSecondsAgo: number, set = ''): Promise<void> {
  const id = await seedSubscription(engine, { workspaceId })
  await engine.admin.query(
    `update delivery.lanes set next_due = now() - $2 * interval '1 s'${set && `, ${set}`} where subscription_id = $1`,
    [id, dueSecondsAgo],
  )
}

const inWords = async () =>
  (await readWaitingLanes(engine.worker, breakerFailures))
    .map(({ reason, lanes, ageSeconds }) => `${reason}: ${lanes}, ${Math.floor(ageSeconds / 10) * 10} s`)
    .sort()

describe('lanes that wait', () => {
  test('a lane without a due delivery is not there', async () => {
    await lane(-60)
    expect(await inWords()).toEqual([])
  })

  test.each([
    ['ready', ''],
    ['capped', 'in_flight = 2'],
    ['capped', 'cap = 8, max_in_flight = 1, in_flight = 1'],
    ['throttled', "ready_at = now() + interval '1 min'"],
    ['breaker', `cap = 1, failures = ${breakerFailures}`],
    ['breaker', `cap = 1, in_flight = 1, failures = ${breakerFailures}`],
    ['ready', 'cap = 1, failures = 1'],
    ['held', "held_since = now(), cap = 1, ready_at = now() + interval '1 min'"],
    ['parked', "ready_at = 'infinity', held_since = now()"],
  ])('%s: %s', async (reason, set) => {
    expect(waitReasons).toContain(reason)
    await lane(65, set)
    expect(await inWords()).toEqual([`${reason}: 1, 60 s`])
  })

  test('the oldest of a reason counts, and no reason hides another', async () => {
    await lane(25)
    await lane(95)
    await lane(995, "ready_at = 'infinity'")
    expect(await inWords()).toEqual(['parked: 1, 990 s', 'ready: 2, 90 s'])
  })
})

describe('counts of the engine', () => {
  test('leases by state, half open lanes that are not parked, age of what waits for fan out', async () => {
    const idle = await readEngineCounts(engine.worker, breakerFailures)
    expect(idle).toEqual({ leasesRunning: 0, leasesExpired: 0, breakersHalfOpen: 0, fanOutAgeSeconds: 0 })
    await lane(-60, `cap = 1, failures = ${breakerFailures}`)
    await lane(-60, `cap = 1, failures = ${breakerFailures}, ready_at = 'infinity'`)
    const [oldest] = (await seedEvents(engine, { workspaceId, count: 3 })).sort()
    await engine.admin.query("update delivery.events set created = now() - interval '45 s' where event_id = $1", [
      oldest,
    ])
    for (const [seconds, count] of [
      [30, 2],
      [-5, 1],
    ] as const) {
      await engine.admin.query(
        `insert into delivery.leases (workspace_id, subscription_id, delivery_id, claim_id, lease_end, started, priority, due_at, event_day, event_id, epoch, attempt)
         select $1, 'whk_x', 'dlv_' || $3::int || '_' || n, $2, now() + $3::int * interval '1 s', now(), 0, now(), current_date, 'evt_x', 1, 1 from generate_series(1, $4) n`,
        [workspaceId, randomUUID(), seconds, count],
      )
    }
    const counts = await readEngineCounts(engine.worker, breakerFailures)
    expect(counts).toMatchObject({ leasesRunning: 2, leasesExpired: 1, breakersHalfOpen: 1 })
    expect(Math.floor(counts.fanOutAgeSeconds / 10)).toBe(4)
  })
})
