// Finds the subjects of a rule whose numbers meet its conditions, by the query code of /v1/stats (domain.md 9.2).

import { load, workspaceOf } from '@wds/aggregate/aggregate'
import { withoutUndefined } from '@wds/contracts/without-undefined'
import { Problem } from '@wds/http-service/problem'
import type { Transaction } from '@wds/postgres/transaction'
import { addDays, localDate } from '../calendar/domain/calendar.ts'
import { withTakers } from '../campaign-places/store-merged.ts'
import type { ReferenceRates } from '../fx/reference-rates.ts'
import { readSettings } from '../settings/read-settings.ts'
import { noSums, type SummedMeasure, type SumValues, summedMeasures } from '../stats/domain/measures.ts'
import { metricOf } from '../stats/domain/stats-metrics.ts'
import { campaignIdsOf } from '../stats/name-campaigns.ts'
import { planStats } from '../stats/plan-stats.ts'
import { groupsMax, sumGroups, sumStats } from '../stats/store-query.ts'
import { readCalendar } from '../stats-calendar/store-calendar.ts'
import { subAffiliates } from '../sub-affiliates/resource.ts'
import { idsByExternalId } from '../sub-affiliates/store-places.ts'
import { type Evidence, judgeConditions, type Observed } from './domain/judge-conditions.ts'
import type { RuleFields, SubjectType } from './domain/rule.ts'

/** Subjects of one look (domain.md 9.1). */
export const subjectsMax = 500

export interface Met {
  subjectId: string
  evidence: Evidence[]
}

interface Sums {
  now: SumValues
  before: SumValues | null
}

/** `subjectId`: that one alone, which meets what asks for no numbers. Those whose numbers cannot be had, as where a rate is missing, meet nothing. */
export async function evaluateRule(
  tx: Transaction,
  given: RuleFields,
  o: { referenceRates: ReferenceRates; nowMs: number; subjectId?: string },
): Promise<Met[]> {
  const fields = { ...given, scope: await wholeScope(tx, given) }
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
  const found = [...new Set([...byCurrency.values()].flatMap((sums) => [...sums.keys()]))].sort()
  // Of a campaign that was merged the numbers stand under the one that took it up: asked for by its own id, it meets nothing.
  const subjects = found.filter((subjectId) => o.subjectId === undefined || subjectId === o.subjectId)
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
  const numberOf = (values: SumValues | null | undefined) => {
    const value = values ? metricOf(metric, values) : null
    return value === null ? null : Number(value)
  }
  return { now: numberOf(sums?.now), before: numberOf(sums?.before) }
}

/** By subject. Without a currency, counts alone: those of all currencies are added. */
async function sumsOf(
  tx: Transaction,
  fields: RuleFields,
  o: {
    referenceRates: ReferenceRates
    nowMs: number
    subjectId?: string
    from: string
    to: string
    currency: string | null
  },
): Promise<Map<string, Sums>> {
  const workspaceId = workspaceOf(tx)
  const { subject_type: type, conditions } = fields
  const own = conditions.filter(({ currency }) => currency === o.currency)
  const names = [...own.map(({ metric }) => metric), ...(o.currency === null ? Object.keys(fields.min_sample) : [])]
  const compares = own.some(({ op }) => op === 'changed_by_pct')
  const filter = await filterOf(tx, fields, o.subjectId)
  if (filter === null) return new Map()
  const given = withoutUndefined({
    from: o.from,
    to: o.to,
    metrics: [...new Set(names)],
    filter,
    group_by: type === 'workspace' ? [] : [type],
    finality: fields.final_days_only ? 'final_only' : 'any',
    currency: o.currency ?? undefined,
    compare: compares ? 'previous_period' : undefined,
  }) as Parameters<typeof planStats>[1]['given']
  const plan = await planStats(tx, {
    given,
    workspaceId,
    nowMs: o.nowMs,
    referenceRates: o.referenceRates,
    where: 'query',
  })
  const { asked, source, compared, fx } = plan
  const { groups } = await sumStats(tx, { ...asked, source, fx: fx?.now ?? null, after: null, rows: groupsMax })
  const keys = groups.map(({ key }) => key)
  const earlier =
    compared && (await sumGroups(tx, { ...asked, source: compared.source, fx: fx?.earlier ?? null, keys }))
  const idOf = await idsOfKeys(tx, type, { groupBy: asked.groupBy, keys })
  const found = new Map<string, Sums>()
  for (const { key, sums } of groups) {
    const id = idOf(key)
    if (id === null) continue
    const was = found.get(id)
    const before = earlier?.get(JSON.stringify(key)) ?? null
    found.set(id, { now: added(was?.now ?? null, sums) ?? noSums(), before: added(was?.before ?? null, before) })
  }
  return found
}

/** The subject that a group's key names; null: none that is known. */
async function idsOfKeys(
  tx: Transaction,
  type: SubjectType,
  { groupBy, keys }: Parameters<typeof campaignIdsOf>[2],
): Promise<(key: readonly (string | null)[]) => string | null> {
  const workspaceId = workspaceOf(tx)
  if (type === 'workspace') return () => workspaceId
  if (type === 'campaign') return campaignIdsOf(tx, workspaceId, { groupBy, keys })
  if (type !== 'sub_affiliate') return ([id = null]) => id
  const ids = await idsByExternalId(
    tx,
    keys.flatMap(([externalId]) => externalId ?? []),
  )
  return ([externalId]) => ids.get(externalId ?? '') ?? null
}

/** A rule that names a campaign names the one that has taken it up, too. */
export async function wholeScope(tx: Transaction, { scope }: Pick<RuleFields, 'scope'>): Promise<RuleFields['scope']> {
  return { ...scope, campaign_ids: await withTakers(tx, scope.campaign_ids) }
}

const listsOf = ({ scope }: RuleFields): Record<string, string[]> => ({
  brand: scope.brand_slugs,
  campaign: scope.campaign_ids,
  integration: scope.integration_ids,
})

function isInScope(fields: RuleFields, subjectId: string): boolean {
  const own = listsOf(fields)[fields.subject_type] ?? []
  return own.length === 0 || own.includes(subjectId)
}

/** Null where the rows have no name for the subject. */
async function filterOf(
  tx: Transaction,
  fields: RuleFields,
  subjectId: string | undefined,
): Promise<Record<string, string[]> | null> {
  const filter = Object.fromEntries(Object.entries(listsOf(fields)).filter(([, values]) => values.length > 0))
  if (subjectId === undefined || fields.subject_type === 'workspace') return filter
  if (fields.subject_type !== 'sub_affiliate') return { ...filter, [fields.subject_type]: [subjectId] }
  const externalId = (await load(tx, subAffiliates, subjectId, { lock: false }))?.state.fields?.external_id ?? null
  return externalId === null ? null : { ...filter, sub_affiliate: [externalId] }
}

function added(a: SumValues | null, b: SumValues | null): SumValues | null {
  if (a === null || b === null) return a ?? b
  const sum = (name: SummedMeasure) => (a[name] === null ? b[name] : a[name] + (b[name] ?? 0n))
  return Object.fromEntries(summedMeasures.map((name) => [name, sum(name)])) as SumValues
}
