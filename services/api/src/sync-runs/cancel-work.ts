// Cancels what is open of an integration. The caller holds the integration's row. Rows that were not made visible yet never will be
// (domain.md 3.3, 3.12): whoever worked on the run removes them after it, else `tidy`. There may be hundreds of thousands, too many
// for a request.
import { execute, load, workspaceOf } from '@wds/aggregate/aggregate'
import type { AppendContext } from '@wds/event-store/event-store'
import type { Transaction } from '@wds/postgres/transaction'
import { imports } from '../imports/resource.ts'
import { openImportsOf } from '../imports/store-open.ts'
import type { CancelReason } from './domain/sync-run.ts'
import { syncRuns } from './resource.ts'
import { openRunOf } from './store-open.ts'

interface Cancel {
  context: AppendContext
  reason: CancelReason
}

/** Cancels a run if it is open; the import that it belongs to ends with it. */
export async function cancelRun(tx: Transaction, id: string, { context, reason }: Cancel): Promise<void> {
  const loaded = await load(tx, syncRuns, id, { lock: true })
  if (!loaded) return
  await execute(tx, syncRuns, { context, loaded, command: { type: 'cancel', atMs: loaded.nowMs, reason } })
}

/** Cancels the open run of an integration and the imports that wait. */
export async function cancelOpenWork(tx: Transaction, integrationId: string, o: Cancel): Promise<void> {
  const workspaceId = workspaceOf(tx)
  const runId = await openRunOf(tx, workspaceId, integrationId)
  if (runId !== null) await cancelRun(tx, runId, o)
  for (const id of await openImportsOf(tx, workspaceId, integrationId)) {
    const loaded = await load(tx, imports, id, { lock: true })
    if (!loaded) continue
    await execute(tx, imports, { context: o.context, loaded, command: { type: 'cancel', atMs: loaded.nowMs } })
  }
}
