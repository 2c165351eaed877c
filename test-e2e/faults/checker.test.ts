import { describe, expect, test } from '@jest/globals'
import { breachesOf, type History } from './checker.ts'

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
  outboxRows: 0,
  repeatedMax: 1,
}

describe('the checker', () => {
  test('finds nothing in a good history, with repetitions and unknown outcomes as they may be', () => {
    expect(breachesOf(good)).toEqual([])
  })

  test.each<[string, Partial<History>, string[]]>([
    ['an acknowledged change without a fact', { facts: new Map([['a', ['a1', 'a2']]]), log: new Map() }, ['I1', 'I2']],
    ['a change that nobody asked for', { writes: good.writes.filter(({ status }) => status === 200) }, ['I2']],
    ['an event that is not in the log', { log: new Map([...good.log, ['a', ['a1', 'a3', 'a4']]]) }, ['I1']],
    ['another order in the log', { log: new Map([...good.log, ['a', ['a1', 'a3', 'a2', 'a4']]]) }, ['I13']],
    ['an event without a delivery', { deliveries: good.deliveries.slice(1) }, ['I1']],
    ['an event with two deliveries', { deliveries: [...good.deliveries, ...good.deliveries.slice(4)] }, ['I1']],
    [
      'a delivery that ended otherwise',
      { deliveries: [...good.deliveries.slice(1), { eventId: 'a1', status: 'dead' }] },
      ['I3'],
    ],
    ['`delivered` that nobody received', { arrivals: good.arrivals.filter((id) => id !== 'a2') }, ['I3']],
    ['a request of no event', { arrivals: [...good.arrivals, 'x'] }, ['I2']],
    ['more repetitions than attempts were under way', { arrivals: [...good.arrivals, 'b1'] }, ['I8']],
    ['a row that stays in the outbox', { outboxRows: 1 }, ['I14']],
  ])('names %s', (_, damage, wanted) => {
    const named = new Set(breachesOf({ ...good, ...damage }).map((breach) => breach.split(':', 1)[0]))
    expect([...named].sort()).toEqual(wanted)
  })
})
