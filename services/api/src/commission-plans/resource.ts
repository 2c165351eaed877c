// Declares the commission plan: its stream, its row, its place in the API (domain.md 3.8). Plans publish no events.
import type { Loaded } from '@wds/aggregate/aggregate'
import { mergePatch } from '@wds/aggregate/merge-patch'
import { commonFields, type Resource } from '@wds/aggregate/resource'
import type { InvalidState } from '@wds/decider/decider'
import { problemOfFaults } from '@wds/http-service/problem'
import type { ApiRequest } from '@wds/http-service/route'
import type { CommissionPlan, operations } from '../openapi.generated.ts'
import { type PlanCommand, type PlanEvent, type PlanState, planDecider } from './domain/commission-plan.ts'
import { planFaults } from './domain/commission-plan-form.ts'

export const commissionPlans: Resource<PlanState, PlanCommand, PlanEvent, InvalidState, CommissionPlan> = {
  streamType: 'commission_plan',
  idPrefix: 'pln',
  table: 'commission_plans',
  path: '/v1/commission-plans',
  scopes: { read: 'invoices:read', write: 'invoices:write' },
  isMatchRequired: true,
  decider: planDecider,
  columns: ({ status }) => ({ status }),
  filters: {},
  toApi: (rows) => rows.map(toApiPlan),
  create: (request: ApiRequest<operations['createCommissionPlan']>) => {
    const nothing = { cpa: null, revshare_bps: null, tiers: [], cap: null }
    const fields = { ...nothing, base: 'commission', negative_carryover: false, ...request.body } as const
    const faults = planFaults(fields)
    if (faults.length > 0) throw problemOfFaults(faults)
    return () => ({ type: 'create', fields })
  },
  patch:
    (request: ApiRequest<operations['updateCommissionPlan']>) =>
    (_tx, { state }) => {
      if (state.fields === null) throw new Error('a plan without fields')
      const { name = state.fields.name } = mergePatch({ name: state.fields.name }, request.body, {})
      return { type: 'rename', name }
    },
}

function toApiPlan(row: Loaded<PlanState>): CommissionPlan {
  if (row.state.fields === null) throw new Error('a plan without fields')
  return { ...commonFields('commission_plan', row), ...row.state.fields }
}
