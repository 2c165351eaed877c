import { describe, expect, test } from '@jest/globals'
import { type Effect, type KeyedCall, keyBreachesOf, type QuotaHistory, quotaBreachesOf } from './call-checker.ts'

const calls: KeyedCall[] = [
  { client: 'a', key: '1', status: 0, body: '' },
  { client: 'a', key: '1', status: 503, body: 'later' },
  { client: 'a', key: '1', status: 202, body: 'imp_1' },
  { client: 'a', key: '1', status: 202, body: 'imp_1' },
  // Never answered: it took effect all the same, or not.
  { client: 'a', key: '2', status: 0, body: '' },
  { client: 'b', key: '1', status: 202, body: 'imp_3' },
]
const effects: Effect[] = [
  { client: 'a', key: '1' },
  { client: 'a', key: null },
  { client: 'b', key: '1' },
]

describe('the checker of keys', () => {
  test('finds nothing in a good history, with lost answers, refusals and repetitions as they may be', () => {
    expect(keyBreachesOf({ calls, effects })).toEqual([])
    expect(keyBreachesOf({ calls, effects: effects.filter(({ key }) => key !== null) })).toEqual([])
  })

  test.each<[string, { calls?: KeyedCall[]; effects?: Effect[] }, string]>([
    ['a second effect', { effects: [...effects, { client: 'a', key: '1' }] }, 'I18: a 1 took effect 2 times'],
    [
      'a second effect under a key whose answers are all alike',
      { effects: [...effects, { client: 'b', key: null }] },
      'I18: b has 1 effects that no answer tells of',
    ],
    [
      'another answer to the same key',
      { calls: [...calls, { client: 'b', key: '1', status: 202, body: 'imp_4' }] },
      'I18: b 1 was answered in two ways',
    ],
    [
      'a refusal of what was done',
      { calls: [...calls, { client: 'b', key: '1', status: 409, body: 'conflict' }] },
      'I18: b 1 was answered in two ways',
    ],
    ['an effect that is not there', { effects: effects.slice(0, 2) }, 'I1: b 1 was answered and has no effect'],
  ])('I18: names %s', (_, damage, sentence) => {
    expect(keyBreachesOf({ calls, effects, ...damage })).toEqual([sentence])
  })
})

describe('the checker of quotas', () => {
  const at = (ms: number) => ({ sentMs: ms, answeredMs: ms + 1 })
  const requests = (count: number, fromMs: number) => Array.from({ length: count }, () => at(fromMs))
  const good: QuotaHistory = {
    caller: 'a',
    quota: 100,
    windowMs: 1_000,
    // Five more in each of two windows.
    accepted: [...requests(105, 10_500), ...requests(105, 11_500)],
  }

  test('finds nothing while no more are let through than the quota has, and 5 % for what processes took in advance', () => {
    expect(quotaBreachesOf(good)).toEqual([])
    expect(quotaBreachesOf({ ...good, accepted: [] })).toEqual([])
    // An answer that comes in the next window may have been counted there.
    expect(
      quotaBreachesOf({ ...good, accepted: [...requests(105, 10_500), { sentMs: 10_999, answeredMs: 11_001 }] }),
    ).toEqual([])
  })

  test.each<[string, QuotaHistory['accepted'], string]>([
    ['one more than that', [...good.accepted, at(11_500)], '211 requests of 100 in each of 2 windows'],
    ['two quotas within one window', requests(200, 10_500), '200 requests of 100 in each of 1 windows'],
    [
      'three quotas within one window beside empty ones',
      [...requests(300, 10_500), at(15_500)],
      '300 requests of 100 in each of 1 windows',
    ],
  ])('I20: names %s', (_, accepted, told) => {
    expect(quotaBreachesOf({ ...good, accepted })).toEqual([`I20: a had ${told}`])
  })
})
