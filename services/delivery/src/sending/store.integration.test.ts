// When the sender may sleep: what `nextDueInMs` says of the lanes; and the tables against their model in the simulation.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { isFullRun } from '@wds/local-infra/test-size'
import { createEngine, type Engine, newId, seedSubscription } from '../engine.fixture.ts'
import { breakerFailures } from '../lanes/domain/lane.ts'
import { Lockstep } from './lane-lockstep.fixture.ts'
import { createClaimStore } from './store.ts'

let engine: Engine
beforeAll(async () => {
  engine = await createEngine()
})
afterAll(() => engine?.stop())

test('the next due time: null while nothing waits (regression: it was 0), 0 once something is due, else the time left', async () => {
  const store = createClaimStore({ pool: engine.worker, disableGone: async () => undefined })
  const workspaceId = newId('wsp')
  const subscription = await seedSubscription(engine, { workspaceId })
  const wait = (nextDue: string) =>
    engine.admin.query(`update delivery.lanes set next_due = ${nextDue} where subscription_id = $1`, [subscription])
  expect(await store.nextDueInMs()).toBeNull()
  await wait("now() - interval '1 minute'")
  expect(await store.nextDueInMs()).toBe(0)
  await wait("now() + interval '1 minute'")
  const ms = await store.nextDueInMs()
  expect(ms).toBeGreaterThan(30_000)
  expect(ms).toBeLessThanOrEqual(60_000)
  await engine.admin.query("update delivery.lanes set ready_at = 'infinity'")
  expect(await store.nextDueInMs()).toBeNull()
})

describe('the model of the simulation', () => {
  const isFull = isFullRun()
  const seed = Number(process.env.WDS_SIMULATION_SEED || (isFull ? Date.now() % 1_000_000 : 1))

  test('claim, settle, replay, disable and enable do the same to deliveries, due rows, leases and lanes as it does', async () => {
    const found = await new Lockstep(engine, { seed }).run(isFull ? 2_000 : 150)
    expect({ seed, found }).toEqual({ seed, found: null })
  })

  test('a breaker that opens one failure later is told', async () => {
    const found = await new Lockstep(engine, { seed: 1, breaker: breakerFailures + 1 }).run(500)
    expect(found?.differences.join()).toContain('lanes: ')
  })
})
