// Declares the sync run: its stream, its row, its place in the API (domain.md 3.3). It never holds a rule.
import { type Change, execute, type Loaded, load, workspaceOf } from '@wds/aggregate/aggregate'
import { publicEvents } from '@wds/aggregate/announcement'
import { commonFields, type Resource } from '@wds/aggregate/resource'
import { syncErrorCodes } from '@wds/contracts/error-classes'
import type { InvalidState } from '@wds/decider/decider'
import type { AppendContext } from '@wds/event-store/event-store'
import type { Transaction } from '@wds/postgres/transaction'
import { toInstant } from '../calendar/domain/calendar.ts'
import { imports } from '../imports/resource.ts'
import { sampleRejects } from '../imports/store-rejects.ts'
import type { SyncRun } from '../openapi.generated.ts'
import { endWork, putWork } from '../work-queue/store.ts'
import { lockRowOfIntegration } from '../work-queue/store-lock.ts'
import { syncRunPublicEvent } from './domain/public-events.ts'
import {
  durationMs,
  type SyncRunCommand,
  type SyncRunEvent,
  type SyncRunState,
  syncRunDecider,
} from './domain/sync-run.ts'
import { raiseRunSeq } from './store-open.ts'
import { rejectsOfRuns, sampleMax } from './store-rejects.ts'

export const syncRuns: Resource<SyncRunState, SyncRunCommand, SyncRunEvent, InvalidState, SyncRun> = {
  streamType: 'sync_run',
  idPrefix: 'syn',
  table: 'sync_runs',
  path: '/v1/sync-runs',
  scopes: { read: 'integrations:read', write: 'integrations:write' },
  decider: syncRunDecider,
  columns: ({ status, order }) => ({
    status,
    trigger: order?.trigger,
    integration_id: order?.integration_id,
    import_id: order?.import_id,
    run_seq: order?.run_seq,
  }),
  filters: { integration_id: 'integration_id', status: 'status', trigger: 'trigger' },
  announce: publicEvents(syncRunPublicEvent),
  project: followChange,
  // Its sample of rejects is kept for 30 days.
  isLive: true,
  toApi: toApiRuns,
  // Whoever changes runs or imports of an integration holds its row.
  beforeRebuild: (tx, rows) =>
    raiseRunSeq(
      tx,
      rows.flatMap(({ state: { order } }) =>
        order === null ? [] : [{ integrationId: order.integration_id, runSeq: order.run_seq }],
      ),
    ),
  lockFirst: (tx, { state }) => lockRowOfIntegration(tx, workspaceOf(tx), state.order?.integration_id ?? ''),
}

/** Its place in the queue of work; a run of an import has the import's. An import ends with its run. */
async function followChange(
  tx: Transaction,
  { after, events, context }: Change<SyncRunState, SyncRunEvent>,
): Promise<void> {
  const { id, state } = after
  const { import_id: importId = null, integration_id: integrationId = '' } = state.order ?? {}
  for (const { type } of events) {
    if (type === 'RunQueued' && importId === null)
      await putWork(tx, { context, workId: id, kind: 'run', integrationId })
    if (type === 'RunSucceeded' || type === 'RunFailed' || type === 'RunCanceled')
      await endWork(tx, workspaceOf(tx), id)
    if (type === 'RunCanceled' && importId !== null) await cancelOpenImport(tx, importId, context)
  }
}

async function cancelOpenImport(tx: Transaction, id: string, context: AppendContext): Promise<void> {
  const loaded = await load(tx, imports, id, { lock: true })
  if (loaded) await execute(tx, imports, { context, loaded, command: { type: 'cancel', atMs: loaded.nowMs } })
}

/** Runs with a sample of their rejects, once they have ended. */
async function toApiRuns(runs: Loaded<SyncRunState>[], tx: Transaction): Promise<SyncRun[]> {
  const importOf = ({ state }: Loaded<SyncRunState>) =>
    state.finished_ms === null ? null : (state.order?.import_id ?? null)
  const importIds = runs.map(importOf).filter((id) => id !== null)
  const workspaceId = workspaceOf(tx)
  const samples = await sampleRejects(tx, { workspaceId, importIds, limit: sampleMax })
  const pulled = runs.filter(({ state }) => state.finished_ms !== null && (state.order?.import_id ?? null) === null)
  const ofPulls = await rejectsOfRuns(tx, { workspaceId, runIds: pulled.map(({ id }) => id) })
  return runs.map((run) => toApiSyncRun(run, samples.get(importOf(run) ?? '') ?? ofPulls.get(run.id) ?? []))
}

const instant = (ms: number | null): string | null => (ms === null ? null : toInstant(ms))

/** `rejects`: the first rejected lines of its import, or rows of its pull. */
function toApiSyncRun(loaded: Loaded<SyncRunState>, rejects: NonNullable<SyncRun['rejects_sample']>): SyncRun {
  const { state } = loaded
  const { order, result, status } = state
  if (order === null || status === 'none') throw new Error('a sync run has its order from its first event on')
  const counts = result ?? {
    rows_inserted: 0,
    rows_updated: 0,
    rows_unchanged: 0,
    rows_deleted: 0,
    rows_rejected: 0,
    rows_skipped: 0,
  }
  return {
    ...commonFields('sync_run', loaded),
    integration_id: order.integration_id,
    brand_slug: order.brand_slug,
    import_id: order.import_id ?? null,
    trigger: order.trigger,
    window: result?.window ?? order.window ?? null,
    time_zone: order.time_zone,
    status,
    attempt: state.attempt,
    max_attempts: order.max_attempts,
    run_seq: order.run_seq,
    queued: toInstant(order.queued_ms),
    started: instant(state.started_ms),
    finished: instant(state.finished_ms),
    next_attempt: instant(state.next_attempt_ms),
    duration_ms: state.finished_ms === null ? null : durationMs(state, state.finished_ms),
    rows_ingested: counts.rows_inserted + counts.rows_updated + counts.rows_unchanged,
    rows_inserted: counts.rows_inserted,
    rows_updated: counts.rows_updated,
    rows_unchanged: counts.rows_unchanged,
    rows_deleted: counts.rows_deleted,
    rows_rejected: counts.rows_rejected,
    rows_skipped: counts.rows_skipped,
    warnings: result?.warnings ?? {},
    deletes_skipped: result?.deletes_skipped ?? false,
    rejects_sample: rejects.map(({ line, code, detail }) => ({ line, code, detail })),
    error: toApiError(state),
  }
}

function toApiError(state: SyncRunState) {
  if (state.error_code === null) return null
  const { message } = syncErrorCodes[state.error_code]
  return { code: state.error_code, message, retryable: state.status === 'retry_wait' || state.status === 'running' }
}
