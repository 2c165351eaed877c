// Carries out one evaluation: looks at the subject's numbers again, asks the brakes and the right of who answers for the rule, acts, and
// keeps the firing; all in the caller's transaction, which holds the rule's row (domain.md 9.3 to 9.8). One that bills many brands goes over
// more than one: what it has done stands beside the evaluation until it is over (decision 99).
import { blank, executeOrFail, type Loaded, load } from '@wds/aggregate/aggregate'
import type { AppendContext } from '@wds/event-store/event-store'
import type { Transaction } from '@wds/postgres/transaction'
import { mayAct } from '../authorities/store-authority.ts'
import { localDate } from '../calendar/domain/calendar.ts'
import { boundsOfDay } from '../calendar/domain/workspace-day.ts'
import type { ReferenceRates } from '../fx/reference-rates.ts'
import { causationOf } from '../work-queue/causation.ts'
import { systemContext } from '../work-queue/system-context.ts'
import { act, brandOf, endAction } from './act.ts'
import { type Begun, brakeOf, courseOf, type Firing, failuresMax, statusOf } from './domain/firing.ts'
import type { Evidence } from './domain/judge-conditions.ts'
import type { DisabledReason, RuleFields, RuleState } from './domain/rule.ts'
import { scopesOf } from './domain/rule-form.ts'
import { evaluateRule, zoneOfWorkspace } from './evaluate-rule.ts'
import { firings } from './firings.ts'
import { automationRules } from './resource.ts'
import { failuresInARow, hasFired, readHistory } from './store-firings.ts'
import { continueEvaluation, type Evaluation, endEvaluation } from './store-work.ts'

/** Times that an evaluation is tried whose actions fail by themselves, not by a refusal. */
export const triesMax = 3

interface Fire {
  rule: Loaded<RuleState>
  fields: RuleFields
  work: Evaluation
  attemptsMax: number
}
/** How far a firing has come; one that begins has billed nothing. */
type Progress = Omit<Begun, 'billed'> & { billed: Begun['billed'] | null }
type Options = { referenceRates: ReferenceRates; attemptsMax: number }

/** A firing that is not over goes on in another turn. */
export async function carryOut(tx: Transaction, work: Evaluation, o: Options): Promise<void> {
  await endEvaluation(tx, work)
  const begun = await turnOf(tx, work, o)
  if (begun !== null) await continueEvaluation(tx, work, begun)
}

async function turnOf(tx: Transaction, work: Evaluation, o: Options): Promise<Begun | null> {
  const rule = await load(tx, automationRules, work.ruleId, { lock: true })
  const { fields, authority, status } = rule?.state ?? {}
  if (!rule || !fields || !authority) return null
  const fire = { rule, fields, work, attemptsMax: o.attemptsMax }
  const isWanted = status === 'enabled' && rule.version === work.ruleVersion
  if (work.begun !== null) {
    if (!isWanted) return stop(tx, fire, { ...work.begun, error_code: 'rule_changed' })
    if (await mayAct(tx, authority, scopesOf(fields))) return runActions(tx, fire, work.begun)
    await stop(tx, fire, { ...work.begun, error_code: 'authorization_revoked' })
    return disable(tx, fire, 'authorization_revoked')
  }
  // Changed, disabled or deleted meanwhile: what was to happen is not wanted any more.
  if (!isWanted || (await hasFired(tx, work))) return null
  const { nowMs } = rule
  const zone = await zoneOfWorkspace(tx)
  const dayStartMs = boundsOfDay(localDate(nowMs, zone), zone).startMs
  const history = await readHistory(tx, { ...work, dayStartMs })
  // The cooldown does not hold for closed months: each comes once, and a late day may let two close within one cooldown (decision 89).
  const brake = brakeOf(fields, work.month === null ? history : { ...history, lastMs: null }, nowMs)
  const found = { fields, brake, depth: work.depth }
  // Before the numbers: of many events that find a rule at rest, each costs little.
  if (courseOf({ ...found, mayAct: true }) === 'nothing') return null
  const [met] = await evaluateRule(tx, fields, { referenceRates: o.referenceRates, nowMs, subjectId: work.subjectId })
  if (met === undefined) return null
  const firing = await newFiring(tx, fire, met.evidence)
  const course = courseOf({ ...found, mayAct: await mayAct(tx, authority, scopesOf(fields)) })
  if (course === 'act') return runActions(tx, fire, { firing, is_partial: false, billed: null })
  if (course === 'suppressed' || course === 'simulated') return keep(tx, fire, { ...firing, status: course })
  if (course !== 'nothing') await disable(tx, fire, course)
  return null
}

