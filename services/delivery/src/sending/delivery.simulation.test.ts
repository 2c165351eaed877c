// The delivery engine in virtual time (reliability.md 6): retry planner, delivery machine, shares of a worker, breaker of a lane, lease and
// take-over, under workers that are killed, stand still or end, a database that is away, receivers that fail in every way, disables and
// replays. First safety, judged at every step; then all faults stop, and everything must end. A story is a list of acts, so that a failing
// one is printed as the shortest that fails. Mutants show that each rule is looked at.
import { expect, test } from '@jest/globals'
import { storiesToTell } from '@wds/decider/stories.fixture'
import fc from 'fast-check'
import { type Act, type Core, core, laneLimits, modes, moments, workspaces } from './delivery-acts.fixture.ts'
import { Model } from './delivery-model.fixture.ts'
import type { ClaimRoom, ShareLimits } from './domain/fair-share.ts'
import { LaneStore } from './lane-store.fixture.ts'

const hourMs = 3_600_000
const afterMs = fc.oneof(
  { weight: 3, arbitrary: fc.constant(0) },
  { weight: 2, arbitrary: fc.nat(200) },
  { weight: 3, arbitrary: fc.nat(3_000) },
  { weight: 2, arbitrary: fc.nat(60_000) },
  { weight: 1, arbitrary: fc.nat(8 * hourMs) },
)
const lane = fc.nat(laneLimits.length - 1)
const forMs = fc.integer({ min: 500, max: 60_000 })
const act = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      afterMs,
      do: fc.constant('publish'),
      workspace: fc.nat(workspaces.length - 1),
      count: fc.integer({ min: 1, max: 3 }),
    }),
  },
  { weight: 4, arbitrary: fc.record({ afterMs, do: fc.constant('mode'), lane, mode: fc.constantFrom(...modes) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      afterMs,
      do: fc.constant('harm'),
      at: fc.constantFrom(...moments),
      how: fc.constantFrom('kill', 'stop', 'terminate'),
      worker: fc.nat(1),
      forMs,
    }),
  },
  { weight: 1, arbitrary: fc.record({ afterMs, do: fc.constant('database'), forMs }) },
  { weight: 2, arbitrary: fc.record({ afterMs, do: fc.constantFrom('disable', 'enable', 'enable'), lane }) },
  { weight: 2, arbitrary: fc.record({ afterMs, do: fc.constant('replay'), which: fc.nat(200) }) },
) as fc.Arbitrary<Act>
const story = fc.record({ seed: fc.nat(), acts: fc.array(act, { minLength: 10, maxLength: 40 }) })
type Story = typeof story extends fc.Arbitrary<infer T> ? T : never

/** A lane with a rate of 5 a second has up to so much before the last one. */
const mostLateMs = 60_000

function tell({ seed, acts }: Story, using: Core = core): Model {
  const model = new Model(using, seed)
  for (const one of acts) model.act(one)
  model.heal()
  model.oracle.judgeEnd(mostLateMs)
  return model
}

const stories = storiesToTell(fc.defaultReportMessage)

test(`I1, I3, I4, I5, I6, I7, I21: in ${stories.numRuns} stories of faults no delivery is lost, early, tried too often or by two, one workspace takes no more than its share, and all end`, () => {
  fc.assert(
    fc.property(story, (one) => void tell(one)),
    stories,
  )
})

test('the stories contain what they are about', () => {
  const seen = new Set<string>()
  for (const one of fc.sample(story, { numRuns: 60, seed: 1 })) for (const what of tell(one).oracle.seen) seen.add(what)
  expect([...seen].sort()).toEqual(
    [
      ...['attempt_succeeded', 'attempt_failed', 'attempt_unknown', 'attempt_released', 'fenced', 'half open'],
      ...['replay', 'attempts_exhausted', 'subscription_disabled'],
    ].sort(),
  )
})

/** A store of which one thing is otherwise. */
const storeWith = (change: (store: LaneStore) => Partial<LaneStore>): Partial<Core> => ({
  newStore(schedule) {
    const store = new LaneStore(schedule)
    return Object.assign(store, change(store))
  },
})

