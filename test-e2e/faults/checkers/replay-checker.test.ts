import { describe, expect, test } from '@jest/globals'
import {
  type ReplayAsk,
  type ReplayedDelivery,
  type ReplayHistory,
  replayBreachesOf,
  type ShownReplay,
} from './replay-checker.ts'

const yes = (body: string) => ({ status: 202, body })
const silent = { status: 0, body: '' }
const busy = { status: 503, body: '' }
const refused = { status: 409, body: '{"code":"invalid_state"}' }

const ask = (key: string, deliveryIds: string[], ...answers: ReplayAsk['answers']): ReplayAsk => ({
  key,
  isOrder: key !== 'retry',
  deliveryIds,
  period: null,
  askedMs: 50_000,
  answers,
})
const ofPeriod = (key: string, sinceMs: number, untilMs: number, ...answers: ReplayAsk['answers']): ReplayAsk => ({
  ...ask(key, [], ...answers),
  period: { sinceMs, untilMs },
})
const delivery = (nth: number, epochs: number[], o: Partial<ReplayedDelivery> = {}): ReplayedDelivery => ({
  deliveryId: `d${nth}`,
  eventId: `e${nth}`,
  createdMs: nth * 1_000,
  deliveredMs: nth * 1_000 + 50,
  epochs,
  endedEpochs: [],
  ...o,
})
const attempt = (deliveryId: string, epoch: number, hasSucceeded = true) => ({ deliveryId, epoch, hasSucceeded })

const order = (id: string, delivered: number, dead = 0): ShownReplay => ({
  id,
  status: 'completed',
  openEpochs: 0,
  opened: delivered + dead,
  delivered,
  dead,
})

const asks: ReplayAsk[] = [
  // Nobody heard the answer of the first request; once answered it is asked again.
  ask('retry', ['d1'], silent, busy, yes('d1'), busy, { status: 429, body: '' }, yes('d1')),
  ask('some', ['d2', 'd3'], yes('rpl_1')),
  // The caller was gone, and it took effect; another one, and it did not.
  ask('gone', ['d4', 'd5'], silent),
  ask('gone again', ['d6', 'd7'], silent),
  ask('refused', ['d8'], refused),
  // d9 surely, d10 was delivered a moment before, d11 is behind it.
  ofPeriod('period', 9_000, 10_000, yes('rpl_3')),
]
const deliveries = [
  ...[1, 2, 3, 4, 5].map((nth) => delivery(nth, [2])),
  ...[6, 7, 8].map((nth) => delivery(nth, [])),
  delivery(9, [2], { endedEpochs: [2] }),
  delivery(10, [], { deliveredMs: 49_000 }),
  delivery(11, []),
]
const good: ReplayHistory = {
  asks,
  deliveries,
  attempts: [
    ...deliveries.map(({ deliveryId }) => attempt(deliveryId, 1)),
    ...[1, 2, 3, 4, 5].map((nth) => attempt(`d${nth}`, 2)),
    attempt('d1', 2, false),
    attempt('d9', 2, false),
  ],
  arrivals: [...deliveries.map(({ eventId }) => eventId), 'e1', 'e1', 'e2', 'e3', 'e4', 'e5', 'e9'],
  replays: [order('rpl_1', 2), order('rpl_2', 2), order('rpl_3', 0, 1)],
  deliveredBeforeMs: 5_000,
}
/** Where what orders show is not what is judged. */
const unshown = { asks: asks.map((one) => ({ ...one, isOrder: false })), replays: [] }
const other = (nth: number, epochs: number[], o: Partial<ReplayedDelivery> = {}): Partial<ReplayHistory> => ({
  deliveries: deliveries.map((one) => (one.deliveryId === `d${nth}` ? { ...one, epochs, ...o } : one)),
  attempts: [...good.attempts, ...epochs.map((epoch) => attempt(`d${nth}`, epoch))],
  arrivals: [...good.arrivals, `e${nth}`],
  ...unshown,
})
const shown = (o: Partial<ShownReplay>): Partial<ReplayHistory> => ({
  replays: [{ ...order('rpl_1', 2), ...o }, ...good.replays.slice(1)],
})
const answered = (key: string, ...answers: ReplayAsk['answers']): Partial<ReplayHistory> => ({
  asks: asks.map((one) => (one.key === key ? { ...one, answers } : one)),
})

