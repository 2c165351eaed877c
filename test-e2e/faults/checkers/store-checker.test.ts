import { describe, expect, test } from '@jest/globals'
import { type PositionHistory, positionBreachesOf, type StoreHistory, storeBreachesOf } from './store-checker.ts'

type Row = StoreHistory['log'][number]

const row = (deliveryId: string, seq: number, kind: string, o: Partial<Row> = {}): Row => ({
  deliveryId,
  seq,
  kind,
  epoch: 1,
  reason: null,
  ...o,
})
const replayed = [
  row('d1', 1, 'scheduled'),
  row('d1', 2, 'attempt_released'),
  row('d1', 3, 'attempt_failed'),
  row('d1', 4, 'exhausted', { reason: 'exhausted' }),
  row('d1', 5, 'replay_requested', { epoch: 2 }),
  row('d1', 6, 'attempt_succeeded', { epoch: 2 }),
]
const sent = [row('d2', 1, 'scheduled'), row('d2', 2, 'attempt_succeeded')]

const good: StoreHistory = {
  stream: [1, 2, 3].map((version) => ({ streamId: 's', version, createdMs: 1_000 + version })),
  log: [...replayed, ...sent],
  states: new Map([
    ['d1', 'delivered'],
    ['d2', 'delivered'],
  ]),
  announced: ['a', 'a', 'b', 'c'],
  takenIn: new Set(['a', 'b']),
  deadLetters: [
    { service: 'delivery', eventId: 'c', reason: 'not JSON' },
    { service: 'api', eventId: 'c', reason: 'not JSON' },
  ],
}
const withLog = (...log: Row[]): Partial<StoreHistory> => ({ log, states: new Map([['d2', 'delivered']]) })

describe('the checker of the stores', () => {
  test('finds nothing in a good history, with a replay and a dead letter', () => {
    expect(storeBreachesOf(good)).toEqual([])
  })

  test.each<[string, string, Partial<StoreHistory>]>([
    ['I13', 'a gap in the versions', { stream: good.stream.toSpliced(1, 1) }],
    ['I13', 'a version twice', { stream: [...good.stream.slice(0, 2), ...good.stream.slice(1)] }],
    [
      'I13',
      'an event that is older than the one before it',
      { stream: [...good.stream, { streamId: 's', version: 4, createdMs: 9 }] },
    ],
    ['I6', 'a silent reopening', withLog(...sent, row('d2', 3, 'attempt_succeeded'))],
    [
      'I6',
      'an attempt of an epoch that nobody opened',
      withLog(...sent.slice(0, 1), row('d2', 2, 'attempt_succeeded', { epoch: 2 })),
    ],
    [
      'I16',
      'a step that the table has not',
      withLog(...sent.slice(0, 1), row('d2', 2, 'exhausted', { reason: 'x' }), ...sent.slice(1)),
    ],
    ['I16', 'a log that begins in the middle', withLog(...sent.slice(1))],
    [
      'I16',
      'a state that the log does not lead to',
      {
        states: new Map([
          ['d1', 'dead'],
          ['d2', 'delivered'],
        ]),
      },
    ],
    ['I16', 'a delivery without a log', { log: sent }],
    [
      'I16',
      'an end without a reason',
      withLog(
        ...sent.slice(0, 1),
        row('d2', 2, 'ended'),
        row('d2', 3, 'replay_requested', { epoch: 2 }),
        row('d2', 4, 'attempt_succeeded', { epoch: 2 }),
      ),
    ],
    ['I23', 'an event that is nowhere', { deadLetters: [] }],
    ['I23', 'one that another service put aside', { deadLetters: good.deadLetters.slice(1) }],
    ['I23', 'a dead letter without a reason', { deadLetters: [{ service: 'delivery', eventId: 'c', reason: '' }] }],
  ])('%s: names %s', (wanted, _, damage) => {
    const named = new Set(storeBreachesOf({ ...good, ...damage }).map((breach) => breach.split(':', 1)[0]))
    expect([...named].sort().join(', ')).toBe(wanted)
  })
})

describe('the checker of positions', () => {
  const at = (consumer: string, partition: number, off: string) => ({ consumer, topic: 'events', partition, off })
  const all: PositionHistory = {
    services: ['api', 'auth'],
    positions: [at('api.rules', 0, '7'), at('api.rules', 1, '3'), at('auth.audit', 0, '9')],
    // What came behind the look at the ends took effect, too; one partition is empty.
    ends: new Map([
      [
        'events',
        new Map([
          [0, 7n],
          [1, -1n],
        ]),
      ],
    ]),
  }

  test('finds nothing where everybody has come to the end', () => {
    expect(positionBreachesOf(all)).toEqual([])
  })

  test.each<[string, string, Partial<PositionHistory>]>([
    [
      'I14',
      'the last record that did not take effect',
      { positions: [at('api.rules', 0, '6'), ...all.positions.slice(1)] },
    ],
    ['I14', 'a partition that a consumer never read', { positions: all.positions.slice(1) }],
    ['I14', 'a service without a position', { positions: all.positions.slice(0, 2) }],
  ])('%s: names %s', (wanted, _, damage) => {
    expect(positionBreachesOf({ ...all, ...damage }).map((breach) => breach.split(':', 1)[0])).toEqual([wanted])
  })
})
