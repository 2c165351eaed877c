// Does what is due about sub-affiliates (domain.md 3.8, 3.9): invitations expire, what names a person is erased, and days are
// posted that a plan or a rate changed; one transaction each.
import { executeOrFail, load } from '@wds/aggregate/aggregate'
import { newId } from '@wds/aggregate/new-id'
import { type AppendContext, dbNow } from '@wds/event-store/event-store'
import { retryOnConflict } from '@wds/event-store/retry-on-conflict'
import type { Pool } from '@wds/postgres/pool'
import { setWorkspace, type Transaction, withTransaction } from '@wds/postgres/transaction'
import { runLoop } from '@wds/service-host/loop'
import type { Logger } from '@wds/telemetry/logger'
import type { Progress } from '@wds/telemetry/progress'
import { startSpan } from '@wds/telemetry/spans'
import type { ReferenceRates } from '../fx/reference-rates.ts'
import { dueMs, subAffiliates } from '../sub-affiliates/resource.ts'
import { eraseProfile } from '../sub-affiliates/store-profiles.ts'
import { type DueWork, deferWork, setWork, takeWork } from '../sub-affiliates/store-work.ts'
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
export async function workOnSubAffiliates(o: LoopOptions & { turns: { last: string } }): Promise<boolean> {
  let due: DueWork | null = null
  try {
    return await retryOnConflict(() =>
      withTransaction(o.pool, { workspaceId: null }, async (tx) => {
        due = await takeWork(tx, o.turns.last)
        if (due === null) return false
        o.turns.last = due.workspaceId
        await setWorkspace(tx, due.workspaceId)
        await workOn(tx, due, o.rates)
        return true
      }),
    )
  } catch (error) {
    const failed = due as DueWork | null
    if (failed === null) throw error
    const fields = { err: error, workspace_id: failed.workspaceId, subject: failed.subject }
    o.logger.error(fields, 'work on a sub-affiliate failed, retrying')
    await withTransaction(o.pool, { workspaceId: failed.workspaceId }, (tx) => deferWork(tx, failed, failedWaitMs))
    return true
  }
}

/** Its state may have changed since the work was seen; then there is another instant, or none. */
async function workOn(tx: Transaction, { workspaceId, subject }: DueWork, references: ReferenceRates): Promise<void> {
  if (/^\d/.test(subject)) {
    const revision = await readRevision(tx, subject)
    return postDay(tx, { day: subject, revision, references, nowMs: await dbNow(tx) })
  }
  const loaded = await load(tx, subAffiliates, subject, { lock: true })
  const atMs = loaded === null ? null : dueMs(loaded.state)
  if (loaded === null || atMs === null || atMs > loaded.nowMs) return setWork(tx, { subject, atMs })
  if (loaded.state.status === 'removed') {
    await eraseProfile(tx, subject)
    return setWork(tx, { subject, atMs: null })
  }
  // Its work goes with its state.
  const context = contextOf(workspaceId, loaded.nowMs)
  await executeOrFail(tx, subAffiliates, { context, loaded, command: { type: 'expire' } })
}

function contextOf(workspaceId: string, nowMs: number): AppendContext {
  // The beginning of a trace: nobody asked for this but the clock.
  const span = startSpan({ name: 'sub-affiliates', kind: 'internal' })
  span.end()
  const actor = { type: 'system', id: 'sub-affiliates' } as const
  return { workspaceId, actor, correlation: newId('req', nowMs), trace: { traceparent: span.traceparent } }
}
