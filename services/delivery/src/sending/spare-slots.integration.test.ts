// Spare slots on the real tables (decision 93): who gets them, and how many there are.
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import { type AttemptUnderWay, claimRoom, limitsOf, slowAfterMs } from './domain/fair-share.ts'
import {
  createSenderRig,
  endTest,
  openWide,
  publish,
  receiver,
  type SenderRig,
  send,
  subscribe,
  until,
} from './sender.fixture.ts'

let rig: SenderRig
beforeAll(async () => {
  rig = await createSenderRig()
})
afterEach(() => endTest(rig))
afterAll(() => rig?.engine.stop())

test('F32: while endpoints that hang for the first time hold every slot, one that answers gets one of the spare slots, and they get none', async () => {
  const limits = limitsOf(16)
  const underWay: AttemptUnderWay[] = []
  const claim = async () => {
    const { spare, kind: _, ...room } = claimRoom(underWay, { nowMs: slowAfterMs, limits, kind: 'slow' })
    const claimed = await rig.store.claim({ ...room, claimId: randomUUID(), lanes: 24, leaseMs: 60_000 })
    for (const { workspaceId, subscriptionId, slow } of claimed)
      underWay.push({ workspaceId, subscriptionId, slow, spare, startedMs: 0 })
    return claimed.map(({ subscriptionId }) => subscriptionId)
  }
  for (let i = 0; i < 8; i += 1) {
    const { workspaceId } = await subscribe(rig, { url: 'http://127.0.0.1:9/hangs' })
    await publish(rig, { workspaceId, count: 10 })
  }
  await openWide(rig)
  while (underWay.length < 16) expect(await claim()).not.toEqual([])
  expect(await claim()).toEqual([])
  const answers = await subscribe(rig, { url: 'http://127.0.0.1:9/answers' })
  await publish(rig, { workspaceId: answers.workspaceId, count: 3 })
  expect(await claim()).toEqual([answers.id])
  expect(await claim()).toEqual([])
})

test('regression: while more endpoints hang than there are slots, a sender gives out spare slots, and starts no more attempts within a second than slots and spare ones', async () => {
  const hanging = await receiver(rig)
  hanging.setMode('hang')
  const slots = 8
  const most = slots + limitsOf(slots).spareSlots
  for (let i = 0; i < 3 * most; i += 1) {
    const { workspaceId } = await subscribe(rig, { url: `${hanging.url}/hooks/a` })
    await publish(rig, { workspaceId, count: 1 })
  }
  const begun: { atMs: number; count: number; isSpare: boolean }[] = []
  send(rig, {
    settings: { slots, deadlineMs: 60_000, leaseMs: 90_000 },
    store: {
      ...rig.store,
      async claim(input) {
        const claimed = await rig.store.claim(input)
        const isSpare = input.share === limitsOf(slots).sparePerClaim
        begun.push({ atMs: performance.now(), count: claimed.length, isSpare })
        return claimed
      },
    },
  })
  await until(() => hanging.received.length === 3 * most)
  expect(begun.some(({ isSpare, count }) => isSpare && count > 0)).toBe(true)
  // An attempt is young for so long after its claim, at least.
  const within = begun.map(({ atMs }) =>
    begun
      .filter((one) => one.atMs <= atMs && one.atMs >= atMs - slowAfterMs)
      .reduce((sum, { count }) => sum + count, 0),
  )
  expect(Math.max(...within)).toBeLessThanOrEqual(most)
})
