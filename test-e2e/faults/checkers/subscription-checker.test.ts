import { describe, expect, test } from '@jest/globals'
import { type SubscriptionHistory, subscriptionBreachesOf } from './subscription-checker.ts'

const change = (type: string, atMs: number, subscriptionId = 's1') => ({
  subscriptionId,
  type: `Subscription${type}`,
  atMs,
})
const attempt = (startedMs: number, subscriptionId = 's1') => ({
  subscriptionId,
  deliveryId: 'd',
  number: 1,
  startedMs,
})

const good: SubscriptionHistory = {
  changes: [
    change('Created', 0),
    change('Disabled', 10_000),
    // Says nothing of whether it is sent to.
    change('SecretRotated', 15_000),
    change('Enabled', 20_000),
    change('Deleted', 40_000),
    change('Created', 0, 's2'),
  ],
  attempts: [
    attempt(0),
    attempt(9_999),
    // Claimed before, by a process that was busy, and by one that stood still.
    attempt(11_000),
    attempt(20_001),
    attempt(49_500),
    attempt(90_000, 's2'),
  ],
  faults: [{ fromMs: 40_500, untilMs: 49_000 }],
  claimedBeforeMs: 1_000,
}
const attempted = (...more: SubscriptionHistory['attempts'][number][]): Partial<SubscriptionHistory> => ({
  attempts: [...good.attempts, ...more],
})

describe('the checker of subscriptions', () => {
  test('finds nothing in a good history, with attempts that were claimed before', () => {
    expect(subscriptionBreachesOf(good)).toEqual([])
  })

  test.each<[string, string, Partial<SubscriptionHistory>]>([
    ['I7', 'a late attempt after disabling', attempted(attempt(11_001))],
    ['I7', 'one behind a change that enables nothing', attempted(attempt(16_000))],
    ['I7', 'one just before it was enabled again', attempted(attempt(19_999))],
    ['I7', 'one of a deleted subscription', attempted(attempt(60_000))],
    ['I7', 'one that stood still and then waited', attempted(attempt(50_001))],
    ['I7', 'one of a deleted subscription, with no fault to excuse it', { faults: [] }],
    ['I7', 'one of a subscription that nobody made', attempted(attempt(5, 's3'))],
    ['I7', 'attempts behind a disabling that nobody took back', { changes: good.changes.toSpliced(3, 1) }],
  ])('%s: names %s', (wanted, _, damage) => {
    const named = new Set(subscriptionBreachesOf({ ...good, ...damage }).map((breach) => breach.split(':', 1)[0]))
    expect([...named]).toEqual([wanted])
  })
})
