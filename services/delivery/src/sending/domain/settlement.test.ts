// What the end of an attempt means (settled-points.md 1, 5, 6, 7, 10).
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { defaultSchedule } from '../../deliveries/domain/schedule.ts'
import { settlementOf } from './settlement.ts'

const base = { attempt: 1, schedule: defaultSchedule, random: 0, nowMs: 0, isStopping: false, wasUnknown: true }
const answered = (status: number, retryAfter: string | null = null) => ({
  outcome: 'answered' as const,
  status,
  retryAfter,
})

describe('settlementOf', () => {
  test('exactly the status codes 200 to 299 succeed', () => {
    fc.assert(
      fc.property(fc.integer({ min: 200, max: 599 }), (status) => {
        const { kind } = settlementOf(answered(status), base)
        expect(kind).toBe(status < 300 ? 'attempt_succeeded' : 'attempt_failed')
      }),
    )
  })

  test('an attempt that failed or is unknown counts; the sixth is the last', () => {
    for (const outcome of ['failed', 'unknown'] as const) {
      const end = { outcome, status: null, retryAfter: null }
      expect(settlementOf(end, base)).toMatchObject({ kind: `attempt_${outcome}`, delayMs: 30_000 })
      expect(settlementOf(end, { ...base, attempt: 6 })).toMatchObject({ delayMs: null })
    }
  })

  test('I5: after a first unknown outcome the next attempt is due at once; after a second in a row the delay applies', () => {
    const end = { outcome: 'unknown' as const, status: null, retryAfter: null }
    const first = { ...base, wasUnknown: false }
    expect(settlementOf(end, first)).toEqual({ kind: 'attempt_unknown', delayMs: 0, isGone: false })
    expect(settlementOf(end, { ...base, attempt: 2 })).toMatchObject({ delayMs: 120_000 })
    expect(settlementOf(end, { ...first, attempt: 6 })).toMatchObject({ delayMs: null })
    expect(settlementOf({ ...end, outcome: 'failed' }, first)).toMatchObject({ delayMs: 30_000 })
  })

  test('a released attempt is due at once whatever its number', () => {
    for (const outcome of ['released', 'unresolved'] as const)
      expect(settlementOf({ outcome, status: null, retryAfter: null }, { ...base, attempt: 6 })).toEqual({
        kind: 'attempt_released',
        delayMs: 0,
        isGone: false,
      })
  })

  test('F07: an attempt that our own stop cuts off costs none and is due at once, the last one too', () => {
    const end = { outcome: 'unknown' as const, status: null, retryAfter: null }
    for (const attempt of [1, 6])
      expect(settlementOf(end, { ...base, attempt, isStopping: true })).toEqual({
        kind: 'attempt_released',
        delayMs: 0,
        isGone: false,
      })
    const failed = { outcome: 'failed' as const, status: null, retryAfter: null }
    expect(settlementOf(failed, { ...base, isStopping: true })).toMatchObject({ kind: 'attempt_failed' })
  })

  test('F37: Retry-After counts on 429 and 503 only, and never gives a further attempt', () => {
    for (const status of [429, 503]) {
      expect(settlementOf(answered(status, '300'), base)).toMatchObject({ delayMs: 300_000 })
      expect(settlementOf(answered(status, '10'), base)).toMatchObject({ delayMs: 30_000 })
      expect(settlementOf(answered(status, '300'), { ...base, attempt: 6 })).toMatchObject({ delayMs: null })
    }
    for (const status of [301, 400, 500, 502])
      expect(settlementOf(answered(status, '300'), base)).toMatchObject({ delayMs: 30_000 })
  })

  test('F38: 410 is a failed attempt and says that the subscription is gone', () => {
    expect(settlementOf(answered(410), base)).toEqual({ kind: 'attempt_failed', delayMs: 30_000, isGone: true })
    expect(settlementOf(answered(404), base)).toMatchObject({ isGone: false })
  })
})
