import { expect, test } from '@jest/globals'
import { spread } from './measures/measure.ts'
import { distributionOf, rounded } from './statistics.ts'

test('percentiles are those of the nearest rank', () => {
  const values = Array.from({ length: 100 }, (_, nth) => 100 - nth)
  expect(distributionOf(values)).toEqual({ count: 100, p50: 50, p99: 99, max: 100 })
  expect(distributionOf([7])).toEqual({ count: 1, p50: 7, p99: 7, max: 7 })
  expect(distributionOf([]).p50).toBeNaN()
  expect(rounded(1.26, 1)).toBe(1.3)
})

test('the median of an even number is the mean of the two in the middle', () => {
  expect(spread([3, 1, 2])).toEqual({ median: 2, range: [1, 3] })
  expect(spread([10, 1, 2, 4.5])).toEqual({ median: 3.25, range: [1, 10] })
  expect(spread([7])).toEqual({ median: 7, range: [7, 7] })
})
