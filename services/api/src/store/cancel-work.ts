// Cancels runs and imports with their place in the queue. The caller holds the integration's row. Rows that were not made
// visible yet never will be (domain.md 3.3, 3.12): whoever worked on the run removes them after it, else `tidy`. There may be
// hundreds of thousands, too many for a request.
import type { AppendContext } from '@wds/event-store/event-store'
import type { Transaction } from '@wds/postgres/transaction'
import type { ImportState } from '../domain/import.ts'
import type { InvalidState } from '../domain/integration.ts'
import type { CancelReason, SyncRunState } from '../domain/sync-run.ts'
import { carryOut, type Loaded, loadAggregate } from './aggregate.ts'
import { endWork } from './due-work.ts'
import { deleteChunks } from './import-chunks.ts'
import { importKind, syncRunKind } from './kinds.ts'
import { openImportsOf, openRunOf } from './open-work.ts'

interface Cancel {
  context: AppendContext
  reason: CancelReason
  nowMs: number
}
type Outcome<S> = { ok: true; value: Loaded<S> } | { ok: false; error: InvalidState }

/** Cancels a run, and the import that it belongs to. */
export async function cancelRun(tx: Transaction, run: Loaded<SyncRunState>, o: Cancel): Promise<Outcome<SyncRunState>> {
  const command = { type: 'cancel', atMs: o.nowMs, reason: o.reason } as const
  const canceled = await carryOut(tx, syncRunKind, { ...o, loaded: run, command })
  if (!canceled.ok) return canceled
  await endWork(tx, o.context.workspaceId, run.id)
  const importId = run.state.order?.import_id ?? null
  const found = importId === null ? null : await loadImport(tx, o, importId)
  if (found) await endImport(tx, found, o)
  return canceled
}

/** Cancels an import, and its run if one is open. */
export async function cancelImport(
  tx: Transaction,
  found: Loaded<ImportState>,
  o: Cancel,
): Promise<Outcome<ImportState>> {
  const canceled = await endImport(tx, found, o)
  if (!canceled.ok) return canceled
  const runId = found.state.sync_run_id
  const run = runId === null ? null : await loadRun(tx, o, runId)
  if (run) await cancelRun(tx, run, o)
  return canceled
}

/** Cancels everything that is open of an integration. */
export async function cancelOpenWork(tx: Transaction, integrationId: string, o: Cancel): Promise<void> {
  const { workspaceId } = o.context
  const runId = await openRunOf(tx, workspaceId, integrationId)
  const run = runId === null ? null : await loadRun(tx, o, runId)
  if (run) await cancelRun(tx, run, o)
  for (const id of await openImportsOf(tx, workspaceId, integrationId)) {
    const found = await loadImport(tx, o, id)
    if (found) await endImport(tx, found, o)
  }
}

async function endImport(tx: Transaction, found: Loaded<ImportState>, o: Cancel): Promise<Outcome<ImportState>> {
  const command = { type: 'cancel', atMs: o.nowMs } as const
  const canceled = await carryOut(tx, importKind, { ...o, loaded: found, command })
  if (!canceled.ok) return canceled
  await endWork(tx, o.context.workspaceId, found.id)
  await deleteChunks(tx, o.context.workspaceId, found.id)
  return canceled
}

function loadRun(tx: Transaction, o: Cancel, id: string): Promise<Loaded<SyncRunState> | null> {
  return loadAggregate<SyncRunState>(tx, syncRunKind, { workspaceId: o.context.workspaceId, id, lock: true })
}

function loadImport(tx: Transaction, o: Cancel, id: string): Promise<Loaded<ImportState> | null> {
  return loadAggregate<ImportState>(tx, importKind, { workspaceId: o.context.workspaceId, id, lock: true })
}
