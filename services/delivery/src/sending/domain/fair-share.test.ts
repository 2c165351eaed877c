// What a worker may claim (stack.md 7.5, 7.6).
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { claimRoom, limitsOf } from './fair-share.ts'

const attempt = (n: number, o: { startedMs?: number; slow?: boolean; spare?: boolean; workspace?: number } = {}) => ({
  workspaceId: `wsp_${o.workspace ?? n}`,
  subscriptionId: `whk_${n}`,
  startedMs: o.startedMs ?? 0,
  slow: o.slow ?? false,
  spare: o.spare ?? false,
})

describe('claimRoom', () => {
  test('the defaults are 256 slots, a quarter for a workspace, a quarter for slow lanes, a quarter to spare', () => {
    const quarters = { workspaceShare: 64, slowShare: 64, spareSlots: 64 }
    expect(limitsOf(256)).toEqual({ slots: 256, ...quarters, sparePerClaim: 4, sparePerWorkspace: 16 })
    const ones = { workspaceShare: 1, slowShare: 1, spareSlots: 1, sparePerClaim: 1, sparePerWorkspace: 1 }
    for (const slots of [1, 2, 3, 4]) expect(limitsOf(slots)).toEqual({ slots, ...ones })
  })

  test('F32: while 40 endpoints that hang for the first time hold 64 slots, others get the spare ones, and all of them after 1 s', () => {
    const hanging = Array.from({ length: 64 }, (_, i) => attempt(i % 40))
    const lanes = Array.from({ length: 40 }, (_, i) => `whk_${i}`)
    const first = claimRoom(hanging, 1_000, limitsOf(64))
    expect(first).toMatchObject({ slots: 16, share: 1, slowRoom: 0, spare: true })
    expect(first.slowLanes.toSorted()).toEqual(lanes.toSorted())
    const later = claimRoom(hanging, 1_001, limitsOf(64))
    expect(later).toMatchObject({ slots: 64, slowRoom: 0, spare: false })
    expect(later.slowLanes.toSorted()).toEqual(lanes.toSorted())
  })

  test('spare slots are there only while no other is free, and are bounded', () => {
    const [slots, more] = [8, 2]
    const holding = (young: number, spare: number) =>
      claimRoom(
        Array.from({ length: young + spare }, (_, i) => attempt(i, { spare: i >= young })),
        0,
        limitsOf(slots),
      )
    expect(holding(7, 0)).toMatchObject({ slots: 1, slowLanes: [], slowRoom: 2, spare: false })
    expect(holding(8, 0)).toMatchObject({ slots: more, slowRoom: 0, spare: true })
    expect(holding(8, 1)).toMatchObject({ slots: 1, slowRoom: 0, spare: true })
    expect(holding(8, 2)).toMatchObject({ slots: 0 })
  })

  test('regression: no more attempts got a spare slot than there are, so that in a backlog a slot becomes free, which goes to all lanes', () => {
    const holding = (young: number) =>
      claimRoom(
        Array.from({ length: young }, (_, i) => attempt(i, { spare: i < 2 })),
        0,
        limitsOf(8),
      )
    for (const young of [8, 9, 10]) expect(holding(young)).toMatchObject({ slots: 0 })
    expect(holding(7)).toMatchObject({ slots: 1, share: 2, slowRoom: 2, spare: false })
  })

  test('a spare slot is free again, also for its workspace, once its attempt is older than 1 s', () => {
    const spare = Array.from({ length: 2 }, (_, i) => attempt(i, { spare: true }))
    const others = Array.from({ length: 8 }, (_, i) => attempt(10 + i, { startedMs: 1_000 }))
    const roomAt = (nowMs: number) => {
      const { slots, share, busy } = claimRoom([...spare, ...others], nowMs, limitsOf(8))
      return { slots, left: share - (busy.find(({ workspaceId }) => workspaceId === 'wsp_0')?.used ?? 0) }
    }
    expect(roomAt(1_000)).toEqual({ slots: 0, left: 0 })
    expect(roomAt(1_001)).toEqual({ slots: 2, left: 1 })
  })

  test('of the spare slots a workspace gets some in one claim, more in the next ones, and none once its share is used up', () => {
    const limits = limitsOf(256)
    const leftOf = (count: number, spare: number) => {
      const own = Array.from({ length: count }, (_, i) => attempt(i, { workspace: 0, spare: i < spare }))
      const others = Array.from({ length: 256 }, (_, i) => attempt(1_000 + i))
      const room = claimRoom([...own, ...others], 0, limits)
      return room.share - (room.busy.find(({ workspaceId }) => workspaceId === 'wsp_0')?.used ?? 0)
    }
    expect([leftOf(0, 0), leftOf(4, 4), leftOf(14, 14), leftOf(16, 16), leftOf(40, 12)]).toEqual([4, 4, 2, 0, 4])
    expect([leftOf(60, 0), leftOf(62, 0), leftOf(64, 0), leftOf(70, 0)]).toEqual([4, 2, 0, 0])
  })

  test('an attempt of a slow lane takes a slot and slow room from its start, and its slot back after 1 s', () => {
    const limits = limitsOf(8)
    expect(claimRoom([attempt(1, { slow: true })], 0, limits)).toMatchObject({ slots: 7, slowRoom: 1 })
    expect(claimRoom([attempt(1, { slow: true })], 2_000, limits)).toMatchObject({ slots: 8, slowRoom: 1 })
  })

  const underWay = fc.array(
    fc
      .record({
        n: fc.nat(20),
        startedMs: fc.nat(3_000),
        slow: fc.boolean(),
        spare: fc.boolean(),
        workspace: fc.nat(4),
      })
      .map((r) => attempt(r.n, r)),
    { maxLength: 100 },
  )

  test('room is never negative, attempts never exceed the slots, the spare ones and the shares, and each counts for its workspace', () => {
    fc.assert(
      fc.property(underWay, fc.integer({ min: 1, max: 512 }), (list, slots) => {
        const limits = limitsOf(slots)
        const room = claimRoom(list, 3_000, limits)
        expect(Math.min(room.slots, room.slowRoom)).toBeGreaterThanOrEqual(0)
        expect(new Set(room.slowLanes).size).toBe(room.slowLanes.length)
        const young = list.filter((a) => a.startedMs >= 2_000)
        const spare = young.filter((a) => a.spare)
        expect(room.spare).toBe(young.length >= slots)
        expect(room.slots).toBe(room.spare ? Math.max(0, limits.spareSlots - spare.length) : slots - young.length)
        for (const workspaceId of new Set(list.map((a) => a.workspaceId))) {
          const left = room.share - (room.busy.find((one) => one.workspaceId === workspaceId)?.used ?? 0)
          const of = (some: typeof list) => some.filter((a) => a.workspaceId === workspaceId).length
          const most = [limits.workspaceShare - of(list)]
          if (room.spare) most.push(limits.sparePerClaim, limits.sparePerWorkspace - of(spare))
          expect(Math.max(0, left)).toBe(Math.max(0, Math.min(...most)))
        }
      }),
    )
  })
})
