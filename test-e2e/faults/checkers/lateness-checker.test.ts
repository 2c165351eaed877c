import { describe, expect, test } from '@jest/globals'
import {
  heldUpBreachesOf,
  type LatenessHistory,
  latenessBreachesOf,
  latestOf,
  longestWait,
  type ProbeHistory,
  probeBreachesOf,
} from './lateness-checker.ts'

const good: LatenessHistory = {
  attempts: [
    // Two of forty may wait for longer.
    { deliveryId: 'd0', number: 1, dueMs: 100_000, startedMs: 105_000 },
    ...Array.from({ length: 36 }, () => ({ deliveryId: 'd1', number: 1, dueMs: 0, startedMs: 2_000 })),
    // Due amid a fault, and soon after it.
    { deliveryId: 'd2', number: 1, dueMs: 12_000, startedMs: 31_000 },
    // Due before it: a moment before and a moment behind.
    { deliveryId: 'd3', number: 2, dueMs: 8_500, startedMs: 30_400 },
    // Two faults with little between them.
    { deliveryId: 'd4', number: 1, dueMs: 9_900, startedMs: 60_200 },
  ],
  waiting: [
    { deliveryId: 'd5', dueMs: 99_000 },
    // Of a retry, later.
    { deliveryId: 'd6', dueMs: 200_000 },
  ],
  readMs: 100_000,
  faults: [
    { fromMs: 34_500, untilMs: 60_000 },
    { fromMs: 10_000, untilMs: 30_000 },
  ],
  lateMs: { mostOf: 2_000, each: 5_000 },
}
const attempted = (dueMs: number, startedMs: number): Partial<LatenessHistory> => ({
  attempts: [...good.attempts, { deliveryId: 'x', number: 1, dueMs, startedMs }],
})

/** No more than two of forty are late. */
const insteadOfFirst = (dueMs: number, startedMs: number): Partial<LatenessHistory> => ({
  attempts: [{ deliveryId: 'x', number: 1, dueMs, startedMs }, ...good.attempts.slice(1)],
})

describe('the checker of lateness', () => {
  test('finds nothing in a good history, with waits during faults', () => {
    expect(latenessBreachesOf(good)).toEqual([])
    expect(latestOf(good)).toBe(5_000)
  })

  test.each<[string, string, Partial<LatenessHistory>]>([
    ['I21', 'an attempt that came late without any fault', attempted(70_000, 75_001)],
    ['I21', 'a single one that nobody may have', insteadOfFirst(100_000, 105_001)],
    ['I21', 'a single one that was late before the fault amid which it began', insteadOfFirst(2_000, 11_000)],
    ['I21', 'one that was late before the fault began', attempted(2_000, 31_000)],
    ['I21', 'one that was late after the fault was over', attempted(59_000, 65_001)],
    ['I21', 'one that waited a little before, between and after faults', attempted(7_000, 61_000)],
    [
      'I21',
      'more than one of twenty that waited for longer',
      { attempts: [...good.attempts, { deliveryId: 'x', number: 1, dueMs: 70_000, startedMs: 73_000 }] },
    ],
    ['I21', 'a due row never claimed', { waiting: [...good.waiting, { deliveryId: 'x', dueMs: 94_000 }] }],
    ['I21', 'one that is due since before the faults', { waiting: [{ deliveryId: 'x', dueMs: 1_000 }] }],
    ['I21', 'one that waits since the last fault', { waiting: [{ deliveryId: 'x', dueMs: 40_000 }] }],
    ['I21', 'a fault that is left out', { faults: good.faults.slice(1) }],
  ])('%s: names %s', (wanted, _, damage) => {
    const named = new Set(latenessBreachesOf({ ...good, ...damage }).map((breach) => breach.split(':', 1)[0]))
    expect([...named]).toEqual([wanted])
  })
})

test('the longest piece of a wait in which no fault was under way is told', () => {
  expect(longestWait(good.faults, 6_000, 33_000)).toBe(4_000)
})

describe('the checker of what is asked for at rest', () => {
  const soon: ProbeHistory = { atMs: 0, tookMs: [20, 30, 9_000, 25, 2_000], mostMs: 2_000 }

  test('finds nothing where most come soon', () => {
    expect(probeBreachesOf(soon)).toEqual([])
  })

  test.each<[string, Partial<ProbeHistory>]>([
    ['probes that take 4 s', { tookMs: [4_010, 4_020, 30, 4_030, 4_040] }],
    ['probes that never come', { tookMs: Array(5).fill(Number.POSITIVE_INFINITY) }],
    ['probes that nobody made', { tookMs: [] }],
  ])('I21: names %s', (_, damage) => {
    expect(probeBreachesOf({ ...soon, ...damage }).map((breach) => breach.split(':', 1)[0])).toEqual(['I21'])
  })
})

describe('the checker of changes behind records that nobody can read', () => {
  const lateMs = { mostOf: 5_000, each: 120_000 }

  test('finds nothing while half of them come soon and none is held up', () => {
    expect(heldUpBreachesOf({ tookMs: [], lateMs })).toEqual([])
    expect(heldUpBreachesOf({ tookMs: [900, 60_000, 5_000], lateMs })).toEqual([])
  })

  test.each<[string, number[]]>([
    ['changes that wait for the records before them', [900, 5_001, 6_000]],
    ['one that nobody got for as long as a drain may take', [900, 120_001, 800]],
  ])('I21: names %s', (_, tookMs) => {
    expect(heldUpBreachesOf({ tookMs, lateMs })).toEqual([expect.stringMatching(/^I21: /)])
  })
})
