// Decides what of a rule's fields a JSON Schema cannot see (domain.md 3.10, 9): metrics, currencies, what an action may be done to, and
// which scopes the actions need.
import { isCurrency } from '@wds/contracts/currencies'
import { isEventType } from '@wds/contracts/event-types'
import type { FieldFault } from '@wds/contracts/field-fault'
import type { Scope } from '@wds/contracts/scopes'
import { isCount, isSummed } from '../../stats/domain/measures.ts'
import { metricNames, termsOf } from '../../stats/domain/stats-metrics.ts'
import { type ActionType, type Condition, type RuleFields, type SubjectType, subjectTypes } from './rule.ts'
import { directionOf } from './rule-anomaly.ts'
import { billsMonth, canSupply, monthClosed } from './trigger.ts'

/** What each action needs (domain.md 9.6), and which subjects it can be done to. */
const actionRules: Record<ActionType, { scope: Scope | null; subjects: readonly SubjectType[] }> = {
  notify_webhook: { scope: null, subjects: subjectTypes },
  pause_campaign: { scope: 'campaigns:write', subjects: ['campaign'] },
  resume_campaign: { scope: 'campaigns:write', subjects: ['campaign'] },
  trigger_sync: { scope: 'integrations:write', subjects: ['integration', 'campaign'] },
  hold_payout: { scope: 'invoices:write', subjects: ['sub_affiliate'] },
  create_anomaly: { scope: 'campaigns:write', subjects: ['brand', 'integration', 'campaign'] },
  draft_invoices: { scope: 'invoices:write', subjects: ['workspace'] },
  generate_invoices: { scope: 'invoices:write', subjects: ['workspace'] },
}

/** They cannot be added over the days of a window, or are 0 until its days are final, so that a rule would see too little or too much. */
const unusable = new Set(['unique_clicks', 'sub_affiliate_cost', 'margin'])

/** The scopes that a rule needs beside `campaigns:write`, each once, in their order. */
export function scopesOf({ actions }: Pick<RuleFields, 'actions'>): Scope[] {
  const needed = actions.map(({ type }) => actionRules[type].scope).filter((scope) => scope !== null)
  return [...new Set(needed)].sort()
}

/** Whether a metric is an amount, so that it means nothing without a currency. */
export function isMoney(metric: string): boolean {
  return termsOf(metric).some((term) => !(isSummed(term) && isCount(term)))
}

export function ruleFaults(fields: RuleFields): FieldFault[] {
  const faults = [...triggerFaults(fields), ...fields.conditions.flatMap(conditionFaults)]
  for (const metric of Object.keys(fields.min_sample))
    if (!metricNames.includes(metric) || unusable.has(metric) || isMoney(metric))
      faults.push(fault('/min_sample', 'Names what is no metric that counts things.'))
  for (const [at, { type, severity }] of fields.actions.entries()) {
    const pointer = `/actions/${at}/severity`
    const isAnomaly = type === 'create_anomaly'
    if (isAnomaly && severity === undefined) faults.push(fault(pointer, 'This field is required.', 'required'))
    if (!isAnomaly && severity !== undefined)
      faults.push(fault(pointer, 'Is of create_anomaly alone.', 'unknown_field'))
    if (isAnomaly && (fields.conditions[0] === undefined || directionOf(fields.conditions[0]) === null))
      faults.push(fault('/conditions', 'create_anomaly needs a first condition that says above or below.'))
    if (!actionRules[type].subjects.includes(fields.subject_type)) {
      const detail = `${type} cannot be done to this subject type.`
      faults.push({ pointer: `/actions/${at}/type`, code: 'subject_not_supported', detail })
    }
  }
  const names = fields.actions.map(({ type }) => type)
  if (new Set(names).size !== names.length) faults.push(fault('/actions', 'Names an action twice.'))
  if (names.includes('pause_campaign') && names.includes('resume_campaign'))
    faults.push(fault('/actions', 'Pauses and resumes the same campaign.'))
  return [...faults, ...(billsMonth(fields) ? billingFaults(fields) : [])]
}

/** Invoices are of the month that the event names, each of a whole brand (decision 89). */
function billingFaults({ trigger, scope, actions }: RuleFields): FieldFault[] {
  const faults: FieldFault[] = []
  if (trigger.type !== 'event' || trigger.event_type !== monthClosed)
    faults.push(
      fault('/trigger', `Invoices are made of the month that ${monthClosed} names: nothing else triggers it.`),
    )
  for (const name of ['campaign_ids', 'integration_ids'] as const)
    if (scope[name].length > 0) faults.push(fault(`/scope/${name}`, 'An invoice bills a whole brand.'))
  const types = actions.map(({ type }) => type)
  if (types.includes('draft_invoices') && types.includes('generate_invoices'))
    faults.push(fault('/actions', 'generate_invoices draws up what draft_invoices would.'))
  return faults
}

/** What each trigger has beside its type; a metric may be left out. */
const triggerMembers = { schedule: ['every_minutes'], event: ['event_type'], anomaly: ['metric'] } as const

function triggerFaults({ trigger, subject_type, conditions }: RuleFields): FieldFault[] {
  const members: readonly string[] = triggerMembers[trigger.type]
  const missing = members.filter((name) => name !== 'metric' && !Object.hasOwn(trigger, name))
  const strange = Object.keys(trigger).filter((name) => name !== 'type' && !members.includes(name))
  if (missing.length + strange.length > 0)
    return [
      ...missing.map((name) => fault(`/trigger/${name}`, 'This field is required.', 'required')),
      ...strange.map((name) => fault(`/trigger/${name}`, 'This field is of another type of trigger.', 'unknown_field')),
    ]
  if (trigger.type === 'schedule')
    return conditions.length > 0 ? [] : [fault('/conditions', 'A schedule needs a condition.')]
  if (trigger.type === 'event' && !isEventType(trigger.event_type))
    return [fault('/trigger/event_type', 'Names no type of event.')]
  if (canSupply(trigger, subject_type)) return []
  const detail = 'The event names no subject of this type.'
  return [{ pointer: '/subject_type', code: 'subject_not_supported', detail }]
}

function conditionFaults({ metric, op, value, currency }: Condition, at: number): FieldFault[] {
  const pointer = `/conditions/${at}`
  if (!metricNames.includes(metric) || unusable.has(metric))
    return [fault(`${pointer}/metric`, 'Names a metric that no rule can compare.')]
  const faults: FieldFault[] = []
  if (Array.isArray(value) !== (op === 'between'))
    faults.push(fault(`${pointer}/value`, 'Must be two numbers for between, else one.'))
  if (Array.isArray(value) && Number(value[0]) > Number(value[1]))
    faults.push(fault(`${pointer}/value`, 'Must not fall.'))
  if (op === 'changed_by_pct' && value === 0) faults.push(fault(`${pointer}/value`, 'Must not be 0.'))
  if (isMoney(metric) !== (currency !== null))
    faults.push(fault(`${pointer}/currency`, isMoney(metric) ? 'Money needs a currency.' : 'Is no money.'))
  if (currency !== null && !isCurrency(currency))
    faults.push({ pointer: `${pointer}/currency`, code: 'unknown_currency', detail: 'Must be an ISO 4217 code.' })
  return faults
}

const fault = (pointer: string, detail: string, code: FieldFault['code'] = 'validation_failed'): FieldFault => {
  return { pointer, code, detail }
}
