// What a worker may claim (stack.md 7.5, 7.6).
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { claimRoom, limitsOf } from './fair-share.ts'

const attempt = (n: number, o: { startedMs?: number; slow?: boolean; workspace?: number } = {}) => ({
  workspaceId: `wsp_${o.workspace ?? n}`,
  subscriptionId: `whk_${n}`,
  startedMs: o.startedMs ?? 0,
  slow: o.slow ?? false,
})

describe('claimRoom', () => {
  test('the defaults are 256 slots, a quarter for a workspace, a quarter for slow lanes, a quarter to spare', () => {
    expect(limitsOf(256)).toEqual({ slots: 256, workspaceShare: 64, slowShare: 64, spareSlots: 64, spareShare: 4 })
    expect(limitsOf(2)).toEqual({ slots: 2, workspaceShare: 1, slowShare: 1, spareSlots: 1, spareShare: 1 })
  })

  test('F32: while 40 endpoints that hang for the first time hold 64 slots, others get the spare ones, and all of them after 1 s', () => {
    const hanging = Array.from({ length: 64 }, (_, i) => attempt(i % 40))
    const lanes = Array.from({ length: 40 }, (_, i) => `whk_${i}`)
    const first = claimRoom(hanging, 1_000, limitsOf(64))
    expect(first).toMatchObject({ slots: 16, share: 1, busy: [], slowRoom: 0 })
    expect(first.slowLanes.toSorted()).toEqual(lanes.toSorted())
    const later = claimRoom(hanging, 1_001, limitsOf(64))
    expect(later).toMatchObject({ slots: 64, slowRoom: 0 })
    expect(later.slowLanes.toSorted()).toEqual(lanes.toSorted())
  })

  test('spare slots are there only while no other is free, and are bounded', () => {
    const many = (count: number) =>
      claimRoom(
        Array.from({ length: count }, (_, i) => attempt(i)),
        0,
        limitsOf(8),
      )
    expect(many(7)).toMatchObject({ slots: 1, slowLanes: [], slowRoom: 2 })
    expect(many(8)).toMatchObject({ slots: 2, slowRoom: 0 })
    expect(many(9)).toMatchObject({ slots: 1, slowRoom: 0 })
    expect(many(12)).toMatchObject({ slots: 0 })
  })

  test('a workspace whose share is used up gets no spare slot', () => {
    const own = (workspace: number, count: number) => Array.from({ length: count }, (_, i) => attempt(i, { workspace }))
    const room = claimRoom([...own(1, 2), ...own(2, 5), ...own(3, 1)], 0, limitsOf(8))
    expect(room).toMatchObject({ slots: 2, share: 1 })
    expect(room.busy.map(({ workspaceId, used }) => [workspaceId, room.share - used])).toEqual([
      ['wsp_1', 0],
      ['wsp_2', 0],
    ])
  })

  test('an attempt of a slow lane takes a slot and slow room from its start, and its slot back after 1 s', () => {
    const limits = limitsOf(8)
    expect(claimRoom([attempt(1, { slow: true })], 0, limits)).toMatchObject({ slots: 7, slowRoom: 1 })
    expect(claimRoom([attempt(1, { slow: true })], 2_000, limits)).toMatchObject({ slots: 8, slowRoom: 1 })
  })

  const underWay = fc.array(
    fc
      .record({ n: fc.nat(20), startedMs: fc.nat(3_000), slow: fc.boolean(), workspace: fc.nat(4) })
      .map((r) => attempt(r.n, r)),
    { maxLength: 100 },
  )

  test('room is never negative, young attempts never exceed the slots and the spare ones, and each counts for its workspace while a slot is free', () => {
    fc.assert(
      fc.property(underWay, fc.integer({ min: 1, max: 64 }), (list, slots) => {
        const room = claimRoom(list, 3_000, limitsOf(slots))
        expect(Math.min(room.slots, room.slowRoom)).toBeGreaterThanOrEqual(0)
        const young = list.filter((a) => a.startedMs >= 2_000).length
        const limits = limitsOf(slots)
        if (young < slots) expect(room.busy.reduce((sum, { used }) => sum + used, 0)).toBe(list.length)
        const most = young < slots ? slots : slots + limits.spareSlots
        expect(room.slots).toBe(Math.max(0, most - young))
        expect(new Set(room.slowLanes).size).toBe(room.slowLanes.length)
      }),
    )
  })
})
