import { describe, expect, test } from '@jest/globals'
import { type Attempt, breachesOf, type History } from './checker.ts'

const attempt = (number: number, startedMs: number, o: Partial<Attempt> = {}): Attempt => ({
  deliveryId: 'd1',
  epoch: 1,
  number,
  isUnknown: false,
  hasSucceeded: false,
  startedMs,
  endedMs: startedMs + 10,
  ...o,
})
/** Lost in a crash, tried again at once, lost again, then after the delay of 3 s. */
const lostTwice = [
  attempt(1, 0, { isUnknown: true }),
  attempt(2, 20, { isUnknown: true }),
  attempt(3, 3_030, { hasSucceeded: true }),
]

const good: History = {
  writes: [
    ...[200, 200, 503, 0, 200].map((status) => ({ integrationId: 'a', status })),
    { integrationId: 'b', status: 200 },
  ],
  // One of the two that had no good answer took effect all the same.
  facts: new Map([
    ['a', ['a1', 'a2', 'a3', 'a4']],
    ['b', ['b1']],
  ]),
  log: new Map([
    ['a', ['a1', 'a2', 'a1', 'a2', 'a3', 'a4']],
    ['b', ['b1']],
  ]),
  arrivals: ['a2', 'a1', 'b1', 'a3', 'a4', 'a4'],
  deliveries: ['a1', 'a2', 'a3', 'a4', 'b1'].map((eventId) => ({ eventId, status: 'delivered' })),
  attempts: [...lostTwice, attempt(1, 0, { deliveryId: 'd2' }), attempt(2, 1_010, { deliveryId: 'd2' })],
  delaysMs: [1_000, 3_000],
  outboxRows: 0,
  repeatedMax: 1,
}

describe('the checker', () => {
  test('finds nothing in a good history, with repetitions and unknown outcomes as they may be', () => {
    expect(breachesOf(good)).toEqual([])
  })

  test.each<[string, string, Partial<History>]>([
    ['I1, I2', 'an acknowledged change without a fact', { facts: new Map([['a', ['a1', 'a2']]]), log: new Map() }],
    ['I2', 'a change that nobody asked for', { writes: good.writes.filter(({ status }) => status === 200) }],
    ['I1', 'an event that is not in the log', { log: new Map([...good.log, ['a', ['a1', 'a3', 'a4']]]) }],
    ['I13', 'another order in the log', { log: new Map([...good.log, ['a', ['a1', 'a3', 'a2', 'a4']]]) }],
    ['I1', 'an event without a delivery', { deliveries: good.deliveries.slice(1) }],
    ['I1', 'an event with two deliveries', { deliveries: [...good.deliveries, ...good.deliveries.slice(4)] }],
    [
      'I3',
      'a delivery that ended otherwise',
      { deliveries: [...good.deliveries.slice(1), { eventId: 'a1', status: 'dead' }] },
    ],
    ['I3', '`delivered` that nobody received', { arrivals: good.arrivals.filter((id) => id !== 'a2') }],
    ['I2', 'a request of no event', { arrivals: [...good.arrivals, 'x'] }],
    ['I4', 'a gap in the numbers of attempts', { attempts: [attempt(1, 0), attempt(3, 9_000)] }],
    ['I4', 'two attempts of one number', { attempts: [attempt(1, 0), attempt(1, 9_000)] }],
    ['I4', 'a seventh attempt', { attempts: [1, 2, 3, 4, 5, 6, 7].map((number) => attempt(number, number * 9_000)) }],
    [
      'I7',
      'an attempt after one that succeeded',
      { attempts: [attempt(1, 0, { hasSucceeded: true }), attempt(2, 2_000)] },
    ],
    ['I5', 'an attempt before its delay', { attempts: [attempt(1, 0), attempt(2, 500)] }],
    ['I5', 'an attempt at once after a second unknown one', { attempts: [...lostTwice.slice(0, 2), attempt(3, 100)] }],
    ['I8', 'more repetitions than attempts were under way', { arrivals: [...good.arrivals, 'b1'] }],
    ['I14', 'a row that stays in the outbox', { outboxRows: 1 }],
  ])('%s: names %s', (wanted, _, damage) => {
    const named = new Set(breachesOf({ ...good, ...damage }).map((breach) => breach.split(':', 1)[0]))
    expect([...named].sort().join(', ')).toBe(wanted)
  })
})
