// Opens a sync run of a pull integration: its stream, its row and its place in the queue, in the caller's transaction.
// The caller holds the integration's row and has made sure that no run is open.

import { blank, executeOrFail, type Loaded } from '@wds/aggregate/aggregate'
import type { SyncRunTrigger } from '@wds/contracts/states'
import { withoutUndefined } from '@wds/contracts/without-undefined'
import type { AppendContext } from '@wds/event-store/event-store'
import type { Transaction } from '@wds/postgres/transaction'
import type { RunOrder, SyncRunState } from '../sync-runs/domain/sync-run.ts'
import { syncRuns } from '../sync-runs/resource.ts'
import { takeRunSeq } from '../sync-runs/store-open.ts'
import { depthOf } from '../work-queue/causation.ts'
import type { IntegrationState } from './domain/integration.ts'

export interface RunRequest {
  context: AppendContext
  integration: Loaded<IntegrationState>
  trigger: SyncRunTrigger
  window: { from: string; to: string } | null
  allowEmpty: boolean
  importId: string | null
  fold?: RunOrder['fold']
  attemptsMax: number
}

/** The queued run. A run of an import takes over the import's place in the queue, others get one of their own. */
export async function queueRun(tx: Transaction, o: RunRequest): Promise<Loaded<SyncRunState>> {
  const { nowMs, state } = o.integration
  const { fields } = state
  if (fields === null) throw new Error('an integration without fields')
  const { workspaceId } = o.context
  const runSeq = await takeRunSeq(tx, workspaceId, o.integration.id)
  const depth = depthOf(o.context.causation)
  const order = withoutUndefined<RunOrder>({
    integration_id: o.integration.id,
    brand_slug: fields.brand_slug,
    trigger: o.trigger,
    window: o.window,
    time_zone: fields.source_time_zone,
    run_seq: runSeq,
    max_attempts: o.attemptsMax,
    allow_empty: o.allowEmpty,
    import_id: o.importId,
    queued_ms: nowMs,
    basis: {
      settings: fields.settings,
      source_time_zone: fields.source_time_zone,
      currency: fields.currency,
      granularity: fields.granularity,
      window_mode: fields.window_mode,
      on_unknown_campaign: fields.on_unknown_campaign,
    },
    fold: o.fold ?? undefined,
    depth: depth > 0 ? depth : undefined,
  })
  const command = { type: 'queue', order } as const
  return executeOrFail(tx, syncRuns, { context: o.context, loaded: blank(syncRuns, { nowMs }), command })
}
