// The day machine (domain.md 7), given, when, then. Stories in virtual time are in stats-day.simulation.test.ts.
import { describe, expect, test } from '@jest/globals'
import { given } from '@wds/decider/given-when-then'
import type { Observation } from './day-wait.ts'
import { largestChangePct } from './largest-change.ts'
import { planDay, type Rollup, type StatsDayEvent, statsDayDecider } from './stats-day.ts'
import { type MonthSeen, statsMonthDecider } from './stats-month.ts'

const hourMs = 3_600_000
const endMs = 24 * hourMs
const day = { date: '1970-01-01', time_zone: 'UTC' }
const opened: StatsDayEvent = { type: 'DayOpened', data: day }
const found: StatsDayEvent = { type: 'DayFound', data: day }
const expected = [
  { integration_id: 'int_a', settle_hours: 6 },
  { integration_id: 'int_b', settle_hours: 2 },
]
const ended: StatsDayEvent = { type: 'DayEnded', data: { expected, max_wait_hours: 36 } }
const rollup: Rollup = {
  checksum: 'sha256:a',
  rowCount: 3,
  integrations: ['int_a', 'int_c'],
  changes: { brandSlugs: ['acme'], metrics: ['clicks'], largestChangePct: 25 },
}
const noChanges = { brandSlugs: [], metrics: [], largestChangePct: null }
const ready: StatsDayEvent = {
  type: 'DayReady',
  data: {
    at_ms: 2 * endMs,
    time_zone: 'UTC',
    checksum: 'sha256:a',
    row_count: 3,
    complete: true,
    included: ['int_a'],
    missing: [],
  },
}

function seenAt(atMs: number, more: Partial<Observation> = {}): Observation {
  return {
    atMs,
    date: day.date,
    timeZone: 'UTC',
    startMs: 0,
    endMs,
    isBackfilled: false,
    expectable: expected,
    gone: [],
    reported: {},
    hasRows: true,
    changedMs: null,
    pending: null,
    rules: { maxWaitHours: 36, restMs: 6 * hourMs, restateMs: 600_000 },
    ...more,
  }
}
const plan = (events: StatsDayEvent[], seen: Observation) => {
  const {
    rollUp,
    dueMs,
    events: happened,
  } = planDay(events.reduce(statsDayDecider.evolve, statsDayDecider.initialState), seen)
  return { rollUp, dueMs, types: happened.map(({ type }) => type) }
}

