// Opens the next attempt of a piece of work: of its run, or of the run that an import gets now.
import { executeOrFail } from '@wds/aggregate/aggregate'
import type { Transaction } from '@wds/postgres/transaction'
import { knownCampaigns } from '../campaign-places/store-places.ts'
import { Fold } from '../conversions/fold.ts'
import { readFolded } from '../conversions/store-folds.ts'
import { imports } from '../imports/resource.ts'
import { beginDays } from '../integrations/begin-days.ts'
import { queueRun } from '../integrations/queue-run.ts'
import { knownSubAffiliates } from '../sub-affiliates/store-places.ts'
import type { RunOrder } from '../sync-runs/domain/sync-run.ts'
import { syncRuns } from '../sync-runs/resource.ts'
import { openRunOf } from '../sync-runs/store-open.ts'
import { deferWork, setRun, type Work } from '../work-queue/store.ts'
import {
  type Attempt,
  inWork,
  loadParts,
  orderOf,
  orderOfAttempt,
  type Parts,
  providerOf,
  type WorkerOptions,
} from './attempt.ts'
import { failParts } from './end-attempt.ts'

/** Starts the next attempt, or goes on with one that was released; null when there is nothing to do now (canceled, or the last worker was lost). */
export function openAttempt(o: WorkerOptions, work: Work): Promise<Attempt | null> {
  return inWork(o, work, async (tx) => {
    const opened = await openParts(tx, o, work)
    if (opened === null) return null
    const { order } = opened
    const place = { workspaceId: work.workspaceId, integrationId: work.integrationId }
    // Where unknown ones are made none is looked up.
    const known = order.basis.on_unknown_campaign === 'create' ? null : await knownCampaigns(tx, place)
    const subAffiliates = await knownSubAffiliates(tx)
    const fold = opened.provider === 'postback' ? await openFold(tx, o, { order, subIds: [...subAffiliates] }) : null
    return {
      ...opened,
      fold,
      knowsCampaign: (externalId) => known?.has(externalId) ?? false,
      knowsSubAffiliate: (externalId) => subAffiliates.has(externalId),
    }
  })
}

async function openFold(
  tx: Transaction,
  o: WorkerOptions,
  { order, subIds }: { order: RunOrder; subIds: readonly string[] },
): Promise<Fold> {
  const { integration_id: integrationId, window, basis, fold } = order
  if (window === null) throw new Error('a fold without a window')
  const { keptFromMs } = await readFolded(tx, integrationId)
  const goOnMs = fold?.from_ms ?? null
  const limits = o.recordsMax === undefined ? {} : { groupsMax: o.recordsMax }
  return new Fold({ integrationId, window, zone: basis.source_time_zone, goOnMs, keptFromMs, subIds, ...limits })
}

type Opened = Omit<Attempt, 'knowsCampaign' | 'knowsSubAffiliate' | 'fold'>

async function openParts(tx: Transaction, o: WorkerOptions, work: Work): Promise<Opened | null> {
  const loaded = await loadParts(tx, work)
  const { context, nowMs, run } = loaded
  await beginDays(tx, nowMs)
  const provider = providerOf(loaded.integration)
  if (run === null) return openImportRun(tx, o, { work, ...loaded })
  if (run.state.status === 'running' && work.wasFree)
    return { work, provider, ...loaded, run, order: orderOfAttempt(run, loaded.integration) }
  if (run.state.status === 'running') {
    await failParts(tx, o, { work, provider, ...loaded, run, order: orderOf(run) }, { code: 'worker_lost' })
    return null
  }
  const started = await executeOrFail(tx, syncRuns, { context, loaded: run, command: { type: 'start', atMs: nowMs } })
  return { work, provider, ...loaded, run: started, order: orderOfAttempt(started, loaded.integration) }
}

async function openImportRun(tx: Transaction, o: WorkerOptions, parts: Parts & { work: Work }): Promise<Opened | null> {
  const { work, context, integration, found, nowMs } = parts
  if (!found) return null
  if (await openRunOf(tx, work.workspaceId, integration.id)) {
    await deferWork(tx, work, nowMs + 1000)
    return null
  }
  const asked = { context, integration, window: null, allowEmpty: true, attemptsMax: o.attemptsMax }
  const queued = await queueRun(tx, { ...asked, trigger: 'upload', importId: found.id })
  await setRun(tx, work, queued.id)
  const start = { type: 'start', atMs: nowMs } as const
  const run = await executeOrFail(tx, syncRuns, { context, loaded: queued, command: start })
  const command = { ...start, sync_run_id: run.id }
  const started = await executeOrFail(tx, imports, { context, loaded: found, command })
  return { ...parts, provider: providerOf(integration), run, order: orderOf(run), found: started }
}
