// How a claim and what is booked beside it share the room of a worker.
import { expect, test } from '@jest/globals'
import { createProgress } from '@wds/telemetry/progress'
import type { AttemptUnderWay } from '../../domain/fair-share.ts'
import { attemptKey, createBook, type Wanted } from './booking.ts'
import { createClaimLoop } from './claim-loop.ts'
import type { ClaimedAttempt, ClaimStore } from './send-ports.ts'
import { defaultSenderSettings } from './sender-settings.ts'

type ClaimInput = Parameters<ClaimStore['claim']>[0]
type Answer = (wanted: { workspaceId: string; lane?: string }[]) => void

// Of 16 slots a workspace has 4.
const settings = { ...defaultSenderSettings, slots: 16, lanes: 32, pollMs: 1 }

/** A loop whose claims wait for their answer; `next`: the coming claim. */
function createRig() {
  const underWay = new Map<string, AttemptUnderWay>()
  const asked: { input: ClaimInput; answer: Answer; fail(): void }[] = []
  let onAsked = Promise.withResolvers<void>()
  let isStopping = false
  let count = 0
  const start = (attempt: ClaimedAttempt) => {
    underWay.set(attemptKey(attempt), { ...attempt, startedMs: performance.now() })
  }
  const claims = createClaimLoop({
    store: {
      claim(input) {
        const { promise, resolve, reject } = Promise.withResolvers<ClaimedAttempt[]>()
        const answer: Answer = (wanted) =>
          resolve(wanted.map((one) => ({ ...wantedOf(one), claimId: input.claimId, slow: false }) as ClaimedAttempt))
        asked.push({ input, answer, fail: () => reject(new Error('the database is away')) })
        onAsked.resolve()
        return promise
      },
      nextDueInMs: async () => 0,
    },
    ...{ settings, underWay, start, loop: createProgress().loop('send-claim') },
    logger: { warn: () => undefined, error: () => undefined },
    isStopping: () => isStopping,
  })
  const wantedOf = (one: { workspaceId: string; lane?: string }): Wanted => {
    count += 1
    return { workspaceId: one.workspaceId, subscriptionId: one.lane ?? one.workspaceId, deliveryId: `dlv_${count}` }
  }
  const book = createBook({ settings, underWay, start, claimed: claims.claimed, onFree: () => undefined })
  const running = claims.run()
  return {
    underWay,
    claims,
    /** How many of those are booked. */
    book: (workspaceIds: string[]) =>
      book(workspaceIds.map((workspaceId) => wantedOf({ workspaceId })))?.places.filter((place) => place !== null)
        .length ?? 0,
    async next() {
      while (asked.length === 0) {
        claims.look()
        await onAsked.promise
        onAsked = Promise.withResolvers()
      }
      return asked.shift() as (typeof asked)[number]
    },
    async stop() {
      isStopping = true
      for (const { answer } of asked) answer([])
      claims.look()
      await running
    },
  }
}

/** What was answered has been dealt with. */
const settled = () => new Promise(setImmediate)

const each = (count: number, prefix = 'w') => Array.from({ length: count }, (_, n) => `${prefix}${n}`)

test('nothing is booked beside the first claim, nor where a claim may have left something', async () => {
  const rig = createRig()
  const first = await rig.next()
  expect([first.input.slots, first.input.share, rig.book(each(2))]).toEqual([16, 4, 0])
  first.answer(each(16).map((workspaceId) => ({ workspaceId })))
  await settled()
  rig.underWay.clear()
  const second = await rig.next()
  expect([second.input.slots, rig.book(each(2))]).toEqual([16, 0])
  second.answer([])
  await rig.stop()
})

test('beside a claim that leaves nothing the other half is booked: together never more than the slots, and than the share of a workspace', async () => {
  const rig = createRig()
  ;(await rig.next()).answer([{ workspaceId: 'a' }])
  const claim = await rig.next()
  const ofA = claim.input.share - (claim.input.busy.find(({ workspaceId }) => workspaceId === 'a')?.used ?? 0)
  expect([claim.input.slots, claim.input.share, ofA]).toEqual([8, 2, 2])
  // Of 16 one is under way and 8 are the claim's; of a share of 4, `a` has one under way and 2 are the claim's, of `b` 2 are.
  expect(rig.book(['a', 'a', 'b', 'b', 'b', ...each(9)])).toBe(7)
  expect([...rig.underWay.values()].filter(({ workspaceId }) => workspaceId === 'a')).toHaveLength(2)
  expect([...rig.underWay.values()].filter(({ workspaceId }) => workspaceId === 'b')).toHaveLength(2)
  claim.answer(each(8, 'x').map((workspaceId) => ({ workspaceId })))
  await settled()
  expect(rig.underWay.size).toBe(16)
  // It took all that it was told of: what it left, if anything, is next.
  expect(rig.book(['c'])).toBe(0)
  await rig.stop()
})

test('a workspace that got all it could waits for the claim, which gets the whole; others are booked', async () => {
  const rig = createRig()
  const first = await rig.next()
  first.answer(['1', '2', '3', '4'].map((lane) => ({ workspaceId: 'a', lane })))
  await settled()
  for (const key of [...rig.underWay.keys()].slice(0, 2)) rig.underWay.delete(key)
  expect([rig.book(['a']), rig.book(['b'])]).toEqual([0, 1])
  const second = await rig.next()
  expect([second.input.slots, second.input.share]).toEqual([13, 4])
  expect(rig.book(['c'])).toBe(0)
  second.answer([])
  await settled()
  // Two of its share were left, and it did not want them; the next claim may take one.
  expect(rig.book(['a'])).toBe(1)
  await rig.stop()
})

test('beside and behind a claim that fails nothing is booked', async () => {
  const rig = createRig()
  ;(await rig.next()).answer([])
  const claim = await rig.next()
  expect(rig.book(['a'])).toBe(1)
  claim.fail()
  await settled()
  expect(rig.book(['b'])).toBe(0)
  const whole = await rig.next()
  expect([whole.input.slots, rig.book(['b'])]).toEqual([15, 0])
  whole.answer([])
  await rig.stop()
})
