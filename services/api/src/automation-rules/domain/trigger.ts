// Decides which events a rule waits for, and which subject an event triggers it for (domain.md 9.1). It never looks at numbers.
import { dataSchemaOf } from '@wds/contracts/event-schemas'
import type { EventType } from '@wds/contracts/event-types'
import type { RuleFields, SubjectType, Trigger } from './rule.ts'

/** Fields of an event's data by the subject that they name. */
const fieldOf = {
  brand: 'brand_slug',
  integration: 'integration_id',
  campaign: 'campaign_id',
  sub_affiliate: 'sub_affiliate_id',
} as const

/** The type of event that triggers a rule; null: none does. */
export function eventTypeOf(trigger: Trigger): EventType | null {
  if (trigger.type === 'schedule') return null
  return trigger.type === 'anomaly' ? 'anomaly.detected' : (trigger.event_type as EventType)
}

/** Whether what triggers the rule may name a subject of this type. */
export function canSupply(trigger: Trigger, subject: SubjectType): boolean {
  const type = eventTypeOf(trigger)
  return type === null || subject === 'workspace' || Object.hasOwn(dataSchemaOf(type).properties, fieldOf[subject])
}

/** An event of the workspace. */
export interface TriggeringEvent {
  workspaceId: string
  eventId: string
  data: Record<string, unknown>
}

/** What the event names; the integration also by the campaign that it names. */
export type Place = Record<keyof typeof fieldOf, string | null>

export function placeOf({ data }: TriggeringEvent): Place {
  const named = (field: string) => (typeof data[field] === 'string' ? String(data[field]) : null)
  const { brand, integration, campaign, sub_affiliate } = fieldOf
  const found = { brand: named(brand), integration: named(integration), campaign: named(campaign) }
  return { ...found, sub_affiliate: named(sub_affiliate) }
}

export interface Triggered {
  subjectId: string
  /** Of the anomaly or the event: what the evaluation's key is made of, beside the subject. */
  id: string
  /** The month that was closed, `2026-01`; null where the event names none. */
  month: string | null
}

/** The type of event that says which month was closed. */
export const monthClosed: EventType = 'stats.monthly_closed'

/** Whether the rule makes invoices of a month that was closed. */
export const billsMonth = ({ actions }: Pick<RuleFields, 'actions'>) =>
  actions.some(({ type }) => type === 'draft_invoices' || type === 'generate_invoices')

/** The subject for which the event triggers the rule; null: it does not trigger it. */
export function triggeredBy(fields: RuleFields, event: TriggeringEvent, place: Place): Triggered | null {
  const { trigger, subject_type: type, scope } = fields
  if (trigger.type === 'anomaly' && trigger.metric !== null && trigger.metric !== event.data.metric) return null
  const isOpen = (list: readonly string[], value: string | null) =>
    list.length === 0 || (value !== null && list.includes(value))
  // A month is every brand's: the scope says which of them are billed.
  if (!billsMonth(fields) && !isOpen(scope.brand_slugs, place.brand)) return null
  if (!isOpen(scope.integration_ids, place.integration)) return null
  if (!isOpen(scope.campaign_ids, place.campaign)) return null
  const subjectId = type === 'workspace' ? event.workspaceId : place[type]
  if (subjectId === null) return null
  const id = trigger.type === 'anomaly' ? String(event.data.anomaly_id) : event.eventId
  const isMonth = trigger.type === 'event' && trigger.event_type === monthClosed
  return { subjectId, id, month: isMonth ? String(event.data.month) : null }
}
