import { describe, expect, test } from '@jest/globals'
import { given } from '@wds/decider/given-when-then'
import { subAffiliatePublicEvent } from './public-events.ts'
import {
  planOn,
  type SubAffiliateCommand,
  type SubAffiliateEvent,
  type SubAffiliateFields,
  type SubAffiliateState,
  subAffiliateDecider,
  subAffiliateMachine,
} from './sub-affiliate.ts'
import { isEmail, maskedEmail, subAffiliateFaults } from './sub-affiliate-form.ts'

const [plan, other] = ['pln_01JD0000000000000000000001', 'pln_01JD0000000000000000000002']
const fields: SubAffiliateFields = {
  external_id: 'sub1',
  country: 'DE',
  time_zone: 'UTC',
  payout_currency: 'EUR',
  metadata: {},
  minimum_payout: { amount: 5_000, currency: 'EUR' },
  plan_history: [{ plan_id: plan, effective_from: '2026-02-10' }],
}
const invited: SubAffiliateEvent = { type: 'SubAffiliateInvited', data: { fields, expires_ms: 2 } }
const added: SubAffiliateEvent = { type: 'SubAffiliateAdded', data: { fields, at_ms: 1 } }
const removed: SubAffiliateEvent = { type: 'SubAffiliateRemoved', data: { reason: 'left', at_ms: 3 } }
const suspended: SubAffiliateEvent = { type: 'SubAffiliateSuspended', data: { reason: 'other' } }
const expired: SubAffiliateEvent = { type: 'InvitationExpired', data: {} }

const ways: Record<SubAffiliateState['status'], SubAffiliateEvent[]> = {
  none: [],
  invited: [invited],
  expired: [invited, expired],
  active: [added],
  suspended: [added, suspended],
  removed: [added, removed],
}
const commands: Record<SubAffiliateCommand['type'], [SubAffiliateCommand, SubAffiliateState['status'] | 'same']> = {
  create: [{ type: 'create', fields, expiresMs: 2, atMs: 1 }, 'invited'],
  update: [{ type: 'update', patch: { country: 'FR' }, beside: [] }, 'same'],
  change_plan: [
    { type: 'change_plan', plan: { plan_id: other, effective_from: '2026-03-01' }, closedMonths: [] },
    'same',
  ],
  invite: [{ type: 'invite', expiresMs: 9 }, 'invited'],
  accept: [{ type: 'accept', atMs: 1 }, 'active'],
  expire: [{ type: 'expire' }, 'expired'],
  suspend: [{ type: 'suspend', reason: 'other' }, 'suspended'],
  reactivate: [{ type: 'reactivate' }, 'active'],
  remove: [{ type: 'remove', reason: 'other', atMs: 4 }, 'removed'],
}

describe.each(Object.entries(ways))('a sub-affiliate that is %s', (status, history) => {
  const state = history.reduce(subAffiliateDecider.evolve, subAffiliateDecider.initialState)
  test.each(Object.entries(commands))('%s: as the table of states says', (name, [command, next]) => {
    const allowed: readonly string[] = subAffiliateMachine[status as SubAffiliateState['status']]
    const decision = subAffiliateDecider.decide(state, command)
    expect(decision.accepted).toBe(allowed.includes(name))
    if (!decision.accepted)
      return expect(decision.rejection).toMatchObject({ code: 'invalid_state', current_status: status })
    const after = decision.events.reduce(subAffiliateDecider.evolve, state)
    expect(after.status).toBe(next === 'same' ? status : next)
  })
})

test('what is refused names no action that only the service itself takes', () => {
  given(subAffiliateDecider, [invited])
    .when({ type: 'suspend', reason: 'other' })
    .thenRejected({
      code: 'invalid_state',
      current_status: 'invited',
      allowed: ['invite', 'update', 'change_plan', 'remove'],
    })
})

test('an update tells what changed by name, also of what stands beside the stream, whose values it never holds', () => {
  const patch = { country: 'DE', external_id: 'sub2' }
  given(subAffiliateDecider, [added])
    .when({ type: 'update', patch, beside: ['email'] })
    .then([
      { type: 'SubAffiliateUpdated', data: { patch: { external_id: 'sub2' }, changed: ['external_id', 'email'] } },
    ])
  given(subAffiliateDecider, [added])
    .when({ type: 'update', patch: { country: 'DE' }, beside: [] })
    .then([])
})

