// Carries out one evaluation: looks at the subject's numbers again, asks the brakes and the right of who answers for the rule, acts, and
// keeps the firing; all in the caller's transaction, which holds the rule's row (domain.md 9.3 to 9.8).
import { blank, executeOrFail, type Loaded, load } from '@wds/aggregate/aggregate'
import type { AppendContext } from '@wds/event-store/event-store'
import type { Transaction } from '@wds/postgres/transaction'
import { mayAct } from '../authorities/store-authority.ts'
import { localDate } from '../calendar/domain/calendar.ts'
import { boundsOfDay } from '../calendar/domain/workspace-day.ts'
import type { ReferenceRates } from '../fx/reference-rates.ts'
import { causationOf } from '../work-queue/causation.ts'
import { systemContext } from '../work-queue/system-context.ts'
import { act, brandOf } from './act.ts'
import { type ActionOutcome, brakeOf, courseOf, type Firing, failuresMax, statusOf } from './domain/firing.ts'
import type { Evidence } from './domain/judge-conditions.ts'
import type { DisabledReason, RuleFields, RuleState } from './domain/rule.ts'
import { scopesOf } from './domain/rule-form.ts'
import { evaluateRule, zoneOfWorkspace } from './evaluate-rule.ts'
import { firings } from './firings.ts'
import { automationRules } from './resource.ts'
import { failuresInARow, hasFired, readHistory } from './store-firings.ts'
import { type Evaluation, endEvaluation } from './store-work.ts'

/** Times that an evaluation is tried whose actions fail by themselves, not by a refusal. */
export const triesMax = 3

interface Fire {
  rule: Loaded<RuleState>
  fields: RuleFields
  work: Evaluation
  evidence: Evidence[]
  attemptsMax: number
}

export async function carryOut(
  tx: Transaction,
  work: Evaluation,
  o: { rates: ReferenceRates; attemptsMax: number },
): Promise<void> {
  await endEvaluation(tx, work)
  const rule = await load(tx, automationRules, work.ruleId, { lock: true })
  const { fields, authority, status } = rule?.state ?? {}
  // Changed, disabled or deleted meanwhile: what was to happen is not wanted any more.
  if (!rule || !fields || !authority || status !== 'enabled' || rule.version !== work.ruleVersion) return
  if (await hasFired(tx, work)) return
  const { nowMs } = rule
  const zone = await zoneOfWorkspace(tx)
  const dayStartMs = boundsOfDay(localDate(nowMs, zone), zone).startMs
  const history = await readHistory(tx, { ...work, dayStartMs })
  // The cooldown does not hold for closed months: each comes once, and a late day may let two close within one cooldown (decision 89).
  const brake = brakeOf(fields, work.month === null ? history : { ...history, lastMs: null }, nowMs)
  const found = { fields, brake, depth: work.depth }
  // Before the numbers: of many events that find a rule at rest, each costs little.
  if (courseOf({ ...found, mayAct: true }) === 'nothing') return
  const [met] = await evaluateRule(tx, fields, { rates: o.rates, nowMs, subjectId: work.subjectId })
  if (met === undefined) return
  const fire = { rule, fields, work, evidence: met.evidence, attemptsMax: o.attemptsMax }
  const course = courseOf({ ...found, mayAct: await mayAct(tx, authority, scopesOf(fields)) })
  if (course === 'act') return fireNow(tx, fire)
  if (course === 'suppressed' || course === 'simulated') return keep(tx, fire, { status: course, actions: [] })
  if (course !== 'nothing') await disable(tx, fire, course)
}

async function fireNow(tx: Transaction, fire: Fire): Promise<void> {
  const { rule, fields, work, evidence, attemptsMax } = fire
  const actions: ActionOutcome[] = []
  const context = contextOf(work, rule.nowMs, work.depth + 1)
  const subject = { type: fields.subject_type, id: work.subjectId }
  const given = {
    context,
    ruleId: rule.id,
    fields,
    evidence,
    nowMs: rule.nowMs,
    subject,
    attemptsMax,
    month: work.month,
  }
  let isPartial = false
  for (const action of fields.actions) {
    const givenUp = { type: action.type, status: 'failed', error_code: 'internal_error' } as const
    const done = work.tries >= triesMax ? { outcome: givenUp, isPartial: false } : await act(tx, action, given)
    actions.push(done.outcome)
    isPartial ||= done.isPartial
  }
  const status = statusOf(actions, { isPartial })
  const before = await failuresInARow(tx, { ruleId: rule.id, sinceMs: rule.updatedMs ?? 0 })
  await keep(tx, fire, { status, actions })
  if (status === 'failed' && before + 1 >= failuresMax) await disable(tx, fire, 'too_many_failures')
}

async function keep(tx: Transaction, fire: Fire, o: Pick<Firing, 'status' | 'actions'>): Promise<void> {
  const { rule, fields, work, evidence } = fire
  const subject = { type: fields.subject_type, id: work.subjectId }
  const firing: Firing = {
    rule_id: rule.id,
    rule_version: rule.version,
    rule_name: fields.name,
    trigger_type: fields.trigger.type,
    evaluation_key: work.key,
    subject_type: subject.type,
    subject_id: subject.id,
    evidence,
    brand_slug: await brandOf(tx, subject),
    action_types: fields.actions.map(({ type }) => type),
    ...o,
  }
  const { nowMs } = rule
  const loaded = blank(firings, { nowMs })
  const context = contextOf(work, nowMs, work.depth + 1)
  await executeOrFail(tx, firings, { context, loaded, command: { type: 'record', firing } })
}

/** By the engine, not through the rule: a rule that waits for it is no deeper. */
async function disable(tx: Transaction, { rule, work }: Fire, reason: DisabledReason): Promise<void> {
  const context = contextOf(work, rule.nowMs, 0)
  await executeOrFail(tx, automationRules, { context, loaded: rule, command: { type: 'disable', reason } })
}

function contextOf({ workspaceId, ruleId }: Evaluation, nowMs: number, depth: number): AppendContext {
  const causation = causationOf(ruleId, depth)
  return systemContext({ workspaceId, nowMs, actor: 'automation', span: 'automation', causation })
}
