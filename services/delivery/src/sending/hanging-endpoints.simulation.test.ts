// A worker beside a workspace of which many endpoints hang, in virtual time: who waits for them.
import { expect, test } from '@jest/globals'
import { defaultSchedule } from '../deliveries/domain/schedule.ts'
import { type AttemptUnderWay, claimRoom, limitsOf, type Serves } from './domain/fair-share.ts'
import { type Lane, LaneStore, type Lease } from './lane-store.fixture.ts'

const [stepMs, forMs, deadlineMs, quickMs] = [20, 25_000, 10_000, 60]

/** Each endpoint that hangs has so many deliveries from the start; the others get one every 200 ms. How long the first attempts of each of the others waited. */
function waitsBeside(o: { hanging: number; backlog: number; slots: number }): Record<string, number> {
  const store = new LaneStore(defaultSchedule)
  const add = (id: string, workspaceId: string) => store.addLane({ id, workspaceId, maxInFlight: 8, rate: null })
  const hanging = Array.from({ length: o.hanging }, (_, nth) => add(`hangs ${nth}`, 'wsp_0'))
  const others = [add('of the same workspace', 'wsp_0'), add('of another one', 'wsp_1'), add('timed out', 'wsp_2')]
  const limits = limitsOf(o.slots)
  const underWay = new Map<Lease, AttemptUnderWay>()
  const bornMs = new Map<string, number>()
  const waits: Record<string, number> = {}
  let serves: Serves = 'quick'
  const publish = (lane: Lane, nowMs: number) => {
    const id = `dlv_${bornMs.size}`
    bornMs.set(id, nowMs)
    store.schedule(lane, id, nowMs)
  }
  const claim = (nowMs: number): boolean => {
    serves = serves === 'quick' ? 'slow' : 'quick'
    const room = claimRoom(underWay.values(), { nowMs, limits, serves })
    const claimed = room.slots === 0 ? [] : store.claim({ nowMs, room, lanes: 32, leaseMs: 30_000, worker: 'one' })
    for (const lease of claimed) {
      const { id, workspaceId } = lease.delivery.lane
      const { slow, delivery } = lease
      underWay.set(lease, { workspaceId, subscriptionId: id, startedMs: nowMs, slow, spare: room.spare })
      waits[id] = Math.max(waits[id] ?? 0, nowMs - (bornMs.get(delivery.id) ?? nowMs))
    }
    return claimed.length > 0 || room.serves !== 'all'
  }
  const settle = (nowMs: number) => {
    for (const [lease, { startedMs }] of underWay) {
      const hangs = hanging.includes(lease.delivery.lane)
      if (nowMs - startedMs < (hangs ? deadlineMs : quickMs)) continue
      underWay.delete(lease)
      const end = hangs
        ? ({ kind: 'attempt_failed', status: null, error: 'timeout', delayMs: null } as const)
        : ({ kind: 'attempt_succeeded', status: 200, error: null, delayMs: null } as const)
      store.settle(lease, end, nowMs)
    }
  }
  for (const lane of hanging) for (let nth = 0; nth < o.backlog; nth += 1) publish(lane, 0)
  for (let nowMs = 0; nowMs < forMs; nowMs += stepMs) {
    settle(nowMs)
    for (const lane of others) {
      if (nowMs % 200 === 0) publish(lane, nowMs)
      if (lane.id === 'timed out') lane.timedOut = true
    }
    for (let nth = 0; nth < 3 && claim(nowMs); nth += 1);
  }
  for (const { delivery } of store.due.values()) {
    const { id } = delivery.lane
    waits[id] = Math.max(waits[id] ?? 0, forMs - (bornMs.get(delivery.id) ?? 0))
  }
  return Object.fromEntries(others.map(({ id }) => [id, waits[id] ?? forMs]))
}

test('regression: F32: beside 50 endpoints that hang those of the same workspace wait until the first ones are slow, those of others for nothing, also where the last attempt timed out', () => {
  const waits = waitsBeside({ hanging: 50, backlog: 6, slots: 256 })
  expect(waits).toEqual({
    'of the same workspace': expect.any(Number),
    'of another one': 0,
    'timed out': expect.any(Number),
  })
  expect(waits['of the same workspace']).toBeLessThanOrEqual(1_100)
  expect(waits['timed out']).toBeLessThanOrEqual(200)
})

test('regression: F32: with few slots an endpoint is served beside 50 of its workspace that hang, where it had waited for all of them', () => {
  expect(waitsBeside({ hanging: 50, backlog: 2, slots: 16 })['of the same workspace']).toBeLessThanOrEqual(14_000)
})
