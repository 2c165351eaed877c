// Delays, jitter and Retry-After (settled-points.md 1, 2, 6).
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { defaultSchedule, delayAfter, laterOf, parseRetryAfter, scheduleFaults } from './schedule.ts'

const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })

describe('delayAfter', () => {
  test('the default schedule is 30 s, 2 min, 10 min, 1 h, 6 h before attempts 2 to 6, and nothing after the sixth', () => {
    const delays = [1, 2, 3, 4, 5, 6].map((attempt) => delayAfter(defaultSchedule, attempt, 0))
    expect(delays).toEqual([30_000, 120_000, 600_000, 3_600_000, 21_600_000, null])
  })

  test('the sixth delay, 24 h, is reached with 7 attempts only', () => {
    expect(delayAfter({ ...defaultSchedule, attempts: 7 }, 6, 0)).toBe(86_400_000)
    expect(delayAfter({ ...defaultSchedule, attempts: 7 }, 7, 0)).toBeNull()
  })

  test('a delay is never early, at most 5 % late, and a whole number of milliseconds', () => {
    const schedule = fc.record({
      delaysMs: fc.array(fc.integer({ min: 0, max: 90_000_000 }), { minLength: 1, maxLength: 10 }),
      attempts: fc.integer({ min: 2, max: 11 }),
      retryAfterMaxMs: fc.constant(86_400_000),
    })
    fc.assert(
      fc.property(schedule, fc.integer({ min: 1, max: 11 }), random, (s, attempt, r) => {
        const delayMs = delayAfter(s, attempt, r)
        const plainMs = s.delaysMs[attempt - 1]
        if (attempt >= s.attempts || plainMs === undefined) return expect(delayMs).toBeNull()
        expect(Number.isInteger(delayMs)).toBe(true)
        expect(delayMs).toBeGreaterThanOrEqual(plainMs)
        expect(delayMs).toBeLessThanOrEqual(plainMs * 1.05)
      }),
    )
  })

  test('faults of a schedule are all named', () => {
    expect(scheduleFaults(defaultSchedule)).toEqual([])
    expect(scheduleFaults({ ...defaultSchedule, attempts: 8 })).toHaveLength(1)
    expect(scheduleFaults({ delaysMs: [-1], attempts: 3, retryAfterMaxMs: 0 })).toHaveLength(2)
    expect(scheduleFaults({ ...defaultSchedule, attempts: 0 })).toHaveLength(1)
  })
})

describe('Retry-After', () => {
  const nowMs = Date.UTC(2026, 10, 21, 12, 0, 0)

  test('F37: seconds and dates are read, garbage, negative numbers and past dates are ignored', () => {
    expect(parseRetryAfter('120', nowMs)).toBe(120_000)
    expect(parseRetryAfter(' 0 ', nowMs)).toBe(0)
    const past = new Date(nowMs - 1_000).toUTCString()
    for (const bad of [
      '',
      '-1',
      '1.5',
      '1e3',
      'soon',
      'Sat, 21 Nov 2026 12:10:00',
      '99999999999',
      'Sat, 99 Foo 2026 12:00:00 GMT',
      past,
    ]) {
      expect(parseRetryAfter(bad, nowMs)).toBeNull()
    }
  })

  test('every date of HTTP is read as the instant it means', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 3_000_000_000 }), (seconds) => {
        const atMs = nowMs + seconds * 1_000
        expect(parseRetryAfter(new Date(atMs).toUTCString(), nowMs)).toBe(seconds * 1_000)
      }),
    )
  })

  test('any text gives a number or null and never throws', () => {
    fc.assert(fc.property(fc.string(), (text) => expect(() => parseRetryAfter(text, nowMs)).not.toThrow()))
  })

  test('it only ever puts off, and never by more than 24 h', () => {
    fc.assert(
      fc.property(fc.nat(90_000_000), fc.option(fc.nat(1e12)), (delayMs, askedMs) => {
        const mergedMs = laterOf(defaultSchedule, delayMs, askedMs)
        expect(mergedMs).toBeGreaterThanOrEqual(delayMs)
        expect(mergedMs).toBeLessThanOrEqual(Math.max(delayMs, 86_400_000))
        if (askedMs !== null && askedMs <= 86_400_000) expect(mergedMs).toBeGreaterThanOrEqual(askedMs)
      }),
    )
  })
})
