// The hours of a zone's clock, against a search by single minutes with another way to ask the runtime for an offset; and names of zones.
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { parseDate, parseHour } from '../../sources/domain/parse-date.ts'
import { isSameZone, timeZoneName, toInstant } from './calendar.ts'
import { workspaceDayOf } from './workspace-day.ts'

const minuteMs = 60_000

/** Minutes east of UTC, read from `GMT+05:45`. */
function offsetMinutes(ms: number, zone: string): number {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' })
  const match = /GMT(?:([+-])(\d\d):(\d\d))?$/.exec(format.format(ms))
  const minutes = Number(match?.[2] ?? 0) * 60 + Number(match?.[3] ?? 0)
  return match?.[1] === '-' ? -minutes : minutes
}

/** ISO 8601 of an instant on a clock so many minutes east of UTC. */
function isoAt(ms: number, east: number): string {
  const size = Math.abs(east)
  const pad = (value: number) => String(value).padStart(2, '0')
  const offset = `${east < 0 ? '-' : '+'}${pad(Math.floor(size / 60))}:${pad(size % 60)}`
  return toInstant(ms + east * minuteMs).replace('Z', offset)
}

/** Goes back minute by minute while offset and hour of the clock stay the same. */
function startByMinutes(ms: number, zone: string): number {
  const hourOf = (at: number) => {
    const east = offsetMinutes(at, zone)
    return `${east} ${Math.floor((at + east * minuteMs) / 3_600_000)}`
  }
  let start = Math.floor(ms / minuteMs) * minuteMs
  const hour = hourOf(start)
  while (hourOf(start - minuteMs) === hour) start -= minuteMs
  return start
}

// With the changes of their clocks in 2026: by an hour at the full hour, by half an hour, by an hour at a quarter to; none.
const changes = {
  'Asia/Kathmandu': ['2026-03-01T00:00Z'],
  'Asia/Kolkata': ['2026-03-01T00:00Z'],
  'America/St_Johns': ['2026-03-08T05:30Z', '2026-11-01T04:30Z'],
  'Europe/Berlin': ['2026-03-29T01:00Z', '2026-10-25T01:00Z'],
  'Australia/Lord_Howe': ['2026-04-04T15:00Z', '2026-10-03T15:30Z'],
  'Pacific/Chatham': ['2026-04-04T14:00Z', '2026-09-26T14:00Z'],
} as const
const zones = Object.keys(changes) as (keyof typeof changes)[]

describe('the hour of an instant', () => {
  const near = fc.constantFrom(...zones).chain((zone) =>
    fc.record({
      zone: fc.constant(zone),
      ms: fc
        .tuple(fc.constantFrom(...changes[zone]), fc.integer({ min: -7200, max: 7200 }))
        .map(([change, seconds]) => Date.parse(change) + seconds * 1000),
      otherEast: fc.integer({ min: -56, max: 56 }).map((quarters) => quarters * 15),
    }),
  )

  test('regression: is one, however the instant is written, and begins where the clock of the source begins it', () => {
    fc.assert(
      fc.property(near, ({ zone, ms, otherEast }) => {
        const written = [0, otherEast, offsetMinutes(ms, zone)].map((east) => parseHour(isoAt(ms, east), 'iso', zone))
        written.push(parseHour(String(ms / 1000), 'unix', zone), parseHour(String(ms), 'unix_ms', zone))
        const start = startByMinutes(ms, zone)
        expect({ zone, ms, starts: [...new Set(written)] }).toEqual({ zone, ms, starts: [start] })
      }),
    )
  })

  test('each hour of a day that a source writes without an offset is one of its own, on days of 23, 23.5, 24, 24.5 and 25 hours', () => {
    const hoursOf = (day: string, zone: string) => {
      const labels = Array.from({ length: 24 }, (_, hour) => `${day}T${String(hour).padStart(2, '0')}:00`)
      return new Set(labels.map((label) => parseHour(label, 'iso', zone))).size
    }
    // The hour that Berlin leaves out is the one after it; the second one of 25 has no name without an offset.
    expect(hoursOf('2026-03-29', 'Europe/Berlin')).toBe(23)
    expect(hoursOf('2026-10-25', 'Europe/Berlin')).toBe(24)
    expect(hoursOf('2026-10-04', 'Australia/Lord_Howe')).toBe(24)
    expect(hoursOf('2026-04-05', 'Australia/Lord_Howe')).toBe(24)
    expect(hoursOf('2026-09-27', 'Pacific/Chatham')).toBe(24)
    expect(hoursOf('2026-04-05', 'Pacific/Chatham')).toBe(24)
    expect(hoursOf('2026-03-01', 'Asia/Kathmandu')).toBe(24)
  })
})

test.each([
  // Left out: an hour at midnight, an hour at night, a whole day.
  ['America/Santiago', '2026-09-06T00:00', '2026-09-06T04:00Z', '2026-09-06'],
  ['America/New_York', '2026-03-08T02:30', '2026-03-08T07:00Z', '2026-03-08'],
  ['Pacific/Apia', '2011-12-30T00:00', '2011-12-30T10:00Z', '2011-12-31'],
  // There twice: for two hours, and for three.
  ['Antarctica/Troll', '2026-10-25T02:30', '2026-10-25T00:00Z', '2026-10-25'],
  ['Antarctica/Casey', '2018-03-11T02:30', '2018-03-10T15:00Z', '2018-03-11'],
])('regression: %s leaves out or repeats %s; it is the time after it, or the first', (zone, local, hour, date) => {
  expect(toInstant(parseHour(local, 'iso', zone) ?? 0)).toBe(toInstant(Date.parse(hour)))
  expect(parseDate(local, 'iso', zone)).toBe(date)
})

describe('domain.md T1: the name of a zone', () => {
  test.each([
    ['Asia/Kathmandu', 'Asia/Kathmandu'],
    ['Asia/Katmandu', 'Asia/Katmandu'],
    ['Europe/Kyiv', 'Europe/Kyiv'],
    ['Etc/UTC', 'Etc/UTC'],
    ['europe/malta', 'Europe/Malta'],
    ['GMT+2', null],
    ['+02:00', null],
    ['UTC ', null],
    ['Mars/Base', null],
  ])('regression: %j is kept as %j', (given, kept) => expect(timeZoneName(given)).toBe(kept))

  test('does not matter where two names mean one zone', () => {
    expect([isSameZone('Asia/Kathmandu', 'asia/katmandu'), isSameZone('Etc/UTC', 'UTC')]).toEqual([true, true])
    expect(isSameZone('Europe/Berlin', 'Europe/Malta')).toBe(false)
    const row = { day: '2026-01-01', hourMs: null }
    const zones = { sourceZone: 'Etc/UTC', workspaceZone: 'UTC' }
    expect(workspaceDayOf(row, zones)).toEqual({ workspaceDay: '2026-01-01', approximate: false })
  })
})
