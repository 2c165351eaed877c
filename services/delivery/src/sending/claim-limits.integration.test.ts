// What a claim takes of a lane and of a workspace, each limit by itself; under parallel work: claim-run.integration.test.ts.
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { createEngine, type Engine, newId, seedEvents, seedSubscription } from '../engine.fixture.ts'
import { createFanOut } from '../fan-out/fan-out.ts'
import type { ClaimInput } from './ports.ts'
import { createClaimStore } from './store.ts'

let engine: Engine
beforeAll(async () => {
  engine = await createEngine()
})
afterEach(() =>
  engine.admin.query(
    `delete from delivery.due; delete from delivery.leases; update delivery.lanes set in_flight = 0, next_due = 'infinity'`,
  ),
)
afterAll(() => engine?.stop())

/** The lanes of what a claim took, in their order. */
async function claim(o: Partial<ClaimInput> = {}): Promise<string[]> {
  const store = createClaimStore({ pool: engine.worker, disableGone: async () => undefined })
  const room = { slots: 64, share: 64, busy: [], slowLanes: [], slowRoom: 64 }
  const rows = await store.claim({ claimId: randomUUID(), lanes: 24, leaseMs: 60_000, ...room, ...o })
  return rows.map(({ subscriptionId }) => subscriptionId).sort()
}

/** So many deliveries are due in each lane of a workspace. */
async function publish(workspaceId: string, count: number): Promise<void> {
  await seedEvents(engine, { workspaceId, count })
  const fanOut = createFanOut({ pool: engine.worker, onMade: () => undefined })
  while (await fanOut.turn());
}

/** So many lanes of a new workspace; the first one has waited longest. */
async function lanesOf(count: number): Promise<{ workspaceId: string; ids: string[] }> {
  const workspaceId = newId('wsp')
  const ids: string[] = []
  for (let nth = 0; nth < count; nth += 1) {
    const id = await seedSubscription(engine, { workspaceId })
    await engine.admin.query('update delivery.lanes set last_served = to_timestamp($2) where subscription_id = $1', [
      id,
      nth + 1,
    ])
    ids.push(id)
  }
  return { workspaceId, ids }
}

describe('of a lane a claim takes', () => {
  test.each([
    { cap: 1, most: 8, inFlight: 0, takes: 1 },
    { cap: 4, most: 8, inFlight: 0, takes: 4 },
    { cap: 4, most: 2, inFlight: 0, takes: 2 },
    { cap: 4, most: 8, inFlight: 3, takes: 1 },
    { cap: 8, most: 3, inFlight: 1, takes: 2 },
    { cap: 4, most: 8, inFlight: 4, takes: 0 },
  ])('$takes of 20 with a cap of $cap, at most $most, $inFlight in flight', async ({ cap, most, inFlight, takes }) => {
    const { workspaceId, ids } = await lanesOf(1)
    await publish(workspaceId, 20)
    const sql = 'update delivery.lanes set cap = $2, max_in_flight = $3, in_flight = $4 where subscription_id = $1'
    await engine.admin.query(sql, [ids[0], cap, most, inFlight])
    expect(await claim()).toHaveLength(takes)
    expect(await claim()).toEqual([])
  })
})

test('of a lane whose last attempt timed out a claim takes no more than is left for slow lanes, of another one all', async () => {
  const [timedOut, other] = [await lanesOf(1), await lanesOf(1)]
  for (const { workspaceId } of [timedOut, other]) await publish(workspaceId, 4)
  await engine.admin.query('update delivery.lanes set cap = 4, timed_out = subscription_id = $1', [timedOut.ids[0]])
  const ids = [timedOut.ids[0], ...Array.from({ length: 4 }, () => other.ids[0])]
  expect(await claim({ slowRoom: 1 })).toEqual(ids.sort())
})

describe('regression: lanes of a workspace that are slow do not use up its share', () => {
  test('while the slow share holds nothing more: the others get all of it', async () => {
    const { workspaceId, ids } = await lanesOf(3)
    await publish(workspaceId, 2)
    expect(await claim({ share: 1, slowLanes: ids.slice(0, 2), slowRoom: 0 })).toEqual([ids[2]])
  })

  test('while it holds one: one of them gets its own, and another lane, too', async () => {
    const { workspaceId, ids } = await lanesOf(3)
    await publish(workspaceId, 1)
    expect(await claim({ share: 2, slowLanes: ids.slice(0, 2), slowRoom: 1 })).toEqual([ids[0], ids[2]].sort())
  })
})
