// Declares the import: its stream, its row, its place in the API (domain.md 3.12). It never holds a rule.
import { type Change, type Loaded, workspaceOf } from '@wds/aggregate/aggregate'
import { publicEvents } from '@wds/aggregate/announcement'
import { commonFields, type Resource } from '@wds/aggregate/resource'
import { syncErrorCodes } from '@wds/contracts/error-classes'
import type { Scope } from '@wds/contracts/scopes'
import type { InvalidState } from '@wds/decider/decider'
import type { Transaction } from '@wds/postgres/transaction'
import { toInstant } from '../calendar/domain/calendar.ts'
import type { Import } from '../openapi.generated.ts'
import { endWork, putWork } from '../work-queue/store.ts'
import { lockRowOfIntegration } from '../work-queue/store-lock.ts'
import {
  type ImportCommand,
  type ImportCounts,
  type ImportEvent,
  type ImportState,
  type ImportType,
  importDecider,
} from './domain/import.ts'
import { importPublicEvent } from './domain/public-events.ts'
import { deleteChunks } from './store-chunks.ts'
import { readCountsSoFar } from './store-counts.ts'
import { endFileWork, putFileWork } from './store-file-work.ts'

/** What reads an import of a type, and what takes one in or cancels it. */
export const importScopes = {
  stats: { read: 'integrations:read', write: 'integrations:write' },
  fx_rates: { read: 'integrations:read', write: 'integrations:write' },
  invoice_payments: { read: 'invoices:read', write: 'invoices:write' },
  campaigns: { read: 'campaigns:read', write: 'campaigns:write' },
} as const satisfies Record<ImportType, { read: Scope; write: Scope }>
const readScopes = Object.fromEntries(Object.entries(importScopes).map(([type, { read }]) => [type, read]))

export const imports: Resource<ImportState, ImportCommand, ImportEvent, InvalidState, Import> = {
  streamType: 'import',
  idPrefix: 'imp',
  table: 'imports',
  path: '/v1/imports',
  scopes: { read: 'any', write: 'any' },
  scopeBy: { filter: 'type', scopes: readScopes, valueOf: ({ order }) => order?.import_type ?? 'stats' },
  decider: importDecider,
  columns: ({ status, order }) => ({
    status,
    import_type: order?.import_type,
    integration_id: order?.integration_id,
  }),
  filters: { status: 'status', integration_id: 'integration_id', type: 'import_type' },
  announce: publicEvents(importPublicEvent),
  project: followChange,
  // How far it is while it runs.
  isLive: true,
  async toApi(rows, tx) {
    const running = rows.filter(({ state }) => state.status === 'running')
    const soFar = await readCountsSoFar(
      tx,
      running.map(({ id, state }) => ({ id, runId: state.sync_run_id })),
    )
    return rows.map((row) => toApiImport(row, soFar.get(row.id) ?? row.state.counts))
  },
  // Whoever changes runs or imports of an integration holds its row.
  async lockFirst(tx, { state }) {
    const integrationId = state.order?.integration_id ?? null
    if (integrationId !== null) await lockRowOfIntegration(tx, workspaceOf(tx), integrationId)
  },
}

/** Its place in its queue of work, and its body, which is not needed any more. The work of one that runs is that of its run. */
async function followChange(
  tx: Transaction,
  { after, events, context }: Change<ImportState, ImportEvent>,
): Promise<void> {
  const { id, state } = after
  const { import_type, integration_id: integrationId = null } = state.order ?? {}
  const hasRun = import_type === 'stats'
  for (const { type } of events) {
    if (type === 'ImportQueued') {
      if (hasRun && integrationId !== null) await putWork(tx, { context, workId: id, kind: 'import', integrationId })
      else await putFileWork(tx, context, id)
    }
    if (type === 'ImportCanceled') {
      await (hasRun ? endWork : endFileWork)(tx, workspaceOf(tx), id)
      await deleteChunks(tx, workspaceOf(tx), id)
    }
  }
}

function toApiImport(loaded: Loaded<ImportState>, counts: ImportCounts): Import {
  const { state } = loaded
  const { order, status } = state
  if (order === null || status === 'none') throw new Error('an import has its order from its first event on')
  const code = state.error_code
  return {
    ...commonFields('import', loaded),
    type: order.import_type,
    format: order.format,
    integration_id: order.integration_id,
    covers: order.covers ?? null,
    source: order.source ?? null,
    status,
    lines: counts.lines,
    accepted: counts.accepted,
    rejected: counts.rejected,
    unchanged: counts.unchanged,
    sync_run_id: state.sync_run_id,
    rate_set: state.rate_set ?? null,
    started: state.started_ms === null ? null : toInstant(state.started_ms),
    finished: state.finished_ms === null ? null : toInstant(state.finished_ms),
    error: code === null ? null : { code, message: syncErrorCodes[code].message, line: state.error_line },
  }
}
