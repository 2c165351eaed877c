// What a worker may claim (stack.md 7.5, 7.6).
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { type AttemptUnderWay, type ClaimKind, claimRoom, limitsOf } from './fair-share.ts'

const attempt = (n: number, o: { startedMs?: number; slow?: boolean; spare?: boolean; workspace?: number } = {}) => ({
  workspaceId: `wsp_${o.workspace ?? n}`,
  subscriptionId: `whk_${n}`,
  startedMs: o.startedMs ?? 0,
  slow: o.slow ?? false,
  spare: o.spare ?? false,
})

const roomOf = (
  underWay: AttemptUnderWay[],
  { nowMs = 0, slots, kind = 'slow' }: { nowMs?: number; slots: number; kind?: ClaimKind },
) => claimRoom(underWay, { nowMs, limits: limitsOf(slots), kind })

describe('claimRoom', () => {
  test('the defaults are 256 slots, a quarter for a workspace, a quarter for slow lanes, a quarter to spare', () => {
    const quarters = { workspaceShare: 64, slowShare: 64, slowPerWorkspace: 16, spareSlots: 64 }
    expect(limitsOf(256)).toEqual({ slots: 256, ...quarters, sparePerClaim: 4, sparePerWorkspace: 16 })
    const ones = {
      workspaceShare: 1,
      slowShare: 1,
      slowPerWorkspace: 1,
      spareSlots: 1,
      sparePerClaim: 1,
      sparePerWorkspace: 1,
    }
    for (const slots of [1, 2, 3, 4]) expect(limitsOf(slots)).toEqual({ slots, ...ones })
  })

  test('F32: while 40 endpoints that hang for the first time hold 64 slots, others get the spare ones, and all of them after 1 s', () => {
    const hanging = Array.from({ length: 64 }, (_, i) => attempt(i % 40))
    const lanes = Array.from({ length: 40 }, (_, i) => `whk_${i}`)
    const first = roomOf(hanging, { nowMs: 1_000, slots: 64 })
    expect(first).toMatchObject({ slots: 16, share: 1, slowRoom: 0, spare: true })
    expect(first.slowLanes.toSorted()).toEqual(lanes.toSorted())
    const later = roomOf(hanging, { nowMs: 1_001, slots: 64 })
    expect(later).toMatchObject({ slots: 64, slowRoom: 4, spare: false })
    expect(later.slowLanes.toSorted()).toEqual(lanes.toSorted())
  })

  test('spare slots are there only while no other is free, and are bounded', () => {
    const [slots, more] = [8, 2]
    const holding = (young: number, spare: number) =>
      roomOf(
        Array.from({ length: young + spare }, (_, i) => attempt(i, { spare: i >= young })),
        { slots },
      )
    expect(holding(7, 0)).toMatchObject({ slots: 1, slowLanes: [], slowRoom: 1, spare: false })
    expect(holding(8, 0)).toMatchObject({ slots: more, slowRoom: 0, spare: true })
    expect(holding(8, 1)).toMatchObject({ slots: 1, slowRoom: 0, spare: true })
    expect(holding(8, 2)).toMatchObject({ slots: 0 })
  })

  test('regression: no more attempts got a spare slot than there are, so that in a backlog a slot becomes free, which goes to all lanes', () => {
    const holding = (young: number) =>
      roomOf(
        Array.from({ length: young }, (_, i) => attempt(i, { spare: i < 2 })),
        { slots: 8 },
      )
    for (const young of [8, 9, 10]) expect(holding(young)).toMatchObject({ slots: 0 })
    expect(holding(7)).toMatchObject({ slots: 1, share: 2, slowRoom: 1, spare: false })
  })

  test('a spare slot is free again, also for its workspace, once its attempt is older than 1 s', () => {
    const spare = Array.from({ length: 2 }, (_, i) => attempt(i, { spare: true }))
    const others = Array.from({ length: 8 }, (_, i) => attempt(10 + i, { startedMs: 1_000 }))
    const roomAt = (nowMs: number) => {
      const { slots, share, busy } = roomOf([...spare, ...others], { nowMs, slots: 8 })
      return { slots, left: share - (busy.find(({ workspaceId }) => workspaceId === 'wsp_0')?.used ?? 0) }
    }
    expect(roomAt(1_000)).toEqual({ slots: 0, left: 0 })
    expect(roomAt(1_001)).toEqual({ slots: 2, left: 1 })
  })

  test('of the spare slots a workspace gets some in one claim, more in the next ones, and none once its share is used up', () => {
    const leftOf = (count: number, spare: number) => {
      const own = Array.from({ length: count }, (_, i) => attempt(i, { workspace: 0, spare: i < spare }))
      const others = Array.from({ length: 256 }, (_, i) => attempt(1_000 + i))
      const room = roomOf([...own, ...others], { slots: 256 })
      return room.share - (room.busy.find(({ workspaceId }) => workspaceId === 'wsp_0')?.used ?? 0)
    }
    expect([leftOf(0, 0), leftOf(4, 4), leftOf(14, 14), leftOf(16, 16), leftOf(40, 12)]).toEqual([4, 4, 2, 0, 4])
    expect([leftOf(60, 0), leftOf(62, 0), leftOf(64, 0), leftOf(70, 0)]).toEqual([4, 2, 0, 0])
  })

  /** What a claim of the workspace may take. */
  const leftIn = (room: ReturnType<typeof claimRoom>, workspace: number) =>
    room.share - (room.busy.find(({ workspaceId }) => workspaceId === `wsp_${workspace}`)?.used ?? 0)

  test('an attempt of a slow lane takes a slot and slow room from its start, and its slot back after 1 s', () => {
    const one = [attempt(1, { slow: true })]
    expect(roomOf(one, { slots: 64 })).toMatchObject({ slots: 63, slowRoom: 4 })
    expect(roomOf(one, { slots: 64, nowMs: 2_000 })).toMatchObject({ slots: 64, slowRoom: 4 })
    for (const nowMs of [0, 2_000]) expect(leftIn(roomOf(one, { slots: 64, nowMs }), 1)).toBe(3)
    const [quick, later] = [0, 2_000].map((nowMs) => roomOf(one, { slots: 64, nowMs, kind: 'quick' }))
    expect([leftIn(quick as never, 1), leftIn(later as never, 1)]).toEqual([15, 16])
  })

  test('regression: endpoints of a workspace that hang do not keep its other endpoints waiting: after 1 s it has its share again', () => {
    const hanging = Array.from({ length: 64 }, (_, i) => attempt(i, { workspace: 0 }))
    expect(leftIn(roomOf(hanging, { slots: 256, nowMs: 1_000 }), 0)).toBe(0)
    expect(leftIn(roomOf(hanging, { slots: 256, nowMs: 1_001, kind: 'quick' }), 0)).toBe(64)
  })

  test('regression: slow lanes of one workspace leave three quarters of the slow share to those of others', () => {
    const hanging = Array.from({ length: 64 }, (_, i) => attempt(i, { workspace: 0 }))
    const room = roomOf(hanging, { slots: 256, nowMs: 1_001 })
    expect(room).toMatchObject({ slowRoom: 16, kind: 'slow' })
    expect([leftIn(room, 0), leftIn(room, 1)]).toEqual([0, 16])
  })

  test('regression: attempts that became old leave a quarter of the slow share to slow lanes, which had got nothing for as long as four workspaces had such attempts, or many had one each', () => {
    const old = (count: number, each: number) =>
      Array.from({ length: count * each }, (_, i) => attempt(i, { workspace: i % count }))
    const ofSlowLanes = (count: number) => Array.from({ length: count }, (_, i) => attempt(1_000 + i, { slow: true }))
    for (const list of [old(4, 16), old(64, 1)])
      expect(roomOf(list, { slots: 256, nowMs: 1_001 })).toMatchObject({ slowRoom: 16, kind: 'slow' })
    const room = roomOf(old(4, 16), { slots: 256, nowMs: 1_001 })
    expect([leftIn(room, 0), leftIn(room, 4)]).toEqual([0, 16])
    const roomBeside = (count: number) =>
      roomOf([...old(4, 16), ...ofSlowLanes(count)], { slots: 256, nowMs: 1_001 }).slowRoom
    expect([1, 15, 16, 17].map(roomBeside)).toEqual([15, 1, 0, 0])
    expect(roomOf(old(4, 16), { slots: 256, nowMs: 1_001, kind: 'quick' })).toMatchObject({ slowRoom: 0, share: 64 })
  })

  test('slow lanes are served by claims of their own while some are under way, by each one while none is, by none once they have their share', () => {
    const servedWith = (count: number) =>
      (['slow', 'quick'] as const).map((kind) => {
        const list = Array.from({ length: count }, (_, i) => attempt(i, { slow: true }))
        const room = roomOf(list, { slots: 64, nowMs: 2_000, kind })
        return [room.kind, room.slowRoom, room.share]
      })
    expect(servedWith(0)).toEqual([
      ['all', 4, 16],
      ['all', 4, 16],
    ])
    expect(servedWith(15)).toEqual([
      ['slow', 1, 4],
      ['quick', 0, 16],
    ])
    expect(servedWith(16)).toEqual([
      ['all', 0, 16],
      ['all', 0, 16],
    ])
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

  /** Often fewer than there are attempts. */
  const slotsOf = fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 512 }))

  test('room is never negative, attempts never exceed the slots, the spare ones and the shares, and each counts for its workspace', () => {
    fc.assert(
      fc.property(underWay, slotsOf, fc.constantFrom('slow', 'quick'), (list, slots, kind) => {
        const limits = limitsOf(slots)
        const room = claimRoom(list, { nowMs: 3_000, limits, kind })
        expect(Math.min(room.slots, room.slowRoom)).toBeGreaterThanOrEqual(0)
        expect(new Set(room.slowLanes).size).toBe(room.slowLanes.length)
        const young = list.filter((a) => a.startedMs >= 2_000)
        const spare = young.filter((a) => a.spare)
        const slow = list.filter((a) => a.slow || a.startedMs < 2_000)
        expect(room.spare).toBe(young.length >= slots)
        expect(room.slots).toBe(room.spare ? Math.max(0, limits.spareSlots - spare.length) : slots - young.length)
        const of = (some: typeof list, id: string) => some.filter(({ workspaceId }) => workspaceId === id).length
        const workspaces = [...new Set(list.map(({ workspaceId }) => workspaceId))]
        const used = workspaces.reduce((sum, id) => sum + Math.min(limits.slowPerWorkspace, of(slow, id)), 0)
        const kept = limits.slowPerWorkspace - list.filter((a) => a.slow).length
        const left = Math.min(limits.slowPerWorkspace, Math.max(limits.slowShare - used, kept))
        const slowRoom = room.spare ? 0 : Math.max(0, left)
        expect(room.kind).toBe(slow.length > 0 && slowRoom > 0 ? kind : 'all')
        expect(room.slowRoom).toBe(room.kind === 'quick' ? 0 : slowRoom)
        for (const id of workspaces) {
          const ofOne = room.share - (room.busy.find(({ workspaceId }) => workspaceId === id)?.used ?? 0)
          const most = [limits.workspaceShare - of(young, id)]
          if (room.spare) most.push(limits.sparePerClaim, limits.sparePerWorkspace - of(spare, id))
          if (room.kind === 'slow') most.push(limits.slowPerWorkspace - of(slow, id))
          expect(ofOne).toBe(Math.max(0, Math.min(...most)))
        }
      }),
    )
  })
})
