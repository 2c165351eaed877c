// Translates aggregates into the resources of the API (domain.md 3.2, 3.3, 3.12). It never shows what a resource does not name.
import { syncErrorCodes } from '@wds/contracts/error-classes'
import { toInstant } from '../domain/calendar.ts'
import type { ImportState } from '../domain/import.ts'
import type { IntegrationState } from '../domain/integration.ts'
import { durationMs, type SyncRunState } from '../domain/sync-run.ts'
import type { Loaded } from '../store/aggregate.ts'

const instant = (ms: number | null): string | null => (ms === null ? null : toInstant(ms))

function common(object: string, loaded: Loaded<unknown>) {
  const { id, version, createdMs, updatedMs } = loaded
  return { object, id, created: instant(createdMs), updated: instant(updatedMs), version }
}

/** An integration (domain.md 3.2). */
export function toApiIntegration(loaded: Loaded<IntegrationState>): object {
  const { state } = loaded
  const last = state.last_sync
  return {
    ...common('integration', loaded),
    ...state.fields,
    status: state.status,
    credentials: { set: false, fingerprint: null, updated: null, expires: null },
    last_sync: last && { sync_run_id: last.sync_run_id, status: last.status, finished: toInstant(last.finished_ms) },
    health: {
      consecutive_failures: state.consecutive_failures,
      broken_reason: state.broken_reason,
      broken_since: instant(state.broken_since_ms),
      last_success: instant(state.last_success_ms),
    },
  }
}

/** A sync run (domain.md 3.3). `rejects`: the first rejected lines of its import. */
export function toApiSyncRun(
  loaded: Loaded<SyncRunState>,
  rejects: { line: number; code: string; detail: string }[],
): object {
  const { state } = loaded
  const { order, result } = state
  const counts = result ?? {
    rows_inserted: 0,
    rows_updated: 0,
    rows_unchanged: 0,
    rows_deleted: 0,
    rows_rejected: 0,
    rows_skipped: 0,
  }
  return {
    ...common('sync_run', loaded),
    integration_id: order?.integration_id,
    brand_slug: order?.brand_slug,
    import_id: order?.import_id ?? null,
    trigger: order?.trigger,
    window: result?.window ?? order?.window ?? null,
    time_zone: order?.time_zone,
    status: state.status,
    attempt: state.attempt,
    max_attempts: order?.max_attempts,
    run_seq: order?.run_seq,
    queued: instant(order?.queued_ms ?? null),
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

function toApiError(state: SyncRunState): object | null {
  if (state.error_code === null) return null
  const { message } = syncErrorCodes[state.error_code]
  return { code: state.error_code, message, retryable: state.status === 'retry_wait' || state.status === 'running' }
}

/** An import (domain.md 3.12). */
export function toApiImport(loaded: Loaded<ImportState>): object {
  const { state } = loaded
  const { order, counts } = state
  const code = state.error_code
  return {
    ...common('import', loaded),
    type: order?.import_type,
    format: order?.format,
    integration_id: order?.integration_id ?? null,
    covers: order?.covers ?? null,
    status: state.status,
    lines: counts.lines,
    accepted: counts.accepted,
    rejected: counts.rejected,
    unchanged: counts.unchanged,
    sync_run_id: state.sync_run_id,
    started: instant(state.started_ms),
    finished: instant(state.finished_ms),
    error: code === null ? null : { code, message: syncErrorCodes[code].message, line: state.error_line },
  }
}
