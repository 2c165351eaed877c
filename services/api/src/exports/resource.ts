// Declares the export: its row, its place in the API, and how a command changes it (domain.md 3.12). An export has no stream and no
// events: it is a read in another shape (decision 58).
import { type Loaded, load, workspaceOf } from '@wds/aggregate/aggregate'
import type { Listed } from '@wds/aggregate/list'
import { commonFields, invalidState } from '@wds/aggregate/resource'
import type { Transaction } from '@wds/postgres/transaction'
import { toInstant } from '../calendar/domain/calendar.ts'
import type { Export } from '../openapi.generated.ts'
import { endWork } from '../work-queue/store.ts'
import { commandExport, type ExportCommand, type ExportState, initialExport } from './domain/export.ts'
import { exportErrors } from './domain/export-errors.ts'
import { exportScopes } from './sources.ts'
import { storeExport } from './store.ts'

export const exports = {
  idPrefix: 'exp',
  table: 'exports',
  path: '/v1/exports',
  decider: { initialState: initialExport },
  filters: { status: 'status', type: 'export_type', format: 'format' },
  scopeBy: {
    filter: 'type',
    scopes: exportScopes,
    valueOf: ({ order }) => order?.export_type ?? 'stats',
  },
  // A deleted one is not listed while it is swept.
  delete: true,
  toApi: (rows) => rows.map(toApiExport),
} as const satisfies Listed<ExportState, Export> & { idPrefix: 'exp' }

export const loadExport = (tx: Transaction, id: string, o: { lock: boolean }): Promise<Loaded<ExportState> | null> =>
  load(tx, exports, id, o)

/** Runs a command on an export that was loaded with its lock, or is new. Throws Problem `invalid_state`. What ends takes its work along. */
export async function carryOutExport(
  tx: Transaction,
  loaded: Loaded<ExportState>,
  command: ExportCommand,
): Promise<Loaded<ExportState>> {
  const outcome = commandExport(loaded.state, command)
  if (!outcome.ok) throw invalidState(outcome.error)
  const { state } = outcome
  const workspaceId = workspaceOf(tx)
  const exported = { ...loaded, state, version: loaded.version + 1, updatedMs: loaded.nowMs }
  const isOpen = state.status === 'queued' || state.status === 'running'
  const keepsAll = isOpen || state.status === 'completed'
  // What is not made to its end, or is deleted, is swept at once; the rest once it has expired.
  await storeExport(tx, { workspaceId, exported, sweepMs: keepsAll ? state.expires_ms : loaded.nowMs })
  if (!isOpen) await endWork(tx, workspaceId, loaded.id)
  return { ...exported, createdMs: loaded.createdMs ?? loaded.nowMs }
}

function toApiExport(loaded: Loaded<ExportState>): Export {
  const { order, result, status, error_code: code, ...state } = loaded.state
  if (order === null || status === 'none' || status === 'deleted') throw new Error('nobody sees a deleted export')
  return {
    ...commonFields('export', loaded),
    type: order.export_type,
    format: order.format,
    compression: order.compression,
    query: order.query as Export['query'],
    status,
    rows: state.rows,
    rows_total: result?.rows ?? null,
    bytes: state.bytes,
    meta: (result?.meta ?? null) as Export['meta'],
    started: state.started_ms === null ? null : toInstant(state.started_ms),
    finished: state.finished_ms === null ? null : toInstant(state.finished_ms),
    expires: toInstant(state.expires_ms),
    error: code === null ? null : { code, message: exportErrors[code] },
  }
}