async function newFiring(
  tx: Transaction,
  { rule, fields, work }: Fire,
  evidence: Evidence[],
): Promise<Begun['firing']> {
  const subject = { type: fields.subject_type, id: work.subjectId }
  return {
    rule_id: rule.id,
    rule_version: rule.version,
    rule_name: fields.name,
    trigger_type: fields.trigger.type,
    evaluation_key: work.key,
    subject_type: subject.type,
    subject_id: subject.id,
    evidence,
    brand_slug: await brandOf(tx, subject),
    actions: [],
    action_types: fields.actions.map(({ type }) => type),
  }
}

/** The actions that are not over, up to the end of the turn. */
async function runActions(tx: Transaction, fire: Fire, begun: Progress): Promise<Begun | null> {
  const { rule, fields, work, attemptsMax } = fire
  const { month, subjectId, depth } = work
  const context = contextOf(work, rule.nowMs, depth + 1)
  const subject = { type: fields.subject_type, id: subjectId }
  const given = { context, ruleId: rule.id, fields, nowMs: rule.nowMs, subject, attemptsMax, month }
  const { evidence } = begun.firing
  const actions = [...begun.firing.actions]
  let { is_partial, billed } = begun
  for (const action of fields.actions.slice(actions.length)) {
    const isGivenUp = work.tries >= triesMax
    const done = isGivenUp
      ? endAction(action, { error_code: 'internal_error', billed })
      : await act(tx, action, { ...given, evidence, billed })
    if ('made' in done) return { firing: { ...begun.firing, actions }, is_partial, billed: done }
    actions.push(done.outcome)
    is_partial ||= done.isPartial
    billed = null
  }
  const status = statusOf(actions, { isPartial: is_partial })
  const before = await failuresInARow(tx, { ruleId: rule.id, sinceMs: rule.updatedMs ?? 0 })
  await keep(tx, fire, { ...begun.firing, actions, status })
  return status === 'failed' && before + 1 >= failuresMax ? disable(tx, fire, 'too_many_failures') : null
}

/** What is begun is not gone on with: what was made stays, and the firing says so. */
async function stop(tx: Transaction, fire: Fire, o: Begun & { error_code: string }): Promise<null> {
  const { firing, billed, error_code } = o
  const [type] = firing.action_types.slice(firing.actions.length)
  const stopped = type === undefined ? [] : [endAction({ type }, { error_code, billed })]
  const actions = [...firing.actions, ...stopped.map(({ outcome }) => outcome)]
  const isPartial = o.is_partial || stopped.some((one) => one.isPartial)
  return keep(tx, fire, { ...firing, actions, status: statusOf(actions, { isPartial }) })
}

async function keep(tx: Transaction, { rule: { nowMs }, work }: Fire, firing: Firing): Promise<null> {
  const loaded = blank(firings, { nowMs })
  const context = contextOf(work, nowMs, work.depth + 1)
  await executeOrFail(tx, firings, { context, loaded, command: { type: 'record', firing } })
  return null
}

/** By the engine, not through the rule: a rule that waits for it is no deeper. */
async function disable(tx: Transaction, { rule, work }: Fire, reason: DisabledReason): Promise<null> {
  const context = contextOf(work, rule.nowMs, 0)
  await executeOrFail(tx, automationRules, { context, loaded: rule, command: { type: 'disable', reason } })
  return null
}

function contextOf({ workspaceId, ruleId }: Evaluation, nowMs: number, depth: number): AppendContext {
  const causation = causationOf(ruleId, depth)
  return systemContext({ workspaceId, nowMs, actor: 'automation', span: 'automation', causation })
}
