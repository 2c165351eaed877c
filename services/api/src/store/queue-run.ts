// Opens a sync run of a pull integration: its stream, its row and its place in the queue, in the caller's transaction.
// The caller holds the integration's row and has made sure that no run is open.
import type { SyncRunTrigger } from '@wds/contracts/states'
import type { AppendContext } from '@wds/event-store/event-store'
import type { Transaction } from '@wds/postgres/transaction'
import type { IntegrationState } from '../domain/integration.ts'
import type { SyncRunState } from '../domain/sync-run.ts'
import { blank, carryOut, type Loaded } from './aggregate.ts'
import { putWork } from './due-work.ts'
import { syncRunKind } from './kinds.ts'
import { newId } from './new-id.ts'
import { takeRunSeq } from './open-work.ts'

export interface RunWish {
  context: AppendContext
  integration: Loaded<IntegrationState>
  trigger: SyncRunTrigger
  window: { from: string; to: string } | null
  allowEmpty: boolean
  importId: string | null
  attemptsMax: number
  nowMs: number
}

/** The queued run. A run of an import takes over the import's place in the queue, others get one of their own. */
export async function queueRun(tx: Transaction, o: RunWish): Promise<Loaded<SyncRunState>> {
  const fields = o.integration.state.fields
  if (fields === null) throw new Error('an integration without fields')
  const { workspaceId } = o.context
  const runSeq = await takeRunSeq(tx, workspaceId, o.integration.id)
  const id = newId('syn', o.nowMs)
  const order = {
    integration_id: o.integration.id,
    brand_slug: fields.brand_slug,
    trigger: o.trigger,
    window: o.window,
    time_zone: fields.source_time_zone,
    run_seq: runSeq,
    max_attempts: o.attemptsMax,
    allow_empty: o.allowEmpty,
    import_id: o.importId,
    queued_ms: o.nowMs,
    basis: {
      settings: fields.settings,
      source_time_zone: fields.source_time_zone,
      currency: fields.currency,
      granularity: fields.granularity,
      window_mode: fields.window_mode,
      on_unknown_campaign: fields.on_unknown_campaign,
    },
  }
  const command = { type: 'queue', order } as const
  const queued = await carryOut(tx, syncRunKind, { ...o, loaded: blank(syncRunKind, id), command })
  if (!queued.ok) throw new Error('a new run was refused')
  if (o.importId === null)
    await putWork(tx, { context: o.context, workId: id, kind: 'run', integrationId: o.integration.id })
  return queued.value
}
