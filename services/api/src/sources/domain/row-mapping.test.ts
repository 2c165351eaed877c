// Mappings of domain.md 4.4: what may be saved, how a header binds to it, and the forms of dates and hours.
import { describe, expect, test } from '@jest/globals'
import { nextScheduledMs } from '../../integrations/domain/run-window.ts'
import { parseDate, parseHour } from './parse-date.ts'
import { bindHeader, type MappingEntry, mappingFaults } from './row-mapping.ts'

const date: MappingEntry = { to: 'date', from: 'Day' }
const clicks: MappingEntry = { to: 'clicks', from: 'Clicks' }

describe('a mapping', () => {
  test.each<[string, MappingEntry[]]>([
    ['money options on money', [date, { to: 'ngr', from: ['A', 'B'], unit: 'minor', negate: true, round: 'reject' }]],
    ['a format of a date', [{ ...date, format: 'unix_ms' }, clicks]],
    ['an hour in place of a date', [{ to: 'hour', from: 'At', format: 'unix' }, clicks]],
    ['a constant', [date, clicks, { to: 'currency', const: 'SEK' }]],
  ])('with %s is accepted', (_name, mapping) => expect(mappingFaults(mapping, 'day')).toEqual([]))

  test.each<[string, MappingEntry[]]>([
    ['an unknown field', [date, clicks, { to: 'colour', from: 'Colour' }]],
    ['one field twice', [date, clicks, { to: 'clicks', from: 'Other' }]],
    ['neither from nor const', [date, clicks, { to: 'country' }]],
    ['both from and const', [date, clicks, { to: 'country', from: 'Land', const: 'DE' }]],
    ['a sum of dimensions', [date, clicks, { to: 'country', from: ['A', 'B'] }]],
    ['a unit of a count', [date, { ...clicks, unit: 'minor' }]],
    ['a negated count', [date, { ...clicks, negate: true }]],
    ['rounding of a dimension', [date, clicks, { to: 'country', from: 'Land', round: 'reject' }]],
    ['a format of a country', [date, clicks, { to: 'country', from: 'Land', format: 'iso' }]],
    ['a date format of an hour', [{ to: 'hour', from: 'At', format: 'DD/MM/YYYY' }, clicks]],
    ['no date', [clicks]],
    ['no measure', [date]],
  ])('with %s is refused', (_name, mapping) => expect(mappingFaults(mapping, 'day')).toHaveLength(1))

  test('of an integration that counts by the hour needs an hour', () => {
    expect(mappingFaults([date, clicks], 'hour')).toMatchObject([{ index: null, detail: 'No entry maps to hour.' }])
  })

  test('leaves columns that it does not name alone, also where they stand twice', () => {
    expect(bindHeader(['Day', 'Note', 'Note', 'Clicks'], 'day', [date, clicks]).ok).toBe(true)
    expect(bindHeader(['Day', 'Clicks', 'Clicks'], 'day', [date, clicks])).toEqual({
      ok: false,
      faults: [{ column: 'Clicks', fault: 'duplicate' }],
    })
    expect(bindHeader(['date', 'clicks', 'clicks'], 'day', null).ok).toBe(false)
  })
})

describe('times', () => {
  test.each([
    ['2026-03-01', 'YYYY-MM-DD', '2026-03-01'],
    ['01/03/2026', 'DD/MM/YYYY', '2026-03-01'],
    ['03/01/2026', 'MM/DD/YYYY', '2026-03-01'],
    ['20260301', 'YYYYMMDD', '2026-03-01'],
    // 18:20 UTC is 00:05 of the next day in Kathmandu (+5:45).
    ['1772302800', 'unix', '2026-03-01'],
    ['1772302800000', 'unix_ms', '2026-03-01'],
    ['2026-02-28T18:20:00Z', 'iso', '2026-03-01'],
    ['2026-02-28T18:14:00Z', 'iso', '2026-02-28'],
    ['2026-03-01T00:05:00', 'iso', '2026-03-01'],
    ['2026-03-01T24:00:00Z', 'iso', null],
    ['2026-02-29', 'YYYY-MM-DD', null],
    ['2026-3-1', 'YYYY-MM-DD', null],
  ] as const)('the date %s in the format %s is %s', (cell, format, expected) => {
    expect(parseDate(cell, format, 'Asia/Kathmandu')).toBe(expected)
  })

  test.each([
    ['2026-03-01T05:59:59Z', 'iso', '2026-03-01T05:15:00Z'],
    ['2026-03-01T05:14:59Z', 'iso', '2026-03-01T04:15:00Z'],
    ['2026-03-01T05:30:00+05:45', 'iso', '2026-02-28T23:15:00Z'],
    ['2026-03-01 05:30', 'iso', '2026-02-28T23:15:00Z'],
    ['2026-03-01T05:30:00-03:30', 'iso', '2026-03-01T08:15:00Z'],
    ['1772343000', 'unix', '2026-03-01T05:15:00Z'],
    ['1772343000999', 'unix_ms', '2026-03-01T05:15:00Z'],
  ] as const)('the hour of %s in the format %s begins at %s', (cell, format, expected) => {
    expect(parseHour(cell, format, 'Asia/Kathmandu')).toBe(Date.parse(expected))
  })
})

test('a daily run is due at its local time, also on days of 23 and 25 hours', () => {
  const state = (at: string) =>
    ({
      status: 'active',
      fields: { schedule: { every_minutes: 1440, at }, source_time_zone: 'Europe/Berlin' },
    }) as Parameters<typeof nextScheduledMs>[0]
  const due = (at: string, now: string) => new Date(nextScheduledMs(state(at), Date.parse(now)) ?? 0).toISOString()
  expect(due('06:00', '2026-03-28T12:00:00Z')).toBe('2026-03-29T04:00:00.000Z')
  expect(due('06:00', '2026-10-24T12:00:00Z')).toBe('2026-10-25T05:00:00.000Z')
  // 02:30 is not there on the first, and twice on the second: the time after the gap, and the first of the two.
  expect(due('02:30', '2026-03-28T12:00:00Z')).toBe('2026-03-29T01:30:00.000Z')
  expect(due('02:30', '2026-10-24T12:00:00Z')).toBe('2026-10-25T00:30:00.000Z')
  expect(due('06:00', '2026-10-25T05:00:00Z')).toBe('2026-10-26T05:00:00.000Z')
})
