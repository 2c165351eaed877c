// When a month has ended, by the clocks of fourteen zones (domain.md 7, T2). The instants are those of the zone's published offsets.
import { describe, expect, test } from '@jest/globals'
import { statsMonthPublicEvent } from './public-events.ts'
import { isMonthOver, type MonthSeen, statsMonthDecider } from './stats-month.ts'

const seen: MonthSeen = { time_zone: 'UTC', isOver: true, days: 28, daysRequired: 28, daysOpen: 0, revisionMax: 2 }
const close = (over: Partial<MonthSeen>, state = statsMonthDecider.initialState, isPosted = true) =>
  statsMonthDecider.decide(state, { type: 'close', month: '2026-02', seen: { ...seen, ...over }, isPosted })

describe('a month', () => {
  test.each([
    ['UTC', '2026-02', '2026-03-01T00:00:00Z'],
    ['Asia/Kolkata', '2028-02', '2028-02-29T18:30:00Z'],
    ['Asia/Kathmandu', '2026-12', '2026-12-31T18:15:00Z'],
    ['America/St_Johns', '2026-02', '2026-03-01T03:30:00Z'],
    ['America/Sao_Paulo', '2026-12', '2027-01-01T03:00:00Z'],
    ['Pacific/Kiritimati', '2026-12', '2026-12-31T10:00:00Z'],
    // Near a change of the clock.
    ['Europe/Berlin', '2026-03', '2026-03-31T22:00:00Z'],
    ['Europe/London', '2026-10', '2026-11-01T00:00:00Z'],
    ['Africa/Cairo', '2026-04', '2026-04-30T21:00:00Z'],
    ['America/New_York', '2026-10', '2026-11-01T04:00:00Z'],
    ['Australia/Lord_Howe', '2026-09', '2026-09-30T13:30:00Z'],
    ['Pacific/Chatham', '2026-03', '2026-03-31T10:15:00Z'],
    // The next month began at one o'clock.
    ['Asia/Amman', '2011-03', '2011-03-31T22:00:00Z'],
    // One of its days was left out.
    ['Pacific/Apia', '2011-12', '2011-12-31T10:00:00Z'],
  ])('of %s, %s, is over from %s on', (timeZone, month, end) => {
    const over = (atMs: number) => isMonthOver(month, { atMs, timeZone })
    expect([over(Date.parse(end) - 1), over(Date.parse(end))]).toEqual([false, true])
  })

  test('is closed once, when it is over and no day of it is missing or open', () => {
    const data = { month: '2026-02', time_zone: 'UTC', days: 28, revision_max: 2 }
    expect(close({})).toEqual({ accepted: true, events: [{ type: 'MonthClosed', data }] })
    const nothing = { accepted: true, events: [] }
    for (const over of [{ isOver: false }, { days: 27 }, { daysOpen: 1 }]) expect(close(over)).toEqual(nothing)
    expect(close({}, { status: 'closed' })).toEqual(nothing)
  })

  test('is closing until its ledger is posted, and is closed then as it was seen when that began', () => {
    const { initialState, evolve, decide } = statsMonthDecider
    const data = { month: '2026-02', time_zone: 'UTC', days: 28, revision_max: 2 }
    const begun = { type: 'MonthCloseBegun', data } as const
    expect(close({}, initialState, false)).toEqual({ accepted: true, events: [begun] })
    const closing = evolve(initialState, begun)
    const nothing = { accepted: true, events: [] }
    expect([closing.status, close({ days: 29 }, closing, false), close({}, closing)]).toEqual([
      ...['closing', nothing, nothing],
    ])
    const finish = { type: 'finish' } as const
    expect(decide(closing, finish)).toEqual({ accepted: true, events: [{ type: 'MonthClosed', data }] })
    expect(evolve(closing, { type: 'MonthClosed', data })).toEqual({ status: 'closed' })
    for (const state of [initialState, { status: 'closed' } as const]) expect(decide(state, finish)).toEqual(nothing)
    expect(statsMonthPublicEvent('2026-02', closing, begun)).toBeNull()
  })
})