describe('plans', () => {
  const change = (
    plan_id: string,
    effective_from: string,
    o: Partial<{ since: SubAffiliateEvent[]; closed: string[] }> = {},
  ) => {
    const { since = [added], closed: closedMonths = [] } = o
    const command = { type: 'change_plan', plan: { plan_id, effective_from }, closedMonths } as const
    const decision = subAffiliateDecider.decide(stateOf(since), command)
    if (!decision.accepted) throw new Error('refused')
    return decision.events
  }
  const stateOf = (events: SubAffiliateEvent[]) =>
    events.reduce(subAffiliateDecider.evolve, subAffiliateDecider.initialState)

  test('one holds from its day on, and none before the first', () => {
    const { fields: after } = stateOf([added, ...change(other, '2026-03-01')])
    const on = (day: string) => after && planOn(after, day)?.plan_id
    expect(['2026-02-09', '2026-02-10', '2026-02-28', '2026-03-01'].map(on)).toEqual([undefined, plan, plan, other])
  })
  test('one that begins before another takes its place', () => {
    expect(stateOf([added, ...change(other, '2026-02-10')]).fields?.plan_history).toEqual([
      { plan_id: other, effective_from: '2026-02-10' },
    ])
  })
  test('the same plan from the same day is no change', () => {
    expect(change(plan, '2026-02-10')).toEqual([])
  })
  test('regression: one from an open month on leaves the later months that are closed as they are, each day of them', () => {
    const third = 'pln_01JD0000000000000000000003'
    const closed = ['2026-03', '2026-04', '2026-06']
    const since = [added, ...change(third, '2026-04-20')]
    const events = change(other, '2026-02-05', { since, closed })
    expect(stateOf([...since, ...events]).fields?.plan_history.map((one) => Object.values(one).join(' '))).toEqual([
      `${other} 2026-02-05`,
      `${plan} 2026-03-01`,
      `${third} 2026-04-20`,
      `${other} 2026-05-01`,
      `${third} 2026-06-01`,
      `${other} 2026-07-01`,
    ])
    expect(change(other, '2026-02-05', { since: [...since, ...events], closed })).toEqual([])
  })
  test('days of a closed month that had none have the one that begins before them', () => {
    const plans = stateOf([added, ...change(other, '2026-01-10', { closed: ['2026-02'] })]).fields?.plan_history
    expect(plans).toEqual([
      { plan_id: other, effective_from: '2026-01-10' },
      { plan_id: plan, effective_from: '2026-02-10' },
      { plan_id: other, effective_from: '2026-03-01' },
    ])
  })
})

test('an invitation and joining are told with the plan; an expired invitation is not told', () => {
  const id = 'sub_01JD0000000000000000000000'
  const told = (event: SubAffiliateEvent) => {
    const state = subAffiliateDecider.evolve({ ...subAffiliateDecider.initialState, fields }, event)
    return subAffiliatePublicEvent(id, state, event)
  }
  expect(told(invited)).toEqual({
    type: 'sub_affiliate.invited',
    onceKey: null,
    data: { sub_affiliate_id: id, plan_id: plan, expires: '1970-01-01T00:00:00.002Z' },
  })
  expect(told(added)).toEqual({
    type: 'sub_affiliate.joined',
    onceKey: id,
    data: { sub_affiliate_id: id, plan_id: plan, country: 'DE', joined: '1970-01-01T00:00:00.001Z' },
  })
  expect(told(expired)).toBeNull()
})

test.each([
  [{ country: 'XX' }, '/country invalid_value'],
  [{ time_zone: 'GMT+2' }, '/time_zone unknown_time_zone'],
  [{ payout_currency: 'USD' }, '/minimum_payout/currency invalid_value'],
  [{ payout_currency: 'XXQ', minimum_payout: { amount: 0, currency: 'XXQ' } }, '/payout_currency unknown_currency'],
])('%j is refused: %s', (changed, fault) => {
  expect(subAffiliateFaults(fields)).toEqual([])
  expect(subAffiliateFaults({ ...fields, ...changed }).map(({ pointer, code }) => `${pointer} ${code}`)).toEqual([
    fault,
  ])
})

test('an e-mail address shows its first letter and its host once it is masked', () => {
  expect(maskedEmail('jane.doe@example.com')).toBe('j***@example.com')
  expect(['a@b', 'a b@c.de', 'a@b@c.de', '<a@b.de>', 'no', '@x.de'].map(isEmail)).toEqual([
    ...[true, false, false, false, false, false],
  ])
})
