// Runs automation rules (domain.md 9): at its tick a rule looks at its subjects; each that meets its conditions is an evaluation, carried
// out in a transaction of its own with all that follows from it, so that a crash neither loses nor doubles a firing.

import { load } from '@wds/aggregate/aggregate'
import { retryOnConflict } from '@wds/event-store/retry-on-conflict'
import type { WakeSignal } from '@wds/pacing/wait'
import type { Pool } from '@wds/postgres/pool'
import { setWorkspace, type Transaction, withTransaction } from '@wds/postgres/transaction'
import { runLoop } from '@wds/service-host/loop'
import type { Logger } from '@wds/telemetry/logger'
import type { Progress } from '@wds/telemetry/progress'
import type { ReferenceRates } from '../fx/reference-rates.ts'
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
  rates: ReferenceRates
  /** Of a run that a rule starts. */
  attemptsMax: number
  /** Raised when a run may have been started. */
  wake: Pick<WakeSignal, 'raise'>
}

/** Runs until the signal is aborted. */
export function runAutomation(
  o: AutomationOptions & { pollMs: number; signal: AbortSignal; progress: Progress },
): Promise<void> {
  const { logger, signal, progress, pollMs } = o
  const turns = { tick: '', evaluation: '' }
  const turn = () => automateOnce({ ...o, turns })
  return runLoop({ name: 'automation', logger, signal, progress, pauseMs: { min: pollMs, max: pollMs }, turn })
}

/** Carries out one evaluation and one tick; false when nothing is due. `turns`: whose was the last. */
export async function automateOnce(
  o: AutomationOptions & { turns: { tick: string; evaluation: string } },
): Promise<boolean> {
  const fired = await takeOne<Evaluation>(o, {
    take: async (tx) => {
      const work = await takeEvaluation(tx, o.turns.evaluation)
      o.turns.evaluation = work?.workspaceId ?? o.turns.evaluation
      return work
    },
    handle: (tx, work) => carryOut(tx, work, o),
    // Its actions were given up by then: what fails is the look itself, and the next tick looks again.
    defer: (tx, work) => (work.tries > triesMax ? endEvaluation(tx, work) : deferEvaluation(tx, work, failedWaitMs)),
  })
  if (fired) o.wake.raise()
  const ticked = await takeOne<Tick>(o, {
    take: async (tx) => {
      const work = await takeTick(tx, o.turns.tick)
      o.turns.tick = work?.workspaceId ?? o.turns.tick
      return work
    },
    handle: (tx, work) => tick(tx, work, o),
    defer: (tx, work) => deferTick(tx, work, failedWaitMs),
  })
  return fired || ticked
}

async function takeOne<W extends { workspaceId: string; ruleId: string }>(
  { pool, logger }: AutomationOptions,
  o: {
    take(tx: Transaction): Promise<W | null>
    handle(tx: Transaction, work: W): Promise<void>
    defer(tx: Transaction, work: W): Promise<void>
  },
): Promise<boolean> {
  let taken: W | null = null
  try {
    return await retryOnConflict(() =>
      withTransaction(pool, { workspaceId: null, statementTimeoutMs }, async (tx) => {
        taken = await o.take(tx)
        if (taken === null) return false
        await setWorkspace(tx, taken.workspaceId)
        await o.handle(tx, taken)
        return true
      }),
    )
  } catch (error) {
    const failed = taken as W | null
    if (failed === null) throw error
    const ids = { workspace_id: failed.workspaceId, rule_id: failed.ruleId }
    logger.error({ err: error, ...ids }, 'automation rule could not be carried out, retrying')
    await withTransaction(pool, { workspaceId: failed.workspaceId }, (tx) => o.defer(tx, failed))
    return true
  }
}

/** Ticks that were missed are run once: the next one is the first after now. */
async function tick(tx: Transaction, { ruleId, dueMs }: Tick, o: AutomationOptions): Promise<void> {
  const rule = await load(tx, automationRules, ruleId, { lock: true })
  const { fields, status } = rule?.state ?? {}
  if (!rule || !fields || status !== 'enabled') return setTick(tx, { ruleId, atMs: null })
  const everyMs = fields.trigger.every_minutes * 60_000
  const missed = Math.floor((rule.nowMs - dueMs) / everyMs)
  await setTick(tx, { ruleId, atMs: dueMs + (missed + 1) * everyMs })
  const met = await evaluateRule(tx, fields, { rates: o.rates, nowMs: rule.nowMs })
  const subjectIds = met.map(({ subjectId }) => subjectId)
  await putEvaluations(tx, { ruleId, ruleVersion: rule.version, trigger: String(dueMs), subjectIds })
}
