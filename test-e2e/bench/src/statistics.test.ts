import { expect, test } from '@jest/globals'
import { distributionOf, rounded } from './statistics.ts'

test('percentiles are those of the nearest rank', () => {
  const values = Array.from({ length: 100 }, (_, nth) => 100 - nth)
  expect(distributionOf(values)).toEqual({ count: 100, p50: 50, p99: 99, max: 100 })
  expect(distributionOf([7])).toEqual({ count: 1, p50: 7, p99: 7, max: 7 })
  expect(distributionOf([]).p50).toBeNaN()
  expect(rounded(1.26, 1)).toBe(1.3)
})
