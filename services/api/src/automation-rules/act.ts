// Carries out the actions of a rule through the deciders that the API's routes command (domain.md 9.7). One that is refused stops no other.
import { execute, load } from '@wds/aggregate/aggregate'
import type { AppendContext } from '@wds/event-store/event-store'
import type { Transaction } from '@wds/postgres/transaction'
import { campaigns } from '../campaigns/resource.ts'
import { integrations } from '../integrations/resource.ts'
import { startRun } from '../integrations/start-run.ts'
import { billBrands } from '../invoices/bill-month.ts'
import { type Billed, nothingBilled } from '../invoices/domain/billed.ts'
import { payouts } from '../payouts/resource.ts'
import { subAffiliates } from '../sub-affiliates/resource.ts'
import { waitingPayouts } from '../sub-affiliates/store-open-payouts.ts'
import type { ActionOutcome } from './domain/firing.ts'
import type { Evidence } from './domain/judge-conditions.ts'
import type { RuleAction, RuleFields, SubjectType } from './domain/rule.ts'
import { makeAnomaly } from './make-anomaly.ts'

export interface ActOptions {
  context: AppendContext
  ruleId: string
  fields: RuleFields
  evidence: readonly Evidence[]
  nowMs: number
  subject: { type: SubjectType; id: string }
  /** Of a run. */
  attemptsMax: number
  /** The month that was closed, where such an event triggered the rule. */
  month: string | null
  /** Of this action, what was billed in turns before this one; null: it begins. */
  billed: Billed | null
}

/** `isPartial`: of one that failed, that some of it was done. */
type Result = Pick<ActionOutcome, 'status' | 'error_code'> & { isPartial?: boolean }
const succeeded: Result = { status: 'succeeded', error_code: null }
const skipped: Result = { status: 'skipped', error_code: null }
const failed = (error_code: string): Result => ({ status: 'failed', error_code })

/** An action that is over. */
export interface Acted {
  outcome: ActionOutcome
  isPartial: boolean
}

/** An action that goes over more than one turn is not over with the first: then what it has done so far. */
export async function act(tx: Transaction, action: RuleAction, o: ActOptions): Promise<Acted | Billed> {
  const result = await resultOf(tx, action, o)
  if ('made' in result) return result
  const { isPartial = false, ...outcome } = result
  return { outcome: { type: action.type, ...outcome }, isPartial }
}

/** An action that is not gone on with: what it has made stays. */
export function endAction({ type }: RuleAction, o: { error_code: string; billed: Billed | null }): Acted {
  const made = o.billed?.made ?? 0
  return { outcome: { type, status: 'failed', error_code: o.error_code }, isPartial: made > 0 }
}

function resultOf(
  tx: Transaction,
  { type, severity }: RuleAction,
  o: ActOptions,
): Result | Promise<Result> | Promise<Result | Billed> {
  switch (type) {
    case 'notify_webhook':
      return succeeded
    case 'pause_campaign':
      return pauseOrResume(tx, { ...o, type: 'pause', already: 'paused' })
    case 'resume_campaign':
      return pauseOrResume(tx, { ...o, type: 'resume', already: 'active' })
    case 'trigger_sync':
      return sync(tx, o)
    case 'hold_payout':
      return holdPayouts(tx, o)
    case 'create_anomaly':
      return anomaly(tx, severity, o)
    case 'draft_invoices':
    case 'generate_invoices':
      return bill(tx, o, type === 'generate_invoices')
  }
}

async function pauseOrResume(
  tx: Transaction,
  o: ActOptions & { type: 'pause' | 'resume'; already: 'paused' | 'active' },
): Promise<Result> {
  const loaded = await load(tx, campaigns, o.subject.id, { lock: true })
  if (loaded === null) return failed('not_found')
  if (loaded.state.status === o.already) return skipped
  const command = { type: o.type, rule_id: o.ruleId } as const
  const outcome = await execute(tx, campaigns, { context: o.context, loaded, command })
  return outcome.ok ? succeeded : failed(outcome.error.code)
}

async function sync(tx: Transaction, { context, subject, attemptsMax }: ActOptions): Promise<Result> {
  const integrationId = subject.type === 'integration' ? subject.id : await integrationOf(tx, subject.id)
  const outcome = await startRun(tx, { context, integrationId, attemptsMax })
  if (outcome.ok) return succeeded
  return outcome.error === 'sync_already_running' ? skipped : failed(outcome.error)
}

async function integrationOf(tx: Transaction, campaignId: string): Promise<string> {
  const campaign = await load(tx, campaigns, campaignId, { lock: false })
  return campaign?.state.fields?.integration_id ?? ''
}

/** All that wait for their day; what is with the bank already goes on. The row of the sub-affiliate comes before those of its payouts. */
async function holdPayouts(tx: Transaction, { context, ruleId, subject }: ActOptions): Promise<Result> {
  if ((await load(tx, subAffiliates, subject.id, { lock: true })) === null) return failed('not_found')
  const command = { type: 'hold', hold: { by_rule_id: ruleId, reason: 'rule' } } as const
  const waiting = await waitingPayouts(tx, subject.id)
  for (const id of waiting) {
    const loaded = await load(tx, payouts, id, { lock: true })
    if (loaded === null) return failed('not_found')
    const outcome = await execute(tx, payouts, { context, loaded, command })
    if (!outcome.ok) return failed(outcome.error.code)
  }
  return waiting.length > 0 ? succeeded : skipped
}

/** A brand that is refused stops no other: the invoices of the others stay. */
async function bill(
  tx: Transaction,
  { month, fields, context, nowMs, billed }: ActOptions,
  isGenerated: boolean,
): Promise<Result | Billed> {
  if (month === null) throw new Error('a rule bills a month that nothing names')
  const asked = { month, brandSlugs: fields.scope.brand_slugs, isGenerated, context, nowMs }
  const done = await billBrands(tx, { ...asked, before: billed ?? nothingBilled })
  const { made, refusal, after } = done
  if (after !== null) return done
  if (refusal !== null) return { ...failed(refusal), isPartial: made > 0 }
  return made > 0 ? succeeded : skipped
}

async function anomaly(tx: Transaction, severity: RuleAction['severity'], o: ActOptions): Promise<Result> {
  const brand_slug = await brandOf(tx, o.subject)
  if (brand_slug === null || severity === undefined) return failed('not_found')
  const { type, id } = o.subject
  const place = {
    brand_slug,
    campaign_id: type === 'campaign' ? id : null,
    integration_id: type === 'integration' ? id : null,
  }
  return (await makeAnomaly(tx, { ...o, place, severity })) ? succeeded : skipped
}

/** The brand of a subject, for who hears of the firing. */
export async function brandOf(tx: Transaction, { type, id }: ActOptions['subject']): Promise<string | null> {
  if (type === 'brand') return id
  if (type === 'workspace' || type === 'sub_affiliate') return null
  const found =
    type === 'campaign'
      ? await load(tx, campaigns, id, { lock: false })
      : await load(tx, integrations, id, { lock: false })
  return found?.state.fields?.brand_slug ?? null
}
