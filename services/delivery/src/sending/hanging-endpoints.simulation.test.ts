// A worker beside a workspace of which many endpoints hang, in virtual time: who waits for them.
import { expect, test } from '@jest/globals'
import { defaultSchedule } from '../deliveries/domain/schedule.ts'
import { type AttemptUnderWay, type ClaimKind, claimRoom, limitsOf } from './domain/fair-share.ts'
import { type Delivery, type Lane, LaneStore, type Lease } from './lane-store.fixture.ts'

const [stepMs, forMs, deadlineMs, answerMs] = [20, 25_000, 10_000, 60]
/** Each of the other endpoints gets a delivery so often. */
const everyMs = 200
/** More claims in one step than a worker makes in 20 ms under load. */
const claimsPerStep = 3

/** The attempts of one worker: claims of both kinds in turn, and ends, by the deadline where the endpoint hangs. */
class Worker {
  readonly #store: LaneStore
  readonly #limits: ReturnType<typeof limitsOf>
  readonly #answersAfterMs: (lane: Lane) => number
  readonly #underWay = new Map<Lease, AttemptUnderWay>()
  #kind: ClaimKind = 'quick'

  /** `answersAfterMs`: of an endpoint; infinite where it hangs. */
  constructor(store: LaneStore, o: { slots: number; answersAfterMs: (lane: Lane) => number }) {
    this.#store = store
    this.#limits = limitsOf(o.slots)
    this.#answersAfterMs = o.answersAfterMs
  }

  /** What the claims of one step get. */
  claim(nowMs: number): Lease[] {
    const all: Lease[] = []
    for (let nth = 0; nth < claimsPerStep; nth += 1) {
      const claimed = this.#claimOnce(nowMs)
      if (claimed === null) break
      all.push(...claimed)
    }
    return all
  }

  /** Null where there is nothing for a claim of the other kind either. */
  #claimOnce(nowMs: number): Lease[] | null {
    this.#kind = this.#kind === 'quick' ? 'slow' : 'quick'
    const room = claimRoom(this.#underWay.values(), { nowMs, limits: this.#limits, kind: this.#kind })
    const o = { nowMs, room, lanes: 32, leaseMs: 30_000, worker: 'one' }
    const claimed = room.slots === 0 ? [] : this.#store.claim(o)
    for (const lease of claimed) {
      const { id: subscriptionId, workspaceId } = lease.delivery.lane
      const { slow } = lease
      this.#underWay.set(lease, { workspaceId, subscriptionId, startedMs: nowMs, slow, spare: room.spare })
    }
    return claimed.length === 0 && room.kind === 'all' ? null : claimed
  }

  endAttempts(nowMs: number): void {
    for (const [lease, { startedMs }] of this.#underWay) {
      const answersAfterMs = this.#answersAfterMs(lease.delivery.lane)
      if (nowMs - startedMs < Math.min(answersAfterMs, deadlineMs)) continue
      this.#underWay.delete(lease)
      const end =
        answersAfterMs > deadlineMs
          ? ({ kind: 'attempt_failed', status: null, error: 'timeout', delayMs: null } as const)
          : ({ kind: 'attempt_succeeded', status: 200, error: null, delayMs: null } as const)
      this.#store.settle(lease, end, nowMs)
    }
  }
}

