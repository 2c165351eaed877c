// Declares the automation rule: its stream, its row, its place in the API (domain.md 3.10). Who saves one has each scope that its
// actions need.
import { type Change, type Loaded, workspaceOf } from '@wds/aggregate/aggregate'
import { publicEvents } from '@wds/aggregate/announcement'
import { mergePatch } from '@wds/aggregate/merge-patch'
import { commonFields, type Resource } from '@wds/aggregate/resource'
import type { InvalidState } from '@wds/decider/decider'
import { hasScope, insufficientScope } from '@wds/http-service/bearer'
import { Problem, problemOfFaults } from '@wds/http-service/problem'
import type { ApiRequest, RequestClient } from '@wds/http-service/route'
import type { Transaction } from '@wds/postgres/transaction'
import type { Authority } from '../authorities/domain/authority.ts'
import type { AutomationRule, operations } from '../openapi.generated.ts'
import { rulePublicEvent } from './domain/public-events.ts'
import {
  type Condition,
  type RuleCommand,
  type RuleEvent,
  type RuleFields,
  type RuleState,
  ruleDecider,
  type Trigger,
} from './domain/rule.ts'
import { ruleFaults, scopesOf } from './domain/rule-form.ts'
import { eventTypeOf } from './domain/trigger.ts'
import { countRulesLocked, rulesMax } from './store-rules.ts'
import { judgeScope } from './store-scope.ts'
import { setWatch } from './store-watches.ts'
import { setTick } from './store-work.ts'

const nothing = { brand_slugs: [], campaign_ids: [], integration_ids: [] }
const defaults = {
  final_days_only: false,
  min_sample: {},
  dry_run: false,
  scope: nothing,
} satisfies Partial<RuleFields>
const brakes = { cooldown_minutes: 1_440, max_fires_per_day: 20 }

export const automationRules: Resource<RuleState, RuleCommand, RuleEvent, InvalidState, AutomationRule> = {
  streamType: 'automation_rule',
  idPrefix: 'rul',
  table: 'automation_rules',
  path: '/v1/automation-rules',
  scopes: { read: 'campaigns:read', write: 'campaigns:write' },
  decider: ruleDecider,
  columns: ({ status }) => ({ status, enabled: String(status === 'enabled') }),
  filters: { enabled: 'enabled' },
  announce: publicEvents(rulePublicEvent),
  project: followChange,
  toApi: (rows) => rows.map(toApiRule),
  create: (request: ApiRequest<operations['createAutomationRule']>) => {
    const { enabled = true, ...given } = request.body
    const fields = wholeFields({ ...defaults, ...brakes, ...given })
    judge(fields, request.client)
    return async (tx, { nowMs }) => {
      await judgeScope(tx, fields.scope)
      if ((await countRulesLocked(tx, workspaceOf(tx))) >= rulesMax) throw new Problem('limit_reached')
      return { type: 'create', fields, enabled, authority: authorityOf(request.client, fields, nowMs) }
    }
  },
  patch:
    (request: ApiRequest<operations['updateAutomationRule']>) =>
    async (tx, { state, nowMs }) => {
      if (state.fields === null) throw new Error('a rule without fields')
      const given = request.body as Partial<RuleFields>
      // A trigger of another type has nothing of the former one.
      const { type = state.fields.trigger.type } = given.trigger ?? {}
      const isOther = type !== state.fields.trigger.type
      const found = isOther ? { ...state.fields, trigger: {} as Trigger } : state.fields
      const patch = mergePatch(found, given, { ...defaults, ...brakes })
      const fields = wholeFields({ ...state.fields, ...patch })
      judge(fields, request.client)
      await judgeScope(tx, fields.scope, state.fields.scope)
      const changed = Object.keys(patch).map((name) => [name, fields[name as keyof RuleFields]])
      const authority = authorityOf(request.client, fields, nowMs)
      return { type: 'update', patch: Object.fromEntries(changed), authority }
    },
  delete: () => () => ({ type: 'delete' }),
}

/** An enabled rule looks at its subjects at once, or waits for events from now on, also when its trigger was changed; else it does no more. */
async function followChange(tx: Transaction, { after, events }: Change<RuleState, RuleEvent>): Promise<void> {
  const { status, fields } = after.state
  const begins = events.some(
    ({ type, data }) => type !== 'RuleUpdated' || 'trigger' in (data as { patch: object }).patch,
  )
  if (!begins || fields === null) return
  const eventType = eventTypeOf(fields.trigger)
  const atMs = status === 'enabled' ? after.nowMs : null
  await setTick(tx, { ruleId: after.id, atMs: eventType === null ? atMs : null })
  await setWatch(tx, { ruleId: after.id, eventType, sinceMs: atMs })
}

type Given = Omit<RuleFields, 'conditions' | 'scope' | 'trigger'> & {
  trigger: { type: Trigger['type'] }
  conditions: (Omit<Condition, 'currency'> & { currency?: string | null })[]
  scope: Partial<RuleFields['scope']>
}

/** Its trigger has what belongs to its type once it is judged. */
function wholeFields(given: Given): RuleFields {
  const conditions = given.conditions.map((one) => ({ ...one, currency: one.currency ?? null }))
  const trigger = (given.trigger.type === 'anomaly' ? { metric: null, ...given.trigger } : given.trigger) as Trigger
  return { ...given, trigger, conditions, scope: { ...nothing, ...given.scope } }
}

/** Throws a Problem for fields that fit nothing, or that are beyond what the client may do itself. */
function judge(fields: RuleFields, client: RequestClient): void {
  const faults = ruleFaults(fields)
  if (faults.length > 0) throw problemOfFaults(faults)
  const missing = scopesOf(fields).filter((scope) => !hasScope(client, scope))
  if (missing.length > 0) throw insufficientScope(missing)
}

/** Who answers for what the rule does from now on. A token of the console is the person. */
export function authorityOf(client: RequestClient, fields: RuleFields, nowMs: number): Authority {
  const rights = { granted_scopes: scopesOf(fields), saved_ms: nowMs }
  if (client.kind === 'api_key')
    return { principal: { type: 'api_key', id: client.id }, user_id: null, grant_id: null, ...rights }
  if (client.kind === 'user') throw new Error('a session opens no route of a rule')
  const { userId: user_id, grantId: grant_id, id } = client
  if (id === 'console') return { principal: { type: 'user', id: user_id }, user_id, grant_id: null, ...rights }
  return { principal: { type: 'client', id }, user_id, grant_id, ...rights }
}

/** Who enables a rule answers for it, as who saves it. */
export function enableCommand({ state, nowMs }: Loaded<RuleState>, client: RequestClient): RuleCommand {
  if (state.fields === null) throw new Error('a rule without fields')
  judge(state.fields, client)
  return { type: 'enable', authority: authorityOf(client, state.fields, nowMs) }
}

function toApiRule(loaded: Loaded<RuleState>): AutomationRule {
  const { status, fields, authority, disabled_reason } = loaded.state
  if (fields === null || authority === null) throw new Error('a rule without fields')
  const { principal, granted_scopes } = authority
  const common = commonFields('automation_rule', loaded)
  const shown = { ...common, ...fields, enabled: status === 'enabled', disabled_reason }
  return { ...shown, principal, granted_scopes }
}