describe('the checker of replays', () => {
  test('finds nothing in a good history, with lost answers, refusals and repetitions as they may be', () => {
    expect(replayBreachesOf(good)).toEqual([])
    // What was delivered a moment before may be replayed, too.
    expect(replayBreachesOf({ ...good, ...other(10, [2]) })).toEqual([])
    // What ended before it was replayed is none of the replay's.
    expect(replayBreachesOf({ ...good, ...other(3, [2], { endedEpochs: [1] }), asks, replays: good.replays })).toEqual(
      [],
    )
    // A refusal behind a request that nobody answered does not say that nothing was done.
    expect(replayBreachesOf({ ...good, ...answered('gone', silent, refused) })).toEqual([])
  })

  test.each<[string, string, Partial<ReplayHistory>]>([
    ['I1', 'a replay that was acknowledged and is not there', other(2, [])],
    ['I1', 'a replay of a period that left one out', other(9, [])],
    ['I1', 'a delivery that was to be replayed and is gone', { deliveries: deliveries.slice(1) }],
    ['I6', 'a replay that nobody asked for', other(11, [2])],
    ['I6', 'a replay that was refused', other(8, [2])],
    ['I18', 'two epochs of one key', other(1, [2, 3])],
    ['I18', 'two epochs where nobody answered', { ...other(4, [2, 3]) }],
    ['I18', 'another answer to the same key', answered('some', yes('rpl_1'), yes('rpl_2'))],
    ['I18', 'another status of the same answer', answered('some', yes('rpl_1'), { status: 200, body: 'rpl_1' })],
    ['I18', 'a refusal of what was done', answered('retry', silent, yes('d1'), refused)],
    ['I18', 'orders that no answer tells of', { replays: [...good.replays, order('a', 1), order('b', 1)] }],
    [
      'I18',
      'an order that no answer tells of, where a retry had none',
      {
        asks: [...asks, { ...ask('retry', ['d7'], silent) }],
        replays: [...good.replays, order('a', 0), order('b', 0)],
      },
    ],
    ['I1', 'an order that was acknowledged and is not there', { replays: good.replays.slice(1) }],
    ['I12', 'an order that counts an epoch twice', { replays: [order('rpl_1', 3), ...good.replays.slice(1)] }],
    ['I12', 'an order that opened another number', shown({ opened: 3 })],
    ['I12', 'an order that counts one for delivered', shown({ delivered: 3 })],
    ['I12', 'an order that counts one for dead', shown({ dead: 1 })],
    [
      'I12',
      'an order that takes a dead one for delivered',
      { replays: [...good.replays.slice(0, 2), order('rpl_3', 1)] },
    ],
    ['I24', 'half an order that nobody answered', other(5, [])],
    [
      'I3',
      'an epoch that was never attempted',
      { attempts: good.attempts.filter((one) => one.epoch === 1), ...unshown },
    ],
    [
      'I3',
      'an epoch that has not ended',
      { deliveries: [...deliveries.slice(0, 8), delivery(9, [2]), ...deliveries.slice(9)], ...unshown },
    ],
    [
      'I3',
      'a replay that the receiver never saw',
      { arrivals: good.arrivals.toSpliced(good.arrivals.lastIndexOf('e2'), 1) },
    ],
    ['I3', 'an order that still runs', shown({ status: 'running' })],
    ['I3', 'an order that does not count its epochs', shown({ openEpochs: 1 })],
  ])('%s: names %s', (wanted, _, damage) => {
    const named = new Set(replayBreachesOf({ ...good, ...damage }).map((breach) => breach.split(':', 1)[0]))
    expect([...named].sort().join(', ')).toBe(wanted)
  })
})
