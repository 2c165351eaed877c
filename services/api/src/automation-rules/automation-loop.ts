// Runs automation rules (domain.md 9): at its tick a rule looks at its subjects; each that meets its conditions is an evaluation, carried
// out in a transaction of its own with all that follows from it, so that a crash neither loses nor doubles a firing.

import { load } from '@wds/aggregate/aggregate'
import type { WakeSignal } from '@wds/pacing/wait'
import type { Pool } from '@wds/postgres/pool'
import type { Transaction } from '@wds/postgres/transaction'
import { runLoop } from '@wds/service-host/loop'
import type { Logger } from '@wds/telemetry/logger'
import type { Progress } from '@wds/telemetry/progress'
import type { ReferenceRates } from '../fx/reference-rates.ts'
import { carryOutInTurn, type Turns } from '../work-queue/carry-out-in-turn.ts'
import { evaluateRule } from './evaluate-rule.ts'
import { carryOut, triesMax } from './fire-rule.ts'
import { automationRules } from './resource.ts'
import {
  deferEvaluation,
  deferTick,
  type Evaluation,
  endEvaluation,
  putEvaluations,
  setTick,
  type Tick,
  takeEvaluation,
  takeTick,
} from './store-work.ts'

/** A rule sums its subjects over 30 days, and the 30 before them. */
const statementTimeoutMs = 30_000
/** A rule that cannot be looked at stops no other. */
const failedWaitMs = 60_000

export interface AutomationOptions {
  pool: Pool
  logger: Logger
  referenceRates: ReferenceRates
  /** Of a run that a rule starts. */
  attemptsMax: number
  /** Raised when a run may have been started. */
  wake: Pick<WakeSignal, 'raise'>
}

/** Runs until the signal is aborted. */
export function runAutomation(
  o: AutomationOptions & {
    pollMs: number
    /** Ends a rest. */
    due: WakeSignal
    signal: AbortSignal
    progress: Progress
  },
): Promise<void> {
  const { logger, signal, progress, pollMs, due: wake } = o
  const turns = { ticks: { last: '' }, evaluations: { last: '' } }
  const turn = () => automateOnce({ ...o, turns })
  return runLoop({ name: 'automation', logger, signal, progress, pauseMs: pollMs, wake, turn })
}

/** Carries out one evaluation and one tick; false when nothing is due. `turns`: whose was the last. */
export async function automateOnce(
  o: AutomationOptions & { turns: { ticks: Turns; evaluations: Turns } },
): Promise<boolean> {
  const { pool, logger, turns } = o
  const report = ({ workspaceId, ruleId }: Tick | Evaluation, err: unknown) => {
    const fields = { err, workspace_id: workspaceId, rule_id: ruleId }
    logger.error(fields, 'automation rule could not be carried out, retrying')
  }
  const fired = await carryOutInTurn<Evaluation>({
    pool,
    turns: turns.evaluations,
    statementTimeoutMs,
    report,
    take: takeEvaluation,
    handle: (tx, work) => carryOut(tx, work, o),
    // Its actions were given up by then: what fails is the look itself, and the next tick looks again.
    // What has begun has done something, which its firing is to say.
    defer: (tx, work) =>
      work.tries > triesMax && work.begun === null ? endEvaluation(tx, work) : deferEvaluation(tx, work, failedWaitMs),
  })
  if (fired) o.wake.raise()
  const ticked = await carryOutInTurn<Tick>({
    pool,
    turns: turns.ticks,
    statementTimeoutMs,
    report,
    take: takeTick,
    handle: (tx, work) => tick(tx, work, o),
    defer: (tx, work) => deferTick(tx, work, failedWaitMs),
  })
  return fired || ticked
}

/** Ticks that were missed are run once: the next one is the first after now. */
async function tick(tx: Transaction, { ruleId, dueMs }: Tick, o: AutomationOptions): Promise<void> {
  const rule = await load(tx, automationRules, ruleId, { lock: true })
  const { fields, status } = rule?.state ?? {}
  if (!rule || fields?.trigger.type !== 'schedule' || status !== 'enabled') return setTick(tx, { ruleId, atMs: null })
  const everyMs = fields.trigger.every_minutes * 60_000
  const missed = Math.floor((rule.nowMs - dueMs) / everyMs)
  await setTick(tx, { ruleId, atMs: dueMs + (missed + 1) * everyMs })
  const met = await evaluateRule(tx, fields, { referenceRates: o.referenceRates, nowMs: rule.nowMs })
  const { version: ruleVersion } = rule
  const found = met.map(({ subjectId }) => {
    return { ruleId, ruleVersion, subjectId, key: `${ruleVersion}:${dueMs}:${subjectId}`, depth: 0, month: null }
  })
  await putEvaluations(tx, found)
}
