// When scheduled runs are due and when their absence is a delay. The worker looks across workspaces. It never starts a run.
import { type Loaded, workspaceOf } from '@wds/aggregate/aggregate'
import type { Transaction } from '@wds/postgres/transaction'
import { expiryDueMs, type IntegrationState } from './domain/integration.ts'
import { nextScheduledMs } from './domain/run-window.ts'
import { delayDueMs } from './domain/sync-health.ts'

/** The due times of `schedules`. */
export type DueColumn = 'due' | 'delay_due' | 'expiry_due'

export interface Place {
  workspaceId: string
  integrationId: string
}

/** Sets all due times from the state: the next run at `atMs`, or by its schedule. Without a next run the row goes. */
export async function reschedule(
  tx: Transaction,
  { integration, atMs }: { integration: Loaded<IntegrationState>; atMs?: number },
): Promise<void> {
  const { id, state, nowMs } = integration
  const dueMs = atMs ?? nextScheduledMs(state, nowMs)
  if (dueMs === null) return removeSchedule(tx, id)
  await tx.query(
    `insert into schedules (workspace_id, integration_id, due, delay_due, expiry_due)
     values ($1, $2, to_timestamp($3::float8 / 1000), to_timestamp($4::float8 / 1000), to_timestamp($5::float8 / 1000))
     on conflict (workspace_id, integration_id) do update
       set due = excluded.due, delay_due = excluded.delay_due, expiry_due = excluded.expiry_due`,
    [workspaceOf(tx), id, dueMs, delayDueMs(state), expiryDueMs(state)],
  )
}

/** Moves one due time; null for none, which all but the next run may be. */
export async function moveDue(
  tx: Transaction,
  o: { integrationId: string; column: DueColumn; dueMs: number | null },
): Promise<void> {
  await tx.query(
    `update schedules set ${o.column} = to_timestamp($3::float8 / 1000) where workspace_id = $1 and integration_id = $2`,
    [workspaceOf(tx), o.integrationId, o.dueMs],
  )
}

/** Epoch milliseconds of the next scheduled run of each that has one. Primary key of schedules. */
export async function nextRunsOf(tx: Transaction, ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const { rows } = await tx.query<{ integration_id: string; due_ms: number }>(
    `select integration_id, extract(epoch from due)::float8 * 1000 as due_ms
       from schedules where workspace_id = $1 and integration_id = any($2::text[])`,
    [workspaceOf(tx), ids],
  )
  return new Map(rows.map((row) => [row.integration_id, row.due_ms]))
}

/** Nothing is due any more. */
export async function removeSchedule(tx: Transaction, integrationId: string): Promise<void> {
  const values = [workspaceOf(tx), integrationId]
  await tx.query('delete from schedules where workspace_id = $1 and integration_id = $2', values)
}

/** Integrations of which one due time has come, the oldest first, not locked. The indexes schedules_due, schedules_delay_due and schedules_expiry_due serve it. */
export async function findDue(tx: Transaction, column: DueColumn, limit: number): Promise<Place[]> {
  const { rows } = await tx.query<{ workspace_id: string; integration_id: string }>(
    `select workspace_id, integration_id from schedules where ${column} <= app_now() order by ${column} limit $1`,
    [limit],
  )
  return rows.map((row) => ({ workspaceId: row.workspace_id, integrationId: row.integration_id }))
}

/** Whether the due time has still come, now that the integration's row is held. */
export async function isStillDue(tx: Transaction, place: Place, column: DueColumn): Promise<boolean> {
  const { rows } = await tx.query(
    `select 1 from schedules where workspace_id = $1 and integration_id = $2 and ${column} <= app_now()`,
    [place.workspaceId, place.integrationId],
  )
  return rows.length > 0
}
