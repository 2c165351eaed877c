// Runs the work that is due for sub-affiliates (domain.md 3.8, 3.9), each piece in a transaction of its own. It names the function for each
// kind of work and holds no rule itself.
import type { Pool } from '@wds/postgres/pool'
import type { Transaction } from '@wds/postgres/transaction'
import { runLoop } from '@wds/service-host/loop'
import type { Logger } from '@wds/telemetry/logger'
import type { Progress } from '@wds/telemetry/progress'
import { postDayAgain } from '../commissions/post-day-again.ts'
import type { ReferenceRates } from '../fx/reference-rates.ts'
import { beginProcessing } from '../payouts/begin-processing.ts'
import { continueClose } from '../stats-days/close-month.ts'
import { expireOrErase } from '../sub-affiliates/expire-or-erase.ts'
import { deferWork, takeWork, type WorkKind, workKindOf } from '../sub-affiliates/store-work.ts'
import { carryOutInTurn, type Turns } from '../work-queue/carry-out-in-turn.ts'
import type { DueRow } from '../work-queue/store-due-rows.ts'

/** Pause between two looks for work: an invitation may end some seconds late. */
const pauseMs = { min: 1_000, max: 5_000 }
/** A day is posted again, and a month closed, of up to 10,000 sub-affiliates. */
const statementTimeoutMs = 60_000
/** After this time a piece that failed is tried again; other pieces do not wait for it. */
const failedWaitMs = 60_000

/** Each reads the state again, which may have changed since the piece became due, and sets the next due time, or none. */
const duties: Record<WorkKind, (tx: Transaction, due: DueRow, referenceRates: ReferenceRates) => Promise<void>> = {
  day: (tx, { id: day }, referenceRates) => postDayAgain(tx, { day, referenceRates }),
  month: continueClose,
  payout: beginProcessing,
  sub_affiliate: expireOrErase,
}

interface LoopOptions {
  /** Of the worker role. */
  pool: Pool
  logger: Logger
  referenceRates: ReferenceRates
}

/** Runs until the signal is aborted. */
export function runSubAffiliates(o: LoopOptions & { signal: AbortSignal; progress: Progress }): Promise<void> {
  const { logger, signal, progress } = o
  const turns = { last: '' }
  const turn = () => workOnSubAffiliates({ ...o, turns })
  return runLoop({ name: 'sub-affiliates', logger, signal, progress, pauseMs, turn })
}

/** Does one piece of work; returns false when none is due. `turns`: the workspace whose piece was done last. */
export function workOnSubAffiliates({
  pool,
  logger,
  referenceRates,
  turns,
}: LoopOptions & { turns: Turns }): Promise<boolean> {
  return carryOutInTurn<DueRow>({
    pool,
    turns,
    statementTimeoutMs,
    take: takeWork,
    handle: (tx, due) => duties[workKindOf(due)](tx, due, referenceRates),
    report(due, err) {
      const fields = { err, workspace_id: due.workspaceId, subject: due.id }
      logger.error(fields, 'work on a sub-affiliate failed, retrying')
    },
    defer: (tx, due) => deferWork(tx, due, failedWaitMs),
  })
}