describe('a day', () => {
  test('that has not begun is not there, whatever rows it has; it opens at its first instant', () => {
    expect(plan([], seenAt(-1))).toEqual({ rollUp: false, dueMs: 0, types: [] })
    expect(plan([], seenAt(0))).toEqual({ rollUp: false, dueMs: endMs, types: ['DayOpened'] })
  })

  test('fixes whom it expects when it ends, and is first looked at again by its deadline', () => {
    given(statsDayDecider, [opened])
      .when({ type: 'look', seen: seenAt(endMs) })
      .then([ended])
    expect(plan([opened], seenAt(endMs)).dueMs).toBe(endMs + 24 * hourMs)
  })

  test('is rolled up when all have reported and its rows have rested for the longest settle time', () => {
    const reported = { int_a: endMs + 5, int_b: endMs }
    const changedMs = endMs + hourMs
    const early = seenAt(endMs + 7 * hourMs - 1, { reported, changedMs })
    expect(plan([opened, ended], early)).toEqual({
      rollUp: false,
      dueMs: endMs + 7 * hourMs,
      types: ['WatermarkReached'],
    })
    given(statsDayDecider, [opened, ended])
      .when({ type: 'roll_up', seen: early, rollup })
      .thenRejected({ code: 'invalid_state', current_status: 'provisional', allowed: ['look'] })
    const seen = seenAt(endMs + 7 * hourMs, { reported, changedMs })
    given(statsDayDecider, [opened, ended])
      .when({ type: 'roll_up', seen, rollup })
      .then([
        { type: 'WatermarkReached', data: { watermark_ms: endMs + 5 } },
        {
          type: 'DayReady',
          data: {
            at_ms: seen.atMs,
            time_zone: 'UTC',
            checksum: 'sha256:a',
            row_count: 3,
            complete: true,
            included: ['int_a', 'int_b', 'int_c'],
            missing: [],
          },
        },
      ])
  })

  test('does not take a run that began before its end for a report', () => {
    const reported = { int_a: endMs, int_b: endMs - 1 }
    expect(plan([opened, ended], seenAt(endMs + 10 * hourMs, { reported })).types).toEqual(['ReportsReceived'])
  })

  test('is late after max wait less 12 h, and final after max wait, which is no less than the settle time and 12 h', () => {
    const events = [opened, ended]
    expect(plan(events, seenAt(endMs + 24 * hourMs - 1)).types).toEqual([])
    expect(plan(events, seenAt(endMs + 24 * hourMs))).toEqual({
      rollUp: false,
      dueMs: endMs + 36 * hourMs,
      types: ['DayDelayed'],
    })
    expect(plan(events, seenAt(endMs + 36 * hourMs))).toMatchObject({ rollUp: true, types: ['DayDelayed'] })
    const slowest = [{ integration_id: 'int_a', settle_hours: 120 }]
    const slow: StatsDayEvent[] = [opened, { type: 'DayEnded', data: { expected: slowest, max_wait_hours: 36 } }]
    expect(plan(slow, seenAt(endMs + 132 * hourMs - 1))).toMatchObject({ rollUp: false })
    expect(plan(slow, seenAt(endMs + 132 * hourMs))).toMatchObject({ rollUp: true })
  })

  test('that was there before the first integration needs rows that rest; without any it is not there', () => {
    const at = (atMs: number, more: Partial<Observation> = {}) =>
      seenAt(atMs, { isBackfilled: true, expectable: [], ...more })
    expect(plan([], at(2 * endMs, { hasRows: false }))).toEqual({ rollUp: false, dueMs: null, types: [] })
    const changedMs = 2 * endMs
    const readyMs = changedMs + 6 * hourMs
    expect(plan([], at(changedMs, { changedMs }))).toEqual({ rollUp: false, dueMs: readyMs, types: ['DayFound'] })
    expect(plan([found], at(readyMs, { changedMs }))).toMatchObject({ rollUp: true })
  })

  test('regression: that expects nobody and holds no rows is final after max wait, once it has rested from the rows it lost', () => {
    const nobody: StatsDayEvent[] = [opened, { type: 'DayEnded', data: { expected: [], max_wait_hours: 36 } }]
    const latestMs = endMs + 36 * hourMs
    const empty = (atMs: number, more: Partial<Observation> = {}) => seenAt(atMs, { hasRows: false, ...more })
    expect(plan(nobody, empty(endMs))).toEqual({ rollUp: false, dueMs: latestMs, types: [] })
    expect(plan(nobody, empty(latestMs))).toEqual({ rollUp: true, dueMs: latestMs, types: [] })
    const changedMs = latestMs - hourMs
    expect(plan(nobody, empty(latestMs, { changedMs })).dueMs).toBe(changedMs + 6 * hourMs)
    const rollup = { checksum: 'sha256:', rowCount: 0, integrations: [], changes: noChanges }
    given(statsDayDecider, nobody)
      .when({ type: 'roll_up', seen: empty(latestMs), rollup })
      .then([
        {
          type: 'DayReady',
          data: {
            at_ms: latestMs,
            time_zone: 'UTC',
            checksum: 'sha256:',
            row_count: 0,
            complete: true,
            included: [],
            missing: [],
          },
        },
      ])
  })

  test('that is final is compared when its timer is over, and restated where the checksum differs', () => {
    const pending = { sinceMs: 3 * endMs, cause: 'sync', syncRunId: 'syn_1' } as const
    expect(plan([opened, ended, ready], seenAt(3 * endMs))).toEqual({ rollUp: false, dueMs: null, types: [] })
    expect(plan([opened, ended, ready], seenAt(3 * endMs, { pending }))).toMatchObject({ dueMs: 3 * endMs + 600_000 })
    const seen = seenAt(3 * endMs + 600_000, { pending })
    const given_ = given(statsDayDecider, [opened, ended, ready])
    given_.when({ type: 'roll_up', seen, rollup }).then([])
    given_.when({ type: 'roll_up', seen, rollup: { ...rollup, checksum: 'sha256:b' } }).then([
      {
        type: 'DayRestated',
        data: {
          at_ms: seen.atMs,
          time_zone: 'UTC',
          revision: 2,
          checksum: 'sha256:b',
          row_count: 3,
          brand_slugs: ['acme'],
          metrics_changed: ['clicks'],
          largest_change_pct: 25,
          cause: 'sync',
          sync_run_id: 'syn_1',
        },
      },
    ])
  })
})

test('the largest change is that of the greatest size, with its sign; null where all were 0 before', () => {
  expect(largestChangePct([])).toBeNull()
  expect(
    largestChangePct([
      { before: 0n, after: 5n },
      { before: null, after: 1n },
    ]),
  ).toBeNull()
  expect(
    largestChangePct([
      { before: 3n, after: 4n },
      { before: -200n, after: -400n },
      { before: 10n, after: null },
    ]),
  ).toBe(-100)
  expect(largestChangePct([{ before: 3n, after: 4n }])).toBe(33.333333)
})

describe('a month', () => {
  const seen: MonthSeen = { time_zone: 'UTC', isOver: true, days: 31, daysRequired: 31, daysOpen: 0, revisionMax: 3 }
  const close = (more: Partial<MonthSeen> = {}) =>
    ({ type: 'close', month: '2026-10', seen: { ...seen, ...more }, isPosted: true }) as const
  const closed = {
    type: 'MonthClosed',
    data: { month: '2026-10', time_zone: 'UTC', days: 31, revision_max: 3 },
  } as const

  test('is closed once, when it is over and no day of it is missing or open', () => {
    given(statsMonthDecider, []).when(close()).then([closed])
    given(statsMonthDecider, [closed]).when(close()).then([])
    for (const more of [{ isOver: false }, { daysOpen: 1 }, { days: 30 }])
      given(statsMonthDecider, []).when(close(more)).then([])
  })
})
