// Automation rules and firings in words, and what is typed into the form of a rule (ui.md 2).
import type { components } from '@wds/api-client/schemas'
import { ruleTexts as words } from '../texts/automation-rules.ts'
import { moneyText, roundText } from './numbers.ts'

type Schemas = components['schemas']
export type AutomationRule = Schemas['AutomationRule']
export type Firing = Schemas['Firing']
export type NewRule = Schemas['NewAutomationRule']
type Condition = NewRule['conditions'][number]
type Evidence = Schemas['RuleEvidence'][number]

export const triggerTypes = ['schedule', 'event', 'anomaly'] as const
export const subjectTypes = ['workspace', 'brand', 'integration', 'campaign', 'sub_affiliate'] as const
export const actionTypes = Object.keys(words.actions) as (keyof typeof words.actions)[]
export const severities = ['low', 'medium', 'high'] as const
export const ops = Object.keys(words.ops) as (keyof typeof words.ops)[]
export const windows = ['today', 'yesterday', 'last_1d', 'last_3d', 'last_7d', 'last_14d', 'last_30d'] as const

/** Counts, which alone may be a smallest sample. */
export const countMetrics = ['clicks', 'impressions', 'signups', 'ftds', 'qualified_ftds', 'deposits'] as const
export const ruleMetrics: readonly string[] = [
  ...countMetrics,
  ...['ftd_amount', 'deposits_amount', 'withdrawals_amount', 'ggr', 'bonuses_amount', 'fees_amount'],
  ...['chargebacks_amount', 'ngr', 'cpa_commission', 'revshare_commission', 'other_commission', 'commission'],
  ...['ctr', 'signup_rate', 'ftd_rate', 'conversion_rate', 'epc', 'cpa_effective', 'ngr_per_ftd'],
]

/** A word for what is known here; else the literal. */
const wordOf = (known: Readonly<Record<string, unknown>>, literal: string): string =>
  Object.hasOwn(known, literal) ? String(known[literal]) : literal

export function triggerText({ trigger }: Pick<AutomationRule, 'trigger'>): string {
  if (trigger.type === 'schedule') return words.triggers.schedule(trigger.every_minutes ?? 0)
  if (trigger.type === 'event') return words.triggers.event(trigger.event_type ?? '')
  return words.triggers.anomaly(trigger.metric ?? null)
}

export const actionName = (type: string) => wordOf(words.actions, type)
export const actionsText = ({ actions }: Pick<AutomationRule, 'actions'>) =>
  actions.map(({ type }) => actionName(type)).join(', ')

export function windowText(window: string): string {
  const days = /^last_(\d+)d$/.exec(window)?.[1]
  return days === undefined ? wordOf(words.windows, window) : words.windows.days(Number(days))
}

function amount(value: number, currency: string | null | undefined): string {
  return currency == null ? roundText(value) : moneyText(value, currency)
}

/** `signups at most 0 (7 days)`; `ngr changed by % -30`. */
export function conditionText({ metric, op, value, currency }: Condition, window: string): string {
  const money = op === 'changed_by_pct' ? null : currency
  const values = (Array.isArray(value) ? value : [value]).map((one) => amount(one, money))
  const named = values.length > 1 ? words.and(values[0] ?? '', values[1] ?? '') : (values[0] ?? '')
  return words.within(`${metric} ${words.ops[op]} ${named}`, windowText(window))
}

/** What was compared: `signups 0`; `clicks 120, before 300`. */
export function evidenceText(evidence: readonly Evidence[]): string {
  return evidence
    .map(({ metric, observed, before, currency }) => {
      const now = `${metric} ${amount(observed, currency)}`
      return before === null ? now : `${now}, before ${amount(before, currency)}`
    })
    .join('; ')
}

/** What became of its actions, one line each; of a firing without, why there are none. */
export function outcomeLines({ status, actions }: Pick<Firing, 'status' | 'actions'>): string[] {
  if (actions.length === 0) return [words.outcomes[status]]
  return actions.map(({ type, status: one, error_code }) => {
    if (one === 'skipped') return words.skipped(actionName(type))
    return one === 'failed' ? words.failed(actionName(type), error_code ?? '') : actionName(type)
  })
}

export const reasonText = (reason: string) => wordOf(words.disabledReasons, reason)

/** Everything as it is typed. */
export interface RuleDraft {
  name: string
  triggerType: (typeof triggerTypes)[number]
  everyMinutes: string
  eventType: string
  anomalyMetric: string
  subjectType: (typeof subjectTypes)[number]
  brands: string
  campaigns: string
  integrations: string
  window: string
  finalOnly: boolean
  conditions: { metric: string; op: string; value: string; currency: string }[]
  least: { metric: string; value: string }[]
  actions: string[]
  severity: string
  cooldown: string
  mostADay: string
  dryRun: boolean
}

