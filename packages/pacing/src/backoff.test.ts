import { describe, expect, test } from '@jest/globals'
import { Backoff, backoffMs } from './backoff.ts'

describe('backoff', () => {
  test('delays double from the first to the longest, and begin anew after a reset', () => {
    const backoff = new Backoff({ min: 5, max: 30 })
    expect([1, 2, 3, 4, 5].map(() => backoff.next())).toEqual([5, 10, 20, 30, 30])
    expect(backoff.count).toBe(5)
    backoff.reset()
    expect([backoff.count, backoff.next()]).toEqual([0, 5])
  })

  test('a limit that holds from the first delay on is kept', () => {
    expect(new Backoff({ min: 100, max: 40 }).next()).toBe(40)
  })

  test('after thousands of failures the delay still is the longest', () => {
    expect(backoffMs({ min: 5, max: 2_000 }, 5_000)).toBe(2_000)
  })

  test.each([
    [0, 0, 80],
    [0, 0.99, 80],
    [0.5, 0, 80],
    [0.5, 0.5, 60],
    [1, 0, 80],
    [1, 0.75, 20],
  ])('jitter %d takes that part of the delay by chance (%d): %d ms', (jitter, random, expected) => {
    expect(backoffMs({ min: 10, max: 80, jitter }, 9, () => random)).toBe(expected)
  })
})
