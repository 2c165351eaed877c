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

const write = (name: string, status: number, integrationId = 'a') => ({ integrationId, name, status })
const whole = (name: string) => ({ name, tag: name })

const good: History = {
  writes: [
    ...[write('1', 200), write('2', 200), write('3', 503), write('4', 0), write('5', 200), write('6', 429)],
    // Asked for again, since nobody answered.
    ...[write('b1', 0, 'b'), write('b1', 200, 'b')],
  ],
  // One of the two that had no good answer took effect all the same.
  facts: new Map([
    ['a', ['a1', 'a2', 'a4', 'a5']],
    ['b', ['b1']],
  ]),
  said: new Map([
    ...['1', '2', '4', '5'].map((name): [string, ReturnType<typeof whole>] => [`a${name}`, whole(name)]),
    ['b1', whole('b1')],
  ]),
  log: new Map([
    ['a', ['a1', 'a2', 'a1', 'a2', 'a4', 'a5']],
    ['b', ['b1']],
  ]),
  arrivals: ['a2', 'a1', 'b1', 'a4', 'a5', 'a5'],
  sent: new Map([
    ...['a1', 'a2', 'a4', 'b1'].map((id): [string, number] => [id, 1]),
    // One that failed, or was given back, and nobody saw.
    ['a5', 3],
  ]),
  deliveries: ['a1', 'a2', 'a4', 'a5', 'b1'].map((eventId) => ({ eventId, status: 'delivered' })),
  attempts: [...lostTwice, attempt(1, 0, { deliveryId: 'd2' }), attempt(2, 1_010, { deliveryId: 'd2' })],
  delaysMs: [1_000, 3_000],
  outboxRows: { api: 0, auth: 0 },
  repeatedMax: 1,
}
const saying = (id: string, name: string | null, tag: string | null) => new Map([...good.said, [id, { name, tag }]])
const without = (id: string): Partial<History> => ({
  facts: new Map([...good.facts, ['a', (good.facts.get('a') ?? []).filter((one) => one !== id)]]),
})

describe('the checker', () => {
  test('finds nothing in a good history, with repetitions and unknown outcomes as they may be', () => {
    expect(breachesOf(good)).toEqual([])
  })

  test.each<[string, string, Partial<History>]>([
    ['I1, I2', 'an acknowledged change that is in the log alone', without('a2')],
    [
      'I1',
      'an acknowledged change that is nowhere, where one without an answer took effect',
      { writes: [...good.writes, write('7', 200)] },
    ],
    ['I2', 'a change that nobody asked for', { writes: good.writes.filter(({ name }) => name !== '4') }],
    [
      'I2',
      'a change that was refused',
      { writes: good.writes.map((one) => (one.name === '4' ? write('4', 429) : one)) },
    ],
    [
      'I2',
      'a change of what nobody changed',
      { writes: good.writes.filter(({ integrationId }) => integrationId === 'a') },
    ],
    ['I2', 'a change that took effect twice', { said: saying('a4', '5', '5') }],
    ['I2', 'an event in the log that is in no stream', { log: new Map([...good.log, ['c', ['c1']]]) }],
    ['I1', 'an event that is not in the log', { log: new Map([...good.log, ['a', ['a1', 'a4', 'a5']]]) }],
    ['I13', 'another order in the log', { log: new Map([...good.log, ['a', ['a1', 'a4', 'a2', 'a5']]]) }],
    ['I1', 'an event without a delivery', { deliveries: good.deliveries.slice(1) }],
    ['I1', 'an event with two deliveries', { deliveries: [...good.deliveries, ...good.deliveries.slice(4)] }],
    [
      'I2',
      'a delivery of what nobody wrote',
      { deliveries: [...good.deliveries, { eventId: 'x', status: 'delivered' }] },
    ],
    ['I24', 'half a change', { said: saying('a4', '4', '2') }],
    ['I24', 'half a change that was acknowledged', { said: saying('a1', '1', null) }],
    ['I24', 'an unanswered change that is not in the log', { log: new Map([...good.log, ['a', ['a1', 'a2', 'a5']]]) }],
    [
      'I24',
      'an unanswered change without a delivery',
      { deliveries: good.deliveries.filter(({ eventId }) => eventId !== 'a4') },
    ],
    ['I24', 'an unanswered change that nobody received', { arrivals: good.arrivals.filter((id) => id !== 'a4') }],
    [
      'I3',
      'a delivery that ended otherwise',
      { deliveries: [...good.deliveries.slice(1), { eventId: 'a1', status: 'dead' }] },
    ],
    ['I3', '`delivered` that nobody received', { arrivals: good.arrivals.filter((id) => id !== 'a2') }],
    ['I2', 'a request of no event', { arrivals: [...good.arrivals, 'x'] }],
    ['I2', 'a request without an attempt', { sent: new Map([...good.sent, ['a5', 1]]) }],
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
    ['I8', 'more repetitions than attempts were under way', { repeatedMax: 0 }],
    ['I14', 'a row that stays in the outbox', { outboxRows: { api: 0, auth: 1 } }],
  ])('%s: names %s', (wanted, _, damage) => {
    const named = new Set(breachesOf({ ...good, ...damage }).map((breach) => breach.split(':', 1)[0]))
    expect([...named].sort().join(', ')).toBe(wanted)
  })
})