test.each<[string, Partial<Core>, RegExp]>([
  ['a delay that is a tenth too short', shorter(0.9), /I5: .* early/],
  [
    'a second unknown attempt that is due at once',
    { settlementOf: (end, o) => core.settlementOf(end, { ...o, wasUnknown: false }) },
    /I5: .* early/,
  ],
  [
    'Retry-After that nobody reads',
    { settlementOf: (end, o) => core.settlementOf({ ...end, retryAfter: null }, o) },
    /I5: .* early/,
  ],
  ['a seventh attempt', { schedule: { ...core.schedule, attempts: 7 } }, /I4: attempt 7/],
  ['a fifth attempt that is the last', { schedule: { ...core.schedule, attempts: 5 } }, /I3: exhausted after 5/],
  [
    'an attempt that our stop cut off and that counts',
    { settlementOf: (end, o) => core.settlementOf(end, { ...o, isStopping: false }) },
    /I4: our own stop/,
  ],
  ['no take-over', { takesOver: false }, /for ever|does not come to rest/],
  [
    'a settle without a fence',
    storeWith((store) => ({
      settle: (lease, ended, nowMs) =>
        LaneStore.prototype.settle.call(store, store.leases.get(lease.delivery) ?? lease, ended, nowMs),
    })),
    /I7: a late worker/,
  ],
  [
    'a retry that nobody queues',
    storeWith((store) => ({
      settle(lease, ended, nowMs) {
        const isWritten = LaneStore.prototype.settle.call(store, lease, ended, nowMs)
        if (isWritten && ended.kind === 'attempt_failed') store.due.delete(lease.delivery)
        return isWritten
      },
    })),
    /I1: .* stands in 0 places/,
  ],
  [
    'a success that is noted as a failure',
    {
      settlementOf: (end, o) => core.settlementOf(end.status === 200 ? { ...end, status: 500 } : end, o),
    },
    /./,
  ],
  [
    'a failure that is noted as a success',
    {
      settlementOf: (end, o) => core.settlementOf(end.status === 500 ? { ...end, status: 200 } : end, o),
    },
    /I3: delivered, though/,
  ],
  ['no share of a workspace', roomWith(() => ({ share: 64 })), /isolation: .* of one workspace/],
  ['no share of slow lanes', limitsWith(() => ({ slowShare: 64 })), /isolation: .* of slow lanes$/],
  [
    'no bound of a workspace in the slow share',
    limitsWith(() => ({ slowPerWorkspace: 64 })),
    /isolation: .* of slow lanes of one workspace/,
  ],
  [
    'more claims than slots',
    roomWith((room) => ({ slots: room.slots + Number(!room.spare) })),
    /isolation: more attempts than slots/,
  ],
  ['more claims than spare slots', limitsWith(() => ({ spareSlots: 64 })), /isolation: more attempts than spare slots/],
  [
    'no bound of a workspace in one claim of spare slots',
    limitsWith(() => ({ sparePerClaim: 64 })),
    /isolation: spare slots of one workspace in one claim/,
  ],
  [
    'no bound of a workspace in spare slots at a time',
    limitsWith(() => ({ sparePerWorkspace: 64 })),
    /isolation: spare slots of one workspace at a time/,
  ],
  [
    'a spare slot for a lane that has something under way',
    roomWith(({ spare, slowLanes }) => ({ slowLanes: spare ? [] : slowLanes })),
    /isolation: a spare slot for a lane that has/,
  ],
  [
    'a spare slot for a slow lane',
    roomWith(({ spare, slowRoom }) => ({ slowRoom: spare ? 1 : slowRoom })),
    /isolation: a spare slot for a slow lane/,
  ],
  [
    'no share of a workspace in spare slots',
    roomWith(({ spare, busy }) => ({ busy: spare ? [] : busy })),
    /isolation: (\d+|spare) slots of one workspace/,
  ],
  [
    'a breaker that never opens',
    storeWith((store) => ({
      settle(lease, ended, nowMs) {
        const { cap } = lease.delivery.lane
        const isWritten = LaneStore.prototype.settle.call(store, lease, ended, nowMs)
        lease.delivery.lane.cap = Math.max(cap, lease.delivery.lane.cap)
        return isWritten
      },
    })),
    /breaker: /,
  ],
  [
    'a lane that is claimed beyond its limit',
    storeWith((store) => ({
      claim(i) {
        for (const one of store.lanes.values())
          Object.assign(one, { maxInFlight: one.maxInFlight + 1, cap: one.cap + 1 })
        const claimed = LaneStore.prototype.claim.call(store, i)
        for (const one of store.lanes.values())
          Object.assign(one, { maxInFlight: one.maxInFlight - 1, cap: one.cap - 1 })
        return claimed
      },
    })),
    /I22: .* under way of/,
  ],
  [
    'a parked lane that is served',
    storeWith((store) => ({
      park(one) {
        LaneStore.prototype.park.call(store, one)
        one.readyAtMs = -1
      },
    })),
    /I7: claimed though its/,
  ],
])('a mutant is caught: %s', (_title, mutant, breach) => {
  const using = { ...core, ...mutant }
  const { failed, errorInstance } = fc.check(
    fc.property(story, (one) => void tell(one, using)),
    { numRuns: 300, seed: 7, endOnFailure: true },
  )
  expect([failed, String(errorInstance)]).toEqual([true, expect.stringMatching(breach)])
})

function shorter(by: number): Partial<Core> {
  return {
    settlementOf(end, o) {
      const settlement = core.settlementOf(end, o)
      return { ...settlement, delayMs: settlement.delayMs === null ? null : Math.floor(settlement.delayMs * by) }
    },
  }
}

function limitsWith(change: (limits: ShareLimits) => Partial<ShareLimits>): Partial<Core> {
  return {
    claimRoom: (underWay, o) => core.claimRoom(underWay, { ...o, limits: { ...o.limits, ...change(o.limits) } }),
  }
}

function roomWith(change: (room: ClaimRoom) => Partial<ClaimRoom>): Partial<Core> {
  return {
    claimRoom(...of) {
      const room = core.claimRoom(...of)
      return { ...room, ...change(room) }
    },
  }
}