export const emptyCondition: RuleDraft['conditions'][number] = { metric: 'clicks', op: 'gte', value: '', currency: '' }
export const emptyLeast: RuleDraft['least'][number] = { metric: 'clicks', value: '' }

export const emptyRuleDraft: RuleDraft = {
  name: '',
  triggerType: 'schedule',
  everyMinutes: '60',
  eventType: 'sync.failed',
  anomalyMetric: '',
  subjectType: 'campaign',
  brands: '',
  campaigns: '',
  integrations: '',
  window: 'last_7d',
  finalOnly: false,
  conditions: [emptyCondition],
  least: [],
  actions: ['notify_webhook'],
  severity: 'medium',
  cooldown: '1440',
  mostADay: '20',
  dryRun: false,
}

export function draftOfRule(rule: AutomationRule): RuleDraft {
  const { trigger, scope } = rule
  const list = (values: readonly string[] | undefined) => (values ?? []).join(', ')
  return {
    ...emptyRuleDraft,
    name: rule.name,
    triggerType: trigger.type,
    subjectType: rule.subject_type,
    window: rule.window,
    everyMinutes: String(trigger.every_minutes ?? emptyRuleDraft.everyMinutes),
    eventType: trigger.event_type ?? emptyRuleDraft.eventType,
    anomalyMetric: trigger.metric ?? '',
    brands: list(scope.brand_slugs),
    campaigns: list(scope.campaign_ids),
    integrations: list(scope.integration_ids),
    finalOnly: rule.final_days_only,
    dryRun: rule.dry_run,
    conditions: rule.conditions.map(({ metric, op, value, currency }) => {
      return { metric, op, value: [value].flat().join(', '), currency: currency ?? '' }
    }),
    least: Object.entries(rule.min_sample).map(([metric, value]) => ({ metric, value: String(value) })),
    actions: rule.actions.map(({ type }) => type),
    severity: rule.actions.find(({ severity }) => severity !== undefined)?.severity ?? emptyRuleDraft.severity,
    cooldown: String(rule.cooldown_minutes),
    mostADay: String(rule.max_fires_per_day),
  }
}

const listOf = (text: string) => text.split(/[\s,]+/).filter((part) => part !== '')
/** What is no number is left to the API, which names the field. */
const numberOf = (text: string) => (text.trim() === '' ? null : Number(text)) as number

/** What was refused as the number of a condition or minimum, in words for whoever typed it. */
export function numberFault(typed: string, refusal: string | null): string | null {
  if (refusal === null) return null
  if (typed.trim() === '') return words.needed
  return listOf(typed).every((part) => Number.isFinite(Number(part))) ? refusal : words.notNumber
}

/** What is saved; the API says what is wrong with it. */
export function fieldsOfRule(draft: RuleDraft): Omit<NewRule, 'enabled'> {
  const { triggerType: type, anomalyMetric } = draft
  const trigger = {
    schedule: { type, every_minutes: numberOf(draft.everyMinutes) },
    event: { type, event_type: draft.eventType.trim() },
    anomaly: { type, metric: anomalyMetric === '' ? null : anomalyMetric },
  }[type]
  const conditions = draft.conditions.map(({ metric, op, value, currency }) => {
    const values = listOf(value).map(Number)
    const code = currency.trim().toUpperCase()
    return {
      metric,
      op: op as Condition['op'],
      value: op === 'between' ? values : numberOf(value),
      currency: code === '' ? null : code,
    }
  })
  // One that the form does not know stays as it is.
  const chosen = new Set([...actionTypes.filter((action) => draft.actions.includes(action)), ...draft.actions])
  const actions = [...chosen].map((action) =>
    action === 'create_anomaly' ? { type: action, severity: draft.severity } : { type: action },
  )
  return {
    name: draft.name.trim(),
    trigger,
    subject_type: draft.subjectType,
    window: draft.window,
    scope: {
      brand_slugs: listOf(draft.brands),
      campaign_ids: listOf(draft.campaigns),
      integration_ids: listOf(draft.integrations),
    },
    final_days_only: draft.finalOnly,
    conditions,
    min_sample: Object.fromEntries(draft.least.map(({ metric, value }) => [metric, numberOf(value)])),
    actions: actions as NewRule['actions'],
    cooldown_minutes: numberOf(draft.cooldown),
    max_fires_per_day: numberOf(draft.mostADay),
    dry_run: draft.dryRun,
  }
}
