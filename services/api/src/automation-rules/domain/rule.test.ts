import { describe, expect, test } from '@jest/globals'
import { given } from '@wds/decider/given-when-then'
import type { Authority } from '../../authorities/domain/authority.ts'
import { type RuleCommand, type RuleEvent, type RuleFields, ruleDecider, ruleMachine } from './rule.ts'
import { ruleFaults, scopesOf } from './rule-form.ts'

const fields: RuleFields = {
  name: 'Pause',
  trigger: { type: 'schedule', every_minutes: 5 },
  subject_type: 'campaign',
  scope: { brand_slugs: [], campaign_ids: [], integration_ids: [] },
  window: 'last_7d',
  final_days_only: false,
  conditions: [{ metric: 'clicks', op: 'gte', value: 200, currency: null }],
  min_sample: {},
  actions: [{ type: 'pause_campaign' }],
  cooldown_minutes: 5,
  max_fires_per_day: 1,
  dry_run: false,
}
const authority: Authority = {
  principal: { type: 'api_key', id: 'key_1' },
  user_id: null,
  grant_id: null,
  granted_scopes: ['campaigns:write'],
  saved_ms: 0,
}
const other: Authority = { ...authority, principal: { type: 'api_key', id: 'key_2' } }
const created: RuleEvent = { type: 'RuleCreated', data: { fields, authority, enabled: true } }

describe('C23: each pair of state and action of the rule', () => {
  const stories: Record<keyof typeof ruleMachine, RuleEvent[]> = {
    none: [],
    enabled: [created],
    disabled: [created, { type: 'RuleDisabled', data: { reason: 'user' } }],
    deleted: [created, { type: 'RuleDeleted', data: {} }],
  }
  const commands: RuleCommand[] = [
    { type: 'create', fields, authority, enabled: true },
    { type: 'update', patch: { name: 'Other' }, authority },
    { type: 'enable', authority },
    { type: 'disable', reason: 'user' },
    { type: 'delete' },
  ]
  for (const [status, events] of Object.entries(stories))
    for (const command of commands)
      test(`${status}, ${command.type}`, () => {
        const row: Record<string, string> = ruleMachine[status as keyof typeof ruleMachine]
        const state = events.reduce(ruleDecider.evolve, ruleDecider.initialState)
        const decision = ruleDecider.decide(state, command)
        expect(decision.accepted).toBe(command.type in row)
        if (!decision.accepted) return expect(decision.rejection.current_status).toBe(status)
        const next = decision.events.reduce(ruleDecider.evolve, state)
        expect(next.version).toBe(events.length + 1)
        return expect(next.status).toBe(row[command.type] === 'as_asked' ? 'enabled' : row[command.type])
      })
})

test('a change of nothing makes no event; who changes something answers for the rule from then on', () => {
  const same = { type: 'update', patch: { name: 'Pause' }, authority: other } as const
  given(ruleDecider, [created]).when(same).then([])
  const patch = { name: 'Stop' }
  given(ruleDecider, [created])
    .when({ type: 'update', patch: { ...patch, window: 'last_7d' }, authority: other })
    .then([{ type: 'RuleUpdated', data: { patch, changed: ['name'], authority: other } }])
})

describe('the form of a rule', () => {
  const pointersOf = (over: Partial<RuleFields>) => ruleFaults({ ...fields, ...over }).map(({ pointer }) => pointer)
  const condition = (over: object) => ({
    conditions: [{ ...fields.conditions[0], ...over } as RuleFields['conditions'][0]],
  })

  test('a metric is one that adds up; money has a currency, and nothing else has', () => {
    expect(pointersOf({})).toEqual([])
    expect(pointersOf(condition({ metric: 'unique_clicks' }))).toEqual(['/conditions/0/metric'])
    expect(pointersOf(condition({ metric: 'luck' }))).toEqual(['/conditions/0/metric'])
    expect(pointersOf(condition({ metric: 'epc' }))).toEqual(['/conditions/0/currency'])
    expect(pointersOf(condition({ currency: 'EUR' }))).toEqual(['/conditions/0/currency'])
    expect(pointersOf(condition({ metric: 'ngr', currency: 'XXX' }))).toEqual(['/conditions/0/currency'])
    expect(pointersOf(condition({ metric: 'ngr', currency: 'EUR' }))).toEqual([])
    expect(pointersOf({ min_sample: { ngr: 1 } })).toEqual(['/min_sample'])
  })

  test('between has two numbers in their order, each other operator one; a change by 0 per cent is none', () => {
    expect(pointersOf(condition({ op: 'between' }))).toEqual(['/conditions/0/value'])
    expect(pointersOf(condition({ value: [1, 2] }))).toEqual(['/conditions/0/value'])
    expect(pointersOf(condition({ op: 'between', value: [2, 1] }))).toEqual(['/conditions/0/value'])
    expect(pointersOf(condition({ op: 'between', value: [1, 1] }))).toEqual([])
    expect(pointersOf(condition({ op: 'changed_by_pct', value: 0 }))).toEqual(['/conditions/0/value'])
  })

  test('an action is one that the subject can take, each once, and none undoes another', () => {
    expect(pointersOf({ subject_type: 'brand' })).toEqual(['/actions/0/type'])
    const both: RuleFields['actions'] = [{ type: 'pause_campaign' }, { type: 'resume_campaign' }]
    expect(pointersOf({ actions: both })).toEqual(['/actions'])
    expect(pointersOf({ actions: [{ type: 'trigger_sync' }, { type: 'trigger_sync' }] })).toEqual(['/actions'])
    expect(scopesOf({ actions: [{ type: 'trigger_sync' }, ...both, { type: 'notify_webhook' }] })).toEqual([
      'campaigns:write',
      'integrations:write',
    ])
  })

  test('invoices are made of the month that was closed, of whole brands, by one action', () => {
    const trigger = { type: 'event', event_type: 'stats.monthly_closed' } as const
    const bills: Partial<RuleFields> = { subject_type: 'workspace', trigger, actions: [{ type: 'draft_invoices' }] }
    expect([pointersOf(bills), scopesOf({ actions: [{ type: 'generate_invoices' }] })]).toEqual([
      [],
      ['invoices:write'],
    ])
    expect(pointersOf({ ...bills, trigger: fields.trigger })).toEqual(['/trigger'])
    expect(pointersOf({ ...bills, trigger: { type: 'event', event_type: 'campaign.paused' } })).toEqual(['/trigger'])
    const scope = { brand_slugs: ['acme'], campaign_ids: ['cmp_1'], integration_ids: [] }
    expect(pointersOf({ ...bills, scope })).toEqual(['/scope/campaign_ids'])
    expect(pointersOf({ ...bills, actions: [{ type: 'draft_invoices' }, { type: 'generate_invoices' }] })).toEqual([
      '/actions',
    ])
  })
})
