import { expect, test } from '@jest/globals'
import {
  adjustmentDraft,
  emptySubAffiliate,
  newAdjustment,
  newSubAffiliate,
  subAffiliateActions,
  subAffiliateFaults,
} from './sub-affiliates.ts'

const balance = { currency: 'EUR', available: 0, pending: 0, paid_total: 0 }
const owed = { ...balance, available: 12_500, pending: -500 }

test.each([
  ['invited', balance, ['invite', 'plan', 'adjust', 'withdraw']],
  ['expired', balance, ['invite', 'plan', 'adjust', 'withdraw']],
  ['active', owed, ['pay', 'plan', 'adjust', 'suspend', 'remove']],
  ['suspended', owed, ['reactivate', 'plan', 'adjust', 'remove']],
  ['removed', balance, []],
  ['removed', owed, ['adjust']],
] as const)('what is offered on one that is %s with the balance %j', (status, given, actions) => {
  expect(subAffiliateActions({ status, balance: given })).toEqual(actions)
})

test('an adjustment is of any sign but not of nothing, and of one that was removed brings its whole balance to 0', () => {
  const draft = { amount: '-1,250.50', month: '2026-11', note: ' by phone ' }
  expect(newAdjustment(draft, 'EUR')).toEqual({ amount: -125_050, month: '2026-11', note: 'by phone' })
  expect(newAdjustment({ amount: '5', month: '', note: ' ' }, 'EUR')).toEqual({ amount: 500 })
  for (const amount of ['0', '', '12,50']) expect(newAdjustment({ ...draft, amount }, 'EUR')).toBeNull()
  const removed = adjustmentDraft({ status: 'removed', balance: owed, payout_currency: 'EUR' })
  expect(newAdjustment(removed, 'EUR')).toEqual({ amount: -12_000 })
})

test('a new one is sent without what was left empty, and not without a name and an address', () => {
  const draft = { ...emptySubAffiliate('pln_1', 'EUR'), name: ' Mia ', email: 'mia@example.com ' }
  const whole = { name: 'Mia', email: 'mia@example.com', plan_id: 'pln_1', payout_currency: 'EUR', invite: true }
  expect([newSubAffiliate(draft), subAffiliateFaults(draft)]).toEqual([whole, {}])
  const more = { ...draft, joining: 'active', least: '50', externalId: 'mia', from: '2026-12-01' } as const
  expect(newSubAffiliate(more)).toEqual({
    ...whole,
    invite: false,
    external_id: 'mia',
    effective_from: '2026-12-01',
    minimum_payout: { amount: 5_000, currency: 'EUR' },
  })
  expect(Object.keys(subAffiliateFaults({ ...draft, name: ' ', email: '', least: '0' }))).toEqual([
    ...['name', 'email', 'least'],
  ])
})
