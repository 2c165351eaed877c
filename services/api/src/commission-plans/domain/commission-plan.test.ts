import { expect, test } from '@jest/globals'
import { given } from '@wds/decider/given-when-then'
import { type PlanEvent, type PlanFields, planDecider } from './commission-plan.ts'
import { planFaults } from './commission-plan-form.ts'

const nothing = { cpa: null, revshare_bps: null, tiers: [], cap: null, negative_carryover: false }
const fields: PlanFields = { ...nothing, name: 'Standard', type: 'revshare', revshare_bps: 3_000, base: 'commission' }
const created: PlanEvent = { type: 'CommissionPlanCreated', data: { fields } }
const euros = { amount: 5_000, currency: 'EUR' }

test('a plan is renamed, and its terms stay', () => {
  given(planDecider, [created])
    .when({ type: 'rename', name: 'Autumn' })
    .then([{ type: 'CommissionPlanRenamed', data: { name: 'Autumn' } }])
  given(planDecider, [created]).when({ type: 'rename', name: 'Standard' }).then([])
  const renamed = planDecider.evolve(
    { status: 'active', fields },
    { type: 'CommissionPlanRenamed', data: { name: 'Autumn' } },
  )
  expect(renamed.fields).toEqual({ ...fields, name: 'Autumn' })
})

test('a plan is made once', () => {
  given(planDecider, [created])
    .when({ type: 'create', fields })
    .thenRejected({ code: 'invalid_state', current_status: 'active', allowed: ['rename'] })
})

test.each([
  [{ type: 'cpa' }, ['/cpa required']],
  [{ type: 'cpa', cpa: euros, revshare_bps: 1 }, ['/revshare_bps unknown_field']],
  [{ type: 'hybrid', cpa: euros }, ['/revshare_bps required']],
  [{ type: 'hybrid', cpa: euros, revshare_bps: 0 }, []],
  [{ type: 'tiered' }, ['/tiers required']],
  [{ type: 'revshare', revshare_bps: 1, cap: { amount: 1, currency: 'XXQ' } }, ['/cap/currency unknown_currency']],
] as const)('terms of %j: %j', (terms, faults) => {
  const found = planFaults({ ...nothing, base: 'commission', ...terms })
  expect(found.map(({ pointer, code }) => `${pointer} ${code}`)).toEqual(faults)
})

test('tiers rise', () => {
  const tier = (from_ftds: number) => ({ from_ftds, revshare_bps: 100 })
  const faultsOf = (...from: number[]) =>
    planFaults({ ...nothing, base: 'ngr', type: 'tiered', tiers: from.map(tier) }).map(({ pointer }) => pointer)
  expect(faultsOf(0, 10, 20)).toEqual([])
  expect(faultsOf(0, 10, 10, 5)).toEqual(['/tiers/2/from_ftds', '/tiers/3/from_ftds'])
})
