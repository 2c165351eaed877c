import { expect, test } from '@jest/globals'
import { failureWords, holdWords, newPayout, payoutActions } from './payouts.ts'

const held = { by_rule_id: null, reason: 'request' } as const
const at = '2026-11-01T00:00:00.000Z'

test.each([
  ['scheduled', null, null, ['mark_paid', 'hold', 'cancel']],
  ['scheduled', held, null, ['release', 'cancel']],
  ['processing', null, null, ['mark_paid', 'mark_failed']],
  ['paid', null, null, ['record_return']],
  ['paid', null, at, []],
  ['failed', null, null, []],
  ['canceled', null, null, []],
] as const)('what is offered on one that is %s, held %j, returned %j', (status, hold, returned, actions) => {
  expect(payoutActions({ status, held: hold, returned })).toEqual(actions)
})

test('a payout that is typed leaves out what is empty, and is none without an amount', () => {
  const subAffiliate = { id: 'sub_1', payout_currency: 'EUR' }
  expect(newPayout(subAffiliate, { amount: ' ', day: '' })).toEqual({ sub_affiliate_id: 'sub_1' })
  const whole = { sub_affiliate_id: 'sub_1', amount: 125_050, scheduled_for: '2026-12-01' }
  expect(newPayout(subAffiliate, { amount: '1,250.50', day: '2026-12-01' })).toEqual(whole)
  for (const amount of ['0', '-5', '12,50', 'all']) expect(newPayout(subAffiliate, { amount, day: '' })).toBeNull()
})

test('reasons are said in words, also by whom this page does not know', () => {
  expect([holdWords(held), holdWords({ by_rule_id: 'rul_1', reason: 'rule' })]).toEqual([
    ...['the sub-affiliate asked for it', 'an automation rule'],
  ])
  expect([failureWords('limit'), failureWords('returned'), failureWords('new')]).toEqual([
    ...['It is beyond a limit', 'returned', 'new'],
  ])
})
