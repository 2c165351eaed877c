import { describe, expect, test } from '@jest/globals'
import {
  type AutomationRule,
  actionsText,
  conditionText,
  draftOfRule,
  emptyRuleDraft,
  evidenceText,
  fieldsOfRule,
  numberFault,
  outcomeLines,
  reasonText,
  triggerText,
  windowText,
} from './automation-rules.ts'

describe('a rule in words', () => {
  test('what triggers it, and what it does; an action that is not known speaks for itself', () => {
    const of = (trigger: AutomationRule['trigger']) => triggerText({ trigger })
    expect([of({ type: 'schedule', every_minutes: 60 }), of({ type: 'event', event_type: 'sync.failed' })]).toEqual([
      'Every 60 minutes',
      'On sync.failed',
    ])
    expect([of({ type: 'anomaly', metric: null }), of({ type: 'anomaly', metric: 'ngr' })]).toEqual([
      'On an anomaly',
      'On an anomaly of ngr',
    ])
    const actions = [{ type: 'pause_campaign' }, { type: 'later' }] as AutomationRule['actions']
    expect(actionsText({ actions })).toBe('Pause the campaign, later')
  })

  test('conditions with counts, money, two numbers and a share', () => {
    expect(conditionText({ metric: 'signups', op: 'lte', value: 0, currency: null }, 'last_7d')).toBe(
      'signups at most 0 (7 days)',
    )
    expect(conditionText({ metric: 'ngr', op: 'between', value: [100, 200], currency: 'EUR' }, 'today')).toBe(
      'ngr between €1.00 and €2.00 (today)',
    )
    expect(conditionText({ metric: 'ngr', op: 'changed_by_pct', value: -30, currency: 'EUR' }, 'last_1d')).toBe(
      'ngr changed by % -30 (1 day)',
    )
    expect([windowText('yesterday'), windowText('whenever')]).toEqual(['yesterday', 'whenever'])
  })
})

describe('a firing in words', () => {
  const compared = { op: 'gt', value: 1, currency: null }
  test('what was compared', () => {
    expect(evidenceText([{ ...compared, metric: 'clicks', observed: 120, before: 300 }])).toBe('clicks 120, before 300')
    expect(evidenceText([])).toBe('')
  })

  test('what became of each action, or why there are none', () => {
    const actions = [
      { type: 'trigger_sync', status: 'failed' as const, error_code: 'invalid_state' },
      { type: 'pause_campaign', status: 'skipped' as const, error_code: null },
      { type: 'notify_webhook', status: 'succeeded' as const, error_code: null },
    ]
    expect(outcomeLines({ status: 'partially_failed', actions })).toEqual([
      'Start a sync: failed (invalid_state)',
      'Pause the campaign: skipped, it was so already',
      'Tell webhooks',
    ])
    expect(outcomeLines({ status: 'simulated', actions: [] })).toEqual(['Tried dry: nothing was done.'])
    expect([reasonText('user'), reasonText('toString')]).toEqual(['Somebody switched it off.', 'toString'])
  })
})

describe('the form of a rule', () => {
  const saved = {
    name: 'Silent',
    trigger: { type: 'event', event_type: 'campaign.paused' },
    subject_type: 'campaign',
    window: 'last_7d',
    final_days_only: true,
    dry_run: true,
    cooldown_minutes: 60,
    max_fires_per_day: 3,
    scope: { brand_slugs: ['acme', 'lotus'], campaign_ids: [], integration_ids: [] },
    conditions: [{ metric: 'ngr', op: 'between', value: [-5, 5], currency: 'EUR' }],
    min_sample: { clicks: 200 },
    actions: [{ type: 'notify_webhook' }, { type: 'create_anomaly', severity: 'high' }],
  } as unknown as AutomationRule

  test('what is opened is what is saved, if nothing is typed', () => {
    const { created, updated, ...fields } = saved
    expect(fieldsOfRule(draftOfRule(saved))).toEqual(fields)
  })

  test('a trigger has what belongs to its type alone; a value that is missing is left to the API', () => {
    const trigger = (triggerType: 'schedule' | 'anomaly') => fieldsOfRule({ ...emptyRuleDraft, triggerType }).trigger
    expect([trigger('schedule'), trigger('anomaly')]).toEqual([
      { type: 'schedule', every_minutes: 60 },
      { type: 'anomaly', metric: null },
    ])
    expect(fieldsOfRule(emptyRuleDraft).conditions).toEqual([
      { metric: 'clicks', op: 'gte', value: null, currency: null },
    ])
  })
})

test('regression: a rule that is saved again keeps the actions that the form does not know', () => {
  const actions = ['later', 'generate_invoices', 'notify_webhook']
  const saved = fieldsOfRule({ ...emptyRuleDraft, actions }).actions.map(({ type }) => type)
  expect(saved).toEqual(['notify_webhook', 'generate_invoices', 'later'])
})

test('regression: an empty value is said to be needed, and what is no number is asked for as one', () => {
  const refusal = 'This value is not acceptable here.'
  expect([numberFault('', null), numberFault(' ', refusal)]).toEqual([null, 'This is needed.'])
  expect([numberFault('ten', refusal), numberFault('1, 2', refusal)]).toEqual(['Write a number such as 100.', refusal])
})
