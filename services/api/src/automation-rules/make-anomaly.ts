// Makes an anomaly of what a rule compared, through the decider of anomalies (domain.md 9.6).
import { blank, executeOrFail, workspaceOf } from '@wds/aggregate/aggregate'
import type { AppendContext } from '@wds/event-store/event-store'
import type { Transaction } from '@wds/postgres/transaction'
import type { Finding } from '../anomalies/domain/anomaly.ts'
import { anomalies } from '../anomalies/resource.ts'
import { isOpenOfRule } from '../anomalies/store-known.ts'
import { readDay } from '../anomalies/store-series.ts'
import { dayNumber, localDate } from '../calendar/domain/calendar.ts'
import type { Evidence } from './domain/judge-conditions.ts'
import type { RuleFields } from './domain/rule.ts'
import { findingOfRule } from './domain/rule-anomaly.ts'
import { windowOf, zoneOfWorkspace } from './evaluate-rule.ts'

interface AnomalyOptions {
  context: AppendContext
  fields: RuleFields
  evidence: readonly Evidence[]
  nowMs: number
  place: Pick<Finding, 'brand_slug' | 'campaign_id' | 'integration_id'>
  severity: Finding['severity']
}

/** False where one that a rule made of the same numbers and direction is open or acknowledged. */
export async function makeAnomaly(tx: Transaction, o: AnomalyOptions): Promise<boolean> {
  const time_zone = await zoneOfWorkspace(tx)
  const { from, to } = windowOf(o.fields.window, localDate(o.nowMs, time_zone))
  const is_final_day = (await readDay(tx, { workspaceId: workspaceOf(tx), day: to }))?.status === 'final'
  const window_days = (dayNumber(to) ?? 0) - (dayNumber(from) ?? 0) + 1
  const about = { ...o.place, severity: o.severity, day: to, time_zone, window_days, is_final_day }
  const finding = findingOfRule(o.evidence, about)
  if (finding === null) throw new Error('a rule makes an anomaly of nothing')
  if (await isOpenOfRule(tx, finding)) return false
  const loaded = blank(anomalies, { nowMs: o.nowMs })
  await executeOrFail(tx, anomalies, { context: o.context, loaded, command: { type: 'detect', finding } })
  return true
}
