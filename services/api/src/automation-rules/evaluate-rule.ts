// Finds the subjects of a rule whose numbers meet its conditions, by the query code of /v1/stats (domain.md 9.2).
import { workspaceOf } from '@wds/aggregate/aggregate'
import { Problem } from '@wds/http-service/problem'
import type { Transaction } from '@wds/postgres/transaction'
import { addDays, localDate } from '../calendar/domain/calendar.ts'
import type { ReferenceRates } from '../fx/reference-rates.ts'
import { readSettings } from '../settings/read-settings.ts'
import { type Measure, type MeasureValues, measures, noMeasures } from '../stats/domain/measures.ts'
import { metricOf } from '../stats/domain/stats-metrics.ts'
import { campaignIdsOf } from '../stats/name-campaigns.ts'
import { planStats } from '../stats/plan-stats.ts'
import { groupsMax, sumGroups, sumStats } from '../stats/store-query.ts'
import { readCalendar } from '../stats-calendar/store-calendar.ts'
import { type Evidence, judgeConditions, type Observed } from './domain/judge-conditions.ts'
import type { RuleFields } from './domain/rule.ts'

/** Subjects of one look (domain.md 9.1). */
export const subjectsMax = 500

export interface Met {
  subjectId: string
  evidence: Evidence[]
}

interface Sums {
  now: MeasureValues
  before: MeasureValues | null
}

/** `subjectId`: that one alone, which meets what asks for no numbers. Those whose numbers cannot be had, as where a rate is missing, meet nothing. */
export async function evaluateRule(
  tx: Transaction,
  fields: RuleFields,
  o: { rates: ReferenceRates; nowMs: number; subjectId?: string },
): Promise<Met[]> {
  if (o.subjectId !== undefined && !isInScope(fields, o.subjectId)) return []
  if (o.subjectId !== undefined && fields.conditions.length === 0 && Object.keys(fields.min_sample).length === 0)
    return [{ subjectId: o.subjectId, evidence: [] }]
  const { from, to } = windowOf(fields.window, localDate(o.nowMs, await zoneOfWorkspace(tx)))
  const byCurrency = new Map<string | null, Map<string, Sums>>()
  const currencies = new Set(fields.conditions.map(({ currency }) => currency))
  if (Object.keys(fields.min_sample).length > 0) currencies.add(null)
  for (const currency of currencies) {
    const found = await sumsOf(tx, fields, { ...o, from, to, currency }).catch((error: unknown) => {
      if (error instanceof Problem) return new Map<string, Sums>()
      throw error
    })
    byCurrency.set(currency, found)
  }
  const subjects = [...new Set([...byCurrency.values()].flatMap((found) => [...found.keys()]))].sort()
  const met = subjects.flatMap((subjectId): Met[] => {
    const observe = (metric: string, currency: string | null) =>
      observed(metric, byCurrency.get(currency)?.get(subjectId))
    const evidence = judgeConditions(fields, observe)
    return evidence === null ? [] : [{ subjectId, evidence }]
  })
  return met.slice(0, subjectsMax)
}

/** By which the workspace's days are cut. */
export async function zoneOfWorkspace(tx: Transaction): Promise<string> {
  return (await readCalendar(tx, workspaceOf(tx)))?.timeZone ?? (await readSettings(tx)).time_zone
}

/** Its first and last day. */
export function windowOf(window: string, today: string): { from: string; to: string } {
  if (window === 'today') return { from: today, to: today }
  const days = window === 'yesterday' ? 1 : Number(/\d+/.exec(window)?.[0])
  return { from: addDays(today, -days), to: addDays(today, -1) }
}

function observed(metric: string, sums: Sums | undefined): Observed {
  const numberOf = (values: MeasureValues | null | undefined) => {
    const value = values ? metricOf(metric, values) : null
    return value === null ? null : Number(value)
  }
  return { now: numberOf(sums?.now), before: numberOf(sums?.before) }
}

/** By subject. Without a currency, counts alone: those of all currencies are added. */
async function sumsOf(
  tx: Transaction,
  fields: RuleFields,
  o: { rates: ReferenceRates; nowMs: number; subjectId?: string; from: string; to: string; currency: string | null },
): Promise<Map<string, Sums>> {
  const workspaceId = workspaceOf(tx)
  const { subject_type: type, conditions } = fields
  const own = conditions.filter(({ currency }) => currency === o.currency)
  const names = [...own.map(({ metric }) => metric), ...(o.currency === null ? Object.keys(fields.min_sample) : [])]
  const compares = own.some(({ op }) => op === 'changed_by_pct')
  const given = {
    ...{ from: o.from, to: o.to, metrics: [...new Set(names)], filter: filterOf(fields, o.subjectId) },
    ...{ group_by: type === 'workspace' ? [] : [type], finality: fields.final_days_only ? 'final_only' : 'any' },
    ...(o.currency === null ? {} : { currency: o.currency }),
    ...(compares ? { compare: 'previous_period' } : {}),
  } as Parameters<typeof planStats>[1]['given']
  const plan = await planStats(tx, { given, workspaceId, nowMs: o.nowMs, rates: o.rates, where: 'query' })
  const { asked, source, compared, fx } = plan
  const { groups } = await sumStats(tx, { ...asked, source, fx: fx?.now ?? null, after: null, rows: groupsMax })
  const keys = groups.map(({ key }) => key)
  const earlier =
    compared && (await sumGroups(tx, { ...asked, source: compared.source, fx: fx?.earlier ?? null, keys }))
  const campaignIdOf = await campaignIdsOf(tx, workspaceId, { groupBy: asked.groupBy, keys })
  const found = new Map<string, Sums>()
  for (const { key, sums } of groups) {
    const id = type === 'workspace' ? workspaceId : type === 'campaign' ? campaignIdOf(key) : (key[0] ?? null)
    if (id === null) continue
    const was = found.get(id)
    const before = earlier?.get(JSON.stringify(key)) ?? null
    found.set(id, { now: added(was?.now ?? null, sums) ?? noMeasures(), before: added(was?.before ?? null, before) })
  }
  return found
}

const listsOf = ({ scope }: RuleFields): Record<string, string[]> => ({
  ...{ brand: scope.brand_slugs, campaign: scope.campaign_ids, integration: scope.integration_ids },
})

function isInScope(fields: RuleFields, subjectId: string): boolean {
  const own = listsOf(fields)[fields.subject_type] ?? []
  return own.length === 0 || own.includes(subjectId)
}

function filterOf(fields: RuleFields, subjectId: string | undefined): Record<string, string[]> {
  const filter = Object.fromEntries(Object.entries(listsOf(fields)).filter(([, values]) => values.length > 0))
  if (subjectId === undefined || fields.subject_type === 'workspace') return filter
  return { ...filter, [fields.subject_type]: [subjectId] }
}

function added(a: MeasureValues | null, b: MeasureValues | null): MeasureValues | null {
  if (a === null || b === null) return a ?? b
  const sum = (name: Measure) => (a[name] === null ? b[name] : a[name] + (b[name] ?? 0n))
  return Object.fromEntries(measures.map((name) => [name, sum(name)])) as MeasureValues
}
