// Slots that are kept for deliveries while they are made.
import { beforeEach, expect, test } from '@jest/globals'
import type { AttemptUnderWay, ClaimedRoom } from '../../domain/fair-share.ts'
import { attemptKey, type Book, createBook, type Wanted } from './booking.ts'
import type { ClaimedAttempt } from './send-ports.ts'
import { defaultSenderSettings } from './sender-settings.ts'

// Of 8 slots a workspace has 2.
const settings = { ...defaultSenderSettings, slots: 8 }
let underWay: Map<string, AttemptUnderWay>
let started: { deliveryId: string; leaseUntilMs: number }[]
let freed: number
let claimed: ClaimedRoom | null
let book: Book

beforeEach(() => {
  underWay = new Map()
  started = []
  freed = 0
  claimed = { claim: null, short: new Set() }
  book = createBook({
    settings,
    underWay,
    claimed: () => claimed,
    start(attempt, leaseUntilMs) {
      started.push({ deliveryId: attempt.deliveryId, leaseUntilMs })
      underWay.set(attemptKey(attempt), { ...attempt, startedMs: performance.now() })
    },
    onFree: () => {
      freed += 1
    },
  })
})

let made = 0
const wanted = (workspaceId: string, subscriptionId = `${workspaceId} lane`): Wanted => {
  made += 1
  return { deliveryId: `dlv_${made}`, subscriptionId, workspaceId }
}
const attemptOf = (one: Wanted, claimId: string) => ({ ...one, claimId, slow: false }) as ClaimedAttempt
const busy = (count: number, o: Partial<AttemptUnderWay> = {}) => {
  for (let n = 0; n < count; n += 1) {
    const one = {
      workspaceId: `busy ${n}`,
      subscriptionId: `busy ${n}`,
      slow: false,
      startedMs: performance.now(),
      ...o,
    }
    underWay.set(`busy/${underWay.size}`, one)
  }
}

test('gives each delivery its place in its lane, as far as the share of its workspace reaches', () => {
  const all = [wanted('a'), wanted('b'), wanted('a'), wanted('a'), wanted('b', 'other lane')]
  expect(book(all)?.places).toEqual([1, 1, 2, null, 1])
  expect(underWay.size).toBe(4)
  // What is booked counts.
  expect(book([wanted('a')])).toBeNull()
  expect(book([wanted('c')])?.places).toEqual([1])
})

test('never books more than the free slots', () => {
  busy(6)
  expect(book(['a', 'b', 'c'].map((id) => wanted(id)))?.places).toEqual([1, 1, null])
  expect(book([wanted('d')])).toBeNull()
})

test('leaves a slow lane to the claim, and what others wait for: of their workspace, or everything', () => {
  busy(1, { workspaceId: 'a', subscriptionId: 'slow', startedMs: performance.now() - 2_000 })
  expect(book([wanted('a', 'slow'), wanted('b')])?.places).toEqual([null, 1])
  claimed = { claim: null, short: new Set(['c']) }
  expect(book([wanted('c')])).toBeNull()
  claimed = null
  expect(book([wanted('c')])).toBeNull()
  expect(underWay.size).toBe(2)
})

test('leaves a claim under way what it was told of, whatever began or ended meanwhile', () => {
  const told = { slots: 3, share: 1, busy: [{ workspaceId: 'a', used: 1 }], slowLanes: [], slowRoom: 1 }
  claimed = { claim: told, short: new Set() }
  busy(1, { workspaceId: 'a' })
  busy(2)
  // 2 of 5 free slots; of its share of 2, `a` has one left, `b` one beside the claim's.
  expect(book([wanted('a'), wanted('a'), wanted('b'), wanted('b'), wanted('c')])?.places).toEqual([
    1,
    null,
    1,
    null,
    null,
  ])
  claimed = { claim: null, short: new Set() }
  expect(book(['b', 'c', 'd', 'e'].map((id) => wanted(id)))?.places).toEqual([1, 1, 1, null])
})

test('starts what was claimed, under a lease that began with the booking, and frees the rest', () => {
  const all = [wanted('a'), wanted('b'), wanted('c')] as const
  const beganMs = performance.now()
  const booking = book(all)
  booking?.begin([attemptOf(all[1], booking.claimId)])
  expect(started.map((one) => one.deliveryId)).toEqual([all[1].deliveryId])
  expect(started[0]?.leaseUntilMs).toBeGreaterThanOrEqual(beganMs + settings.leaseMs)
  expect(started[0]?.leaseUntilMs).toBeLessThanOrEqual(performance.now() + settings.leaseMs)
  expect([...underWay.values()].map((one) => one.workspaceId)).toEqual(['b'])
  expect(freed).toBe(1)
})

test('frees all of them where nothing was claimed', () => {
  const booking = book([wanted('a'), wanted('b')])
  booking?.end()
  expect([underWay.size, started.length, freed]).toEqual([0, 0, 1])
})
