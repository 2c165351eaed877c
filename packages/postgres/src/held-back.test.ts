// For how long the horizon of vacuum has been held back, by readings alone.
import { describe, expect, test } from '@jest/globals'
import { createHorizonAge, toFullXid } from './held-back.ts'

const epoch = 2 ** 32

test.each([
  ['nobody holds anything back', null, 100, 100],
  ['the first epoch', '70', 100, 70],
  ['a later epoch', '70', 5 * epoch + 100, 5 * epoch + 70],
  ['before the end of an epoch, read after it', String(epoch - 10), epoch + 5, epoch - 10],
  ['nearly half an epoch behind', String(10), 2 ** 31 + 5, 10],
  ['a session that began after the snapshot of the question', '105', 100, 100],
])('an id gets its epoch: %s', (_, xid, next, full) => {
  expect(toFullXid(xid, next)).toBe(full)
})

describe('the age of the horizon', () => {
  /** Readings 15 s apart: [next, oldest]. Gives the age at each, in seconds. */
  const agesOf = (...readings: [next: number, oldest: number][]) => {
    const ageOf = createHorizonAge()
    return readings.map(([next, oldest], nth) => ageOf({ next, oldest, nowMs: 1_000_000 + nth * 15_000 }) / 1_000)
  }

  test('rises from the first reading at which it was behind, and is 0 once nobody holds it', () => {
    expect(agesOf([100, 100], [160, 110], [220, 110], [280, 110], [340, 340])).toEqual([0, 0, 15, 30, 0])
  })

  test('is 0 for short transactions of which there is always one', () => {
    expect(agesOf([100, 98], [160, 159], [220, 215], [280, 280])).toEqual([0, 0, 0, 0])
  })

  test('is 0 for as long as nothing is written, however long somebody reads', () => {
    expect(agesOf([100, 100], [100, 100], [100, 100], [101, 100], [101, 100])).toEqual([0, 0, 0, 0, 15])
  })

  test('falls to that of the next oldest one', () => {
    expect(agesOf([100, 90], [160, 90], [220, 90], [280, 150], [340, 230])).toEqual([0, 15, 30, 30, 15])
  })

  test('begins anew where another server has given fewer ids', () => {
    expect(agesOf([100, 90], [160, 90], [120, 120], [180, 180])).toEqual([0, 15, 0, 0])
  })

  test('stays that of the first reading over days, and falls to about the next one', () => {
    const ageOf = createHorizonAge()
    const at = (nth: number, oldest: number) => ageOf({ next: 10 + nth, oldest, nowMs: nth * 15_000 }) / 1_000
    const last = 20_000
    for (let nth = 0; nth < last; nth += 1) at(nth, 9)
    expect(at(last, 9)).toBe(last * 15)
    const after = at(last + 1, 10 + last / 2)
    expect(Math.abs(after - (last / 2) * 15)).toBeLessThan((last / 2) * 15 * 0.03)
  })
})
