// Does what is due about sub-affiliates (domain.md 3.8, 3.9): invitations expire, what names a person is erased, payouts begin to be
// processed, and days are posted that a plan or a rate changed; one transaction each.
import { executeOrFail, load } from '@wds/aggregate/aggregate'
import { isId } from '@wds/contracts/ids'
import { dbNow } from '@wds/event-store/event-store'
import type { Pool } from '@wds/postgres/pool'
import type { Transaction } from '@wds/postgres/transaction'
import { runLoop } from '@wds/service-host/loop'
import type { Logger } from '@wds/telemetry/logger'
import type { Progress } from '@wds/telemetry/progress'
import type { ReferenceRates } from '../fx/reference-rates.ts'
import { beginProcessing } from '../payouts/begin-processing.ts'
import { dueMs, subAffiliates } from '../sub-affiliates/resource.ts'
import { deleteInvitations } from '../sub-affiliates/store-invitations.ts'
import { eraseProfile } from '../sub-affiliates/store-profiles.ts'
import { deferWork, setWork, takeWork } from '../sub-affiliates/store-work.ts'
import { carryOutInTurn, type Turns } from '../work-queue/carry-out-in-turn.ts'
import type { DueRow } from '../work-queue/store-due-rows.ts'
import { systemContext } from '../work-queue/system-context.ts'
import { postDay } from './post-day.ts'
import { readRevision } from './store-sums.ts'

/** Nobody waits for the second at which an invitation ends. */
const pauseMs = { min: 1_000, max: 5_000 }
/** What cannot be done stops nothing else. */
const failedWaitMs = 60_000

interface LoopOptions {
  /** Of the worker role. */
  pool: Pool
  logger: Logger
  rates: ReferenceRates
}

/** Runs until the signal is aborted. */
export function runSubAffiliates(o: LoopOptions & { signal: AbortSignal; progress: Progress }): Promise<void> {
  const { logger, signal, progress } = o
  const turns = { last: '' }
  const turn = () => workOnSubAffiliates({ ...o, turns })
  return runLoop({ name: 'sub-affiliates', logger, signal, progress, pauseMs, turn })
}

/** Does one piece; false when none is due. `turns`: whose piece was done last. */
export function workOnSubAffiliates({ pool, logger, rates, turns }: LoopOptions & { turns: Turns }): Promise<boolean> {
  return carryOutInTurn<DueRow>({
    pool,
    turns,
    take: takeWork,
    handle: (tx, due) => workOn(tx, due, rates),
    report(due, err) {
      const fields = { err, workspace_id: due.workspaceId, subject: due.id }
      logger.error(fields, 'work on a sub-affiliate failed, retrying')
    },
    defer: (tx, due) => deferWork(tx, due, failedWaitMs),
  })
}

/** Its state may have changed since the work was seen; then there is another instant, or none. */
async function workOn(tx: Transaction, due: DueRow, references: ReferenceRates): Promise<void> {
  const { workspaceId, id: subject } = due
  // A day, as `2026-01-31`; ids begin with a letter.
  if (/^\d/.test(subject)) {
    const revision = await readRevision(tx, subject)
    return postDay(tx, { day: subject, revision, references, nowMs: await dbNow(tx) })
  }
  if (isId('pyo', subject)) return beginProcessing(tx, due)
  const loaded = await load(tx, subAffiliates, subject, { lock: true })
  const atMs = loaded === null ? null : dueMs(loaded.state)
  if (loaded === null || atMs === null || atMs > loaded.nowMs) return setWork(tx, { id: subject, atMs })
  if (loaded.state.status === 'removed') {
    await eraseProfile(tx, subject)
    await deleteInvitations(tx, subject)
    return setWork(tx, { id: subject, atMs: null })
  }
  // Its work goes with its state.
  const { nowMs } = loaded
  const context = systemContext({ workspaceId, nowMs, actor: 'sub-affiliates', span: 'sub-affiliates' })
  await executeOrFail(tx, subAffiliates, { context, loaded, command: { type: 'expire' } })
}
