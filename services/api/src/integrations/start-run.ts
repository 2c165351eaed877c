// Opens a run of an integration that no one opened by its schedule: asked for by a person, or by an automation rule (domain.md 3.3, 9.7).
import { type Loaded, load, workspaceOf } from '@wds/aggregate/aggregate'
import type { Result } from '@wds/contracts/result'
import type { AppendContext } from '@wds/event-store/event-store'
import type { Transaction } from '@wds/postgres/transaction'
import type { SyncRunState } from '../sync-runs/domain/sync-run.ts'
import { openRunOf } from '../sync-runs/store-open.ts'
import { windowOfRun } from './fold-window.ts'
import { queueRun, type RunRequest } from './queue-run.ts'
import { integrations } from './resource.ts'

type OpenRefusal = 'invalid_state' | 'sync_already_running'

/** Unless the integration is paused, or has an open run. The caller holds its row. */
export async function openRun(tx: Transaction, asked: RunRequest): Promise<Result<Loaded<SyncRunState>, OpenRefusal>> {
  const { integration } = asked
  if (integration.state.status === 'paused') return { ok: false, error: 'invalid_state' }
  if (await openRunOf(tx, workspaceOf(tx), integration.id)) return { ok: false, error: 'sync_already_running' }
  return { ok: true, value: await queueRun(tx, asked) }
}

/** A run of the window that a scheduled one would have. */
export async function startRun(
  tx: Transaction,
  o: { context: AppendContext; integrationId: string; attemptsMax: number },
): Promise<Result<Loaded<SyncRunState>, OpenRefusal | 'not_found' | 'sync_not_supported'>> {
  const { context, attemptsMax } = o
  const integration = await load(tx, integrations, o.integrationId, { lock: true })
  if (integration === null || integration.state.status === 'deleted') return { ok: false, error: 'not_found' }
  if (integration.state.fields?.provider === 'csv_upload') return { ok: false, error: 'sync_not_supported' }
  const run = { trigger: 'manual', allowEmpty: false, importId: null, attemptsMax } as const
  return openRun(tx, { context, integration, ...run, ...(await windowOfRun(tx, integration)) })
}
