// Actions of an automation rule beside what its resource declares, its firings, and what it would do now (domain.md 3.10).
import { list } from '@wds/aggregate/list'
import { change, loadOr404, read } from '@wds/aggregate/resource'
import { hasScope } from '@wds/http-service/bearer'
import type { ApiRequest, RouteOf } from '@wds/http-service/route'
import type { ApiDependencies } from '../dependencies.ts'
import type { operations, paths } from '../openapi.generated.ts'
import { evaluateRule } from './evaluate-rule.ts'
import { firings } from './firings.ts'
import { automationRules, enableCommand } from './resource.ts'

export function automationRuleRoutes(o: ApiDependencies): RouteOf<paths>[] {
  const { scopes } = automationRules
  const action = { method: 'POST', scope: scopes.write } as const
  return [
    {
      ...action,
      path: '/v1/automation-rules/{id}/enable',
      handle: (request) => change(request, automationRules, (_tx, found) => enableCommand(found, request.client)),
    },
    {
      ...action,
      path: '/v1/automation-rules/{id}/disable',
      handle: (request) => change(request, automationRules, () => ({ type: 'disable', reason: 'user' })),
    },
    {
      method: 'POST',
      path: '/v1/automation-rules/{id}/dry-run',
      scope: scopes.read,
      handle: (request) => dryRun(request, o),
    },
    {
      method: 'GET',
      path: '/v1/automation-rules/{id}/firings',
      scope: scopes.read,
      filters: ['status', 'subject_id'],
      handle: (request) => listFirings(request, o),
    },
    { method: 'GET', path: '/v1/firings/{id}', scope: scopes.read, handle: readFiring },
  ]
}

/** The numbers are those of stats: who may not read stats does not see them here either. */
const shown = <E>(request: Pick<ApiRequest, 'client'>, evidence: E[]): E[] =>
  hasScope(request.client, 'stats:read') ? evidence : []

async function dryRun(request: ApiRequest<operations['dryRunAutomationRule']>, { referenceRates }: ApiDependencies) {
  const nowMs = request.now()
  return request.read(async (tx) => {
    const { id, state } = await loadOr404(tx, automationRules, request.params.id)
    if (state.fields === null) throw new Error('a rule without fields')
    const { subject_type, actions } = state.fields
    const met = await evaluateRule(tx, state.fields, { referenceRates, nowMs })
    const data = met.map(({ subjectId, evidence }) => ({
      subject_type,
      subject_id: subjectId,
      evidence: shown(request, evidence),
      actions: actions.map(({ type }) => type),
    }))
    return { status: 200 as const, body: { object: 'automation_dry_run' as const, rule_id: id, data } }
  })
}

async function listFirings(request: ApiRequest<operations['listFirings']>, { cursors }: ApiDependencies) {
  const { id } = request.params
  await request.read((tx) => loadOr404(tx, automationRules, id))
  const { status, body } = await list(request, firings, { cursors, within: { rule_id: id } })
  const data = body.data.map((one) => ({ ...one, evidence: shown(request, one.evidence) }))
  return { status, body: { ...body, data } }
}

async function readFiring(request: ApiRequest<operations['readFiring']>) {
  const answer = await read(request, firings)
  return { ...answer, body: { ...answer.body, evidence: shown(request, answer.body.evidence) } }
}