/** Each endpoint that hangs has a backlog from the start. The longest that a delivery to each of the others waited for its attempt, or still waits, ms. */
function waitsBeside(o: { hanging: number; backlog: number; slots: number }): Record<string, number> {
  const store = new LaneStore(defaultSchedule)
  const addLane = (id: string, workspaceId: string) => store.addLane({ id, workspaceId, maxInFlight: 8, rate: null })
  const hanging = Array.from({ length: o.hanging }, (_, nth) => addLane(`hangs ${nth}`, 'wsp_0'))
  const timedOut = addLane('timed out', 'wsp_2')
  const others = [addLane('of the same workspace', 'wsp_0'), addLane('of another one', 'wsp_1'), timedOut]
  const worker = new Worker(store, {
    slots: o.slots,
    answersAfterMs: (lane) => (hanging.includes(lane) ? Number.POSITIVE_INFINITY : answerMs),
  })
  const dueMs = new Map<string, number>()
  const waits = Object.fromEntries(others.map(({ id }) => [id, 0]))
  const publish = (lane: Lane, nowMs: number) => {
    const id = `dlv_${dueMs.size}`
    dueMs.set(id, nowMs)
    store.schedule(lane, id, nowMs)
  }
  const note = ({ id, lane }: Lease['delivery'], nowMs: number) => {
    const waited = waits[lane.id]
    if (waited !== undefined) waits[lane.id] = Math.max(waited, nowMs - (dueMs.get(id) ?? 0))
  }
  for (const lane of hanging) for (let nth = 0; nth < o.backlog; nth += 1) publish(lane, 0)
  for (let nowMs = 0; nowMs < forMs; nowMs += stepMs) {
    worker.endAttempts(nowMs)
    if (nowMs % everyMs === 0) for (const lane of others) publish(lane, nowMs)
    timedOut.timedOut = true
    for (const { delivery } of worker.claim(nowMs)) note(delivery, nowMs)
  }
  for (const { delivery } of store.due.values()) note(delivery, forMs)
  return waits
}

/**
 * Four workspaces, each with so many endpoints that take so long to answer, for which there is always work, beside an endpoint of another one
 * that is timed out and gets a delivery each second: how long those waited that were born in the last ten seconds.
 */
function waitsOfTimedOut(o: { endpoints: number; tookMs: number; slots: number }): number {
  const store = new LaneStore(defaultSchedule)
  const addLane = (id: string, workspaceId: string) => store.addLane({ id, workspaceId, maxInFlight: 8, rate: null })
  const late = Array.from({ length: 4 * o.endpoints }, (_, nth) => addLane(`late ${nth}`, `wsp_${nth % 4}`))
  const timedOut = addLane('timed out', 'wsp_4')
  const worker = new Worker(store, {
    slots: o.slots,
    answersAfterMs: (lane) => (lane === timedOut ? answerMs : o.tookMs),
  })
  const dueMs = new Map<Delivery, number>()
  const publish = (lane: Lane, nowMs: number) => store.schedule(lane, `dlv_${store.deliveries.length}`, nowMs)
  let waitedMs = 0
  for (let nowMs = 0; nowMs < forMs; nowMs += stepMs) {
    worker.endAttempts(nowMs)
    for (const lane of late.filter((one) => store.nextDueMs(one) === Number.POSITIVE_INFINITY))
      for (let nth = 0; nth < 8; nth += 1) publish(lane, nowMs)
    timedOut.timedOut = true
    const made = nowMs % 1_000 === 0 ? publish(timedOut, nowMs) : null
    if (made !== null) dueMs.set(made, nowMs)
    for (const { delivery } of worker.claim(nowMs)) {
      const sinceMs = dueMs.get(delivery) ?? 0
      if (dueMs.delete(delivery) && sinceMs >= forMs - 10_000) waitedMs = Math.max(waitedMs, nowMs - sinceMs)
    }
  }
  return Math.max(waitedMs, ...[...dueMs.values()].map((sinceMs) => forMs - sinceMs))
}

test.each([1_500, 9_900])(
  'regression: beside four workspaces whose endpoints answer after %d ms one of another that timed out is served, where it had waited until they had no more work',
  (tookMs) => {
    expect(waitsOfTimedOut({ endpoints: 12, tookMs, slots: 32 })).toBeLessThanOrEqual(3_000)
  },
)

test('regression: F32: beside 50 endpoints that hang those of the same workspace wait until the first ones are slow, those of others for nothing, also where the last attempt timed out', () => {
  const waits = waitsBeside({ hanging: 50, backlog: 6, slots: 256 })
  expect(waits).toEqual({ 'of the same workspace': expect.any(Number), 'of another one': 0, 'timed out': 0 })
  expect(waits['of the same workspace']).toBeLessThanOrEqual(1_100)
})

test('regression: F32: with few slots an endpoint is served beside 50 of its workspace that hang, where it had waited for all of them', () => {
  const waits = waitsBeside({ hanging: 50, backlog: 2, slots: 16 })
  expect(waits).toEqual({ 'of the same workspace': expect.any(Number), 'of another one': 0, 'timed out': 0 })
  expect(waits['of the same workspace']).toBeLessThanOrEqual(14_000)
})
