// What an attempt of a sync run works on, and the transactions that it does so in: each takes the integration's row first, then the lease.
import { type Loaded, load } from '@wds/aggregate/aggregate'
import type { EnvelopeEncryption } from '@wds/envelope-encryption/envelope-encryption'
import type { AppendContext } from '@wds/event-store/event-store'
import { retryOnConflict } from '@wds/event-store/retry-on-conflict'
import type { FeedClient } from '@wds/outbound/feed-client'
import type { Pool } from '@wds/postgres/pool'
import { type Transaction, withTransaction } from '@wds/postgres/transaction'
import type { Logger } from '@wds/telemetry/logger'
import type { Fold } from '../conversions/fold.ts'
import type { ImportState } from '../imports/domain/import.ts'
import { imports } from '../imports/resource.ts'
import type { IntegrationState } from '../integrations/domain/integration.ts'
import { integrations } from '../integrations/resource.ts'
import { isFeedProvider } from '../providers/domain/providers.ts'
import type { FeedLimits } from '../sources/domain/ingest-limits.ts'
import type { RunOrder, SyncRunState } from '../sync-runs/domain/sync-run.ts'
import { syncRuns } from '../sync-runs/resource.ts'
import { causationOf } from '../work-queue/causation.ts'
import { keepLease, type Work } from '../work-queue/store.ts'
import { lockRowOfIntegration } from '../work-queue/store-lock.ts'

export interface WorkerOptions {
  /** Of the worker role. */
  pool: Pool
  logger: Logger
  leaseMs: number
  retryDelaysMs: readonly number[]
  attemptsMax: number
  /** Records of a run; left out: `recordsMax` of ingest-limits. */
  recordsMax?: number
  /** Files that were uploaded (`import`) or pulls from sources (`run`); left out: both. */
  kind?: Work['kind']
  /** Pieces of work of one kind and one workspace at a time, over all processes. */
  perWorkspace: number
  /** Reads feeds. */
  feeds: FeedClient
  feedLimits: FeedLimits
  /** Of stored credentials. */
  envelope: EnvelopeEncryption
}

/** What an attempt works on. */
export interface Attempt {
  work: Work
  context: AppendContext
  integration: Loaded<IntegrationState>
  run: Loaded<SyncRunState>
  order: RunOrder
  /** Of the integration. */
  provider: string
  found: Loaded<ImportState> | null
  /** What it folds, of postbacks. */
  fold: Fold | null
  /** Whether the integration has a campaign of this external id, as of the attempt's beginning; false where unknown ones are made. */
  knowsCampaign(externalId: string): boolean
  knowsSubAffiliate(externalId: string): boolean
}

/** The lease is somebody else's, or the run was canceled: nothing more may be written. */
export class LeaseLost extends Error {}

/** A transaction over everything of the run may be long: 500,000 rows. */
export const statementTimeoutMs = 120_000

/** What the attempt is to do: of a feed with the settings as they are now, so that a correction helps the attempts that are left. */
export function orderOfAttempt(run: Loaded<SyncRunState>, integration: Loaded<IntegrationState>): RunOrder {
  const order = orderOf(run)
  const { fields } = integration.state
  if (fields === null || !isFeedProvider(fields.provider)) return order
  return { ...order, basis: { ...order.basis, settings: fields.settings } }
}

export function providerOf(integration: Loaded<IntegrationState>): string {
  if (integration.state.fields === null) throw new Error('an integration without fields')
  return integration.state.fields.provider
}

/** The parts of a piece of work, as of one transaction. */
export interface Parts {
  context: AppendContext
  integration: Loaded<IntegrationState>
  run: Loaded<SyncRunState> | null
  found: Loaded<ImportState> | null
  /** The instant of everything that is decided on the parts. */
  nowMs: number
}

export async function loadParts(tx: Transaction, work: Work): Promise<Parts> {
  const locked = { lock: true }
  const integration = await load(tx, integrations, work.integrationId, locked)
  if (!integration) throw new Error('work without an integration')
  const { nowMs } = integration
  const found = work.kind === 'import' ? await load(tx, imports, work.workId, locked) : null
  const run = work.runId === null ? null : await load(tx, syncRuns, work.runId, locked)
  return {
    context: contextOf(work, run?.state.order?.depth ?? 0),
    integration,
    run: run && { ...run, nowMs },
    found: found && { ...found, nowMs },
    nowMs,
  }
}

export function orderOf(run: Loaded<SyncRunState>): RunOrder {
  if (run.state.order === null) throw new Error('a run without an order')
  return run.state.order
}

/** `depth`: rules that the run came through, and all that follows from it (domain.md 9.5). */
function contextOf(work: Work, depth: number): AppendContext {
  const actor = { type: 'system', id: 'sync' } as const
  return {
    workspaceId: work.workspaceId,
    actor,
    correlation: work.correlation,
    causation: causationOf(work.workId, depth),
    // Of the request that asked for the work: its span is the parent of what is announced.
    trace: { traceparent: work.traceparent },
  }
}

/** The parts of an attempt whose run is open. */
export type RunParts = Parts & { work: Work; run: Loaded<SyncRunState>; order: RunOrder; provider: string }

/** The parts of an attempt under way; throws LeaseLost where the run was ended by somebody else. */
export async function loadRunning(tx: Transaction, attempt: Attempt): Promise<RunParts> {
  const { work } = attempt
  const parts = await loadParts(tx, { ...work, runId: attempt.run.id })
  const { run } = parts
  if (run === null || run.state.status !== 'running') throw new LeaseLost()
  return { ...parts, work, run, order: orderOf(run), provider: attempt.provider }
}

/** A transaction of the work: the integration's row, then the lease; throws LeaseLost when the lease is gone. */
export function inWork<T>(o: WorkerOptions, work: Work, fn: (tx: Transaction) => Promise<T>): Promise<T> {
  return retryOnConflict(() =>
    withTransaction(o.pool, { workspaceId: work.workspaceId, statementTimeoutMs }, async (tx) => {
      await holdWork(tx, o, work)
      return fn(tx)
    }),
  )
}

/** The integration's row, then the lease; throws LeaseLost when the lease is gone. */
export async function holdWork(tx: Transaction, o: WorkerOptions, work: Work): Promise<void> {
  await lockRowOfIntegration(tx, work.workspaceId, work.integrationId)
  if (!(await keepLease(tx, work, o.leaseMs))) throw new LeaseLost()
}
